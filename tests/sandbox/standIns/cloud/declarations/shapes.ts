/** What a type in an SDK's declarations allows, as data that a plugin can carry with it. */
export type Shape =
  | { kind: "string" | "number" | "boolean" | "any" }
  | { kind: "oneOf"; values: (string | number)[] }
  | { kind: "array"; items: Shape }
  | { kind: "map"; values: Shape }
  /** An entry of `Declarations.objects`. */
  | { kind: "object"; name: string }
  | { kind: "union"; members: Shape[] };

/** One property of an interface or a resource. */
export interface Property {
  shape: Shape;
  required: boolean;
}

export type Properties = Record<string, Property>;

/** What an SDK says of the resources and functions that a stand-in serves. */
export interface Declarations {
  version: string;
  /** By what the SDK calls them, such as `inputs.eks.NodeGroupTaint`. */
  objects: Record<string, Properties>;
  /** By type token. */
  resources: Record<string, { inputs: Properties; outputs: Properties }>;
  /** By token. */
  functions: Record<string, { args: Properties; result: Properties }>;
}
