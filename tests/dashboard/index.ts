import { scrapesOf, target } from "./dashboard";
import { aDay } from "./day";

// Prints what Prometheus would have read of a made day, as OpenMetrics: for the picture of the dashboard in Grafana.

const labels = Object.entries(target).map(([name, value]) => `${name}="${value}"`);

async function main(): Promise<void> {
  // OpenMetrics has the samples of a metric together.
  const samples = new Map<string, string[]>();
  for (const { time, text } of await scrapesOf(aDay()))
    for (const [, name = "", own, value = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm))
      samples.set(name, [
        ...(samples.get(name) ?? []),
        `${name}{${[...labels, ...(own ? [own] : [])].join(",")}} ${value} ${time / 1000}`,
      ]);
  for (const [name, lines] of samples) console.log([`# TYPE ${name} unknown`, ...lines].join("\n"));
  console.log("# EOF");
}

void main();
