const words = (value: boolean | number | null, ...names: string[]) => names.map((name) => [name, value] as const);

/** Plain scalars of YAML 1.1 other than strings, as `go.yaml.in/yaml/v2` lists them. */
const constants: ReadonlyMap<string, boolean | number | null> = new Map([
  ...words(true, "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"),
  ...words(false, "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"),
  ...words(null, "", "~", "null", "Null", "NULL"),
  ...words(NaN, ".nan", ".NaN", ".NAN"),
  ...words(Infinity, ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"),
  ...words(-Infinity, "-.inf", "-.Inf", "-.INF"),
]);

/**
 * The value of a plain scalar, as kubectl reads it (`sigs.k8s.io/yaml`). The types of YAML 1.1, with the exceptions of the Go
 * library: timestamps and numbers of base 60 are strings, as is a number that Go cannot represent.
 */
export function plainScalar(text: string): string | boolean | number | null {
  const constant = constants.get(text);
  if (constant !== undefined) return constant;
  return (/^[-+\d]/.test(text) ? signedOrDigit(text) : pointFirst(text)) ?? text;
}

/** A number that begins with a point. Here Go allows underscores between digits alone. */
function pointFirst(text: string): number | undefined {
  return /^\.\d+(_\d+)*([eE][-+]?\d+(_\d+)*)?$/.test(text) ? finite(text.replaceAll("_", "")) : undefined;
}

function signedOrDigit(text: string): number | undefined {
  const digits = text.replaceAll("_", "");
  const isFloat = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(digits);
  return integer(digits) ?? (isFloat ? finite(digits) : undefined);
}

const finite = (digits: string): number | undefined => (Number.isFinite(Number(digits)) ? Number(digits) : undefined);

/** The forms of an integer, each with its sign and its digits, and their base. */
const integerForms: [form: RegExp, base: string][] = [
  [/^([-+]?)(0|[1-9]\d{0,19})$/, ""],
  [/^([-+]?)0[xX]0*([\da-fA-F]{1,16})$/, "0x"],
  [/^([-+]?)0[oO]?0*([0-7]{1,22})$/, "0o"],
  [/^([-+]?)0[bB]0*([01]{1,64})$/, "0b"],
  // The Go library cuts the prefix off before it looks for a sign.
  [/^0b([-+])0*([01]{1,64})$/, "0b"],
];

/** An integer of 64 bits, signed, or unsigned where it has no sign. */
function integer(digits: string): number | undefined {
  for (const [form, base] of integerForms) {
    const [, sign, magnitude] = form.exec(digits) ?? [];
    if (magnitude === undefined) continue;
    const value = BigInt(base + magnitude) * (sign === "-" ? -1n : 1n);
    const limit = sign === "" ? 2n ** 64n : 2n ** 63n;
    return value >= -(2n ** 63n) && value < limit ? Number(value) : undefined;
  }
  return undefined;
}
