import * as fs from "node:fs";
import * as path from "node:path";
import { generateSchema } from "@pulumi/pulumi/provider/experimental/schema";
import kubernetesJson from "@pulumi/kubernetes/package.json";
import packageJson from "../../package.json";
import { address } from "./address";
import { PackageAnalyzer } from "./analyzer";
import { overrideAll } from "./overrides";
import { nameOf } from "./pages/schema";
import { unfolded } from "./programs/folding";

/** File of the schema, which programs in other languages and the server of the components read. */
export const schemaFile = path.resolve(__dirname, "../schema.json");

/** Properties that contain secrets: the SDKs mark their values as secrets. */
const secretProperties: [type: string, property: string][] = [
  ["MiniClusterFlux", "curveCert"],
  ["BurstRoot", "certificate"],
  ["MiniClusterConsole", "tokens"],
  ["MiniClusterConsole", "secretKey"],
];

/**
 * Types whose values are known before anything is created. The analyzer finds them in an output first, and marks all their
 * properties as possible outputs.
 */
const plainTypes = ["BurstPlan", "BurstPlanCluster"];

/** Numbers that may have a fraction. All other numbers are integers; TypeScript has one type for both. */
const fractions: [type: string, property: string][] = [
  ["AksNodePool", "spotMaxPrice"],
  ...["MiniCluster", "BurstCluster"].flatMap((cluster): [string, string][] => [
    [cluster, "maxPricePerHour"],
    [cluster, "largestPricePerHour"],
  ]),
  ["BurstingCluster", "pricePerHour"],
  ["StudyCluster", "maxPricePerHour"],
  ["Study", "nodeHours"],
  ["Study", "cost"],
  ["MiniClusterBudget", "perDay"],
  ["MiniClusterBudget", "perMonth"],
  ["MiniClusterForecastCase", "addedCost"],
  ["NodePoolListPrice", "perHour"],
  ["NodePoolPrice", "perHour"],
  ["NodePoolScheduling", "pricePerHour"],
];

/** Packages and names in each language. The versions are the oldest that have the features of the generated code. */
const languages = {
  nodejs: {
    packageName: "pulumi-minicluster",
    dependencies: { "@pulumi/kubernetes": "^4.0.0" },
    respectSchemaVersion: true,
  },
  python: {
    packageName: "pulumi_minicluster",
    requires: { pulumi: ">=3.165.0,<4.0.0", "pulumi-kubernetes": ">=4.0.0,<5.0.0" },
    pyproject: { enabled: true },
    respectSchemaVersion: true,
  },
  go: {
    importBasePath: `${address.goModule}/minicluster`,
    // Without this option, the generator omits the type of `apps`, because the values of a map precede the first
    // argument that is an object.
    generateExtraInputTypes: true,
    respectSchemaVersion: true,
  },
  csharp: {
    rootNamespace: address.dotnetNamespace,
    packageReferences: { Pulumi: "3.*", "Pulumi.Kubernetes": "4.*" },
    respectSchemaVersion: true,
  },
  java: {
    basePackage: address.javaPackage,
    dependencies: { "com.pulumi:pulumi": "1.0.0", "com.pulumi:kubernetes": kubernetesJson.version },
    respectSchemaVersion: true,
  },
};

interface Property {
  plain?: boolean;
  items?: Property;
}
type Schema = ReturnType<typeof generateSchema> & { functions?: ReturnType<PackageAnalyzer["functions"]> };
type Analysis = ReturnType<PackageAnalyzer["analyze"]>;

/** The Pulumi schema of the package, from the types and doc comments of its sources. */
export function renderSchema(): string {
  const { version, description } = packageJson;
  const analyzer = new PackageAnalyzer();
  const { components, typeDefinitions, dependencies }: Analysis = analyzer.analyze();
  const functions = analyzer.functions();
  const generated: Schema = {
    ...generateSchema("minicluster", version, description, components, typeDefinitions, dependencies),
    functions,
  };
  const described = withExamples(withDescriptions(generated, analyzer.descriptions()));
  const schema = withoutSuffix(described);
  makeChoicesText(schema);
  for (const type of plainTypes) for (const property of propertiesOf(schema, type)) makePlain(property);
  for (const [type, property] of secretProperties) Object.assign(propertyOf(schema, type, property), { secret: true });
  const fractional = new Set<object>(fractions.map(([type, property]) => propertyOf(schema, type, property)));
  const { license } = packageJson;
  const keywords = [...packageJson.keywords, "kind/component", "category/cloud"];
  const about = {
    displayName: "MiniCluster",
    publisher: address.owner,
    license,
    keywords,
    homepage: address.url,
    repository: address.url,
    pluginDownloadURL: address.pluginDownloadURL,
    logoUrl: `${address.url}/raw/v${version}/docs/public/logo.svg`,
  };
  const whole = { ...schema, ...about, meta: { supportPack: true }, language: languages };
  const integral = withIntegers(whole, fractional) as Schema;
  overrideAll(integral);
  return `${JSON.stringify(integral, undefined, 2)}\n`;
}

