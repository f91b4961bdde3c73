/** A Flux hostlist (RFC 29 of Flux) of `count` hosts: `demo-0` or `demo-[0-7]`. Its length does not grow with the count. */
export const hostlist = (stem: string, count: number): string => hostRange(stem, 0, count);

/** The hosts from the first one on: `demo-4` or `demo-[4-7]`. */
export function hostRange(stem: string, first: number, count: number): string {
  return count === 1 ? `${stem}-${first}` : `${stem}-[${first}-${first + count - 1}]`;
}

/** The first host of a hostlist, and the hostlist of the others: `demo-0` and `demo-[1-7]`. */
export function splitFirstHost(hosts: string): [first: string, others: string] {
  const ranges = /^([^[,]*)\[(\d+)(?:-(\d+))?(?:,([^\]]+))?\]([^,]*)(?:,(.*))?$/.exec(hosts);
  if (!ranges) {
    const [first = "", ...others] = hosts.split(",");
    return [first, others.join(",")];
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

// More hosts than any instance has are not looked through.
const maxHosts = 1_000_000;

/** The first host that a hostlist names for the second time. */
export function repeatedHost(hosts: string): string | undefined {
  const seen = new Set<string>();
  for (const part of hosts.split(/,(?![^[]*\])/)) {
    const [, prefix = part, ranges, suffix = ""] = /^([^[]*)\[([^\]]*)\](.*)$/.exec(part) ?? [];
    for (const name of ranges === undefined ? [part] : numbersIn(ranges).map((number) => prefix + number + suffix)) {
      if (seen.has(name)) return name;
      if (seen.size < maxHosts) seen.add(name);
    }
  }
  return undefined;
}

/** The numbers of some ranges such as `0-3,07,9`, as wide as they are written. */
function numbersIn(ranges: string): string[] {
  return ranges.split(",").flatMap((range) => {
    const [from = "", to = from] = range.split("-");
    const count = Math.min(Math.max(0, Number(to) - Number(from) + 1) || 0, maxHosts);
    return Array.from({ length: count }, (_, index) => String(Number(from) + index).padStart(from.length, "0"));
  });
}
