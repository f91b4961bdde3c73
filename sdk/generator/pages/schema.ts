/** The parts of a Pulumi schema that the pages use. */
export interface PackageSchema {
  resources: Record<string, ResourceSchema>;
  types: Record<string, TypeSchema>;
  functions: Record<string, FunctionSchema>;
}

export interface FunctionSchema {
  description?: string;
  inputs: TypeSchema;
  outputs: TypeSchema;
}

export interface ResourceSchema {
  description?: string;
  inputProperties: Record<string, PropertySchema>;
  requiredInputs?: string[];
  properties: Record<string, PropertySchema>;
}

export interface TypeSchema {
  description?: string;
  properties?: Record<string, PropertySchema>;
  required?: string[];
  enum?: { name: string; value: string; description?: string }[];
}

export interface PropertySchema {
  type?: string;
  $ref?: string;
  items?: PropertySchema;
  additionalProperties?: PropertySchema;
  /** Known when the program runs. Without it the value may be an output of another resource. */
  plain?: boolean;
  description?: string;
}

/** Prefix of a reference to a type of the package itself. */
const ownReference = "#/types/";

/** Token of the type of the package that a property refers to, if it is one. */
export const tokenOf = ({ $ref }: PropertySchema) =>
  $ref?.startsWith(ownReference) ? $ref.slice(ownReference.length) : undefined;

/** Bare name of a type or a resource: the last part of its token. */
export const nameOf = (token: string) => token.slice(token.lastIndexOf(":") + 1);

/** The property inside lists and maps, and the path to it: `[]` for the items of a list, `.*` for the values of a map. */
export function innermost(property: PropertySchema, steps = ""): { property: PropertySchema; steps: string } {
  if (property.items) return innermost(property.items, `${steps}[]`);
  if (property.additionalProperties) return innermost(property.additionalProperties, `${steps}.*`);
  return { property, steps };
}

/** An argument, by its path. */
export interface Argument {
  /** Path, such as `containers[].volumes.*.path`. */
  path: string;
  /** Token of the type that has the property, or of the component. */
  owner: string;
  name: string;
  /** It has properties. */
  isGroup: boolean;
}

/** Every argument of a component. A list or a map of plain values is one argument. */
export function argumentsOf(schema: PackageSchema, component: string): Argument[] {
  const resource = schema.resources[component];
  if (!resource) throw new Error(`the schema has no ${component}`);
  const visit = (owner: string, properties: Record<string, PropertySchema>, prefix: string): Argument[] =>
    Object.entries(properties).flatMap(([name, outer]) => {
      const path = `${prefix}${name}`;
      const { property, steps } = innermost(outer);
      const token = tokenOf(property);
      const inner = token === undefined ? undefined : schema.types[token]?.properties;
      const below = token !== undefined && inner ? visit(token, inner, `${path}${steps}.`) : [];
      return [{ path, owner, name, isGroup: inner !== undefined }, ...below];
    });
  return visit(component, resource.inputProperties, "");
}

/** Whether a path equals another path, or is inside it. */
export const isAtOrIn = (path: string, outer: string) =>
  path.startsWith(outer) && ["", ".", "["].includes(path.charAt(outer.length));
