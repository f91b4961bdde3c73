import { anchor, code, page, stacked, table } from "./markdown";
import { type Argument, argumentsOf, innermost, nameOf, tokenOf } from "./schema";
import type { PackageSchema, PropertySchema, TypeSchema } from "./schema";

/** The fields of the operator that an argument mirrors. */
export type Mirrors = (path: string) => string[];

/** Token of the component that the operator has, too. */
export const mirrored = "minicluster:index:MiniCluster";

const introduction = `# Reference

Every argument and every output, from the doc comments in \`provider/\` by way of \`sdk/schema.json\`. Do not edit this page:
\`npm run docs\` writes it.

- A type that "may be an output" also takes what another resource gives. Every other value is plain: it must be known when
  the program runs.
- In code the name of a type that is given ends in \`Args\`: \`MiniClusterContainerArgs\`. In TypeScript the \`BurstPlan\` and the
  parts of a pool's \`scheduling\` go without.
- The last column names the field of the Flux Operator's MiniCluster (\`flux-framework.org/v1alpha2\`) that an argument
  mirrors. What differs stands in [conformance.md](conformance.md). A dash means that the operator has none.
- Wrong arguments are refused before anything is created, all at once, each with its path and what to change.`;

/** The reference page of a package. */
export function renderReference(schema: PackageSchema, mirrors: Mirrors): string {
  const components = Object.keys(schema.resources);
  const all = components.flatMap((token) =>
    argumentsOf(schema, token).map((argument) => ({ ...argument, component: token })),
  );
  const types = typesInOrder(schema);
  const isEnum = (token: string) => schema.types[token]?.enum !== undefined;
  const fieldsOf = (owner: string) => (name: string) => mirroredBy(all, owner, name, mirrors);
  return page(
    introduction,
    ...components.flatMap((token) => componentSection(schema, token, fieldsOf(token))),
    "## Types",
    ...types.filter((token) => !isEnum(token)).map((token) => typeSection(schema, token, all, fieldsOf(token))),
    "## Choices",
    "In TypeScript a choice is a member of the object of its name, or the text itself.",
    ...types.filter(isEnum).map((token) => choiceSection(schema, token)),
  );
}

type PlacedArgument = Argument & { component: string };
type FieldsOf = (name: string) => string[];

function mirroredBy(all: PlacedArgument[], owner: string, name: string, mirrors: Mirrors): string[] {
  const places = all.filter((one) => one.component === mirrored && one.owner === owner && one.name === name);
  return [...new Set(places.flatMap(({ path }) => mirrors(path)))];
}

/** Every type that a component takes, in the order in which a reader meets them. */
function typesInOrder(schema: PackageSchema): string[] {
  const seen = new Set<string>();
  const visit = (properties: Record<string, PropertySchema>): void => {
    const tokens = Object.values(properties).flatMap((property) => tokenOf(innermost(property).property) ?? []);
    const fresh = tokens.filter((token) => !seen.has(token));
    for (const token of fresh) seen.add(token);
    for (const token of fresh) visit(schema.types[token]?.properties ?? {});
  };
  for (const { inputProperties, properties } of Object.values(schema.resources)) {
    visit(inputProperties);
    visit(properties);
  }
  return [...seen];
}

function componentSection(schema: PackageSchema, token: string, fieldsOf: FieldsOf): string[] {
  const { description = "", inputProperties, requiredInputs = [], properties } = schema.resources[token]!;
  return [
    `## ${nameOf(token)}`,
    description,
    `### Arguments of ${nameOf(token)}`,
    argumentTable(schema, { properties: inputProperties, required: requiredInputs }, fieldsOf),
    `### Outputs of ${nameOf(token)}`,
    table(
      ["Name", "Type", "Meaning"],
      Object.entries(properties).map(([name, property]) => [
        code(name),
        kindText(schema, property),
        property.description ?? "",
      ]),
    ),
  ];
}

function typeSection(schema: PackageSchema, token: string, all: PlacedArgument[], fieldsOf: FieldsOf): string {
  const inside = all.filter(({ owner }) => owner === token);
  const places = inside.map(({ path, name }) => path.slice(0, -name.length - 1));
  const used = [...new Set(places)].map(code).join(", ");
  const parts = [`### ${nameOf(token)}`, `Used as ${used}.`, argumentTable(schema, schema.types[token]!, fieldsOf)];
  return parts.join("\n\n");
}

function argumentTable(schema: PackageSchema, { properties = {}, required = [] }: TypeSchema, fieldsOf: FieldsOf) {
  const rows = Object.entries(properties).map(([name, property]) => {
    const { meaning, defaultValue } = describe(property);
    const fields = fieldsOf(name);
    return [
      code(name),
      typeText(schema, property),
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

/** A doc comment in its two parts: what a property means, and what it is where nothing is said. */
export function describe({ description = "" }: PropertySchema): { meaning: string; defaultValue?: string } {
  const text = description.replace(/\s+/g, " ").trim();
  const [, meaning, defaultValue] = /^(.*?)\s*Default: (.+)\.$/.exec(text) ?? [];
  return meaning === undefined ? { meaning: text } : { meaning, defaultValue };
}

function typeText(schema: PackageSchema, property: PropertySchema): string {
  const inner = innermost(property);
  const text = kindText(schema, property);
  const token = tokenOf(inner.property);
  // The properties of an object say for themselves which of them may be outputs.
  if (inner.property.plain || (token !== undefined && !schema.types[token]?.enum)) return text;
  return inner.steps === "" ? `${text}; may be an output` : `${text}; values may be outputs`;
}

function kindText(schema: PackageSchema, property: PropertySchema): string {
  const { type = "", $ref = "", items, additionalProperties } = property;
  if (items) return `list of ${kindText(schema, items)}`;
  if (additionalProperties) return `map of ${kindText(schema, additionalProperties)}`;
  const token = tokenOf(property);
  if (token === undefined) return $ref === "" ? type : kubernetesType($ref);
  const choices = schema.types[token]?.enum?.map(({ value }) => code(JSON.stringify(value))) ?? [];
  return choices.length === 0 ? anchor(nameOf(token)) : `${anchor(nameOf(token))}: ${choices.join(", ")}`;
}

/** A type of the Kubernetes provider, such as `core/v1 PodTemplateSpec`. */
function kubernetesType($ref: string): string {
  const token = decodeURIComponent($ref).split("#/types/kubernetes:")[1] ?? $ref;
  const name = token.replace(":", " ");
  return `${code(name)} of Kubernetes; its values may be outputs`;
}
