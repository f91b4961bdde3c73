import * as path from "node:path";
import { code, page, stacked, table } from "./markdown";
import { foldedExample } from "../programs/pages";
import { type Argument, argumentsOf, innermost, nameOf, tokenOf } from "./schema";
import type { PackageSchema, PropertySchema, TypeSchema } from "./schema";

/** The fields of the operator that an argument mirrors. */
export type Mirrors = (path: string) => string[];

/** Token of the component that corresponds to the operator's. */
export const mirrored = "minicluster:index:MiniCluster";

/** Token of the arguments of a MiniCluster that take precedence over a manifest. */
const overrides = "minicluster:index:MiniClusterManifestOverride";

const introduction = `# Reference

Every argument and every output, one page for each component, generated from the doc comments in \`provider/\` through \`sdk/schema.json\`. Do not
edit these pages: \`npm run docs\` writes them.

- A type that "may be an output" also accepts an output of another resource. Every other value is plain: it must be known when
  the program runs.
- In code, the name of an input type ends in \`Args\`: \`MiniClusterContainerArgs\`. In TypeScript, the \`BurstPlan\` and the parts of a pool's \`scheduling\` have no such ending. A choice is a member of the object of its name, or the text itself.
- The last column names the field of the Flux Operator's MiniCluster (\`flux-framework.org/v1alpha2\`) that an argument
  mirrors; [conformance.md](conformance.md) describes the differences. A dash means that the operator has no such field.
- Wrong arguments are refused before anything is created, all at once, each with its path and what to change.`;

/** The reference pages of a package, by file: one for each component, and the index, which has the anchors of all. */
export function renderReference(schema: PackageSchema, mirrors: Mirrors): Record<string, string> {
  const pages = pagesOf(schema);
  const components = Object.keys(schema.resources);
  const all = components.flatMap((token) =>
    argumentsOf(schema, token).map((argument) => ({ ...argument, component: token })),
  );
  const fieldsOf = (owner: string) => (name: string) => mirroredBy(all, owner, name, mirrors);
  return {
    "reference.md": indexPage(schema, pages),
    [lookupsFile]: lookupsPage(schema, pages),
    ...Object.fromEntries(
      components.map((token) => [pageFile(token), componentPage({ schema, pages, all }, token, fieldsOf)]),
    ),
  };
}

/** File of the page of a component. */
const pageFile = (token: string) => `reference/${nameOf(token).toLowerCase()}.md`;

/** File of the page of all functions. */
const lookupsFile = "reference/lookups.md";

/** The component on whose page each type is. */
type Pages = Map<string, string>;

/** Every type, in reading order: on the page of the first component that uses it. */
function pagesOf(schema: PackageSchema): Pages {
  const pages: Pages = new Map();
  for (const [component, { inputProperties, properties }] of Object.entries(schema.resources)) {
    const visit = (inner: Record<string, PropertySchema>): void => {
      const tokens = Object.values(inner).flatMap((property) => tokenOf(innermost(property).property) ?? []);
      const fresh = tokens.filter((token) => !pages.has(token));
      for (const token of fresh) pages.set(token, component);
      for (const token of fresh) visit(schema.types[token]?.properties ?? {});
    };
    visit(inputProperties);
    visit(properties);
  }
  return pages;
}

/**
 * Components with the first sentence of their description, and types. The anchors are the anchors of the former single
 * page.
 */
function indexPage(schema: PackageSchema, pages: Pages): string {
  const components = Object.entries(schema.resources).flatMap(([token, { description = "" }]) => [
    `## ${nameOf(token)}`,
    `${oldAnchors(token)}${firstSentence(description)} [Arguments and outputs](${pageFile(token)}).`,
  ]);
  const rows = [...pages].map(([token, component]) => [
    `${idOf(nameOf(token))}[${nameOf(token)}](${pageFile(component)}#${nameOf(token).toLowerCase()})`,
    nameOf(component),
  ]);
  const lookups = Object.entries(schema.functions).map(([token, { description = "" }]) => [
    `[${nameOf(token)}](${lookupsFile}#${nameOf(token).toLowerCase()})`,
    firstSentence(description),
  ]);
  const functions = ["## Lookups", table(["Function", "Meaning"], lookups)];
  return page(
    introduction,
    ...components,
    ...functions,
    "## Types",
    idOf("choices"),
    table(["Type", "On the page"], rows),
  );
}

