/** The hosts of a hostlist one by one, of those forms that the tests use. */
export function expandHosts(list: string): string[] {
  return list.split(/,(?![^[]*\])/).flatMap((part) => {
    const [, stem = part, ranges, suffix = ""] = /^(.*)\[(.*)\](.*)$/.exec(part) ?? [];
    if (ranges === undefined) return [stem];
    return ranges.split(",").flatMap((range) => {
      const [from = "", to = from] = range.split("-");
      const numbers = Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index);
      return numbers.map((number) => `${stem}${String(number).padStart(from.length, "0")}${suffix}`);
    });
  });
}
