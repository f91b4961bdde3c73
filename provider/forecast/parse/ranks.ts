/** Ranks of an idset such as "0-3,7", with or without brackets. */
export const ranksOf = (idset: string): number[] =>
  idset
    .replace(/[[\]]/g, "")
    .split(",")
    .filter((part) => part !== "")
    .flatMap((part) => {
      const [first = 0, last = first] = part.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
