import assert from "node:assert/strict";
import { BurstCluster, MiniCluster } from "../../../provider";
import { brokerPort } from "../../../provider/core/parse/names";
import { viewVariable } from "../../sandbox/real";
import { waitFor } from "../../sandbox/waiting";
import { leftIn, withStack } from "../../support/clusters";
import { aMiniClusterArgs } from "../../support/fixtures";
import { sharedCluster } from "../../support/sandboxHooks";
import { realArgs, realContainer } from "../clusters";
import { patience } from "../lab";
import { lookAt } from "../look";
import { aloneInRow } from "../rows";

// Features that the stand-in of flux does not simulate: its queues are names alone.
describe("jobs that move from cluster to cluster, with a real Flux", () => {
  if (process.env[viewVariable] === undefined) return void it.skip(`no real Flux: ${viewVariable} leads to none`);

  aloneInRow("wait at home, try the cheapest cluster, and run whole in the next one, once", async () => {
    const [near, far] = [await sharedCluster().newNamespace(), await sharedCluster().newNamespace()];
    await withStack(async (stack, namespace) => {
      const prices = { near: 1, far: 3 };
      const clusters = Object.entries(prices).map(([name, pricePerHour]) => ({ name, maxSize: 2, pricePerHour }));
      stack.program = () => {
        const expose = { endpoint: { address: `home-0.home.${namespace}.svc.cluster.local`, port: brokerPort } };
        const place = { order: "price", afterSeconds: 10, giveUpSeconds: 15 } as const;
        const bursting = { clusters, expose, place };
        const home = new MiniCluster(
          "home",
          aMiniClusterArgs(realArgs({ name: "home", namespace, interactive: true, bursting })),
        );
        const { flux, waitTimeoutSeconds } = realArgs({});
        const containers = [realContainer({ command: undefined })];
        const common = { root: home.burst, containers, flux, waitTimeoutSeconds };
        new BurstCluster("near", { ...common, namespace: near, size: 0 });
        new BurstCluster("far", { ...common, namespace: far, size: 2 });
        return Promise.resolve({});
      };
      await stack.up();
      const home = lookAt(namespace, "home");
      await home.hosts(3);
      const submit = async (words: string) => (await home.flux(`flux submit ${words}`)).trim();
      const queueOf = async (id: string) => (await home.flux(`flux jobs -n -o {queue} ${id}`)).trim();

      const busy = await submit("sleep 1000");
      const [free, required, named, held] = [
        await submit("-N1 bash -c 'hostname; sleep 2'"),
        await submit("--requires=host:home-0 -N1 hostname"),
        await submit("--queue=home -N1 hostname"),
        await submit("--urgency=hold -N1 hostname"),
      ];
      assert.equal(await queueOf(free), "home");
      await waitFor("the job to try the cheapest", async () => (await queueOf(free)) === "near", patience);
      await waitFor("the job to try the next", async () => (await queueOf(free)) === "far", patience);
      const output = await home.flux(`flux job attach ${free}`);
      assert.match(output, /^far-[01]\n$/);
      // Flux would immediately end a job for which home has too few hosts in total.
      await waitFor(
        "the plugin that puts such jobs elsewhere",
        async () => (await home.flux("flux config get ingest.frobnicator.plugins")).includes("frobnicator.py"),
        patience,
      );
      const wide = await submit("-N2 bash -c 'hostname'");
      assert.equal(await queueOf(wide), "near");
      assert.equal(await home.flux(`flux job attach ${wide} | sort`), "far-0\nfar-1\n");
      const events = (await home.flux(`flux job eventlog --format=json ${free}`)).trim().split("\n");
      const moves = events.map((line) => JSON.parse(line) as { name: string; context: Record<string, string> });
      const updates = moves
        .filter(({ name }) => name === "jobspec-update")
        .map(({ context }) => context["attributes.system.queue"]);
      assert.deepEqual(updates, ["near", "far"]);
      assert.equal(moves.filter(({ name }) => name === "alloc").length, 1);
      const why = await home.flux(`flux jobs -n -o {annotations.user.place.why} ${free}`);
      assert.match(why, /^no hosts joined in near for 1\d s$/m);
      // A host of far costs 3 an hour, and the job ran for two seconds and more on one of them.
      const cost = Number(await home.flux(`flux jobs -n -o {annotations.user.cost} ${free}`));
      assert.ok(cost >= (3 * 2) / 3600 && cost < 0.05, `the job cost ${cost}`);
      for (const id of [required, named, held]) assert.equal(await queueOf(id), "home");
      const log = await home.logs(0);
      assert.match(log, new RegExp(`^minicluster: job ${free} waits in far: no hosts joined in near for 1\\d s$`, "m"));
      await home.flux(`flux cancel ${busy} ${required} ${named} ${held}`);
    });
    for (const one of [near, far]) assert.deepEqual(await leftIn(one), []);
  });
});
