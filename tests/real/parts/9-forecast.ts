import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";

import { MiniClusterQueuePolicy } from "../../../provider";
import { surroundings } from "../../bench/machine";
import { viewVariable } from "../../sandbox/real";
import { waitFor } from "../../sandbox/waiting";
import { type Inside, runHistory, runQueue } from "../../support/forecast/measure";
import { type MeasuredPolicy, policies, type RandomQueue, randomQueues } from "../../support/forecast/queues";
import {
  forecastOf,
  type ForecastRecord,
  type MeasuredQueue,
  measuredQueue,
  recordText,
} from "../../support/forecast/record";
import { lab, patience } from "../lab";
import type { Look } from "../look";
import { rowWithCluster } from "../rows";

const seed = Number(process.env.MINICLUSTER_SEED ?? 60);
const count = Number(process.env.MINICLUSTER_QUEUES ?? policies.length);

/** A directory into which the record and, for each queue, the reading and the times of its jobs are written. Default: none. */
const directory = process.env.MINICLUSTER_FORECAST;

const read = "bash /etc/minicluster/config/queue.sh";

const inside =
  ({ bash }: Look): Inside =>
  (command) =>
    bash(0, `export FLUX_URI=$fluxsocket; ${command}`);

/** Changes the policy of a running instance to one that Fluxion has, and `queuePolicy` has not. */
const setPolicy = (policy: MeasuredPolicy) =>
  `flux config get | sed 's/"queue-policy": *"[a-z]*"/"queue-policy": "${policy}"/' | flux config load && ` +
  "flux module reload sched-fluxion-qmanager";

describe("the forecast of a queue", function () {
  // All queues of a policy run one after the other.
  this.timeout(3_600_000);
  if (process.env[viewVariable] === undefined) return void it.skip(`no real Flux: ${viewVariable} leads to none`);

  const measured: MeasuredQueue[] = [];
  let flux = "";
  const measure = async (cluster: Look, queues: RandomQueue[]) => {
    const found: MeasuredQueue[] = [];
    for (const queue of queues) {
      const run = await runQueue(inside(cluster), read, queue);
      const text = `${JSON.stringify({ ...run, truth: [...run.truth] })}\n`;
      if (directory !== undefined) fs.appendFileSync(path.join(directory, "runs.jsonl"), text);
      found.push(measuredQueue(run));
    }
    measured.push(...found);
    return found;
  };

  for (const policy of policies) {
    const queuesOf = (known: RandomQueue["known"]) =>
      randomQueues(seed, count, known).filter((queue) => queue.policy === policy);
    const queuePolicy = policy === "conservative" ? MiniClusterQueuePolicy.Easy : policy;
    const test = rowWithCluster({ size: 4, interactive: true, flux: { scheduler: { queuePolicy } } });

    test(`is as it happens, with ${policy} and known durations`, async (cluster) => {
      await cluster.ready(4);
      await cluster.hosts(4);
      if (policy !== queuePolicy) await inside(cluster)(setPolicy(policy));
      flux = (await cluster.flux("flux version")).replace(/\s+/g, " ").trim();
      await runHistory(inside(cluster));
      const found = await measure(cluster, queuesOf("durations"));
      assert.deepEqual(
        found.filter(({ forecast, truth, within }) => Math.abs(forecast - truth) > truth / 10 || within < 0.9),
        [],
      );
    });

    test(`is at the latest what happens, with ${policy} and time limits`, async (cluster) => {
      const found = await measure(cluster, queuesOf("limits"));
      assert.deepEqual(
        found.filter(({ forecast, truth }) => forecast < truth),
        [],
      );
    });
  }

  const resized = rowWithCluster({
    size: 2,
    maxSize: 4,
    interactive: true,
    flux: { scheduler: { queuePolicy: "easy" } },
  });

  resized("of a resize has an earlier end, which the queue reaches", async (cluster) => {
    await cluster.ready(2);
    await cluster.hosts(2);
    const run = inside(cluster);
    await runHistory(run);
    const [queue] = randomQueues(seed, 1, "durations") as [RandomQueue];
    const fitting = queue.jobs.filter(({ nodes = 1, tasks, cores }) => nodes <= 2 && tasks * cores <= 4);
    const ended = runQueue(run, read, { ...queue, policy: "easy", jobs: fitting });
    await waitFor("the queue to start", async () => (await cluster.flux("flux jobs -n -f running")) !== "", patience);
    cluster.change({ size: 4, maxSize: 4, interactive: true, flux: { scheduler: { queuePolicy: "easy" } } });
    await cluster.stack.preview();
    await cluster.stack.up();
    await cluster.hosts(4);
    const joined = Date.now() / 1000;
    const { reading, truth } = await ended;
    const foretold = forecastOf(reading, "typical");
    const [before, end] = [foretold.jobs, truth].map((times) =>
      Math.max(...[...times.values()].map((each) => each.end)),
    );
    assert.ok(end! < before!, `the queue ended ${end! - before!} s after its forecast without a resize`);
    const record = {
      date: new Date().toISOString().slice(0, 10),
      sizes: [2, 4],
      joinSeconds: Math.ceil(joined - foretold.at),
      reading,
    };
    if (directory !== undefined) fs.writeFileSync(path.join(directory, "reading.json"), JSON.stringify(record));
  });

  after(async () => {
    if (directory === undefined || measured.length === 0) return;
    const { date, machine } = await surroundings(1);
    const { gitVersion } = await lab().api.request<{ gitVersion: string }>("GET", "/version");
    const recorded: ForecastRecord["recorded"] = { date, seed, machine: { ...machine, Kubernetes: gitVersion, flux } };
    measured.sort((one, other) => one.known.localeCompare(other.known) || one.index - other.index);
    fs.writeFileSync(path.join(directory, "forecast.json"), recordText({ recorded, measured }));
  });
});
