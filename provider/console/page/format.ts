/** A duration in seconds in common units: "8 s", "3 min 20 s", "2 h 5 min". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  if (minutes < 60) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A time in seconds, in the format of the reader's language. */
export const time = (seconds: number) =>
  new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });

export const clock = (seconds: number) => new Date(seconds * 1000).toLocaleTimeString();

/** A time in seconds without its seconds, and without its day if that is today. */
export function moment(seconds: number, now: number): string {
  const [date, today] = [new Date(seconds * 1000), new Date(now * 1000)];
  const dateStyle = date.toDateString() === today.toDateString() ? undefined : "medium";
  return date.toLocaleString(undefined, { dateStyle, timeStyle: "short" });
}

/** A number with its noun: "1 host", "3 hosts". */
export const count = (number: number, noun: string) => `${number.toLocaleString()} ${noun}${number === 1 ? "" : "s"}`;

/** An amount of money, in the currency of the prices. */
export const amount = (value: number) =>
  value.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
