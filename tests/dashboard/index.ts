import * as fs from "node:fs";
import * as path from "node:path";
import { init } from "echarts";
import { aDay } from "./day";
import { type Drawn, drawnPanels, fixedColour, resizes, scrapesOf } from "./dashboard";

// Draws the dashboard's panels over a made day: what the lead broker's program serves, by the queries of the dashboard,
// which Prometheus' own engine evaluates. Grafana draws the same with other lines.

const picture = path.resolve(__dirname, "../../docs/pictures/dashboard.svg");
/** Pixels of the picture, and of one of Grafana's 24 columns and of its rows. */
const width = 1200;
const column = width / 24;
const row = 30;
const gap = 8;
const stepSeconds = 300;

async function main(): Promise<void> {
  const scrapes = await scrapesOf(aDay());
  const panels = await drawnPanels(scrapes, stepSeconds);
  const marks = await resizes(scrapes);
  const height = row * Math.max(...panels.map(({ panel: { gridPos } }) => gridPos.y + gridPos.h)) + gap;
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  const graphs = panels.filter(({ panel }) => panel.type === "timeseries");
  chart.setOption({
    ...{ animation: false, useUTC: true, backgroundColor: "#ffffff" },
    textStyle: { fontFamily: "sans-serif", fontSize: 11 },
    title: panels.flatMap(titles),
    grid: graphs.map(({ panel }) => ({ ...box(panel.gridPos, 34, 44), containLabel: false })),
    xAxis: graphs.map((_, gridIndex) => ({ type: "time", gridIndex, axisLabel: { hideOverlap: true } })),
    yAxis: graphs.map((_, gridIndex) => ({ type: "value", gridIndex, min: 0, minInterval: 1 })),
    legend: graphs.map(({ panel, series }, place) => ({
      ...{ type: "plain", left: left(panel) + 8, top: (panel.gridPos.y + panel.gridPos.h) * row - 20 },
      ...{ itemHeight: 6, itemWidth: 14, icon: "rect", textStyle: { fontSize: 10 } },
      data: series.map(({ name }) => ({ name: unique(place, name) })),
      formatter: (name: string) => name.slice(name.indexOf(" ") + 1),
    })),
    series: graphs.flatMap((graph, place) => lines(graph, place, place === 0 ? marks : [])),
  });
  fs.writeFileSync(picture, `${chart.renderToSVGString()}\n`);
  chart.dispose();
}

const left = ({ gridPos }: Drawn["panel"]) => gridPos.x * column + gap;

const box = ({ x, y, w, h }: Drawn["panel"]["gridPos"], above: number, below: number) => ({
  left: x * column + gap + 36,
  top: y * row + above,
  width: w * column - gap - 56,
  height: h * row - above - below,
});

/** The title of a panel; that of a number has the last one. */
function titles({ panel, series }: Drawn): object[] {
  const place = { left: left(panel), top: panel.gridPos.y * row + 8 };
  const title = { ...place, text: panel.title, textStyle: { fontSize: 13 } };
  if (panel.type === "timeseries") return [title];
  const last = Number(series[0]?.values.at(-1)?.[1] ?? NaN);
  const text = panel.fieldConfig.defaults.unit === "percentunit" ? `${Math.round(100 * last)} %` : String(last);
  return [title, { ...place, top: place.top + 26, text, textStyle: { fontSize: 30, fontWeight: "normal" } }];
}

/** Series of several panels may have one name, by which a legend knows them. */
const unique = (place: number, name: string) => `${place} ${name}`;

/** The lines of a panel, and the marks of resizes. */
function lines({ panel, series }: Drawn, place: number, marks: number[]): object[] {
  const isStacked = panel.fieldConfig.defaults.custom?.stacking !== undefined;
  return series.map(({ name, values }, index) => ({
    ...{
      type: "line",
      name: unique(place, name),
      xAxisIndex: place,
      yAxisIndex: place,
      step: "end",
      showSymbol: false,
    },
    color: fixedColour(panel, name) ?? colours[index % colours.length],
    lineStyle: { width: 1.5 },
    ...(isStacked && { stack: String(place), areaStyle: { opacity: 0.3 } }),
    ...(index === 0 && {
      markLine: {
        ...{
          silent: true,
          symbol: "none",
          label: { show: false },
          lineStyle: { color: "#9a60b4", width: 1, type: "dotted" },
        },
        data: marks.map((time) => ({ xAxis: time * 1000 })),
      },
    }),
    data: values.map(([time, value]) => [time * 1000, Number(value)]),
  }));
}

const colours = ["#5470c6", "#91cc75", "#fac858", "#ee6666", "#73c0de"];

void main();
