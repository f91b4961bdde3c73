import { setTimeout as sleep } from "node:timers/promises";
import type { Obj } from "../rpc/values";
import { hasReason, isNotFound } from "./api";
import { apiVersionOf, isAnnotationTrue, kindOf, nameOf, namespaceOf, objectsAt } from "./objects";
import { isProviderUpdate, takeOver, withIgnoredFields } from "./managedFields";
import { NoSuchKind, type Resources } from "./resources";

/** The manager of every create that is not a server-side apply. The first update hands its fields over. */
const createManager = "pulumi-kubernetes";

const conflictHelp =
  "https://www.pulumi.com/registry/packages/kubernetes/how-to-guides/managing-resources-with-server-side-apply/" +
  "#handle-field-conflicts-on-existing-resources";

const existsHelp = `

The resource already exists in the cluster. This can happen when:

  - Renaming a Pulumi resource: use an alias to preserve the identity,
    or use deleteBeforeReplace if the resource needs replacement.
  - Managing an existing resource: use a Patch resource (e.g. NamespacePatch)
    to manage specific fields without owning the resource lifecycle.
  - Adopting a resource into Pulumi: use \`pulumi import\`. Note that
    protected resources (e.g. kube-system) cannot be deleted on destroy.
  - Intentional upsert: set upsertExistingObjects on the provider to allow
    server-side apply to update existing objects on create.`;

/** One write of one object. */
export interface Write {
  inputs: Obj;
  fieldManager: string;
  preview: boolean;
  /** The provider's own enablePatchForce. */
  patchForce: boolean;
}

/** Explains an apply conflict; any other error stays as it is. */
function explainConflict(error: unknown, fieldManager: string): never {
  if (!hasReason(error, "Conflict")) throw error;
  throw new Error(
    `server-side apply field conflict detected, see ${conflictHelp} for troubleshooting help\n` +
      `The resource managed by field manager ${JSON.stringify(fieldManager)} had an apply conflict: ` +
      (error as Error).message,
    { cause: error },
  );
}

/** Whether an apply takes fields from other managers. */
function isForced({ inputs, preview, patchForce }: Write, live: Obj | undefined): boolean {
  if (isAnnotationTrue(inputs, "pulumi.com/patchForce") || patchForce) return true;
  const entries = live && objectsAt(live, "metadata", "managedFields");
  // A preview cannot transfer fields before it applies, so it must not fail because of them.
  if (preview) return !entries || entries.length === 0 || entries.some(isProviderUpdate);
  return entries?.length === 0;
}

/** Retries while the namespace or the kind of an object is still missing. */
async function retrying<T>(signal: AbortSignal, tryOnce: () => Promise<T>): Promise<T> {
  for (let seconds = 1; ; seconds *= 2) {
    try {
      return await tryOnce();
    } catch (error) {
      const mayAppear = isNotFound(error) || error instanceof NoSuchKind;
      if (!mayAppear || seconds > 16 || signal.aborted) throw error;
      await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** The namespace of a previewed object is not there yet, so a dry run fails. */
export class NamespaceMissing extends Error {}

/**
 * Creates an object. An existing object is an error, unless `upsert` is set, as always for Patch resources: then this
 * is a server-side apply.
 */
export async function createObject(resources: Resources, write: Write, upsert: boolean): Promise<Obj> {
  const { inputs, preview, fieldManager } = write;
  const create = () =>
    upsert
      ? resources.apply(inputs, { fieldManager, dryRun: preview, force: isForced(write, undefined) })
      : resources.create(inputs, { fieldManager: createManager, dryRun: preview });
  try {
    return await retrying(resources.signal, () =>
      create().catch((error: unknown) => {
        if (preview && isNotFound(error)) throw new NamespaceMissing((error as Error).message);
        return explainConflict(error, fieldManager);
      }),
    );
  } catch (error) {
    if (!preview && hasReason(error, "AlreadyExists"))
      throw new Error((error as Error).message + existsHelp, { cause: error });
    throw error;
  }
}

/** Applies new inputs to an existing object by server-side apply, and also returns its former state. */
export async function updateObject(
  resources: Resources,
  write: Write & { isPatch: boolean; ignoreChanges: readonly string[] },
): Promise<{ before: Obj; live: Obj }> {
  const { inputs, fieldManager, preview, isPatch } = write;
  const before = await resources.get(inputs);
  if (kindOf(inputs) === "CustomResourceDefinition") {
    const metadata = { ...(inputs.metadata as Obj), resourceVersion: (before.metadata as Obj).resourceVersion };
    return { before, live: await resources.replace({ ...inputs, metadata }, { fieldManager, dryRun: preview }) };
  }
  const handed = isPatch || preview ? before : await handOver(resources, before, fieldManager);
  const sent = withIgnoredFields(inputs, handed, fieldManager, write.ignoreChanges);
  const live = await resources
    .apply(sent, { fieldManager, dryRun: preview, force: isForced(write, handed) })
    .catch((error: unknown) => explainConflict(error, fieldManager));
  return { before, live };
}

async function handOver(resources: Resources, live: Obj, fieldManager: string): Promise<Obj> {
  const entries = takeOver(objectsAt(live, "metadata", "managedFields"), fieldManager);
  if (!entries) return live;
  return resources.jsonPatch(live, [{ op: "replace", path: "/metadata/managedFields", value: entries }]);
}

/** Gives up every field of a manager, by an apply without fields. */
export async function relinquish(resources: Resources, live: Obj, fieldManager: string): Promise<void> {
  const metadata = { name: nameOf(live), namespace: namespaceOf(live) || undefined };
  const identity = { apiVersion: apiVersionOf(live), kind: kindOf(live), metadata };
  await resources.apply(identity, { fieldManager, dryRun: false, force: false });
}
