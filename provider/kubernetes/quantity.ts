const binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const decimal = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];

const form = /^([-+]?)(\d*)(?:\.(\d*))?(?:([KMGTPE]i)|([numkMGTPE])|[eE]([-+]?\d+))?$/;

/** Decimal places of a quantity that Kubernetes keeps: billionths. */
const nano = 9;

/** Digits of a number that Kubernetes keeps with its power of ten. */
const exactDigits = 18;

/** Largest other quantity, to which Kubernetes rounds larger ones. */
const largest = (2n ** 63n - 1n) * 10n ** BigInt(nano);

/**
 * Amount of a Kubernetes quantity in billionths, rounded away from zero: undefined for any other text, or a value known only later.
 * Source: `apimachinery/pkg/api/resource/quantity.go`.
 */
export function quantityOf(value: unknown): bigint | undefined {
  const text = typeof value === "number" ? String(value) : value;
  const parts = typeof text === "string" ? form.exec(text) : null;
  if (!parts) return undefined;
  const [, sign = "", whole = "", fraction = "", binarySuffix, suffix, exponent] = parts;
  if (whole === "" && fraction === "") return undefined;
  const factor = binarySuffix === undefined ? 1n : 1024n ** BigInt(binary.indexOf(binarySuffix) + 1);
  const power = suffix === undefined ? Number(exponent ?? 0) : 3 * (decimal.indexOf(suffix) - decimal.indexOf(""));
  const amount = scaled(BigInt(whole + fraction) * factor, power - fraction.length + nano);
  // A decimal number of few digits stays exact, however large it is.
  const isExact = binarySuffix === undefined && (whole + fraction).length <= exactDigits;
  const capped = amount > largest && !isExact ? largest : amount;
  return sign === "-" ? -capped : capped;
}

/** A number times a power of ten, rounded up. */
function scaled(digits: bigint, power: number): bigint {
  // Beyond these every number but 0 is the largest or the smallest.
  const bounded = Math.max(-10_000, Math.min(100, power));
  if (bounded >= 0) return digits * 10n ** BigInt(bounded);
  return ceiling(digits, 10n ** BigInt(-bounded));
}

const ceiling = (amount: bigint, unit: bigint): bigint =>
  amount < 0n ? -ceiling(-amount, unit) : (amount + unit - 1n) / unit;

/** A quantity in thousandths, rounded up, as Kubernetes keeps resources (`pkg/apis/core/v1/defaults.go`, `SetDefaults_ResourceList`). */
export function milliOf(value: unknown): bigint | undefined {
  const amount = quantityOf(value);
  return amount === undefined ? undefined : ceiling(amount, 10n ** 6n);
}

/** A number of thousandths as an integer of units, rounded up. */
export const wholeUnits = (milli: bigint): bigint => ceiling(milli, 1000n);

/** True for a number of thousandths without a fraction. */
export const isWhole = (milli: bigint): boolean => milli % 1000n === 0n;
