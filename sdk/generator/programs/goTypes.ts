import * as fs from "node:fs";
import * as path from "node:path";

const sdk = path.resolve(__dirname, "../../go/minicluster");

/** A field of a struct of the SDK for Go. */
export interface Field {
  name: string;
  /** In the notation of the SDK: `*int`, `pulumi.StringInput`, `[]MiniClusterContainerArgs`. */
  type: string;
}

/** The declarations of the SDK for Go. */
export interface GoTypes {
  /** The fields of a struct by their names in the schema; undefined for any other type. */
  fieldsOf(struct: string): Map<string, Field> | undefined;
  /** The constant of an enum value. */
  constantOf(type: string, value: string): string | undefined;
}

/** Reads the declarations of the SDK, which Pulumi's generator has written. */
export function readGoTypes(): GoTypes {
  const files = fs.readdirSync(sdk).filter((name) => name.endsWith(".go"));
  const text = files.map((name) => fs.readFileSync(path.join(sdk, name), "utf8")).join("\n");
  const structs = new Map(
    [...text.matchAll(/^type (\w+) struct \{\n([^]*?)^\}/gm)].map(([, name = "", body = ""]) => [name, fieldsIn(body)]),
  );
  const constants = new Map(
    [...text.matchAll(/^\t(\w+) += (\w+)\("(.*)"\)$/gm)].map(([, name, type, value]) => [`${type} ${value}`, name]),
  );
  return {
    fieldsOf: (struct) => structs.get(struct),
    constantOf: (type, value) => constants.get(`${type} ${value}`),
  };
}

/** The arguments of a resource have no tags: their names are the schema's, capitalized. */
const fieldsIn = (body: string): Map<string, Field> =>
  new Map(
    [...body.matchAll(/^\t([A-Z]\w*) +(\S+)(?: +`pulumi:"(\w+)"`)?$/gm)].map(([, name = "", type = "", property]) => [
      property ?? `${name[0]?.toLowerCase()}${name.slice(1)}`,
      { name, type },
    ]),
  );

/** The struct of a type, also for a pointer to it and the interface that accepts it. */
export const structOf = (type: string) => type.replace(/^\*/, "").replace(/(Ptr)?Input$/, "Args");
