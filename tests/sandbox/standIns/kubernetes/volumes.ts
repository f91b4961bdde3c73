import type { Obj } from "../rpc/values";
import { apiVersionOf, kindOf, nameOf, stringAt } from "./objects";
import { NotReady, poll } from "./polling";
import type { Resources } from "./resources";

/** The plugin's own limit for volumes and claims; neither the resource option nor the annotation changes it. */
const limitSeconds = 300;

const phaseOf = (object: Obj) => stringAt(object, "status", "phase");

export const isVolumeOrClaim = (object: Obj) =>
  apiVersionOf(object) === "v1" && ["PersistentVolume", "PersistentVolumeClaim"].includes(kindOf(object));

/** Waits for a volume to exist or a claim to have one. `isUpdate`: the object existed before. */
export async function waitForVolume(resources: Resources, live: Obj, isUpdate: boolean): Promise<Obj> {
  let last = live;
  let bindingMode = "";
  const ready = await poll(limitSeconds, resources.signal, async () => {
    if (resources.signal.aborted) return undefined;
    // Unlike with other kinds, the first failure to see it ends the wait.
    last = await resources.get(last).catch((error: unknown) => {
      throw new NotReady((error as Error).message, last);
    });
    if (kindOf(last) === "PersistentVolume") return ["Available", "Bound"].includes(phaseOf(last)) ? last : undefined;
    bindingMode ||= await bindingModeOf(resources, last);
    return isClaimReady(phaseOf(last), bindingMode, isUpdate) ? last : undefined;
  });
  if (ready) return ready;
  const what = resources.signal.aborted ? "Resource operation was cancelled" : "Timeout occurred polling";
  throw new NotReady(`${what} for '${nameOf(last)}'`, last);
}

/**
 * A new claim is ready when it is bound or, if binding waits for the first consumer, while it is still pending: one
 * that was bound before the first reading is then never ready, which is the plugin's mistake.
 */
export function isClaimReady(phase: string, bindingMode: string, isUpdate: boolean): boolean {
  if (isUpdate && phase === "Bound") return true;
  return phase === (bindingMode === "WaitForFirstConsumer" ? "Pending" : "Bound");
}

async function bindingModeOf(resources: Resources, claim: Obj): Promise<string> {
  const name = stringAt(claim, "spec", "storageClassName");
  if (name === "") return "";
  const ref = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name } };
  const found = await resources.find(ref).catch(() => undefined);
  return found ? stringAt(found, "volumeBindingMode") : "";
}
