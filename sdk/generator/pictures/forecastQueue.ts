import { instanceOf } from "../../../provider/forecast/parse/instance";
import type { Reading } from "../../../provider/forecast/parse/reading";
import { simulate, type Taken } from "../../../provider/forecast/parse/simulation";
import { element, faint, ink, picture, text } from "./svg";

/** A reading of a cluster's queue before a resize, and the seconds after which its new hosts are up. */
export interface RecordedReading {
  date: string;
  sizes: [before: number, after: number];
  joinSeconds: number;
  reading: Reading;
}

/** Pixels. */
const width = 800;
const [left, right, top] = [76, 24, 72];
const inner = width - left - right;
const core = 11;
const joining = "#ffe8a3";
const colours = ["#3366cc", "#c23b5a", "#7a4fbf", "#1f8a70", "#b36b00", "#4d6a8f", "#8a9a5b"];

/** The jobs of a queue on the hosts of a cluster over time, by the simulation of a recorded reading: at its size, and at another one. */
export function drawForecastQueue({ reading, sizes, joinSeconds, date }: RecordedReading): string {
  const panels = sizes.map((size) => panelOf(reading, size, joinSeconds));
  const most = 20 * Math.ceil((Math.max(...panels.map(({ end }) => end)) + 5) / 20);
  const x = (seconds: number) => left + (inner * seconds) / most;
  let place = top;
  const drawn = panels.map((panel) => {
    const from = place;
    place += rowOf(panel) * panel.size + 54;
    return drawPanel(panel, from, x);
  });
  const ticks = Array.from({ length: most / 20 + 1 }, (_, index) => 20 * index);
  return picture(width, place + 8, [
    element("rect", { x: left, y: 42, width: 12, height: 10, fill: joining }),
    text(left + 18, 51, "host starts"),
    text(left, 28, "The same queue at two sizes", { "font-size": 16, "font-weight": "bold" }),
    text(width - right, 28, `simulated from a reading of ${date}`, { "text-anchor": "end", fill: faint }),
    ...drawn.flat(),
    ...ticks.map((at) => text(x(at), place - 8, `${at} s`, { "text-anchor": "middle", fill: faint })),
  ]);
}

/** The jobs of a size, in seconds from the reading on. */
interface Panel {
  size: number;
  cores: number;
  /** Times from which the hosts take jobs. */
  from: number[];
  /** End of the last job. */
  end: number;
  bars: { rank: number; lane: number; lanes: number; from: number; to: number; job: number }[];
}

function panelOf(reading: Reading, size: number, joinSeconds: number): Panel {
  const { at } = reading;
  const { hosts: all, running, ...others } = instanceOf(reading, "typical");
  const hosts = all
    .slice(0, size)
    .map((host) => ({ ...host, from: host.from === Infinity ? at + joinSeconds : host.from }));
  const { jobs } = simulate({ now: at, hosts, running, ...others });
  const placed = [...running.map(({ id, end, takes }) => ({ id, start: at, end, takes })), ...entriesOf(jobs)];
  const cores = Math.max(...hosts.map((host) => host.cores));
  const free = new Map(hosts.map(({ rank }) => [rank, Array<number>(cores).fill(-Infinity)]));
  const numbers = new Map(
    placed
      .map(({ id }) => id)
      .sort()
      .map((id, number) => [id, number]),
  );
  const bars = placed
    .sort((one, other) => one.start - other.start)
    .flatMap(({ id, start, end, takes }) =>
      takes.map((taken) => {
        const lane = takeLanes(free.get(taken.rank) ?? [], taken, start, end);
        return {
          rank: taken.rank,
          lane,
          lanes: taken.cores,
          from: start - at,
          to: end - at,
          job: numbers.get(id) ?? 0,
        };
      }),
    );
  return { size, cores, from: hosts.map((host) => host.from - at), end: Math.max(...bars.map(({ to }) => to)), bars };
}

const entriesOf = (jobs: ReturnType<typeof simulate>["jobs"]) => [...jobs].map(([id, job]) => ({ id, ...job }));

/** Takes the first free cores of a host for a job, by the time until which each is taken. */
function takeLanes(until: number[], { cores }: Taken, start: number, end: number): number {
  const isFree = (lane: number) => until.slice(lane, lane + cores).every((time) => time <= start);
  const lane = Math.max(
    0,
    until.findIndex((_, each) => each + cores <= until.length && isFree(each)),
  );
  until.fill(end, lane, lane + cores);
  return lane;
}

const rowOf = ({ cores }: Panel) => core * cores + 4;

function drawPanel(panel: Panel, from: number, x: (seconds: number) => number): string[] {
  const row = rowOf(panel);
  const top = from + 24;
  const end = x(panel.end);
  return [
    text(left, from + 14, `size ${panel.size}`, { "font-weight": "bold" }),
    ...Array.from({ length: panel.size }, (_, rank) =>
      text(left - 8, top + row * (rank + 0.5) + 4, `host ${rank}`, { "text-anchor": "end" }),
    ),
    ...Array.from({ length: panel.size + 1 }, (_, rank) =>
      element("path", { d: `M${left} ${top + row * rank - 2}h${inner}`, stroke: "#e3e8f0" }),
    ),
    ...panel.from.flatMap((seconds, rank) =>
      seconds > 0
        ? [
            element("rect", {
              x: left,
              y: top + row * rank,
              width: x(seconds) - left,
              height: row - 4,
              fill: joining,
            }),
          ]
        : [],
    ),
    ...panel.bars.map(({ rank, lane, lanes, from, to, job }) =>
      element("rect", {
        x: x(from) + 0.5,
        y: top + row * rank + core * lane,
        width: Math.max(1, x(to) - x(from) - 1),
        height: core * lanes - 1,
        fill: colours[job % colours.length] as string,
      }),
    ),
    element("path", {
      d: `M${end.toFixed(1)} ${from + 18}V${top + row * panel.size}`,
      stroke: ink,
      "stroke-dasharray": "4 3",
    }),
    text(end, from + 14, `the queue ends after ${Math.round(panel.end)} s`, {
      "text-anchor": end > width / 2 ? "end" : "start",
    }),
  ];
}
