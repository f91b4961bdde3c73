import type { PackageSchema, SchemaProperty, SchemaType } from "./packageSchema";
import { type TextPart, textParts, tokenOf, type YamlProgram } from "./yaml";

// As far as yaml.ts evaluates programs: what else a program has would be neither checked nor run.
const programKeys = ["name", "description", "runtime", "config", "packages", "plugins", "resources", "outputs"];
const resourceKeys = ["type", "properties"];
const configTypes = ["string", "integer", "number", "boolean"];

/** All that is wrong with a program in Pulumi YAML by the schema of a package, each with its place. */
export function yamlProblems(program: unknown, schema: PackageSchema): string[] {
  return new Checker(program as YamlProgram, schema).check();
}

class Checker {
  private readonly problems: string[] = [];

  constructor(
    private readonly program: YamlProgram,
    private readonly schema: PackageSchema,
  ) {}

  check(): string[] {
    this.checkKeys(this.program, programKeys, "");
    for (const [name, declared] of Object.entries(this.program.config ?? {})) {
      const place = `config.${name}`;
      if (!configTypes.includes(declared.type)) this.add(`${place}.type`, `must be one of ${configTypes.join(", ")}`);
      else if (declared.default !== undefined) this.checkPlain(declared.default, declared.type, `${place}.default`);
    }
    for (const [name, resource] of Object.entries(this.program.resources)) {
      const place = `resources.${name}`;
      this.checkKeys(resource, resourceKeys, place);
      const known = this.schema.resources[tokenOf(resource.type)];
      if (!known) this.add(`${place}.type`, `no resource ${resource.type} in the schema`);
      else
        this.checkObject(
          resource.properties,
          { properties: known.inputProperties, required: known.requiredInputs },
          `${place}.properties`,
        );
    }
    this.checkOutputs(this.program.outputs ?? {}, "outputs");
    return this.problems;
  }

  private add(place: string, reason: string): void {
    this.problems.push(`${place}: ${reason}`);
  }

  private checkKeys(value: object, known: string[], place: string): void {
    for (const key of Object.keys(value).filter((key) => !known.includes(key)))
      this.add(place === "" ? key : `${place}.${key}`, "not understood");
  }

  private checkObject(value: unknown, type: SchemaType, place: string): void {
    if (!isMap(value)) return this.add(place, "must be a map");
    for (const key of type.required ?? []) if (value[key] === undefined) this.add(place, `${key} is missing`);
    for (const [key, item] of Object.entries(value)) {
      const property = type.properties?.[key];
      if (property) this.checkValue(item, property, `${place}.${key}`);
      else this.add(`${place}.${key}`, "unknown property");
    }
  }

  private checkValue(value: unknown, property: SchemaProperty, place: string): void {
    if (typeof value === "string") {
      const parts = textParts(value);
      if (parts.some((part) => typeof part !== "string")) return this.checkText(parts, property, place);
    }
    const type = this.resolve(property);
    if (type.enum) {
      const values = type.enum.map((choice) => choice.value);
      if (!values.includes(value)) this.add(place, `must be one of ${values.join(", ")}`);
    } else if (type.properties) this.checkObject(value, type, place);
    else if (type.items) {
      if (!Array.isArray(value)) return this.add(place, "must be a list");
      for (const [index, item] of value.entries()) this.checkValue(item, type.items, `${place}[${index}]`);
    } else if (type.additionalProperties) {
      if (!isMap(value)) return this.add(place, "must be a map");
      for (const [key, item] of Object.entries(value))
        this.checkValue(item, type.additionalProperties, `${place}.${key}`);
    } else this.checkPlain(value, type.type ?? "object", place);
  }

  private checkPlain(value: unknown, type: string, place: string): void {
    const matches: Record<string, boolean> = {
      integer: Number.isInteger(value),
      object: isMap(value),
    };
    if (!(matches[type] ?? typeof value === type)) this.add(place, `must be of type ${type}`);
  }

  /** A text with references; one that is nothing but a reference has the type of what it refers to. */
  private checkText(parts: TextPart[], property: SchemaProperty, place: string): void {
    const found = parts.map((part) => (typeof part === "string" ? { type: "string" } : this.referred(part, place)));
    const [first] = found;
    const type = found.length === 1 && first ? this.resolve(first) : { type: "string" };
    const expected = this.resolve(property);
    const fits =
      type === expected || type.type === expected.type || (type.type === "integer" && expected.type === "number");
    if (!found.includes(undefined) && !fits)
      this.add(place, `must be of type ${expected.type ?? "object"}, not ${type.type ?? "object"}`);
    if (property.plain && parts.some((part) => typeof part !== "string" && this.program.resources[part[0] ?? ""]))
      this.add(place, "cannot come from a resource: it has to be known when the program runs");
  }

  /** The type of what a reference leads to. */
  private referred(steps: string[], place: string): SchemaProperty | undefined {
    const [name = "", output, ...others] = steps;
    const declared = this.program.config?.[name];
    if (declared && output === undefined) return { type: declared.type };
    const type = tokenOf(this.program.resources[name]?.type ?? "");
    let found = this.schema.resources[type]?.properties[output ?? ""];
    for (const step of others) {
      const { properties, items, additionalProperties } = found ? this.resolve(found) : ({} as SchemaType);
      found = properties?.[step] ?? items ?? additionalProperties;
    }
    if (!found) this.add(place, `nothing is called ${steps.join(".")}`);
    return found;
  }

  private resolve(property: SchemaProperty): SchemaType {
    const { $ref } = property;
    if ($ref === undefined) return property;
    // A type of another package is for that package to check.
    if (!$ref.startsWith("#/types/")) return { type: "object" };
    const type = this.schema.types[$ref.slice("#/types/".length)];
    if (!type) throw new Error(`the schema has no type ${$ref}`);
    return type;
  }

  private checkOutputs(value: unknown, place: string): void {
    if (typeof value === "string")
      for (const part of textParts(value)) {
        if (typeof part !== "string") this.referred(part, place);
      }
    else if (typeof value === "object" && value !== null)
      for (const [key, item] of Object.entries(value)) this.checkOutputs(item, `${place}.${key}`);
  }
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
