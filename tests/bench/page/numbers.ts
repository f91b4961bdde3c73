import { median } from "../statistics";

/** Milliseconds as seconds. */
export const seconds = (ms: number) => (ms / 1000).toFixed(ms < 9_995 ? 2 : ms < 99_950 ? 1 : 0);

/** Milliseconds to two decimals, for what takes less than a few of them. */
export const milliseconds = (ms: number) => ms.toFixed(2);

export const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);

export const kibibytes = (bytes: number) => Math.round(bytes / 2 ** 10);

/** A number with commas between thousands. */
export const counted = (count: number) => count.toLocaleString("en-US", { maximumFractionDigits: 0 });

/** The median of several figures and, where there is more than one, their range; a dash without figures. */
export function spread(figures: (number | undefined)[], unit: (figure: number) => string | number = seconds): string {
  const known = figures.filter((figure) => figure !== undefined);
  if (known.length === 0) return "-";
  const middle = String(unit(median(known)));
  const [least, most] = [unit(Math.min(...known)), unit(Math.max(...known))].map(String);
  return least === most ? middle : `${middle} (${least}-${most})`;
}

/** Says what figures were made from how many runs. */
export const timesTaken = (runs: number) => (runs === 1 ? "one run" : `median and range of ${runs} runs`);
