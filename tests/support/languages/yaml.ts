import * as pulumi from "@pulumi/pulumi";
import { parsePropertyPath } from "../propertyPaths";
import * as provider from "../../../provider";
import { mockEngine } from "../mocks";

/** The parts of a program in Pulumi YAML that the examples use; `yamlProblems` refuses any other. */
export interface YamlProgram {
  config?: Record<string, { type: string; default?: unknown }>;
  resources: Record<string, { type: string; properties: Record<string, unknown> }>;
  outputs?: Record<string, unknown>;
}

/** A piece of a text: words, or what stands between `${` and `}`, in its steps. */
type TextPart = string | string[];

/** The pieces of a text; `$${` stands for `${` itself. */
function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  for (const [piece, escaped, reference] of text.matchAll(/(\$\$\{)|\$\{([^}]*)\}|[^$]+|\$/g)) {
    if (reference !== undefined) parts.push(parsePropertyPath(reference));
    else parts.push(escaped === undefined ? piece : "${");
  }
  return parts;
}

/** The type that a resource of a program has in the schema: `minicluster:MiniCluster` leaves out the module. */
function tokenOf(type: string): string {
  const [first, ...others] = type.split(":");
  return others.length === 1 ? `${first}:index:${others[0]}` : type;
}

const programKeys = ["name", "description", "runtime", "config", "packages", "plugins", "resources", "outputs"];
/** A value of each type of configuration, for those without a default. */
const samples: Record<string, unknown> = { string: "a", integer: 1, number: 1, boolean: true };

/** All that is wrong with a program in Pulumi YAML. The classes of the package refuse wrong arguments. */
export async function yamlProblems(text: unknown): Promise<string[]> {
  await mockEngine();
  const { config = {}, resources, outputs = {} } = text as YamlProgram;
  const unknownKeys = (value: object, keys: string[]) =>
    Object.keys(value).flatMap((key) => (keys.includes(key) ? [] : [`${key}: not understood`]));
  const problems = [text as object, ...Object.values(resources)].flatMap((value, index) =>
    unknownKeys(value, index === 0 ? programKeys : ["type", "properties"]),
  );
  const known: Record<string, unknown> = {};
  for (const [name, { type, default: given = samples[type] }] of Object.entries(config)) {
    known[name] = given;
    if (typeof given !== typeof samples[type]) problems.push(`config.${name}: must be of type ${type}`);
  }
  const values = (value: unknown, place: string) => {
    const missing = referencesIn(value).filter((steps) => follow(steps, known) === undefined);
    problems.push(...missing.map((steps) => `${place}: nothing is called ${steps.join(".")}`));
    return evaluate(value, known) as pulumi.Inputs;
  };
  for (const [name, { type, properties }] of Object.entries(resources))
    try {
      const Component = (provider as unknown as Classes)[tokenOf(type).replace("minicluster:index:", "")];
      if (Component) known[name] = new Component(name, values(properties, name));
      else problems.push(`${name}: no resource ${type}`);
    } catch (error) {
      problems.push(String(error));
    }
  values(outputs, "outputs");
  return problems;
}

type Classes = Record<string, (new (name: string, args: pulumi.Inputs) => object) | undefined>;

/** Every reference in a value, in its steps. */
const referencesIn = (value: unknown): string[][] =>
  typeof value === "string"
    ? textParts(value).filter((part) => typeof part !== "string")
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(referencesIn)
      : [];

function evaluate(value: unknown, known: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => evaluate(item, known));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, evaluate(item, known)]));
  if (typeof value !== "string") return value;
  const parts = textParts(value).map((part) => (typeof part === "string" ? part : follow(part, known)));
  // A text that is nothing but a reference has the type of what it refers to.
  if (parts.length <= 1) return parts[0] ?? "";
  return parts.some((part) => pulumi.Output.isInstance(part)) ? pulumi.concat(...(parts as string[])) : parts.join("");
}

const follow = (steps: string[], known: Record<string, unknown>) =>
  steps.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], known);
