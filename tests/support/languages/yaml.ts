import * as fs from "node:fs";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { parsePropertyPath } from "../propertyPaths";
import { readSchema } from "./packageSchema";

/** The parts of a program in Pulumi YAML that the examples use; yamlCheck.ts refuses any other. */
export interface YamlProgram {
  config?: Record<string, { type: string; default?: unknown }>;
  resources: Record<string, { type: string; properties: Record<string, unknown> }>;
  outputs?: Record<string, unknown>;
}

/** A piece of a text: words, or what stands between `${` and `}`, in its steps. */
export type TextPart = string | string[];

/** The pieces of a text; `$${` stands for `${` itself. */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  for (const [piece, escaped, reference] of text.matchAll(/(\$\$\{)|\$\{([^}]*)\}|[^$]+|\$/g)) {
    if (reference !== undefined) parts.push(parsePropertyPath(reference));
    else parts.push(escaped === undefined ? piece : "${");
  }
  return parts;
}

/** The type that a resource of a program has in the schema: `minicluster:MiniCluster` leaves out the module. */
export function tokenOf(type: string): string {
  const [first, ...others] = type.split(":");
  return others.length === 1 ? `${first}:index:${others[0]}` : type;
}

/** The text of an example. */
export const readYamlExample = (folder: string) =>
  parse(fs.readFileSync(path.join(folder, "Pulumi.yaml"), "utf8")) as unknown;

/** What the language host of Pulumi YAML, which cannot be had from a package registry, would register of a program. */
export const yamlProgram = (program: YamlProgram) => (): Promise<Record<string, unknown>> => {
  const known: Record<string, unknown> = configValues(program.config ?? {});
  for (const [name, { type, properties }] of Object.entries(program.resources))
    known[name] = remoteComponent(tokenOf(type), name, evaluate(properties, known) as pulumi.Inputs);
  return Promise.resolve(evaluate(program.outputs ?? {}, known) as Record<string, unknown>);
};

function configValues(declared: NonNullable<YamlProgram["config"]>): Record<string, unknown> {
  const config = new pulumi.Config();
  const entries = Object.entries(declared).map(([name, { type, default: otherwise }]) => {
    const value = type === "string" ? config.get(name) : config.getObject<unknown>(name);
    return [name, value ?? otherwise];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** A component that the plugin makes, with an output for whatever is asked of it. */
function remoteComponent(token: string, name: string, inputs: pulumi.Inputs): Record<string, pulumi.Output<unknown>> {
  const outputs = Object.fromEntries(outputNames(token).map((output) => [output, undefined]));
  const made: unknown = new pulumi.ComponentResource(token, name, { ...outputs, ...inputs }, {}, true);
  return made as Record<string, pulumi.Output<unknown>>;
}

const outputNames = (token: string) => Object.keys(readSchema().resources[token]?.properties ?? {});

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