const idOf = (name: string) => `<a id="${name.toLowerCase()}"></a>`;

const oldAnchors = (token: string) =>
  ["arguments", "outputs"].map((part) => idOf(`${part}-of-${nameOf(token)}`)).join("");

const firstSentence = (text: string) =>
  /^[^]*?[.:](?=\s)/.exec(text)?.[0].replace(/:$/, ".").replace(/\s+/g, " ") ?? text;

/** Every function, for programs in languages other than TypeScript. */
function lookupsPage(schema: PackageSchema, pages: Pages): string {
  const link = (type: string) => {
    const component = pages.get(type);
    if (component === undefined) throw new Error(`no page has the type ${type}`);
    return `[${nameOf(type)}](${path.basename(pageFile(component))}#${nameOf(type).toLowerCase()})`;
  };
  const linked = { schema, link };
  const sections = Object.entries(schema.functions).flatMap(([token, { description = "", inputs, outputs }]) => [
    `## ${nameOf(token)}`,
    description,
    table(
      ["Argument", "Type", "Default", "Meaning and rule"],
      Object.entries(inputs.properties ?? {}).map(([name, property]) => {
        const { meaning, defaultValue } = describe(property);
        const isRequired = inputs.required?.includes(name);
        return [code(name), kindText(linked, property), isRequired ? "required" : (defaultValue ?? ""), meaning];
      }),
    ),
    table(
      ["Result", "Type", "Meaning"],
      Object.entries(outputs.properties ?? {}).map(([name, property]) => [
        code(name),
        kindText(linked, property),
        property.description ?? "",
      ]),
    ),
  ]);
  return page("# Lookups", lookupsIntroduction, ...sections);
}

const lookupsIntroduction =
  "Functions that read a Kubernetes cluster or ask a cloud in each preview and in each `up`. Python has `lookup_nodes`, Go `LookupNodes` " +
  "and `LookupNodesOutput`, YAML `fn::invoke` with `minicluster:lookupNodes`. In TypeScript the first argument of the functions on " +
  "machines and prices is the machine type, and their result is the value itself; the last argument has the provider of the cloud.";

/** The sources of a component's page. */
interface Content {
  schema: PackageSchema;
  pages: Pages;
  all: PlacedArgument[];
}

function componentPage({ schema, pages, all }: Content, token: string, fieldsOf: (owner: string) => FieldsOf): string {
  const types = [...pages].filter(([, component]) => component === token).map(([type]) => type);
  const isEnum = (type: string) => schema.types[type]?.enum !== undefined;
  const [objects, choices] = [types.filter((type) => !isEnum(type)), types.filter(isEnum)];
  const link = (type: string) => {
    const heading = nameOf(type).toLowerCase();
    const component = pages.get(type) ?? token;
    return `[${nameOf(type)}](${component === token ? "" : path.basename(pageFile(component))}#${heading})`;
  };
  return page(
    ...componentSection({ schema, link }, token, fieldsOf(token)),
    ...(objects.length > 0 ? ["## Types"] : []),
    ...objects.map((type) => typeSection({ schema, link }, type, all, fieldsOf(type))),
    ...(choices.length > 0 ? ["## Choices"] : []),
    ...choices.map((type) => choiceSection(schema, type)),
  );
}

/** A schema, and a link to each of its types from the page that is written. */
interface Linked {
  schema: PackageSchema;
  link: (type: string) => string;
}

type PlacedArgument = Argument & { component: string };
type FieldsOf = (name: string) => string[];

function mirroredBy(all: PlacedArgument[], owner: string, name: string, mirrors: Mirrors): string[] {
  const places = all.filter((one) => one.component === mirrored && one.owner === owner && one.name === name);
  return [...new Set(places.flatMap(({ path }) => mirrors(path)))];
}

