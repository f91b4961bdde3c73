import { hasSecret, isObject, isSecret, secret, type Json, type Obj, unwrap } from "../rpc/values";
import { apiVersionOf, kindOf, toKubernetes, toProperties } from "./objects";

/** What the state of a resource records besides the live object. */
export interface Origin {
  initialApiVersion: string;
  fieldManager: string;
}

/** Marks in `outputs` what `inputs` have marked as secret, and the content of every Secret. */
export function markSecrets(outputs: Obj, inputs: Obj | undefined): Obj {
  if (outputs.kind === "Secret") {
    const content = ["data", "stringData"].filter((key) => outputs[key] !== undefined);
    return { ...outputs, ...Object.fromEntries(content.map((key) => [key, secret(outputs[key] as Json)])) };
  }
  const marked = { ...outputs };
  for (const [key, input] of Object.entries(inputs ?? {})) {
    const output = marked[key];
    if (output === undefined) continue;
    if (isObject(output) && isObject(input) && !isSecret(input)) marked[key] = markSecrets(output, input);
    else if (hasSecret(input)) marked[key] = secret(output);
  }
  return marked;
}

/** The state of a resource: the live object, the inputs that made it, and where they came from. */
export function checkpoint(inputs: Obj, live: Obj, fromInputs: Obj, origin: Origin): Obj {
  return {
    ...markSecrets(toProperties(live), fromInputs),
    __inputs: markSecrets(toProperties(inputs), fromInputs),
    __initialApiVersion: origin.initialApiVersion,
    __fieldManager: origin.fieldManager,
  };
}

/** The live object and the inputs in a state. */
export function parseCheckpoint(state: Obj): { inputs: Obj; live: Obj } {
  const { __inputs: inputs, ...live } = toKubernetes(state);
  return { inputs: isObject(inputs) ? inputs : {}, live };
}

/** The API version a resource was first made with. */
export function initialApiVersion(state: Obj, inputs: Obj): string {
  const recorded = unwrap(state.__initialApiVersion ?? null);
  return typeof recorded === "string" ? recorded : apiVersionOf(inputs);
}

/** True when the type in a URN is the patching twin of the object's kind, for example `JobPatch` for a `Job`. */
export function isPatch(typeName: string, object: Obj): boolean {
  return typeName === `${kindOf(object)}Patch`;
}
