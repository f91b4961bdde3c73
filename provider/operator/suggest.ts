import type { Field } from "./fields/kinds";

/** The paths of fields by their last name in small letters. */
export type PathsByName = ReadonlyMap<string, readonly string[]>;

/** The field that somebody may have meant, as a name beside it or as the whole path of another place. */
export function suggestion(unknown: string, path: string, beside: readonly string[], all: PathsByName) {
  const near = nearest(unknown, beside);
  if (near !== undefined) return near;
  const elsewhere = all.get(unknown.toLowerCase()) ?? [];
  // Of several places the one that shares most of the way, and the outermost of those.
  return [...elsewhere].sort(
    (one, other) => sharedLength(other, path) - sharedLength(one, path) || one.length - other.length,
  )[0];
}

/** Every path of a field, of what holds values and of what holds fields, by its last name. */
export function pathsByName(field: Field, path: string): PathsByName {
  const paths = namedPaths(field, path);
  const lastName = (path: string) => path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return new Map(paths.map((one) => [lastName(one), paths.filter((other) => lastName(other) === lastName(one))]));
}

function namedPaths(field: Field, path: string): string[] {
  if (field.kind === "list") return namedPaths(field.items, `${path}[]`);
  if (field.kind === "map") return namedPaths(field.values, `${path}.*`);
  if (field.kind !== "struct") return [];
  return Object.entries(field.fields).flatMap(([name, inner]) => {
    const own = `${path}.${name}`;
    return [own, ...namedPaths(inner, own)];
  });
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** The name that is a slip of the keyboard away, or holds the same words in another order. */
function nearest(unknown: string, names: readonly string[]): string | undefined {
  const words = sortedWords(unknown);
  const reordered = names.find((name) => sortedWords(name) === words);
  if (reordered !== undefined) return reordered;
  const allowed = Math.min(2, Math.floor(unknown.length / 3));
  const near = names
    // The comparison takes the time of both lengths, multiplied.
    .filter((name) => Math.abs(name.length - unknown.length) <= allowed)
    .map((name) => ({ name, distance: editDistance(unknown.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= allowed);
  return near.sort((one, other) => one.distance - other.distance)[0]?.name;
}

const sortedWords = (name: string) =>
  name
    .split(/(?=[A-Z])|[-_]/)
    .map((word) => word.toLowerCase())
    .sort()
    .join(" ");

/** Letters to insert, remove or replace to come from one word to another (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, wanted] of [...other].entries())
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === wanted ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
