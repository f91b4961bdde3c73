import * as fs from "node:fs";
import * as path from "node:path";
import { Analyzer } from "@pulumi/pulumi/provider/experimental/analyzer";
import { generateSchema } from "@pulumi/pulumi/provider/experimental/schema";
import kubernetesJson from "@pulumi/kubernetes/package.json";
import packageJson from "../package.json";

const root = path.resolve(__dirname, "..");

/** Where the schema lies: programs in other languages, and the server of the components, read it there. */
export const schemaFile = path.join(__dirname, "schema.json");

/** Components of the package. */
const components = ["MiniCluster", "BurstCluster", "MiniClusterManifest", "EksNodePool", "GkeNodePool", "AksNodePool"];

/** Properties that hold secrets: the languages keep their values encrypted on the way to the component. */
const secretProperties: [type: string, property: string][] = [
  ["MiniClusterFluxArgs", "curveCert"],
  ["BurstRootArgs", "certificate"],
  ["BurstRoot", "certificate"],
];

type Property = object;
type Analysis = ReturnType<Analyzer["analyze"]>;

/**
 * The analyzer of component sources, with types of the Kubernetes provider left where they are: each language has them in
 * its own package of that provider, and a copy would be frozen at the version of the day.
 */
class PackageAnalyzer extends Analyzer {
  constructor() {
    super(root, "minicluster", packageJson, new Set(components));
    const own = this as unknown as { analyzeType: (context: unknown, type: NamedType, ...rest: unknown[]) => Property };
    const analyzeType = own.analyzeType.bind(this);
    own.analyzeType = (context, type, ...rest) => {
      const $ref = kubernetesType(type);
      if ($ref === undefined) return analyzeType(context, type, ...rest);
      const [, optional, description] = rest;
      return { $ref, plain: true, ...(optional === true && { optional }), ...(description ? { description } : {}) };
    };
  }
}

/** What this file needs to know of a TypeScript type. */
interface NamedType {
  getSymbol(): { name: string; declarations?: { getSourceFile(): { fileName: string } }[] } | undefined;
}

function kubernetesType(type: NamedType): string | undefined {
  const symbol = type.getSymbol();
  const file = symbol?.declarations?.[0]?.getSourceFile().fileName ?? "";
  if (symbol?.name !== "PodTemplateSpecPatch" || !file.includes("@pulumi/kubernetes/")) return undefined;
  return `/kubernetes/v${kubernetesJson.version}/schema.json#/types/kubernetes:core%2Fv1:${symbol.name}`;
}

/** The Pulumi schema of the package, from the types and doc comments of its sources. */
export function renderSchema(): string {
  const { version, description } = packageJson;
  const analysis: Analysis = new PackageAnalyzer().analyze();
  const { typeDefinitions, dependencies } = analysis;
  const schema = generateSchema(
    "minicluster",
    version,
    description,
    analysis.components,
    typeDefinitions,
    dependencies,
  );
  for (const [type, property] of secretProperties) {
    const found = schema.types?.[`minicluster:index:${type}`]?.properties?.[property];
    if (!found) throw new Error(`the schema has no ${type}.${property}`);
    Object.assign(found, { secret: true });
  }
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

if (require.main === module) fs.writeFileSync(schemaFile, renderSchema());
