import type { HostState } from "../../../provider/console/page/model";
import { background, element, faint, ink, picture, text } from "./svg";
import type { ElasticRun, RecordedJob } from "./recording";

/** Seconds of the run per second of the picture, and seconds for which its end is shown. */
const speed = 10;
const pauseSeconds = 3;
/** Pixels. */
const width = 800;
const [left, right, top] = [88, 20, 96];
const inner = width - left - right;
const row = 22;
const queueHeight = 44;
const hostsTop = top + queueHeight + 12;

const here = "#dce7dc";
const colours: Partial<Record<HostState, string>> = {
  expected: "#ffe8a3",
  free: here,
  allocated: here,
  drained: "#f3c9b5",
};
const meanings = [
  [colours.expected, "starts"],
  [colours.free, "accepts jobs"],
  [colours.drained, "drained"],
] as const;
const jobColours = ["#3366cc", "#c23b5a", "#7a4fbf", "#1f8a70", "#b36b00"];

/**
 * The hosts of a cluster over time, with their jobs, the hosts for which jobs wait, and the decisions of the agent. The picture
 * plays the run in a loop; for a reader who prefers reduced motion it shows the end.
 */
export function drawElasticRun({ seconds, hosts, jobs, decisions, date }: ElasticRun): string {
  const x = (at: number) => left + (inner * Math.min(at, seconds)) / seconds;
  const bottom = hostsTop + row * hosts.length;
  const height = bottom + 32;
  const bar = (from: number, to: number, rank: number, fill: string, inset: number) =>
    element("rect", {
      x: x(from),
      y: hostsTop + row * rank + inset,
      fill,
      width: Math.max(1, x(to) - x(from)),
      height: row - 2 * inset,
    });
  const label = (y: number, words: string) => text(left - 8, y + 4, words, { "text-anchor": "end" });

  const states = hosts.flatMap((changes, rank) =>
    changes.flatMap(([at, state], place) => {
      // The console expects a host until the agent has reported the smaller size.
      const isLeaving = state === "expected" && changes[place - 1]?.[1] === "drained";
      const colour = colours[isLeaving ? "drained" : state];
      return colour ? [{ rank, colour, from: at, to: changes[place + 1]?.[0] ?? seconds }] : [];
    }),
  );
  const legend = meanings.filter(([colour]) => states.some((state) => state.colour === colour));
  const colourOf = coloursOf(jobs);
  const runs = jobs.flatMap((job) => {
    const { from, to, ranks } = job.ran ?? { from: 0, to: 0, ranks: [] };
    // Hosts are read less often than jobs.
    return ranks.map((rank) => bar(from, to, rank, here, 1) + bar(from, to, rank, colourOf(job), 4));
  });
  const ticks = Array.from({ length: Math.floor(seconds / 30) + 1 }, (_, index) => 30 * index);
  const shown = shownIn(decisions);
  const plot = { x: left, y: top, width: inner, height: bottom - top };
  const cover =
    element("rect", { ...plot, fill: background, opacity: "0.93" }) +
    element("path", { d: `M${left} ${top}V${bottom}`, stroke: ink });

  return picture(width, height, [
    element("style", {}, styleOf(shown, seconds)),
    element("clipPath", { id: "plot" }, element("rect", plot)),
    text(left, 28, "Hosts are added for the queue", { "font-size": 16, "font-weight": "bold" }),
    text(width - right, 28, `recorded ${date}, shown ${speed} times as fast`, { "text-anchor": "end", fill: faint }),
    ...legend.flatMap(([fill = here, means], place) => [
      element("rect", { x: left + 110 * place, y: 42, width: 12, height: 10, fill }),
      text(left + 18 + 110 * place, 51, means),
    ]),
    label(72, "agent"),
    ...shown.map(({ said, name }) => text(left, 76, said, { class: `decision ${name}` })),
    label(top + queueHeight / 2, "waiting"),
    waiting(jobs, seconds, x),
    ...hosts.flatMap((_, rank) => [
      label(hostsTop + row * (rank + 0.5), `host ${rank}`),
      element("path", { d: `M${left} ${hostsTop + row * (rank + 1)}h${inner}`, stroke: "#e3e8f0" }),
    ]),
    ...states.map(({ from, to, rank, colour }) => bar(from, to, rank, colour, 1)),
    ...runs,
    ...ticks.map((at) => text(x(at), bottom + 18, `${at} s`, { "text-anchor": "middle", fill: faint })),
    element("g", { "clip-path": "url(#plot)" }, element("g", { class: "cover" }, cover)),
  ]);
}

/** A decision, until the time of the next one. */
interface Shown {
  said: string;
  name: string;
  from: number;
  until?: number;
}

const shownIn = (decisions: ElasticRun["decisions"]): Shown[] =>
  decisions.map(([from, said], place) => {
    const next = decisions[place + 1];
    return { said, name: `decision${place}`, from, ...(next && { until: next[0] }) };
  });

/** The style that moves the cover to the right, and shows each decision at its time. */
function styleOf(shown: Shown[], seconds: number): string {
  const loop = seconds / speed + pauseSeconds;
  const percent = (at: number) => `${((100 * at) / speed / loop).toFixed(2)}%`;
  const moved = `visibility:visible;transform:translateX(${inner}px)`;
  const frames = shown.map(({ name, from, until }) => {
    const end = until === undefined ? "to{opacity:1}" : `${percent(until)},to{opacity:0}`;
    const rule = `.${name}{animation-name:${name};opacity:${until === undefined ? 1 : 0}}`;
    return `@keyframes ${name}{0%{opacity:0}${percent(from)}{opacity:1}${end}}${rule}`;
  });
  return [
    `.cover{visibility:hidden;animation:cover ${loop}s linear infinite}`,
    `.decision{animation:${loop}s step-end infinite}`,
    `@keyframes cover{0%{visibility:visible}${percent(seconds)},to{${moved}}}`,
    ...frames,
    "@media(prefers-reduced-motion:reduce){.cover,.decision{animation:none}}",
  ].join("\n");
}

/** The number of hosts for which jobs wait, as an area. */
function waiting(jobs: RecordedJob[], seconds: number, x: (at: number) => number): string {
  const changes = jobs
    .flatMap(({ submitted, ran, hosts }): [number, number][] => [
      [submitted, hosts],
      [ran?.from ?? seconds, -hosts],
    ])
    .sort(([one], [other]) => one - other);
  let count = 0;
  const steps = changes.map(([at, more]): [number, number] => [at, (count += more)]);
  const most = Math.max(1, ...steps.map(([, hosts]) => hosts));
  const base = top + queueHeight;
  const path = steps.map(([at, hosts]) => {
    const y = base - ((queueHeight - 10) * hosts) / most;
    return `H${x(at).toFixed(1)}V${y.toFixed(1)}`;
  });
  return element("path", { d: `M${left} ${base}${path.join("")}H${left + inner}V${base}Z`, fill: "#9aa7bf" });
}

/** The colour of a job. Jobs whose names differ only in a number at the end have the same colour. */
function coloursOf(jobs: RecordedJob[]): (job: RecordedJob) => string {
  const kindOf = ({ name }: RecordedJob) => name.replace(/-\d+$/, "");
  const kinds = [...new Set(jobs.map(kindOf))];
  return (job) => jobColours[kinds.indexOf(kindOf(job)) % jobColours.length] as string;
}
