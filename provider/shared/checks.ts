import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { isPlainObject } from "./objects";
import { nearest, otherWord, presentName } from "./nearest";
import { isDeferred, knownValue } from "./deferred";

/**
 * Properties of a plain object, and an empty object for any other value: for rules on values that the schema has not
 * checked.
 */
export function properties<T extends object>(value: T | null | undefined): Partial<T> {
  return isPlainObject(value) ? value : {};
}

/** A leaf argument: checked if it is plain, and passed unchanged if it is known only later. */
export function leaf<T>(schema: z.ZodType<T>): z.ZodType<pulumi.Input<T>, pulumi.Input<T>> {
  return z.custom<pulumi.Input<T>>().check((payload) => {
    if (isDeferred(payload.value)) return;
    const result = schema.safeParse(payload.value);
    for (const { path, message } of result.error?.issues ?? [])
      payload.issues.push({ code: "custom", path: [...path], message, input: payload.value });
  });
}

/** End of the message on an output where a plain value is needed, with the likely remedy. */
export const knownInTime =
  ", known before anything is created; this is an output or a secret: pass the value itself, and its dependency in the option " +
  "dependsOn (depends_on in Python)";

/** Message for a value of the wrong type, with its type, and with the remedy for a value that is known only later. */
export function expected(rule: string) {
  return ({ input }: { input?: unknown }) => {
    if (input === undefined) return `is required; must be ${rule}`;
    return isDeferred(input) ? `must be ${rule}${knownInTime}` : `is ${kindOf(input)}; must be ${rule}`;
  };
}

/** The type of a value. The text never contains the value, which may be a secret. */
export function kindOf(value: unknown): string {
  if (value === null || Number.isNaN(value)) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object") return `a ${typeof value}`;
  return isPlainObject(value) ? "a map" : "an object of a class";
}

/**
 * A value of the user that satisfies a condition. Unlike with `z.custom`, the rules of the object around it run if it
 * is invalid.
 */
export const given = <T>(holds: (value: unknown) => boolean, messageOn: (issue: { input?: unknown }) => string) =>
  z.custom<T>().check(({ value, issues }) => {
    if (!holds(value)) issues.push({ code: "custom", message: messageOn({ input: value }), input: value });
  });

/**
 * An object with only these properties. An instance of a class, such as an output, is rejected as a whole; `rule`
 * completes the sentence "must be …", or returns the whole message for the given value.
 */
export function object<T extends z.core.$ZodLooseShape>(
  shape: T,
  rule: string | ((input: unknown) => string) = "an object with properties",
) {
  const strict = z.strictObject(shape, { error: unknownProperties(Object.keys(shape)) });
  const error = typeof rule === "string" ? expected(rule) : ({ input }: { input?: unknown }) => rule(input);
  return given<z.input<typeof strict>>(isPlainObject, error).pipe(strict);
}

/** Message for unknown keys, one line for each key; undefined for any other issue. */
const unknownProperties = (names: string[]) => (issue: { code: string; keys?: string[] }) =>
  issue.keys?.map((key) => unknownProperty(key, names)).join("\n");

/** Message for a key that a type with these properties does not have. */
export function unknownProperty(key: string, names: string[]): string {
  const present = presentName(key, names);
  if (present !== undefined) return `${key} is now ${present}`;
  const meant = otherWord(key, names) ?? nearest(key, names);
  if (meant === undefined) return "unknown property; correct its name or remove it";
  const inPython = snakeCase(meant);
  // The SDK for Python translates the names of the schema, so a Python program has other names.
  const isPython = key.includes("_") && key !== inPython && meant !== inPython;
  return `unknown property; did you mean ${meant}${isPython ? ` (${inPython} in Python)` : ""}?`;
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A value that is plain, or an output of this package with a known value. Any other output is refused with this message. */
export const plainValue = <T extends z.ZodType>(schema: T, message: string) =>
  given<z.input<T>>(
    (value) => !isDeferred(knownValue(value)),
    () => message,
  )
    .transform((value): unknown => knownValue(value))
    .pipe(schema as z.ZodType<z.output<T>, unknown>);

/**
 * Argument of another component that this component rejects, with the reason. Its value is the default in the other
 * component.
 */
export const unsupported = <T extends z.ZodType>(schema: T, reason: string) =>
  z
    .never({ error: reason })
    .optional()
    .transform(() => schema.parse(undefined));

/** A map with checked keys and values. */
export function map<K extends z.core.$ZodRecordKey, V extends z.core.$ZodType>(keys: K, values: V) {
  return z.record(keys, values, {
    error: (issue) => {
      if (issue.code !== "invalid_key") return expected("a map of names to values")(issue);
      return issue.issues.map(({ message }) => message).join("; ");
    },
  });
}

/** A list with checked items. */
export const list = <T extends z.core.$ZodType>(items: T) => z.array(items, { error: expected("a list") });

/** An integer within limits that the message names. */
export function integer(min: number, max: number) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return z.number({ error: expected(`an integer ${range}`) }).check((payload) => {
    const { value } = payload;
    if (Number.isInteger(value) && value >= min && value <= max) return;
    payload.issues.push({ code: "custom", message: `${value} must be an integer ${range}`, input: value });
  });
}

