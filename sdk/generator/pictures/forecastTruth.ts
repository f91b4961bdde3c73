import type { ForecastRecord, MeasuredQueue } from "../../../tests/support/forecast/record";
import { element, faint, ink, picture, text } from "./svg";

/** Pixels. */
const [width, height] = [800, 440];
const [left, right, top, bottom] = [76, 24, 84, 60];
const [inner, depth] = [width - left - right, height - top - bottom];

const kinds = {
  durations: { colour: "#3366cc", says: "by earlier run times" },
  limits: { colour: "#b36b00", says: "by time limits, which are longer" },
} as const;

/** The forecast end of each recorded queue against its true end, with the diagonal and a band of 10 % around it. */
export function drawForecastTruth({ measured, recorded }: ForecastRecord): string {
  const most = (key: "truth" | "forecast") => Math.max(...measured.map((queue) => queue[key]));
  const [mostX, mostY] = [20 * Math.ceil(most("truth") / 20), 20 * Math.ceil(most("forecast") / 20)];
  const x = (seconds: number) => left + (inner * seconds) / mostX;
  const y = (seconds: number) => top + depth - (depth * seconds) / mostY;
  const line = (share: number) => `L${x(mostX).toFixed(1)} ${y(share * mostX).toFixed(1)}`;
  const corner = `M${x(0)} ${y(0)}`;
  const every = (end: number) => Array.from({ length: end / 20 + 1 }, (_, place) => 20 * place);

  return picture(width, height, [
    text(left, 28, "Forecast and true ends of queues", { "font-size": 16, "font-weight": "bold" }),
    text(width - right, 28, `${measured.length} queues of 40 jobs, recorded ${recorded.date}`, {
      "text-anchor": "end",
      fill: faint,
    }),
    ...Object.values(kinds).flatMap(({ colour, says }, place) => [
      mark(left + 6 + 190 * place, 50, colour),
      text(left + 16 + 190 * place, 54, says),
    ]),
    element("path", { d: "M580 50h24", stroke: ink }),
    text(610, 54, "equal, ±10 %"),
    ...every(mostY).map((at) => element("path", { d: `M${left} ${y(at).toFixed(1)}h${inner}`, stroke: "#e3e8f0" })),
    ...every(mostY).map((at) => text(left - 8, y(at) + 4, `${at} s`, { "text-anchor": "end", fill: faint })),
    ...every(mostX).map((at) => text(x(at), height - bottom + 18, `${at} s`, { "text-anchor": "middle", fill: faint })),
    element("path", { d: `${corner}${line(1.1)}${line(0.9)}Z`, fill: "#dce7dc" }),
    element("path", { d: `${corner}${line(1)}`, stroke: ink }),
    ...measured.map((queue) => mark(x(queue.truth), y(queue.forecast), kinds[queue.known].colour, queue)),
    text(left + inner / 2, height - 14, "true end of the queue after the reading", { "text-anchor": "middle" }),
    text(left, 74, "forecast end", {}),
  ]);
}

const mark = (cx: number, cy: number, fill: string, queue?: MeasuredQueue) =>
  element(
    "circle",
    { cx, cy, r: 4, fill, "fill-opacity": "0.75" },
    queue && element("title", {}, `queue ${queue.index}, ${queue.policy}: ${queue.forecast} s, true ${queue.truth} s`),
  );
