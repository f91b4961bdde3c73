import assert from "node:assert/strict";
import * as fs from "node:fs";

import { surroundings } from "../../bench/machine";
import { viewVariable } from "../../sandbox/real";
import { type Inside, runHistory, runQueue } from "../../support/forecast/measure";
import { policies, type RandomQueue, randomQueues } from "../../support/forecast/queues";
import { type ForecastRecord, type MeasuredQueue, measuredQueue, recordText } from "../../support/forecast/record";
import { lab } from "../lab";
import type { Look } from "../look";
import { rowWithCluster } from "../rows";

const seed = Number(process.env.MINICLUSTER_SEED ?? 60);
const count = Number(process.env.MINICLUSTER_QUEUES ?? policies.length);

/** A file into which the record of the queues is written. Default: none is written. */
const file = process.env.MINICLUSTER_FORECAST;

const read = "bash /etc/minicluster/config/queue.sh";

const inside =
  ({ bash }: Look): Inside =>
  (command) =>
    bash(0, `export FLUX_URI=$fluxsocket; ${command}`);

describe("the forecast of a queue", function () {
  // All queues of a policy run one after the other.
  this.timeout(3_600_000);
  if (process.env[viewVariable] === undefined) return void it.skip(`no real Flux: ${viewVariable} leads to none`);

  const measured: MeasuredQueue[] = [];
  let flux = "";
  const measure = async (cluster: Look, queues: RandomQueue[]) => {
    const found: MeasuredQueue[] = [];
    for (const queue of queues) found.push(measuredQueue(await runQueue(inside(cluster), read, queue)));
    measured.push(...found);
    return found;
  };

  for (const policy of policies) {
    const queuesOf = (known: RandomQueue["known"]) =>
      randomQueues(seed, count, known).filter((queue) => queue.policy === policy);
    const test = rowWithCluster({ size: 4, interactive: true, flux: { scheduler: { queuePolicy: policy } } });

    test(`is as it happens, with ${policy} and known durations`, async (cluster) => {
      await cluster.ready(4);
      await cluster.hosts(4);
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

  after(async () => {
    if (file === undefined || measured.length === 0) return;
    const { date, machine } = await surroundings(1);
    const { gitVersion } = await lab().api.request<{ gitVersion: string }>("GET", "/version");
    const recorded: ForecastRecord["recorded"] = { date, seed, machine: { ...machine, Kubernetes: gitVersion, flux } };
    measured.sort((one, other) => one.known.localeCompare(other.known) || one.index - other.index);
    fs.writeFileSync(file, recordText({ recorded, measured }));
  });
});
