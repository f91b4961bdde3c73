import assert from "node:assert/strict";
import { aDay } from "../../dashboard/day";
import { chosen, dashboard, drawnPanels, resizes, scrapesOf, target } from "../../dashboard/dashboard";
import { askPrometheus, type Scrape } from "../../support/prometheus";

describe("the dashboard", function () {
  // Prometheus is built at first.
  this.timeout(600_000);

  let scrapes: Scrape[];
  // An hour in which hosts come.
  before(async () => (scrapes = await scrapesOf(aDay().slice(80, 141))));

  it("shows a line for every query, by what the lead broker's pod serves", async () => {
    for (const { panel, series } of await drawnPanels(scrapes, 60)) {
      const named = panel.targets.filter(({ legendFormat }) => !legendFormat.includes("{{"));
      assert.ok(series.length >= Math.max(1, named.length), `${panel.title} shows ${series.length} lines`);
      assert.ok(
        series.every(({ name }) => panel.type === "stat" || name !== ""),
        `${panel.title} has lines without a name`,
      );
    }
  });

  it("counts a burst without autoscale among the expected brokers, by those that are online", async () => {
    const moments = aDay().slice(320, 326);
    const panels = await drawnPanels(await scrapesOf(moments), 60);
    const last = (title: string, name = "") => {
      const { series } = panels.find(({ panel }) => panel.title === title) ?? assert.fail(title);
      return Number(series.find((each) => each.name === name)?.values.at(-1)?.[1]);
    };
    const { instance, expected } = moments.at(-1) ?? assert.fail();
    const joined = instance.online.filter((rank) => instance.hosts[rank]?.startsWith("cloud-")).length;
    assert.equal(joined, 8);
    assert.equal(last("Brokers expected"), expected + joined);
    assert.equal(last("Hosts against the demand", "expected"), expected + joined);
  });

  it("marks resizes", async () => assert.ok((await resizes(scrapes)).length > 0));

  it("reads only served metrics, and all of them except the time of the start", async () => {
    const served = new Set(
      scrapes.flatMap(({ text }) => [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)),
    );
    const { panels, annotations, templating } = dashboard;
    const queries = [...panels.flatMap(({ targets }) => targets), ...annotations.list].map(({ expr }) => chosen(expr));
    const { results } = await askPrometheus(scrapes, queries, { target });
    const choices = templating.list.map(({ query }) => (typeof query === "string" ? "" : query.query));
    const named = choices.flatMap((choice) => choice.match(/flux_\w+/g) ?? []);
    const read = new Set([...results.flatMap(({ metrics }) => metrics), ...named]);
    assert.deepEqual(
      [...read].sort(),
      [...served].filter((name) => name !== "flux_instance_start_time_seconds").sort(),
    );
  });
});
