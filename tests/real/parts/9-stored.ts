import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { MiniClusterArgs } from "../../../provider";
import { viewVariable } from "../../sandbox/real";
import { waitFor } from "../../sandbox/waiting";
import { realContainer, withRealCluster } from "../clusters";
import { patience } from "../lab";
import { killBroker, type Look, lookAt } from "../look";
import { aloneInRow } from "../rows";
import { destroyed, storedLead, withVolume } from "../volume";

const args: Partial<MiniClusterArgs> = {
  interactive: true,
  requeue: { restarts: 5 },
  containers: [realContainer({ command: undefined })],
  lead: storedLead,
  groups: { cpu: { size: 2, maxSize: 4 } },
};

const lines = (text: string) => text.trim().split("\n").filter(Boolean);

/** Ids, states and urgencies of the jobs that wait, in the order of the queue. */
const waiting = async (cluster: Look) =>
  lines(await cluster.flux('flux jobs --no-header --filter=pending --format="{id} {state} {urgency}"'));

/** Tasks of the jobs in the pods of a group, by the job that they belong to. */
async function tasks(group: Look, ranks: number[], words: string): Promise<string[]> {
  const found = await Promise.all(ranks.map((rank) => group.processes(rank)));
  return found
    .flat()
    .filter((task) => task.words.join(" ") === words)
    .map(
      ({ pid }) =>
        /FLUX_JOB_ID=(\S+)/.exec(fs.readFileSync(`/proc/${pid}/environ`, "utf8").replaceAll("\0", "\n"))?.[1] ?? "",
    )
    .sort();
}

const another = { gpu: { size: 0, maxSize: 2 } };

/** Minutes of random kills. */
const killMinutes = Number(process.env["MINICLUSTER_KILL_MINUTES"] ?? 5);

const linesOf = (file: string) => (fs.existsSync(file) ? lines(fs.readFileSync(file, "utf8")) : []);

