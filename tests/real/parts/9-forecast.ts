import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";

import { MiniClusterQueuePolicy } from "../../../provider";
import { surroundings } from "../../bench/machine";
import { viewVariable } from "../../sandbox/real";
import { waitFor } from "../../sandbox/waiting";
import { type Inside, runHistory, runQueue } from "../../support/forecast/measure";
import {
  type Knowledge,
  knowledges,
  type MeasuredPolicy,
  policies,
  type RandomQueue,
  randomQueues,
} from "../../support/forecast/queues";
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

/** A directory for the record and, for each queue, its reading and the times of its jobs. Default: none. */
const directory = process.env.MINICLUSTER_FORECAST;

/** Queues that run in one cluster, one after the other. */
const queuesOfCluster = 3;

const read = "bash /etc/minicluster/config/queue.sh";

const inside =
  ({ bash }: Look): Inside =>
  (command) =>
    bash(0, `export FLUX_URI=$fluxsocket; ${command}`);

/** Changes the policy of a running instance to one that Fluxion has, and `queuePolicy` has not. */
const setPolicy = (policy: MeasuredPolicy) =>
  `flux config get | sed 's/"queue-policy": *"[a-z]*"/"queue-policy": "${policy}"/' | flux config load && ` +
  "flux module reload sched-fluxion-qmanager";

/** Prints the versions of Flux and of Fluxion. */
const versions =
  "flux version | sed -n 's/^broker: *//p'; flux dmesg | sed -n 's/.*sched-fluxion-qmanager.* version //p' | tail -n 1";

/** The queues of each policy in shares, which run side by side in separate clusters. */
const shares = (queues: RandomQueue[]): RandomQueue[][] =>
  policies.flatMap((policy) => {
    const own = queues.filter((queue) => queue.policy === policy);
    const clusters = Math.ceil(own.length / queuesOfCluster);
    return Array.from({ length: clusters }, (_, share) => own.filter((_, place) => place % clusters === share));
  });

/** What a forecast promises, by what is known of the jobs. */
const promises = {
  durations: "as it happens, by earlier run times",
  limits: "at the latest what happens, by time limits",
} satisfies Record<Knowledge, string>;

const isKept: Record<Knowledge, (queue: MeasuredQueue) => boolean> = {
  durations: ({ forecast, truth }) => Math.abs(forecast - truth) <= truth / 10,
  limits: ({ forecast, truth }) => forecast >= truth,
};

describe("the forecast of a queue", function () {
  // All queues of a policy run one after the other.
  this.timeout(3_600_000);
  if (process.env[viewVariable] === undefined) return void it.skip(`no real Flux: ${viewVariable} leads to none`);

  const measured: MeasuredQueue[] = [];
  let flux = "";
  const measure = async (cluster: Look, queue: RandomQueue) => {
    const run = await runQueue(inside(cluster), read, queue);
    const text = `${JSON.stringify({ ...run, truth: [...run.truth] })}\n`;
    if (directory !== undefined) fs.appendFileSync(path.join(directory, "runs.jsonl"), text);
    return measuredQueue(run);
  };

  for (const known of knowledges)
    for (const queues of shares(randomQueues(seed, count, known))) {
      const [{ policy }] = queues as [RandomQueue];
      const queuePolicy = policy === "conservative" ? MiniClusterQueuePolicy.Easy : policy;
      const test = rowWithCluster({ size: 4, interactive: true, flux: { scheduler: { queuePolicy } } });
      const which = queues.map(({ index }) => index).join(", ");

      test(`${which} is ${promises[known]}, with ${policy}`, async (cluster) => {
        await cluster.ready(4);
        await cluster.hosts(4);
        if (policy !== queuePolicy) await inside(cluster)(setPolicy(policy));
        flux = (await inside(cluster)(versions)).trim().split("\n").join(" with Fluxion ");
        if (known === "durations") await runHistory(inside(cluster));
        const found: MeasuredQueue[] = [];
        for (const queue of queues) found.push(await measure(cluster, queue));
        measured.push(...found);
        assert.deepEqual(
          found.filter((queue) => !isKept[known](queue)),
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

  after("90 % of the starts are as far from the forecast as the longest job takes, or nearer", () => {
    const sum = (of: (queue: MeasuredQueue) => number) =>
      measured.filter(({ known }) => known === "durations").reduce((total, queue) => total + of(queue), 0);
    const [all, within] = [sum(({ waiting }) => waiting), sum((queue) => queue.within)];
    assert.ok(within >= 0.9 * all, `${within} of ${all} starts`);
  });

  after(async () => {
    if (directory === undefined || measured.length === 0) return;
    const { date, machine } = await surroundings(1);
    const { gitVersion } = await lab().api.request<{ gitVersion: string }>("GET", "/version");
    const recorded: ForecastRecord["recorded"] = {
      date,
      seed,
      machine: { ...machine, Kubernetes: gitVersion, Flux: flux },
    };
    measured.sort((one, other) => one.known.localeCompare(other.known) || one.index - other.index);
    fs.writeFileSync(path.join(directory, "forecast.json"), recordText({ recorded, measured }));
  });
});
