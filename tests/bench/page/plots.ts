import { init } from "echarts";
import type { Figures, Recording } from "../figures";
import type { RatesName } from "../../sandbox/controlPlane/commands";
import { isCreate, isResize, type Step } from "../scale/step";
import { groupBy, median } from "../statistics";
import { ratesLabels } from "./scaleTables";

/** The picture of each plot, by file. */
export function drawPlots({ cluster, stack }: Figures): Map<string, string> {
  return new Map([
    ...(cluster ? [["figures-create.svg", draw(createPlot(cluster))] as const] : []),
    ...(cluster ? [["figures-resize.svg", draw(resizePlot(cluster))] as const] : []),
    ...(stack ? [["figures-stack.svg", draw(stackPlot(stack))] as const] : []),
  ]);
}

interface Plot {
  title: string;
  amount: string;
  /** Whether both axes are logarithmic. */
  isLog: boolean;
  panels: { title: string; lines: Line[] }[];
}

interface Line {
  name: string;
  points: [amount: number, seconds: number][];
}

const createPlot = (recording: Recording<Step>): Plot => ({
  title: "From nothing to Ready pods",
  amount: "pods",
  isLog: true,
  panels: panels(recording, (steps) => waysOf(steps.filter(isCreate), ({ to }) => to)),
});

const resizePlot = (recording: Recording<Step>): Plot => ({
  title: "A resize in place, until all pods are Ready",
  amount: "pods that come",
  isLog: true,
  panels: panels(recording, (steps) => waysOf(steps.filter(isGrowth), ({ from, to }) => to - from)),
});

const isGrowth = (step: Step) => isResize(step) && step.to > step.from;

const stackPlot = (recording: Recording<Step>): Plot => ({
  title: `Clusters of ${recording.measured.find(isCreate)?.to ?? 0} pods in one stack`,
  amount: "clusters",
  isLog: false,
  panels: panels(recording, (steps) => [
    ...waysOf(steps.filter(isCreate), ({ clusters }) => clusters),
    line("preview", steps.filter(isCreate), ({ clusters }) => clusters, "preview"),
  ]),
});

const panels = ({ recorded, measured }: Recording<Step>, linesOf: (steps: Step[]) => Line[]): Plot["panels"] =>
  (Object.keys(recorded.rates ?? {}) as RatesName[]).map((rates) => ({
    title: ratesLabels[rates],
    lines: linesOf(measured.filter((step) => step.rates === rates)).filter(({ points }) => points.length > 0),
  }));

const waysOf = (steps: Step[], amountOf: (step: Step) => number): Line[] =>
  groupBy(steps, ({ way, antiAffinity }) => `${way} ${antiAffinity}`).map((same) => {
    const [{ way, antiAffinity }] = same as [Step];
    const name = way === "up" ? "pulumi up" : "plain requests";
    return line(antiAffinity ? name : `${name}, no anti-affinity`, same, amountOf, "ready");
  });

/** The medians of a figure, at each amount. A failed step has no point. */
function line(name: string, steps: Step[], amountOf: (step: Step) => number, figure: "ready" | "preview"): Line {
  const points = groupBy(
    steps.filter((step) => step[figure] !== undefined),
    (step) => String(amountOf(step)),
  ).map((same): Line["points"][number] => [
    amountOf(same[0] as Step),
    median(same.map((step) => step[figure] as number)) / 1000,
  ]);
  return { name, points: points.sort(([one], [other]) => one - other) };
}

const [width, height] = [960, 400];
const margin = 64;
const colours: Record<string, string> = {
  "pulumi up": "#3d5a99",
  "plain requests": "#d1495b",
  "plain requests, no anti-affinity": "#8a9a5b",
  preview: "#8d6aa9",
};

/** The powers of ten around all times: panels beside each other are compared. */
function secondsOf(panels: Plot["panels"]): { min: number; max: number } {
  const times = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(([, seconds]) => seconds)));
  const exponents = times.map(Math.log10);
  return { min: 10 ** Math.floor(Math.min(...exponents)), max: 10 ** Math.ceil(Math.max(...exponents)) };
}

function draw({ title, amount, isLog, panels }: Plot): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  const each = width / Math.max(1, panels.length);
  const type = isLog ? "log" : "value";
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const range = isLog ? secondsOf(panels) : {};
  const axis = { type, splitLine: { lineStyle: { color: "#dde3ee" } } } as const;
  chart.setOption({
    animation: false,
    backgroundColor: "#f7f9fc",
    textStyle: { fontFamily: "Verdana, sans-serif", color: "#1f2a44" },
    title: [
      { text: title, left: "center", top: 10, textStyle: { fontSize: 16, color: "#1f2a44" } },
      ...panels.map((panel, place) => ({
        text: panel.title,
        left: place * each + (margin + each) / 2,
        top: 42,
        textAlign: "center" as const,
        textStyle: { fontSize: 12, color: "#1f2a44", fontWeight: "normal" as const },
      })),
    ],
    grid: panels.map((_, place) => ({ left: place * each + margin, top: 82, width: each - margin - 24, height: 220 })),
    legend: { bottom: 8, itemGap: 24, data: names, textStyle: { color: "#1f2a44" } },
    xAxis: panels.map((_, gridIndex) => ({ ...axis, gridIndex, name: amount, nameLocation: "middle", nameGap: 28 })),
    yAxis: panels.map((_, gridIndex) => ({ ...axis, ...range, gridIndex, name: "seconds" })),
    series: panels.flatMap(({ lines }, place) =>
      lines.map(({ name, points }) => ({
        type: "line" as const,
        name,
        xAxisIndex: place,
        yAxisIndex: place,
        data: points,
        symbolSize: 7,
        symbol: "circle",
        color: colours[name],
        lineStyle: { width: 2, ...(name === "preview" && { type: "dashed" as const }) },
      })),
    ),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${plain(svg)}\n`;
}

/**
 * Without what answers a mouse, and the numbers by which the library counts its charts: the same figures give the same
 * text.
 */
const plain = (svg: string) =>
  svg
    .replace(/\bzr\d+-/g, "plot-")
    .replace(/<style\s*>[^]*?<\/style>\n?/g, "")
    .replace(/ (class|ecmeta_\w+)="[^"]*"/g, "");
