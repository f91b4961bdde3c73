import { createHash, randomBytes } from "node:crypto";
import { isObject, type Json, type Obj, unknown } from "../rpc/values";
import { isAutonamed } from "./forceNew";
import { annotationOf, getPath, nameOf, setPath, stringAt } from "./objects";

/** A prefix and eight hex digits, the same ones for the same seed. */
export function uniqueName(prefix: string, seed?: Uint8Array): string {
  const bytes = seed && seed.length > 0 ? createHash("sha256").update(prefix).update(seed).digest() : randomBytes(4);
  return prefix + bytes.subarray(0, 4).toString("hex");
}

/** True when the program chose a name, even one that is not known yet. */
export const isNamed = (inputs: Obj) => nameOf(inputs) !== "" || getPath(inputs, ["metadata", "name"]) === unknown;

/** True when the program leaves the name to the API server. */
export const isGenerateName = (inputs: Obj) => !isNamed(inputs) && stringAt(inputs, "metadata", "generateName") !== "";

/** Gives a nameless object a name, and marks it with an annotation. */
export function autoname(inputs: Obj, name: string): void {
  const metadata = getPath(inputs, ["metadata"]);
  if (metadata === unknown) return;
  setPath(inputs, ["metadata", "name"], name);
  if (isPlaceable(getPath(inputs, ["metadata", "annotations"])))
    setPath(inputs, ["metadata", "annotations", "pulumi.com/autonamed"], "true");
}

const isPlaceable = (value: Json | undefined) => value === undefined || isObject(value);

/** Keeps the made-up name of the object before, when the program still gives none. */
export function adoptAutoname(inputs: Obj, olds: Obj): void {
  if (!isNamed(inputs) && isAutonamed(olds)) autoname(inputs, nameOf(olds));
}

/** The field manager for a resource: the user's choice, the one in its state, or a new one. */
export function fieldManagerOf(inputs: Obj, state: Obj): string {
  const chosen = annotationOf(inputs, "pulumi.com/patchFieldManager");
  const recorded = stringAt(state, "__fieldManager");
  return chosen || recorded || uniqueName("pulumi-kubernetes-");
}
