import assert from "node:assert/strict";

import type { MiniClusterForecast } from "../../../provider/forecast/args";
import { changes, messages } from "../../support/clusters";
import type { OperationResult } from "../../support/engineResult";
import type { RealCluster } from "../clusters";
import { rowWithCluster } from "../rows";

/** The lines of a preview about the queue. */
const queueLines = (preview: OperationResult) =>
  messages(preview, "info").filter((line) => /waiting job|Durations are|of the queue/.test(line));

/** A preview with lines about the queue. On a busy machine, the program that reads it may need more time. */
async function forecast(cluster: RealCluster, attempts = 5): Promise<{ preview: OperationResult; lines: string[] }> {
  const preview = await cluster.stack.preview();
  const lines = queueLines(preview);
  return lines.length > 0 || attempts === 1 ? { preview, lines } : forecast(cluster, attempts - 1);
}

/** The output of the last update. */
async function recorded({ stack }: RealCluster): Promise<MiniClusterForecast> {
  const { resources = [] } = await stack.exportState();
  const cluster = resources.find(({ type }) => type === "minicluster:index:MiniCluster");
  return (cluster?.outputs as { forecast: MiniClusterForecast }).forecast;
}

describe("a preview with jobs that wait", () => {
  const args = { size: 2, maxSize: 4, interactive: true };
  const test = rowWithCluster(args);

  test("says nothing of a queue in which no job waits", async (cluster) => {
    await cluster.ready(2);
    await cluster.hosts(2);
    cluster.change({ ...args, size: 3 });
    assert.deepEqual(queueLines(await cluster.stack.preview()), []);
  });

  test("says when the queue ends at the new size, and changes no step of the preview", async (cluster) => {
    cluster.change({ ...args, size: 4, forecast: false });
    const without = await cluster.stack.preview();
    await cluster.flux("flux submit --cc=1-4 -N2 -t 20m sleep 1200");
    assert.deepEqual(queueLines(await cluster.stack.preview()), []);
    cluster.change({ ...args, size: 4 });
    const {
      preview,
      lines: [line = "", more = ""],
    } = await forecast(cluster);
    assert.match(
      line,
      /^size 2 => 4: the 3 waiting jobs end by [\d:]+ instead of [\d:]+ \(UTC\), the first starts at [\d:]+ instead/,
    );
    assert.match(more, /^size 3: [\d:]+\. Durations are time limits; new hosts join in [\d.]+ (s|min), as the last/);
    assert.deepEqual(changes(preview), changes(without));
  });

  test("has the forecast as an output of the update, of the queue before it", async (cluster) => {
    await cluster.stack.up();
    const { status, jobs, before, after, change } = await recorded(cluster);
    assert.deepEqual([status, change, jobs?.waiting, jobs?.running], ["forecast", "size 2 => 4", 3, 1]);
    assert.ok(after!.endsBy! < before!.endsBy!);
    await cluster.stack.up();
    assert.deepEqual(await recorded(cluster), { status: "unchanged" });
  });

  test("names the running jobs that a smaller size ends", async (cluster) => {
    await cluster.hosts(4);
    cluster.change({ ...args, size: 1 });
    const [line = ""] = (await forecast(cluster)).lines;
    assert.match(line, /^size 4 => 1: the 2 waiting jobs never start, without the change they end by [\d:]+ \(UTC\); /);
    assert.match(line, /; 2 running jobs lose their hosts after the drain timeout of 30 s \(their time limits end/);
    await cluster.flux("flux cancel --all");
  });
});

describe("a preview of a cluster that is autoscaled, with jobs that wait", () => {
  const node = { arch: "amd64", vcpus: 2, cores: 1, memoryMib: 1024 } as const;
  const args = (max: number, perDay = 100) => ({
    interactive: true,
    maxSize: 4,
    pool: { pool: "lab", nodeSelector: { "kubernetes.io/os": "linux" }, node, pricePerHour: 3, currency: "USD" },
    autoscale: { min: 1, max, budget: { perDay } },
  });
  const test = rowWithCluster(args(1));

  test("says what a larger maximum and a larger budget do to the queue", async (cluster) => {
    await cluster.ready(1);
    await cluster.flux("flux submit --cc=1-4 -N1 -t 60m sleep 3600");
    cluster.change(args(4));
    const [line = ""] = (await forecast(cluster)).lines;
    assert.match(line, /^autoscale\.max 1 => 4: the 3 waiting jobs end by .* instead of .*; \+\d+\.\d\d USD$/);
    cluster.change(args(1, 200));
    const [other = ""] = (await forecast(cluster)).lines;
    assert.match(other, /^autoscale\.budget\.perDay 100 => 200: the 3 waiting jobs .*, as without the change/);
    await cluster.flux("flux cancel --all");
  });
});
