import {
  type CreateRequest,
  type DeleteRequest,
  InitFailed,
  type Log,
  type ResourceState,
  typeParts,
  type UpdateRequest,
  urnType,
} from "../rpc/backend";
import { hasSecret, hasUnknown, type Obj } from "../rpc/values";
import { ApiError, hasReason } from "./api";
import { deletionPolicy, timeoutSeconds, waitUntilGone, waitUntilReady } from "./awaiting";
import { checkpoint, initialApiVersion, isPatch, type Origin, parseCheckpoint } from "./checkpoint";
import { fieldManagerOf } from "./naming";
import { normalise } from "./normalise";
import { apiVersionOf, getPath, idOf, kindOf, toKubernetes } from "./objects";
import { NotReady } from "./polling";
import { removeRendered, renderObject, renderPath } from "./render";
import { NoSuchKind } from "./resources";
import type { Session } from "./session";
import { clearStatus, showingWarnings } from "./statuses";
import { createObject, NamespaceMissing, relinquish, updateObject } from "./writes";

const warner = (log: Log, urn: string) => (warning: string) => log("warning", urn, warning, "status");

const isPatchUrn = (urn: string, object: Obj) => isPatch(typeParts(urnType(urn)).name, object);

function refuseUnreachable({ unreachable }: Session): void {
  if (unreachable !== undefined) throw new Error(`configured Kubernetes cluster is unreachable: ${unreachable}`);
}

function render({ settings }: Session, urn: string, inputs: Obj, fromInputs: Obj, log: Log): void {
  if (hasSecret(fromInputs)) {
    const path = renderPath(inputs, settings.yamlDirectory);
    log("warning", urn, `rendered file ${path} contains a secret value in plaintext`);
  }
  renderObject(inputs, settings.yamlDirectory);
  log("info", urn, `rendered ${renderPath(inputs, settings.yamlDirectory)}`, "status");
}

/** Creates the object, or sends it as a dry run. */
export async function create(session: Session, request: CreateRequest, log: Log): Promise<ResourceState> {
  const { urn, preview, inputs: fromInputs } = request;
  const { settings, resources } = session;
  const inputs = toKubernetes(fromInputs);
  const origin = { initialApiVersion: apiVersionOf(inputs), fieldManager: fieldManagerOf(inputs, fromInputs) };
  const patch = isPatchUrn(urn, inputs);
  // An unpreviewable object is returned unchanged, so that the engine takes its inputs for outputs.
  const asIs = { id: "", properties: fromInputs };
  if (preview && (hasUnknown(inputs) || patch || !(await resources.exists(inputs)))) return asIs;
  if (settings.yamlDirectory !== "") {
    render(session, urn, inputs, fromInputs, log);
    return { id: idOf(inputs), properties: checkpoint(inputs, inputs, fromInputs, origin) };
  }
  refuseUnreachable(session);

  const write = { inputs, fieldManager: origin.fieldManager, preview, patchForce: settings.patchForce };
  let live: Obj;
  try {
    const upsert = patch || settings.upsertExisting;
    const before = upsert && !preview ? await resources.find(inputs).catch(() => undefined) : undefined;
    live = await createObject(resources, write, upsert);
    clearStatus(log, urn);
    const seconds = timeoutSeconds(request.timeoutSeconds, inputs);
    if (!preview) {
      live = await waitUntilReady(resources, live, {
        inputs,
        seconds,
        isUpdate: false,
        before,
        warn: warner(log, urn),
      });
      clearStatus(log, urn);
    }
  } catch (error) {
    if (preview && isNoPreview(error)) return asIs;
    throw createError(error, urn, { inputs, fromInputs, origin });
  }
  if (preview) delete live.status;
  if (kindOf(inputs) === "CustomResourceDefinition") resources.forgetKinds();
  return { id: preview ? "" : idOf(live), properties: checkpoint(inputs, live, fromInputs, origin) };
}

/** Errors of a dry run that say nothing about the real run. An object that exists may be about to be replaced. */
function isNoPreview(error: unknown): boolean {
  return error instanceof NamespaceMissing || hasReason(error, "Forbidden") || hasReason(error, "AlreadyExists");
}

interface Made {
  inputs: Obj;
  fromInputs: Obj;
  origin: Origin;
}

function createError(error: unknown, urn: string, made: Made): Error {
  const message = (error as Error).message;
  const resource = `resource ${JSON.stringify(urn)}`;
  if (error instanceof NotReady)
    return initFailed(
      `${resource} was successfully created, but the Kubernetes API server reported that it failed to fully ` +
        `initialize or become live: ${message}`,
      error.object,
      error.reasons,
      made,
    );
  if (error instanceof NoSuchKind) {
    const kind = `${apiVersionOf(made.inputs)}/${kindOf(made.inputs)}`;
    return new Error(
      `creation of ${resource} with kind ${kind} failed because the Kubernetes API server reported that the ` +
        `apiVersion for this resource does not exist. Verify that any required CRDs have been created: ${message}`,
    );
  }
  return new Error(`${resource} was not successfully created by the Kubernetes API server: ${message}`);
}

function initFailed(message: string, live: Obj, reasons: string[], { inputs, fromInputs, origin }: Made): InitFailed {
  const state = { id: idOf(live), properties: checkpoint(inputs, live, fromInputs, origin) };
  return new InitFailed(message, state, [message, ...reasons]);
}

