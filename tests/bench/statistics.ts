/** The value below which a share of the values lies; 0.5 is the median. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below = NaN, above = NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

/** The value in the middle. */
export const median = (values: number[]) => quantile(values, 0.5);

/** The values of each key, in the order in which the keys first come. */
export function groupBy<T>(values: T[], key: (value: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(key(value), [...(groups.get(key(value)) ?? []), value]);
  return [...groups.values()];
}
