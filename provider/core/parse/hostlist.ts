/** A Flux hostlist (RFC 29 of Flux) of `count` hosts: `demo-0` or `demo-[0-7]`. Its length does not grow with the count. */
export const hostlist = (stem: string, count: number): string => hostRange(stem, 0, count);

/** The hosts from the first one on: `demo-4` or `demo-[4-7]`. */
export function hostRange(stem: string, first: number, count: number): string {
  return count === 1 ? `${stem}-${first}` : `${stem}-[${first}-${first + count - 1}]`;
}

/** The first host of a hostlist, and the hostlist of the others: `demo-0` and `demo-[1-7]`. */
export function splitFirstHost(hosts: string): [first: string, rest: string] {
  const ranges = /^([^[,]*)\[(\d+)(?:-(\d+))?(?:,([^\]]+))?\]([^,]*)(?:,(.*))?$/.exec(hosts);
  if (!ranges) {
    const [first = "", ...rest] = hosts.split(",");
    return [first, rest.join(",")];
  }
  const [, prefix = "", from = "", to = from, rest, suffix = "", after] = ranges;
  const next = String(Number(from) + 1).padStart(from.length, "0");
  const range = Number(next) > Number(to) ? [] : [Number(next) === Number(to) ? next : `${next}-${to}`];
  const left = [...range, ...(rest === undefined ? [] : [rest])].join(",");
  const same = /^\d+$/.test(left) ? `${prefix}${left}${suffix}` : `${prefix}[${left}]${suffix}`;
  return [
    `${prefix}${from}${suffix}`,
    [...(left === "" ? [] : [same]), ...(after === undefined ? [] : [after])].join(","),
  ];
}

// The largest size of an instance.
const maxHosts = 100_000;

// The longest host name of DNS.
const longestName = 253;

/** The problem with the hosts of a hostlist: too many, one too long, or one twice. Counts them before it lists them. */
export function hostlistProblem(hosts: string): string | undefined {
  const ranges = partsOf(hosts).flatMap(rangesOf);
  if (ranges.some(({ prefix, width, suffix }) => prefix.length + width + suffix.length > longestName))
    return `has a host name of more than ${longestName} characters; shorten it`;
  const count = ranges.reduce((sum, range) => sum + range.count, 0);
  if (count > maxHosts) return `names ${count} hosts; an instance has at most ${maxHosts}`;
  const seen = new Set<string>();
  for (const name of namesIn(ranges)) {
    if (seen.has(name)) return `lists the host ${name} twice, and a host has one rank; list it once`;
    seen.add(name);
  }
  return undefined;
}

/** Hosts whose names differ in a number, with leading zeros as written. */
interface HostRange {
  prefix: string;
  first: number;
  count: number;
  width: number;
  suffix: string;
}

function* namesIn(ranges: HostRange[]): Generator<string> {
  for (const { prefix, first, count, width, suffix } of ranges)
    for (let number = first; number < first + count; number++)
      yield `${prefix}${width === 0 ? "" : String(number).padStart(width, "0")}${suffix}`;
}

/** The parts of a hostlist between the commas outside of brackets. */
function partsOf(hosts: string): string[] {
  const parts: string[] = [];
  let [start, isInBrackets] = [0, false];
  for (let at = 0; at <= hosts.length; at++) {
    const character = hosts[at];
    if (character === "[" || character === "]") isInBrackets = character === "[";
    if (at < hosts.length && (character !== "," || isInBrackets)) continue;
    parts.push(hosts.slice(start, at));
    start = at + 1;
  }
  return parts;
}

/** The ranges of a part such as `a-[0-3,07,9]-b`, and for one name itself. */
function rangesOf(part: string): HostRange[] {
  const open = part.indexOf("[");
  const close = part.indexOf("]", open);
  if (open < 0 || close < 0) return [{ prefix: part, first: 0, count: 1, width: 0, suffix: "" }];
  const around = { prefix: part.slice(0, open), suffix: part.slice(close + 1) };
  return part
    .slice(open + 1, close)
    .split(",")
    .map((range) => {
      const [from = "", to = from] = range.split("-", 2);
      const count = Math.max(0, Number(to) - Number(from) + 1) || 0;
      return { ...around, first: Number(from), count, width: from.length };
    });
}
