import {
  type CheckRequest,
  type CheckResponse,
  type DiffRequest,
  type DiffResponse,
  type Log,
  noChanges,
  typeParts,
  urnName,
  urnType,
} from "../rpc/backend";
import { hasSecret, type Obj } from "../rpc/values";
import { isPatch, markSecrets, parseCheckpoint } from "./checkpoint";
import { diffObjects } from "./diff";
import { forceNewPaths, isAutonamed } from "./forceNew";
import { adoptAutoname, autoname, isGenerateName, isNamed, uniqueName } from "./naming";
import { normalise } from "./normalise";
import { deletePath, nameOf, namespaceOf, prune, setPath, toKubernetes, toProperties } from "./objects";
import type { Session } from "./session";

/** The inputs with everything the provider adds: a name and a namespace. */
export async function check(session: Session, request: CheckRequest, log: Log): Promise<CheckResponse> {
  const { urn, olds, news } = request;
  const { settings, resources, defaultNamespace, unreachable } = session;
  if (unreachable !== undefined && settings.skipUpdateUnreachable) {
    log("warning", urn, "Cluster is unreachable but skipUpdateUnreachable flag is set to true, skipping...");
    return { inputs: olds };
  }
  const inputs = normalise(toKubernetes(news));
  refuseUnsupported(session, urn, inputs);
  if (Object.keys(olds).length > 0) adoptAutoname(inputs, toKubernetes(olds));
  else if (!isNamed(inputs) && !isGenerateName(inputs))
    autoname(inputs, request.proposedName ?? uniqueName(`${urnName(urn)}-`, request.randomSeed));
  if (isGenerateName(inputs))
    throw new Error("the `.metadata.generateName` field is not supported in Server-Side Apply mode");
  if (namespaceOf(inputs) === "" && (await resources.isNamespaced(inputs)))
    setPath(inputs, ["metadata", "namespace"], defaultNamespace);
  if (settings.yamlDirectory !== "" && hasSecret(news))
    log("warning", urn, "rendered YAML will contain a secret value in plaintext");
  return { inputs: markSecrets(toProperties(inputs), news) };
}

function refuseUnsupported({ settings }: Session, urn: string, inputs: Obj): void {
  const { name } = typeParts(urnType(urn));
  if (!settings.serverSideApply) throw new Error("this stand-in supports server-side apply only");
  if (!isPatch(name, inputs) && name.endsWith("List") && inputs.kind === name)
    throw new Error(
      "list resources exist for compatibility with YAML manifests and Helm charts, and cannot be created directly. " +
        "Use the underlying resource type instead",
    );
  if (isPatch(name, inputs) && nameOf(inputs) === "")
    throw new Error("patch resources require the `.metadata.name` field to be set");
}

/** Compares the live object, in the shape of the inputs that made it, with the new inputs. */
export async function diff(session: Session, request: DiffRequest): Promise<DiffResponse> {
  const { settings, resources } = session;
  const { live, inputs: oldInputs } = parseCheckpoint(request.olds);
  const inputs = normalise(toKubernetes(request.news));
  const old = prune(live, normalise(oldInputs));
  alignIdentity(old, inputs, live, await resources.isNamespaced(inputs));

  const patch = isPatch(typeParts(urnType(request.urn)).name, inputs);
  const forceNew = forceNewPaths(inputs, patch, settings);
  const detailed = diffObjects({ old, live, inputs, forceNew, ignoreChanges: request.ignoreChanges });
  const replaces = [...detailed].filter(([, change]) => change.replace).map(([path]) => path);
  return {
    ...noChanges(),
    changed: detailed.size > 0 || (settings.yamlDirectory !== "" && settings.alwaysRender),
    replaces,
    // Two objects cannot have one name, so the old one has to go first, unless the new one gets another name.
    deleteBeforeReplace:
      replaces.length > 0 &&
      isNamed(inputs) &&
      !isAutonamed(inputs) &&
      nameOf(inputs) === nameOf(live) &&
      namespaceOf(inputs) === namespaceOf(live),
    detailed,
  };
}

/** Takes differences in identity out of the comparison that mean nothing. */
function alignIdentity(old: Obj, inputs: Obj, live: Obj, namespaced: boolean): void {
  for (const object of [old, inputs]) {
    if (namespaced) setPath(object, ["metadata", "namespace"], namespaceOf(object) || "default");
    else deletePath(object, ["metadata", "namespace"]);
  }
  old.apiVersion ??= inputs.apiVersion;
  old.kind ??= inputs.kind;
  deletePath(old, ["metadata", "resourceVersion"]);
  if (nameOf(inputs) !== "") setPath(old, ["metadata", "name"], nameOf(live));
}