function componentSection(linked: Linked, token: string, fieldsOf: FieldsOf): string[] {
  const { description = "", inputProperties, requiredInputs = [], properties } = linked.schema.resources[token]!;
  const [meaning = "", examples = ""] = description.split("\n\n{{% examples %}}\n");
  return [
    `# ${nameOf(token)}`,
    meaning,
    foldedExample(examples),
    `## Arguments of ${nameOf(token)}`,
    argumentTable(linked, { properties: inputProperties, required: requiredInputs }, fieldsOf),
    `## Outputs of ${nameOf(token)}`,
    table(
      ["Name", "Type", "Meaning"],
      Object.entries(properties).map(([name, property]) => [
        code(name),
        kindText(linked, property),
        property.description ?? "",
      ]),
    ),
  ];
}

function typeSection(linked: Linked, token: string, all: PlacedArgument[], fieldsOf: FieldsOf): string {
  // Overrides have the types of the arguments of a MiniCluster.
  const inside = all.filter(({ owner, path }) => owner === token && !/^overrides\.\*\..*\./.test(path));
  const places = inside.map(({ path, name }) => path.slice(0, -name.length - 1));
  const used = [...new Set(places)].map(code).join(", ");
  const type = linked.schema.types[token]!;
  const parts = [
    `### ${nameOf(token)}`,
    used === "" ? "Part of an output." : `Used as ${used}.`,
    token === overrides ? (type.description ?? "") : argumentTable(linked, type, fieldsOf),
  ];
  return parts.join("\n\n");
}

function argumentTable(linked: Linked, { properties = {}, required = [] }: TypeSchema, fieldsOf: FieldsOf) {
  const rows = Object.entries(properties).map(([name, property]) => {
    const { meaning, defaultValue } = describe(property);
    const fields = fieldsOf(name);
    return [
      code(name),
      typeText(linked, property),
      required.includes(name) ? "required" : (defaultValue ?? ""),
      meaning,
      fields.length === 0 ? "–" : stacked(fields.map(code)),
    ];
  });
  return table(["Name", "Type", "Default", "Meaning and rule", "Field of the operator"], rows);
}

function choiceSection(schema: PackageSchema, token: string): string {
  const rows = (schema.types[token]?.enum ?? []).map(({ name, value, description = "" }) => [
    code(JSON.stringify(value)),
    code(`${nameOf(token)}.${name}`),
    description,
  ]);
  return `### ${nameOf(token)}\n\n${table(["Value", "In TypeScript", "Meaning"], rows)}`;
}

/** A doc comment in its two parts: the meaning of a property, and its default. */
export function describe({ description = "" }: PropertySchema): { meaning: string; defaultValue?: string } {
  const text = description.replace(/\s+/g, " ").trim();
  const [, meaning, defaultValue] = /^(.*?)\s*Default: (.+)\.$/.exec(text) ?? [];
  return meaning === undefined ? { meaning: text } : { meaning, defaultValue };
}

function typeText(linked: Linked, property: PropertySchema): string {
  const { schema } = linked;
  const inner = innermost(property);
  const text = kindText(linked, property);
  const token = tokenOf(inner.property);
  // For an object, each of its properties states whether it may be an output.
  if (inner.property.plain || (token !== undefined && !schema.types[token]?.enum)) return text;
  return inner.steps === "" ? `${text}; may be an output` : `${text}; values may be outputs`;
}

function kindText(linked: Linked, property: PropertySchema): string {
  const { schema, link } = linked;
  const { type = "", $ref = "", items, additionalProperties } = property;
  if (items) return `list of ${kindText(linked, items)}`;
  if (additionalProperties) return `map of ${kindText(linked, additionalProperties)}`;
  const token = tokenOf(property);
  if (token === undefined) return $ref === "" ? type : kubernetesType($ref);
  const choices = schema.types[token]?.enum?.map(({ value }) => code(JSON.stringify(value))) ?? [];
  return choices.length === 0 ? link(token) : `${link(token)}: ${choices.join(", ")}`;
}

/** A type of the Kubernetes provider, such as `core/v1 PodTemplateSpec`. */
function kubernetesType($ref: string): string {
  const token = decodeURIComponent($ref).split("#/types/kubernetes:")[1] ?? $ref;
  const name = token.replace(":", " ");
  return `${code(name)} of Kubernetes; its values may be outputs`;
}
