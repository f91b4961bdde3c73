/** What of a Pulumi schema the programs of users depend on. */
export interface ReleasedSchema {
  name: string;
  version: string;
  language?: Record<string, Record<string, unknown>>;
  resources?: Record<string, ReleasedResource>;
  types?: Record<string, ReleasedType>;
}

export interface ReleasedResource {
  isComponent?: boolean;
  aliases?: { type?: string }[];
  inputProperties?: Record<string, ReleasedProperty>;
  requiredInputs?: string[];
  properties?: Record<string, ReleasedProperty>;
  required?: string[];
}

export interface ReleasedType {
  type?: string;
  enum?: { name?: string; value: string | number | boolean }[];
  properties?: Record<string, ReleasedProperty>;
  required?: string[];
}

export interface ReleasedProperty {
  type?: string;
  $ref?: string;
  items?: ReleasedProperty;
  additionalProperties?: ReleasedProperty;
  oneOf?: ReleasedProperty[];
  plain?: boolean;
  secret?: boolean;
}

/** Settings of a language that are part of the names and types that programs write. */
const namesInLanguages: [language: string, setting: string][] = [
  ["nodejs", "packageName"],
  ["nodejs", "compatibility"],
  ["python", "packageName"],
  ["python", "inputTypes"],
  ["python", "compatibility"],
  ["go", "importBasePath"],
  ["go", "rootPackageName"],
  ["go", "generateResourceContainerTypes"],
  ["csharp", "rootNamespace"],
  ["csharp", "namespaces"],
  ["csharp", "compatibility"],
  ["java", "basePackage"],
  ["java", "packages"],
];

/** Which way values of some properties go: programs write inputs and read outputs. */
interface Direction {
  isInput: boolean;
  isOutput: boolean;
}

/** Properties of one owner, and those among them that are always there. */
interface Properties {
  properties?: Record<string, ReleasedProperty>;
  required?: string[];
}

/** What of a change to a schema breaks programs, in whatever language they are: one line each, and none for what is only new. */
export function breakingChanges(before: ReleasedSchema, after: ReleasedSchema): string[] {
  return [
    ...(before.name === after.name ? [] : [`the package ${before.name} is now ${after.name}`]),
    ...languageChanges(before, after),
    ...Object.entries(before.resources ?? {}).flatMap(([token, resource]) =>
      resourceChanges(token, resource, after.resources?.[token]),
    ),
    ...Object.entries(before.types ?? {}).flatMap(([token, type]) => {
      // A type counts as what it was used for: programs that use it in another way are new.
      const isInput = typesOf(before, "inputProperties").has(token);
      const isOutput = typesOf(before, "properties").has(token);
      return typeChanges(token, type, after.types?.[token], { isInput, isOutput });
    }),
  ];
}

function languageChanges(before: ReleasedSchema, after: ReleasedSchema): string[] {
  return namesInLanguages.flatMap(([language, setting]) => {
    const [was, is] = [before, after].map(
      (schema) => JSON.stringify(schema.language?.[language]?.[setting]) ?? "unset",
    );
    return was === is ? [] : [`language ${language}: ${setting} ${was} is now ${is}`];
  });
}

function resourceChanges(token: string, before: ReleasedResource, after: ReleasedResource | undefined): string[] {
  if (!after) return [`resource ${token} is gone`];
  const known = new Set(after.aliases?.map(({ type }) => type));
  const lost = (before.aliases ?? []).filter(({ type }) => !known.has(type));
  const inputs = [before, after].map(({ inputProperties, requiredInputs }) => ({
    ...{ properties: inputProperties, required: requiredInputs },
  })) as [Properties, Properties];
  return [
    ...((before.isComponent ?? false) === (after.isComponent ?? false)
      ? []
      : [`resource ${token} is ${after.isComponent ? "now" : "no longer"} a component`]),
    ...lost.map(({ type }) => `resource ${token} has no alias ${String(type)} any more`),
    ...propertyChanges(`input ${token}`, ...inputs, { isInput: true, isOutput: false }),
    ...propertyChanges(`output ${token}`, before, after, { isInput: false, isOutput: true }),
  ];
}

function typeChanges(
  token: string,
  before: ReleasedType,
  after: ReleasedType | undefined,
  direction: Direction,
): string[] {
  if (!after) return [`type ${token} is gone`];
  if ((before.enum === undefined) !== (after.enum === undefined))
    return [`type ${token} is ${after.enum ? "now" : "no longer"} an enum`];
  if (before.type !== after.type) return [`type ${token} was ${String(before.type)} and is ${String(after.type)}`];
  return [...memberChanges(token, before, after), ...propertyChanges(`type ${token}`, before, after, direction)];
}

function memberChanges(token: string, before: ReleasedType, after: ReleasedType): string[] {
  return (before.enum ?? []).flatMap(({ value, name = String(value) }) => {
    const same = after.enum?.find((member) => (member.name ?? String(member.value)) === name);
    if (!same) return [`enum ${token} has no ${name} (${JSON.stringify(value)}) any more`];
    const [was, is] = [value, same.value].map((each) => JSON.stringify(each));
    return was === is ? [] : [`enum ${token}: the value of ${name} was ${was} and is ${is}`];
  });
}

