import { InitFailed, type Log, type ReadRequest, type ResourceState, typeParts, urnType } from "../rpc/backend";
import { type Obj } from "../rpc/values";
import { checkOnRead } from "./awaiting";
import { checkpoint, initialApiVersion, markSecrets, parseCheckpoint } from "./checkpoint";
import { fieldManagerOf } from "./naming";
import { normalise } from "./normalise";
import { apiVersionOf, deletePath, idOf, kindOf, parseId, prune, setPath, toKubernetes, toProperties } from "./objects";
import { NotReady } from "./polling";
import type { Session } from "./session";
import { clearStatus } from "./statuses";

type ReadState = ResourceState & { inputs: Obj };

const gone: ReadState = { id: "", properties: {}, inputs: {} };

/** Reads the live object. Its inputs are the live values in the shape of the inputs that made it. */
export async function read(session: Session, request: ReadRequest, log: Log): Promise<ReadState> {
  const { settings, resources, unreachable } = session;
  const { id, properties, inputs: fromInputs } = request;
  if (settings.yamlDirectory !== "") return { id, properties, inputs: fromInputs };
  if (unreachable !== undefined) return readUnreachable(session, request, log);

  const known = parseCheckpoint(properties).live;
  const oldInputs = normalise(toKubernetes(fromInputs));
  const isImport = apiVersionOf(oldInputs) === "" && apiVersionOf(known) === "";
  identify(oldInputs, known, request);
  const origin = {
    initialApiVersion: initialApiVersion(properties, oldInputs),
    fieldManager: fieldManagerOf(oldInputs, properties),
  };

  const live = await resources.find(oldInputs);
  if (!live) return gone;
  const liveInputs = isImport ? importedInputs(live) : prune(live, oldInputs);
  const state: ReadState = {
    id: id || idOf(live),
    properties: checkpoint(liveInputs, live, fromInputs, origin),
    inputs: markSecrets(toProperties(liveInputs), fromInputs),
  };
  if (!isImport && (await isReady(session, live, oldInputs, state))) clearStatus(log, request.urn);
  return state;
}

/** Fills in kind and name for a resource of which the engine has type and id only. */
function identify(inputs: Obj, known: Obj, { id, urn }: ReadRequest): void {
  if (apiVersionOf(inputs) !== "") return;
  const { module, name: typeName } = typeParts(urnType(urn));
  inputs.apiVersion = apiVersionOf(known) || module.replace(/^core\//, "");
  inputs.kind = kindOf(known) || typeName.replace(/Patch$/, "");
  const { namespace, name } = parseId(id);
  setPath(inputs, ["metadata", "name"], name);
  if (namespace !== "") setPath(inputs, ["metadata", "namespace"], namespace);
}

function importedInputs(live: Obj): Obj {
  const inputs = normalise(live);
  delete inputs.status;
  deletePath(inputs, ["metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"]);
  deletePath(inputs, ["metadata", "annotations", "deployment.kubernetes.io/revision"]);
  return inputs;
}

/** False for an object that nothing is expected of; one that is not ready is an error. */
async function isReady({ resources }: Session, live: Obj, inputs: Obj, state: ReadState): Promise<boolean> {
  try {
    return await checkOnRead(resources, live, inputs);
  } catch (error) {
    if (!(error instanceof NotReady)) throw error;
    throw new InitFailed(error.message, state, [error.message, ...error.reasons]);
  }
}

function readUnreachable({ settings, unreachable }: Session, request: ReadRequest, log: Log): ReadState {
  log("warning", request.urn, `configured Kubernetes cluster is unreachable: ${unreachable ?? ""}`);
  if (settings.deleteUnreachable) return gone;
  if (settings.skipUpdateUnreachable) return request;
  throw new Error(
    "failed to read resource state due to unreachable cluster. If the cluster was deleted, you can remove this " +
      "resource from Pulumi state by rerunning the operation with the PULUMI_K8S_DELETE_UNREACHABLE environment " +
      'variable set to "true"',
  );
}
