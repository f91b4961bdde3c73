const binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];

/** The amount that a Kubernetes quantity such as "500m" or "8Gi" stands for, if it is one that is known now. */
export function amount(quantity: unknown): number | undefined {
  const parts =
    typeof quantity === "string" ? /^\+?(\d+\.?\d*|\.\d+)([A-Za-z]{0,2})([-+]?\d+)?$/.exec(quantity) : undefined;
  if (!parts) return undefined;
  const [, digits = "", suffix = "", exponent] = parts;
  if (exponent !== undefined) return /^[eE]$/.test(suffix) ? Number(`${digits}e${exponent}`) : undefined;
  if (binary.includes(suffix)) return Number(digits) * 1024 ** (binary.indexOf(suffix) + 1);
  const power = decimal.indexOf(suffix) - decimal.indexOf("");
  // Read as one decimal number: to multiply would leave a rest, such as 1000.9999999999999 of "1.001k".
  return decimal.includes(suffix) ? Number(`${digits}e${3 * power}`) : undefined;
}