function propertyChanges(owner: string, before: Properties, after: Properties, direction: Direction): string[] {
  const isNew = (name: string) => before.properties?.[name] === undefined;
  const added = Object.keys(after.properties ?? {}).filter((name) => isNew(name) && after.required?.includes(name));
  return [
    ...Object.entries(before.properties ?? {}).flatMap(([name, was]) => {
      const is = after.properties?.[name];
      const place = `${owner}.${name}`;
      if (!is) return [`${place} is gone`];
      const [wasRequired, isRequired] = [before, after].map(({ required }) => required?.includes(name) ?? false);
      return [
        ...typeChange(place, was, is),
        ...(direction.isInput ? plainChanges(place, was, is) : []),
        ...requiredChange(place, wasRequired === true, isRequired === true, was, direction),
        ...(was.secret && !is.secret ? [`${place} is no longer secret`] : []),
      ];
    }),
    ...(direction.isInput ? added.map((name) => `${owner}.${name} is new and required`) : []),
  ];
}

function typeChange(place: string, before: ReleasedProperty, after: ReleasedProperty): string[] {
  const [was, is] = [written(before), written(after)];
  return was === is ? [] : [`${place} was ${was} and is ${is}`];
}

/** A type in one word, without what is plain in it. */
function written({ type, $ref, items, additionalProperties, oneOf }: ReleasedProperty): string {
  if (oneOf) return `one of ${oneOf.map(written).join(", ")}`;
  // Programs name the package of another provider, and choose its version themselves but for the first number.
  if ($ref !== undefined) return $ref.replace(/^(\/[^/]+\/v\d+)[^/]*/, "$1");
  if (items) return `list of ${written(items)}`;
  if (additionalProperties) return `map of ${written(additionalProperties)}`;
  return String(type);
}

/** Programs in Go write plain values and inputs in two ways, so neither may become the other. */
function plainChanges(place: string, before: ReleasedProperty, after: ReleasedProperty): string[] {
  const inner = (["items", "additionalProperties"] as const).flatMap((key) => {
    const [was, is] = [before[key], after[key]];
    return was && is ? plainChanges(`${place}${key === "items" ? "[]" : ".*"}`, was, is) : [];
  });
  if ((before.plain ?? false) === (after.plain ?? false)) return inner;
  return [after.plain ? `${place} takes no outputs any more` : `${place} takes outputs now, and was plain`, ...inner];
}

function requiredChange(
  place: string,
  before: boolean,
  after: boolean,
  property: ReleasedProperty,
  { isInput, isOutput }: Direction,
): string[] {
  if (before === after) return [];
  if (isInput && after) return [`${place} has become required`];
  if (isOutput) return [`${place} ${after ? "is always there now" : "may be missing now"}`];
  // A plain value that may be missing is a pointer in Go; lists and maps need none.
  const isPointer = property.plain === true && !property.items && !property.additionalProperties;
  return isPointer ? [`${place} has become optional, and is plain`] : [];
}

/** Tokens of the types that the inputs or the outputs of all resources lead to. */
function typesOf({ resources = {}, types = {} }: ReleasedSchema, key: "inputProperties" | "properties"): Set<string> {
  const found = new Set<string>();
  const visit = ({ $ref, items, additionalProperties, oneOf = [] }: ReleasedProperty) => {
    for (const inner of [items, additionalProperties, ...oneOf]) if (inner) visit(inner);
    const token = $ref?.startsWith("#/types/") ? $ref.slice("#/types/".length) : undefined;
    if (token === undefined || found.has(token)) return;
    found.add(token);
    Object.values(types[token]?.properties ?? {}).forEach(visit);
  };
  for (const resource of Object.values(resources)) Object.values(resource[key] ?? {}).forEach(visit);
  return found;
}

/** A schema with nothing but what programs depend on. */
export function releasedPart({
  name,
  version,
  language = {},
  resources = {},
  types = {},
}: ReleasedSchema): ReleasedSchema {
  return {
    ...{ name, version },
    language: languageNames(language),
    resources: mapValues(resources, ({ isComponent, aliases, requiredInputs, required, ...resource }) => ({
      ...{ isComponent, aliases, requiredInputs, required },
      inputProperties: mapValues(resource.inputProperties ?? {}, bare),
      properties: mapValues(resource.properties ?? {}, bare),
    })),
    types: mapValues(types, ({ type, properties, required, enum: members }) => ({
      ...{ type, required: required?.length ? required : undefined },
      enum: members?.map(({ name: member, value }) => ({ name: member, value })),
      properties: properties && mapValues(properties, bare),
    })),
  };
}

function languageNames(language: NonNullable<ReleasedSchema["language"]>) {
  const names: typeof language = {};
  for (const [key, setting] of namesInLanguages) {
    const value = language[key]?.[setting];
    if (value !== undefined) names[key] = { ...names[key], [setting]: value };
  }
  return names;
}

function bare({ type, $ref, items, additionalProperties, oneOf, plain, secret }: ReleasedProperty): ReleasedProperty {
  return {
    ...{ type, $ref, plain, secret },
    items: items && bare(items),
    additionalProperties: additionalProperties && bare(additionalProperties),
    oneOf: oneOf?.map(bare),
  };
}

function mapValues<T, U>(values: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