/** The schema with a description of each type. */
function withDescriptions(schema: Schema, descriptions: Map<string, string>): Schema {
  const types = Object.entries(schema.types ?? {}).map(([token, type]) => {
    const description = descriptions.get(token.slice(token.lastIndexOf(":") + 1));
    return [token, { ...type, description }] as const;
  });
  return { ...schema, types: Object.fromEntries(types) };
}

/**
 * The schema with an example of each component, in the format from which Pulumi's generators and registry select the
 * language.
 */
function withExamples(schema: Schema): Schema {
  const resources = Object.entries(schema.resources ?? {}).map(([token, resource]) => {
    const example = unfolded(readExample(token)).trimEnd().replaceAll("```ts\n", "```typescript\n");
    const section = [
      "{{% examples %}}",
      "## Example Usage",
      "{{% example %}}",
      example,
      "{{% /example %}}",
      "{{% /examples %}}",
    ];
    return [token, { ...resource, description: `${resource.description}\n\n${section.join("\n")}` }] as const;
  });
  return { ...schema, resources: Object.fromEntries(resources) };
}

/** A program with a component in each language, in Markdown. */
const readExample = (token: string) => fs.readFileSync(path.join(__dirname, "examples", `${nameOf(token)}.md`), "utf8");

function makePlain(property: Property): void {
  property.plain = true;
  if (property.items) makePlain(property.items);
}

/**
 * The schema with type names as in other packages, without "Args": every language appends "Args" to the names of input
 * types. An output type of the same name becomes the same type, so that an output can be passed as an argument.
 */
function withoutSuffix(schema: Schema): Schema {
  const tokens = Object.keys(schema.types ?? {}).filter((token) => token.endsWith("Args"));
  const types = { ...schema.types };
  for (const token of tokens) {
    types[token.slice(0, -"Args".length)] = types[token]!;
    delete types[token];
  }
  const text = JSON.stringify({ ...schema, types });
  return JSON.parse(text.replace(/("#\/types\/minicluster:index:\w+?)Args"/g, '$1"')) as Schema;
}

/**
 * Replaces each enum in an output and its parts, which are also arguments of other components, with string: Pulumi's host of YAML
 * does not assign an enum to the same enum (pulumi-yaml, `isAssignable` of an enum).
 */
function makeChoicesText({ types = {}, resources = {}, functions = {} }: Schema): void {
  const visited = new Set<string>();
  const visit = (property: RefProperty): void => {
    const token = property.$ref?.replace("#/types/", "") ?? "";
    const type = types[token];
    if (type?.enum) {
      delete property.$ref;
      const values = type.enum.map(({ value }) => JSON.stringify(value)).join(", ");
      // The default is last.
      const [meaning = "", ...rest] = (property.description ?? "").split(/(?=Default: )/);
      const description = [`${meaning.trim()} One of ${values}.`.trim(), ...rest].join(" ");
      Object.assign(property, { type: type.type, description });
    } else if (type && !visited.has(token)) {
      visited.add(token);
      Object.values(type.properties ?? {}).forEach(visit);
    }
    for (const inner of [property.items, property.additionalProperties]) if (inner) visit(inner);
  };
  for (const { properties = {} } of Object.values(resources)) Object.values(properties).forEach(visit);
  for (const { outputs } of Object.values(functions))
    Object.values(outputs.properties as Record<string, RefProperty>).forEach(visit);
  const text = JSON.stringify({ types, resources, functions });
  for (const token of Object.keys(types)) if (!text.includes(`"#/types/${token}"`)) delete types[token];
}

/** A property with a reference to a type, in itself or in its items. */
interface RefProperty {
  $ref?: string;
  description?: string;
  items?: RefProperty;
  additionalProperties?: RefProperty;
}

function propertiesOf({ types }: Schema, type: string): Property[] {
  const { properties } = types?.[`minicluster:index:${type}`] ?? {};
  if (!properties) throw new Error(`the schema has no ${type}`);
  return Object.values(properties);
}

function propertyOf({ types, resources }: Schema, type: string, property: string): object {
  const token = `minicluster:index:${type}`;
  const { inputProperties, properties } = resources?.[token] ?? {};
  const found = types?.[token]?.properties?.[property] ?? inputProperties?.[property] ?? properties?.[property];
  if (!found) throw new Error(`the schema has no ${type}.${property}`);
  return found;
}

/**
 * The schema with each number as an integer, except for numbers that may have a fraction, and without the analyzer's
 * `optional`: Pulumi schemas list required properties.
 */
function withIntegers(value: unknown, fractional: Set<object>): unknown {
  if (Array.isArray(value)) return value.map((item) => withIntegers(item, fractional));
  if (typeof value !== "object" || value === null) return value;
  const own = Object.entries(value).filter(([key, item]) => !(key === "optional" && item === true));
  if (fractional.has(value)) return Object.fromEntries(own);
  const entries = own.map(([key, item]) => [key, withIntegers(item, fractional)]);
  const copy = Object.fromEntries(entries) as { type?: unknown };
  return copy.type === "number" ? { ...copy, type: "integer" } : copy;
}

if (require.main === module) fs.writeFileSync(schemaFile, renderSchema());
