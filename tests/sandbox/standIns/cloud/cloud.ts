import type { Json, Obj } from "../rpc/values";

/** What a resource is made from. */
export interface Facts {
  inputs: Obj;
  /** Digits that no other resource has. */
  unique: string;
  /** The provider's own settings, such as its region. */
  config: Record<string, string>;
}

/** The observable behavior of a cloud for one type of resource. */
export interface ResourceKind {
  /** The input for which the provider generates a name by default. */
  name?: string;
  /** The input with which the cloud generates the name instead. */
  namePrefix?: string;
  /** Inputs whose change makes the provider replace the resource; `[*]` is any element. */
  replacedBy: string[];
  /** Inputs that the provider would update in place, and the cloud rejects. */
  fixed?: string[];
  /** Inputs that the cloud extends, so that a preview has no value for them. */
  completed?: string[];
  /** The cloud's errors for some inputs, in its own words. */
  refuses?: (inputs: Obj) => string | undefined;
  id: (facts: Facts) => string;
  /** Outputs with values; all others that the SDK declares are empty. */
  outputs: (facts: Facts & { id: string }) => Obj;
  /** Outputs that an update gives another value, unknown in its preview. */
  revised?: (changed: string[], inputs: Obj, olds: Obj) => Obj;
}

/** The response of a data source, without its empty parts. */
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
