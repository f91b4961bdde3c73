/** The value below which a share of the values lies; 0.5 is the median. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below = NaN, above = NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

/** The value in the middle. */
export const median = (values: number[]) => quantile(values, 0.5);

/** Milliseconds as seconds. */
export const seconds = (ms: number) => (ms / 1000).toFixed(2);

/** Milliseconds to three decimals, for what takes less than a few of them. */
export const milliseconds = (ms: number) => ms.toFixed(3);

/** Least, median and greatest of several times, in seconds; of a single time only that. */
export function spread(ms: number[]): string {
  const figures = ms.length === 1 ? ms : [Math.min(...ms), median(ms), Math.max(...ms)];
  return figures.map(seconds).join(" / ");
}

/** Says what figures were made from how many runs. */
export const timesTaken = (figures: string, runs: number) => (runs === 1 ? "one run" : `${figures} of ${runs} runs`);