describe("a lead broker whose state is on a volume", function () {
  this.timeout(1_200_000 + 2 * killMinutes * 60_000);
  if (process.env[viewVariable] === undefined) return void it.skip(`no real Flux: ${viewVariable} leads to none`);

  aloneInRow("continues with its queue after it was killed, deleted, and replaced by another Job", () =>
    withVolume(() =>
      withRealCluster(args, async (cluster) => {
        await cluster.stack.up();
        const group = lookAt(cluster.namespace, "demo-cpu");
        await cluster.hosts(2);
        const submit = async (words: string) => lines(await cluster.flux(`flux submit ${words}`));
        await submit("--cc=1-2 sleep 301");
        await submit("--cc=1-2 --setattr=requeue --urgency=20 sleep 302");
        const held = await submit("--cc=1-3 --urgency=hold true");
        const pending = await submit("--cc=1-20 -N4 true");
        const before = await waiting(cluster);
        assert.deepEqual(new Set(before.map((line) => line.split(" ")[0])), new Set([...pending, ...held]));
        const runs = async () => lines(await cluster.flux("flux jobs --no-header --filter=running --format={id}"));
        await waitFor("the jobs to run", async () => (await runs()).length === 4, patience);

        const losses: (() => Promise<unknown>)[] = [
          () => killBroker(cluster, 0, "broker"),
          () => cluster.deletePod(0),
          () => {
            const podTemplate = { metadata: { labels: { another: "template" } } };
            cluster.change({ ...args, lead: { ...args.lead, podTemplate }, groups: { ...args.groups, ...another } });
            return cluster.stack.up();
          },
        ];
        for (const lose of losses) {
          const [lead] = await cluster.ready(1);
          const former = await runs();
          await lose();
          await cluster.ready(1, lead && [lead]);
          const again = async () => {
            const now = await runs();
            return now.length === 2 && now.every((id) => !former.includes(id)) && now;
          };
          const now = await waitFor("the jobs that opted in to run again", again, patience, 500);
          assert.deepEqual(await waiting(cluster), before);
          const ended = await cluster.flux(`flux jobs --no-header --format={status} ${former.join(" ")}`);
          assert.deepEqual(new Set(lines(ended)), new Set(["FAILED"]));
          // The tasks of a lost job have ended before it runs again.
          assert.deepEqual(await tasks(group, [0, 1], "sleep 302"), now.map((id) => id.replace("ƒ", "f")).sort());
          assert.deepEqual(await tasks(group, [0, 1], "sleep 301"), []);
        }
        assert.match(await cluster.logs(), /is requeued as .*, restart 3 of 5: the lead broker was lost/);

        // Every job still exists, and can run.
        await cluster.flux(`flux cancel ${(await runs()).join(" ")}`);
        for (const id of held) await cluster.flux(`flux job urgency ${id} default`);
        cluster.change({ ...args, groups: { cpu: { size: 4, maxSize: 4 }, ...another } });
        await cluster.stack.up();
        await cluster.flux("flux queue drain");
        const all = [...held, ...pending];
        const results = lines(await cluster.flux(`flux jobs --no-header --format={status} ${all.join(" ")}`));
        assert.deepEqual(
          results,
          all.map(() => "COMPLETED"),
        );
        await destroyed(cluster);
      }),
    ),
  );

  aloneInRow("loses no job of a queue while brokers and pods are killed at random, and each ends once", () =>
    withVolume(async (directory) => {
      const work = path.join(directory, "work");
      fs.mkdirSync(work);
      const containers = [realContainer({ command: undefined, volumes: { work: { path: "/work", hostPath: work } } })];
      await withRealCluster({ ...args, containers, requeue: { restarts: 20 * killMinutes } }, async (cluster) => {
        await cluster.stack.up();
        const group = lookAt(cluster.namespace, "demo-cpu");
        await cluster.hosts(2);
        // Each continues from its saved state. The Job controller waits twice as long after each further lost pod of
        // a rank, so that each job gets no further than about seven in a minute of kills.
        const end = Math.max(20, killMinutes * 7);
        const count =
          `n=$(cat /work/$JOB 2>/dev/null || echo 0); while ((n < ${end})); do sleep 0.5; n=$((n + 1)); ` +
          "echo $n >/work/$JOB.new && mv /work/$JOB.new /work/$JOB; done";
        const jobs = [...Array(8).keys()].map((number) => `job${number}`);
        for (const job of jobs)
          await cluster.flux(`flux submit --setattr=requeue --job-name=${job} --env=JOB=${job} bash -c '${count}'`);
        const counts = () => jobs.map((job) => linesOf(path.join(work, job)).join());
        const until = Date.now() + killMinutes * 60_000;
        const kills: (() => Promise<unknown>)[] = [
          async () => killBroker(group, Math.floor(Math.random() * 2), "flux"),
          () => group.deletePod(Math.floor(Math.random() * 2)),
          async () => killBroker(cluster, 0, "broker"),
          () => cluster.deletePod(0),
        ];
        while (Date.now() < until) {
          const kill = kills[Math.floor(Math.random() * kills.length)];
          // What was killed before may not be back.
          await kill?.().catch(() => undefined);
          await sleep(5_000 + Math.random() * 10_000);
        }
        // Ten minutes are the longest that the Job controller waits.
        const limit = patience + 600_000 + end * 2_000;
        const isDone = () => counts().every((found) => found === String(end));
        await waitFor("all jobs to count to their end", () => Promise.resolve(isDone()), limit);
        await cluster.ready(1);
        await cluster.flux("flux queue drain");
        // A job whose end was not recorded before the lead broker was lost runs again, and has nothing left to do.
        const results = lines(await cluster.flux('flux jobs -a --no-header --format="{name} {status}"'));
        const completed = results.filter((line) => line.endsWith(" COMPLETED")).sort();
        assert.deepEqual(
          completed,
          jobs.map((job) => `${job} COMPLETED`),
        );
        await destroyed(cluster);
      });
    }),
  );
});
