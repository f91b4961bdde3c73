import { hasUnknown, isObject, type Json, type Obj, rewrite } from "../rpc/values";
import { apiVersionOf, deletePath, kindOf, stringAt } from "./objects";

const readOnlyMetadata =
  "creationTimestamp deletionGracePeriodSeconds deletionTimestamp generation managedFields resourceVersion uid";

const powers: Record<string, number> = { m: -1, "": 0, k: 1, M: 2, G: 3, T: 4, P: 5, E: 6 };
const binaries = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** The spelling the API server gives a quantity: `1000m` is `1`, `0.5` is `500m`, `1024Mi` is `1Gi`. */
export function canonicalQuantity(quantity: string | number): string {
  const [, digits = "", suffix = ""] = /^([0-9.]+)([A-Za-z]*)$/.exec(String(quantity)) ?? [];
  const amount = Number(digits);
  if (digits === "" || Number.isNaN(amount)) return String(quantity);
  const binary = binaries.indexOf(suffix);
  if (binary > 0) return scaled(amount * 1024 ** binary, 1024, binaries);
  const power = powers[suffix];
  if (power === undefined) return String(quantity);
  // Whole thousandths keep 0.1 and its like exact.
  return scaled(Math.round(amount * 1000 ** (power + 1)), 1000, Object.keys(powers));
}

function scaled(units: number, base: number, suffixes: string[]): string {
  let power = 0;
  while (units !== 0 && units % base === 0 && power < suffixes.length - 1) {
    units /= base;
    power++;
  }
  return units === 0 ? "0" : `${units}${suffixes[power] ?? ""}`;
}

const quantityHolders = new Set(["limits", "requests", "hard", "capacity"]);

function canonicalQuantities(object: Obj): Obj {
  const canonical = (value: Json) =>
    typeof value === "string" || typeof value === "number" ? canonicalQuantity(value) : value;
  return rewrite(object, (value) => {
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, inner]) => {
      if (key === "sizeLimit") return [key, canonical(inner ?? null)];
      if (!quantityHolders.has(key) || !isObject(inner)) return [key, inner];
      return [key, Object.fromEntries(Object.entries(inner).map(([name, v]) => [name, canonical(v ?? null)]))];
    });
    return Object.fromEntries(entries) as Obj;
  }) as Obj;
}

/** The API server turns `stringData` into `data`, so inputs are compared and stored in that form. */
function mergeStringData(secret: Obj): Obj {
  const { stringData, ...rest } = secret;
  if (!isObject(stringData) || Object.keys(stringData).length === 0) return secret;
  const keys = Object.keys(stringData);
  const encoded = keys.map((key) => [key, Buffer.from(stringAt(stringData, key)).toString("base64")]);
  return { ...rest, data: { ...(isObject(rest.data) ? rest.data : {}), ...Object.fromEntries(encoded) } as Obj };
}

/** A copy of the inputs in the form in which the API server will give them back. */
export function normalise(inputs: Obj): Obj {
  let object = structuredClone(inputs);
  // The final form of a value that is not known yet is unknown as well.
  if (!hasUnknown(object)) {
    object = canonicalQuantities(object);
    if (apiVersionOf(object) === "v1" && kindOf(object) === "Secret") object = mergeStringData(object);
  }
  for (const key of readOnlyMetadata.split(" ")) deletePath(object, ["metadata", key]);
  return object;
}
