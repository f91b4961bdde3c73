import type { Result } from "../../study/parse/plan";
import type { AppSpec, StudySpec } from "../../study/parse/runs";
import { type Cell, cellsOf, ideal, unitOf } from "../../study/results/cells";

/** One application: its cells with a figure. */
interface Panel {
  app: string;
  unit: string;
  cells: Required<Pick<Cell, "size" | "median" | "min" | "max">>[];
  ideal: [size: number, figure: number][];
}

const [width, height, columns] = [440, 320, 2];
const [top, left, right, bottom] = [64, 72, 24, 56];
const colours = { text: "#1f2a44", paper: "#f7f9fc", grid: "#dde3ee", median: "#3d5a99", ideal: "#8a9a5b" };

/** The figures of each application over the sizes, with their ranges and the ideal line, as SVG. */
export async function plotOf(spec: StudySpec, results: Result[]): Promise<string> {
  // Loaded with the first plot: most processes of the plugin draw none.
  const { init } = await import("./charts.mjs");
  const cells = cellsOf(spec, results);
  const panels = Object.entries(spec.apps).map(([name, app]) => panelOf(name, app, cells));
  const size = {
    width: width * Math.min(columns, panels.length),
    height: height * Math.ceil(panels.length / columns) + 72,
  };
  const chart = init(null, null, { renderer: "svg", ssr: true, ...size });
  chart.setOption(optionsOf(spec.name, panels));
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${plain(svg)}\n`;
}

function panelOf(name: string, app: AppSpec, all: Cell[]): Panel {
  const own = all.filter((cell) => cell.app === name);
  const cells = own.flatMap(({ size, median = 0, min = 0, max = 0 }) => (min > 0 ? [{ size, median, min, max }] : []));
  const first = own.find(({ median = 0 }) => median > 0);
  const line = first ? cells.map(({ size }): [number, number] => [size, ideal({ size }, first, app)]) : [];
  return { app: name, unit: unitOf(app), cells, ideal: line };
}

function optionsOf(study: string, panels: Panel[]): Record<string, unknown> {
  const places = panels.map((_, index) => ({
    x: (index % columns) * width,
    y: Math.floor(index / columns) * height + 24,
  }));
  const axis = { type: "log", logBase: 2, splitLine: { lineStyle: { color: colours.grid } } };
  const title = (text: string, fontSize: number, at: object) => ({
    text,
    textStyle: { fontSize, color: colours.text, fontWeight: "normal" },
    textAlign: "center",
    ...at,
  });
  const middle = (width * Math.min(columns, panels.length)) / 2;
  return {
    animation: false,
    backgroundColor: colours.paper,
    textStyle: { fontFamily: "Verdana, sans-serif", color: colours.text },
    title: [
      title(study, 16, { left: middle, top: 10 }),
      ...panels.map(({ app }, index) =>
        title(app, 13, { left: (places[index]?.x ?? 0) + width / 2, top: (places[index]?.y ?? 0) + 18 }),
      ),
    ],
    grid: places.map(({ x, y }) => ({
      left: x + left,
      top: y + top,
      width: width - left - right,
      height: height - top - bottom,
    })),
    legend: { bottom: 8, itemGap: 24, data: ["median, and range", "ideal"], textStyle: { color: colours.text } },
    xAxis: panels.map((_, gridIndex) => ({ ...axis, gridIndex, name: "hosts", nameLocation: "middle", nameGap: 28 })),
    yAxis: panels.map(({ unit }, gridIndex) => ({ ...axis, gridIndex, name: unit })),
    series: panels.flatMap(seriesOf),
  };
}

function seriesOf({ cells, ideal: line }: Panel, index: number): object[] {
  const axes = { xAxisIndex: index, yAxisIndex: index };
  return [
    {
      type: "line",
      name: "ideal",
      ...axes,
      data: line,
      symbol: "none",
      color: colours.ideal,
      lineStyle: { width: 2, type: "dashed" },
    },
    {
      type: "line",
      name: "median, and range",
      ...axes,
      color: colours.median,
      data: cells.map(({ size, median }) => [size, median]),
      symbol: "circle",
      symbolSize: 7,
      lineStyle: { width: 2 },
    },
    {
      type: "custom",
      ...axes,
      silent: true,
      renderItem: drawRange,
      data: cells.map(({ size, min, max }) => [size, min, max]),
      encode: { x: 0, y: [1, 2] },
    },
  ];
}

/** The argument of a function that draws an item. */
interface Drawing {
  value: (dimension: number) => number;
  coord: (point: [number, number]) => [number, number];
}

/** An error bar: from the smallest figure to the largest one. */
function drawRange(_: unknown, { value, coord }: Drawing): object {
  const [x, low] = coord([value(0), value(1)]);
  const [, high] = coord([value(0), value(2)]);
  const bar = (x1: number, y1: number, x2: number, y2: number) => ({
    type: "line",
    shape: { x1, y1, x2, y2 },
    style: { stroke: colours.median, lineWidth: 1.5 },
  });
  return {
    type: "group",
    children: [bar(x, low, x, high), bar(x - 5, low, x + 5, low), bar(x - 5, high, x + 5, high)],
  };
}

/** Removes mouse handlers and the library's running numbers of charts: equal figures give equal text. */
const plain = (svg: string) =>
  svg
    .replace(/\bzr\d+-/g, "plot-")
    .replace(/<style\s*>[^]*?<\/style>\n?/g, "")
    .replace(/ (class|ecmeta_\w+)="[^"]*"/g, "");
