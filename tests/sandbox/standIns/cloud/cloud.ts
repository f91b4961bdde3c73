import type { Json, Obj } from "../rpc/values";

/** What a resource is made from. */
export interface Facts {
  inputs: Obj;
  /** Digits that no other resource has. */
  unique: string;
  /** The provider's own settings, such as its region. */
  config: Record<string, string>;
}

/** How a cloud deals with one type of resource, in the parts that tests can see. */
export interface ResourceKind {
  /** The input that becomes a name of the provider's making when it is not given. */
  name?: string;
  /** The input that has the cloud make the name up instead. */
  namePrefix?: string;
  /** Inputs whose change makes the provider replace the resource; `[*]` is any element. */
  replacedBy: string[];
  /** Inputs that the provider would update in place, and the cloud refuses to. */
  fixed?: string[];
  /** Inputs to which the cloud adds something, so that a preview has no value for them. */
  completed?: string[];
  /** What the cloud refuses to make of some inputs, in its own words. */
  refuses?: (inputs: Obj) => string | undefined;
  id: (facts: Facts) => string;
  /** Outputs that mean something; all others that the SDK promises are empty. */
  outputs: (facts: Facts & { id: string }) => Obj;
  /** Outputs that an update gives another value, unknown in its preview. */
  revised?: (changed: string[], inputs: Obj, olds: Obj) => Obj;
}

/** The answer of a data source, without what is empty in it. */
export type CloudFunction = (args: Obj, config: Record<string, string>) => Obj;

/** One provider. */
export interface Cloud {
  /** What a name that the provider makes up has after the logical one: a separator and hexadecimal digits. */
  autoname: { separator: string; digits: number };
  resources: Record<string, ResourceKind>;
  functions: Record<string, CloudFunction>;
}

/** The text in a property, or its replacement. */
export const text = (value: Json | undefined, byDefault = "") => (typeof value === "string" ? value : byDefault);
