import * as fs from "node:fs";
import * as path from "node:path";

const schemaFile = path.resolve(__dirname, "../../../sdk/schema.json");

/** What a schema says of a value. */
export interface SchemaProperty {
  type?: string;
  $ref?: string;
  items?: SchemaProperty;
  additionalProperties?: SchemaProperty;
  /** May not be the output of a resource. */
  plain?: boolean;
}

/** What a schema says of a type. */
export interface SchemaType extends SchemaProperty {
  enum?: { value: unknown }[];
  properties?: Record<string, SchemaProperty>;
  required?: string[];
}

/** What a schema says of a resource. */
export interface SchemaResource {
  inputProperties: Record<string, SchemaProperty>;
  requiredInputs?: string[];
  properties: Record<string, SchemaProperty>;
}

/** The schema of a package. */
export interface PackageSchema {
  resources: Record<string, SchemaResource>;
  types: Record<string, SchemaType>;
}

/** The schema of this package, as it is generated. */
export const readSchema = (): PackageSchema => JSON.parse(fs.readFileSync(schemaFile, "utf8")) as PackageSchema;
