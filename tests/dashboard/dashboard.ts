import * as fs from "node:fs";
import * as path from "node:path";
import { setTimeout } from "node:timers/promises";
import { withMetricsServer } from "../support/metricsServer";
import { askPrometheus, type Scrape, type Series } from "../support/prometheus";
import { aDay, type Moment } from "./day";

/** A panel of Grafana's dashboard, with what tests read of it. */
export interface Panel {
  title: string;
  type: "stat" | "timeseries";
  targets: { expr: string; legendFormat: string }[];
}

interface Dashboard {
  panels: Panel[];
  annotations: { list: { name: string; expr: string }[] };
  templating: { list: { name: string; query: string | { query: string } }[] };
}

const file = path.resolve(__dirname, "../../docs/public/dashboard.json");

/** The dashboard as Grafana imports it. */
export const dashboard = JSON.parse(fs.readFileSync(file, "utf8")) as Dashboard;

/** Labels that Prometheus gives the lead broker's pod. */
export const target = { namespace: "hpc", pod: "physics-0" };

/** A query with what a user has chosen in the dashboard. */
export const chosen = (expression: string) =>
  Object.entries(target).reduce((text, [name, value]) => text.replaceAll(`$${name}`, value), expression);

/** What the lead broker's pod serves at these moments, by its own program. */
export const scrapesOf = (moments: Moment[]): Promise<Scrape[]> =>
  withMetricsServer(
    aDay()[0]!.instance,
    async ({ setInstance, setSize, get }) => {
      const scrapes: Scrape[] = [];
      for (const { time, instance, expected } of moments) {
        setInstance(instance);
        setSize(expected);
        // The program receives the events at its own pace.
        await setTimeout(40);
        scrapes.push({ time, text: (await get("/metrics")).text });
      }
      return scrapes;
    },
    { clusters: { physics: 12, cloud: 8 }, prices: { physics: 2.5, cloud: 3.2 }, isFresh: true },
  );

/** A panel with the series of each of its queries. */
export interface Drawn {
  panel: Panel;
  series: { name: string; values: Series["values"] }[];
}

/** What the panels show of scrapes. */
export async function drawnPanels(scrapes: Scrape[], stepSeconds: number): Promise<Drawn[]> {
  const { panels } = dashboard;
  const targets = panels.flatMap((panel) => panel.targets.map((each) => ({ panel, ...each })));
  const queries = targets.map(({ expr }) => chosen(expr));
  const { results } = await askPrometheus(scrapes, queries, { target, stepSeconds });
  const seriesOf = (panel: Panel) =>
    targets.flatMap(({ panel: owner, legendFormat }, place) =>
      owner === panel
        ? (results[place]?.series ?? []).map(({ metric, values }) => ({
            name: legendFormat.replace(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? ""),
            values,
          }))
        : [],
    );
  return panels.map((panel) => ({ panel, series: seriesOf(panel) }));
}

/** Unix times at which the dashboard marks a resize. */
export async function resizes(scrapes: Scrape[]): Promise<number[]> {
  const queries = dashboard.annotations.list.map(({ expr }) => chosen(expr));
  const { results } = await askPrometheus(scrapes, queries, { target });
  return results.flatMap(({ series }) => series.flatMap(({ values }) => values.map(([time]) => time)));
}