/** A TCP port. */
export const tcpPort = integer(1, 65_535);

/** A string that matches a pattern; `rule` completes the sentence "<value> must be …". */
export function pattern(regex: RegExp, rule: string) {
  return z
    .string({ error: expected(rule) })
    .refine((value) => regex.test(value), { error: (issue) => `${JSON.stringify(issue.input)} must be ${rule}` });
}

/** One of the values of an enum object. */
export function choice<T extends Record<string, string>>(values: T) {
  const listed = Object.values(values)
    .map((value) => JSON.stringify(value))
    .join(", ");
  const rule = `one of ${listed}`;
  return z.enum(values, {
    error: (issue) => (typeof issue.input === "string" ? `must be ${rule}` : expected(rule)(issue)),
  });
}

export const flag = z.boolean({ error: expected("true or false") });

export const text = z.string({ error: expected("a string") });

export const nonEmptyText = pattern(/\S/, "a string that is not empty");

export const dnsLabel = pattern(
  /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
  "a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends",
);

export const serviceName = pattern(
  /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/,
  "a lowercase DNS label that starts with a letter: at most 63 of a-z, 0-9 and -",
);

const subdomain = String.raw`[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`;

const dnsSubdomain = new RegExp(`^(?=.{1,253}$)${subdomain}$`);

export const domainName = pattern(
  dnsSubdomain,
  'a lowercase DNS name such as "cluster.local", without a dot at its end',
);

/** Name of a Kubernetes object that is not used as a host name: a DNS subdomain. */
export const objectName = pattern(
  dnsSubdomain,
  "the name of a Kubernetes object: a-z, 0-9, - and ., with a letter or digit at both ends",
);

/** Name of an object that can also be the value of a label. */
export const labelledName = pattern(
  /^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/,
  "the name of a Kubernetes object that fits in a label: at most 63 of a-z, 0-9, - and ., with a letter or digit at both ends",
);

const keyName = String.raw`[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?`;

export const labelValue = pattern(
  new RegExp(`^(${keyName})?$`),
  "a label value: at most 63 letters, digits, -, _ and ., with a letter or digit at both ends",
);

const key = "a key such as app or example.com/app: at most 63 letters, digits, -, _ and . after an optional DNS prefix";

const keyForm = `^((?=[^/]{1,253}/)${subdomain}/)?${keyName}$`;

/** Key of a label or an extended resource: a name with an optional DNS prefix. */
export const qualifiedName = pattern(new RegExp(keyForm), key);

/** Key of an annotation: the same, also with capitals in the prefix. */
const annotationKey = pattern(new RegExp(keyForm, "i"), key);

/** Name of an environment variable of a container, as Kubernetes accepts it. */
export const variableName = pattern(
  /^[ -<>-~]+$/,
  'the name of an environment variable: printable ASCII characters without "="',
);

/** Name of a variable that a shell sets. */
export const shellVariableName = pattern(
  /^[A-Za-z_]\w*$/,
  "the name of a shell variable, because a script sets it: letters, digits and _, not starting with a digit",
);

const quantityForm = /^\+?(\d+(?:\.\d*)?|\.\d+)(?:([KMGTPE])i|([numkMGTPE])|[eE]([-+]?\d+))?$/;

export const quantity = pattern(quantityForm, 'a Kubernetes quantity such as "4", "500m" or "8Gi", never "8GB"');

const decimals = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];

/**
 * Amount of a Kubernetes quantity such as "500m" or "8Gi"; undefined for any other value, and for a value that is known
 * only later.
 */
export function amount(value: unknown): number | undefined {
  const parts = typeof value === "string" ? quantityForm.exec(value) : null;
  if (!parts) return undefined;
  const [, digits = "", binary, decimal = "", exponent] = parts;
  if (binary !== undefined) return Number(digits) * 1024 ** ("KMGTPE".indexOf(binary) + 1);
  const power = exponent ?? 3 * (decimals.indexOf(decimal) - decimals.indexOf(""));
  // Parsed as one decimal number, because a multiplication is not exact: 1000.9999999999999 for "1.001k".
  return Number(`${digits}e${power}`);
}

/** Maximum number of bytes of a path, and of a name in it (PATH_MAX without the final byte, NAME_MAX). */
const [maxPath, maxName] = [4_095, 255];

/** True for a path that is too long for Linux. */
export const hasLongPart = (path: string): boolean =>
  Buffer.byteLength(path) > maxPath || path.split("/").some((name) => Buffer.byteLength(name) > maxName);

export const longPathMessage = `must have at most ${maxPath} bytes, and at most ${maxName} in each name; choose a shorter path`;

export const absolutePath = pattern(/^\/[^\0:]*$/, 'an absolute path such as "/data", without a colon').refine(
  (path) => !hasLongPart(path),
  longPathMessage,
);

/** Flux Standard Duration (RFC 23 of Flux). */
export const fluxDuration = pattern(/^\d+(\.\d+)?(ms|s|m|h|d)?$/, 'a Flux duration such as "5s" or "500ms"');

export const labels = map(qualifiedName, leaf(labelValue));

export const annotations = map(annotationKey, leaf(text));
