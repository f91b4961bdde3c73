import * as fs from "node:fs";
import * as path from "node:path";
import { Analyzer } from "@pulumi/pulumi/provider/experimental/analyzer";
import { generateSchema } from "@pulumi/pulumi/provider/experimental/schema";
import packageJson from "../package.json";

const root = path.resolve(__dirname, "..");

/** Where the schema lies: programs in other languages, and the server of the components, read it there. */
export const schemaFile = path.join(__dirname, "schema.json");

/** The Pulumi schema of the package, from the types and doc comments of its sources. */
export function renderSchema(): string {
  const { version, description } = packageJson;
  const analyzer = new Analyzer(root, "minicluster", packageJson, new Set(["MiniCluster"]));
  const { components, typeDefinitions, dependencies } = analyzer.analyze();
  const schema = generateSchema("minicluster", version, description, components, typeDefinitions, dependencies);
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

if (require.main === module) fs.writeFileSync(schemaFile, renderSchema());