/** Applies the new inputs. After an error the state has the new inputs too, and the engine tries again next time. */
export async function update(session: Session, request: UpdateRequest, log: Log): Promise<Obj> {
  const { urn, preview, news, olds, ignoreChanges } = request;
  const { settings, resources } = session;
  const inputs = normalise(toKubernetes(news));
  if (preview && (hasUnknown(inputs) || !(await resources.exists(inputs)))) return news;

  const old = parseCheckpoint(olds);
  const oldManager = fieldManagerOf(old.inputs, olds);
  const origin = { initialApiVersion: initialApiVersion(olds, old.inputs), fieldManager: fieldManagerOf(inputs, olds) };
  const made = { inputs, fromInputs: news, origin };
  if (settings.yamlDirectory !== "") {
    render(session, urn, inputs, news, log);
    return checkpoint(inputs, inputs, news, origin);
  }
  refuseUnreachable(session);

  const write = { inputs, fieldManager: origin.fieldManager, preview, patchForce: settings.patchForce };
  let live: Obj;
  try {
    const updated = await updateObject(resources, { ...write, isPatch: isPatchUrn(urn, inputs), ignoreChanges });
    live = updated.live;
    const seconds = timeoutSeconds(request.timeoutSeconds, inputs);
    if (!preview) {
      const { before } = updated;
      live = await waitUntilReady(resources, live, { inputs, seconds, isUpdate: true, before, warn: warner(log, urn) });
      clearStatus(log, urn);
    }
  } catch (error) {
    if (preview && hasReason(error, "Forbidden")) return news;
    throw await updateError(session, error, urn, old.live, made);
  }
  if (!preview && oldManager !== origin.fieldManager) await relinquish(resources, live, oldManager);
  return checkpoint(inputs, live, news, origin);
}

async function updateError(session: Session, error: unknown, urn: string, old: Obj, made: Made): Promise<Error> {
  const message = (error as Error).message;
  const resource = `resource ${JSON.stringify(urn)}`;
  if (error instanceof NoSuchKind)
    return new Error(
      `update of ${resource} failed because the Kubernetes API server reported that the apiVersion for this ` +
        `resource does not exist. Verify that any required CRDs have been created: ${message}`,
    );
  try {
    const live = await session.resources.get(old);
    const reasons = error instanceof NotReady ? error.reasons : [];
    const summary =
      `the Kubernetes API server reported that ${JSON.stringify(idOf(live))} failed to fully initialize or ` +
      `become live: ${message}`;
    return initFailed(summary, live, reasons, made);
  } catch (getError) {
    const second = `unable to get cluster state: ${(getError as Error).message}`;
    return new Error(`update of ${resource} failed: ${message}\n${second}`);
  }
}

/** Deletes the object and waits until it is gone; a Patch resource only gives up its fields. */
export async function remove(session: Session, request: DeleteRequest, log: Log): Promise<void> {
  const { urn, properties } = request;
  const { settings, resources, unreachable } = session;
  const { inputs, live } = parseCheckpoint(properties);
  if (settings.yamlDirectory !== "") {
    removeRendered(live, settings.yamlDirectory);
    return log("info", urn, `deleted ${renderPath(live, settings.yamlDirectory)}`, "status");
  }
  if (unreachable !== undefined) return removeUnreachable(session, urn, log);

  const origin = {
    initialApiVersion: initialApiVersion(properties, inputs),
    fieldManager: fieldManagerOf(inputs, properties),
  };
  try {
    if (isPatchUrn(urn, inputs)) return await relinquish(resources, live, origin.fieldManager);
    await resources.remove(live, deletionPolicy(inputs));
    const seconds = timeoutSeconds(request.timeoutSeconds, inputs);
    await showingWarnings(resources, live, warner(log, urn), () => waitUntilGone(resources, live, inputs, seconds));
    clearStatus(log, urn);
  } catch (error) {
    if (error instanceof NoSuchKind) return;
    if (error instanceof NotReady) {
      log("warning", urn, `finalizers might be preventing deletion (${finalizers(error.object)})`);
      throw initFailed(error.message, error.object, [], { inputs: live, fromInputs: properties, origin });
    }
    if (isPatchUrn(urn, inputs)) throw requiredFieldError(error);
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

function removeUnreachable({ settings, unreachable }: Session, urn: string, log: Log): void {
  log("warning", urn, `configured Kubernetes cluster is unreachable: ${unreachable ?? ""}`);
  if (!settings.deleteUnreachable)
    throw new Error(
      "configured Kubernetes cluster is unreachable. If the cluster was deleted, you can remove this resource from " +
        "Pulumi state by rerunning the operation with the PULUMI_K8S_DELETE_UNREACHABLE environment variable set to " +
        '"true"',
    );
}

function finalizers(live: Obj): string {
  const list = getPath(live, ["metadata", "finalizers"]);
  return Array.isArray(list) ? list.filter((item) => typeof item === "string").join(", ") : "";
}

/** Kubernetes requires this field, so its last manager cannot give it up. */
function requiredFieldError(error: unknown): unknown {
  const field = error instanceof ApiError ? error.causeField("FieldValueRequired") : undefined;
  if (field === undefined) return error;
  return new Error(
    "this Patch resource is currently managing a required field, so it can't be deleted directly. Either set the " +
      `\`retainOnDelete\` resource option, or transfer ownership of the field before deleting: ${field}`,
  );
}
