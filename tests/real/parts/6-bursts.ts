import assert from "node:assert/strict";
import { BurstCluster, MiniCluster } from "../../../provider";
import { brokerPort } from "../../../provider/core/parse/names";
import { viewVariable } from "../../sandbox/real";
import { waitFor } from "../../sandbox/waiting";
import { failure, leftIn, messages, withStack } from "../../support/clusters";
import { aMiniClusterArgs, aRoot } from "../../support/fixtures";
import { tokenOf } from "../../support/consoleServer";
import { sharedCluster } from "../../support/sandboxHooks";
import { realArgs, realContainer } from "../clusters";
import { hostsOf, serving, showsHosts } from "../consoleHosts";
import { patience } from "../lab";
import { lookAt } from "../look";
import { aloneInRow } from "../rows";

describe("a cluster that another one joins", () => {
  aloneInRow("has as many hosts of it as its program says, and runs jobs there", async () => {
    const away = await sharedCluster().newNamespace();
    await withStack(
      async (stack, namespace) => {
        const program = (size: number) => () => {
          const address = `home-0.home.${namespace}.svc.cluster.local`;
          const bursting = {
            clusters: [{ name: "cloud", size, maxSize: 3 }],
            expose: { endpoint: { address, port: brokerPort } },
          };
          const console = { users: ["ann"], tokens: { ann: tokenOf("ann") } };
          const args = { name: "home", namespace, size: 1, interactive: true, bursting, console };
          const home = new MiniCluster("home", aMiniClusterArgs(realArgs(args)));
          const { flux, waitTimeoutSeconds } = realArgs({});
          const containers = [realContainer({ command: undefined })];
          new BurstCluster("cloud", { root: home.burst, namespace: away, containers, flux, waitTimeoutSeconds });
          return Promise.resolve({});
        };
        const [home, cloud] = [lookAt(namespace, "home"), lookAt(away, "cloud")];
        const grow = async (size: number) => {
          stack.program = program(size);
          await stack.up();
          await home.hosts(1 + size);
        };
        /** The preview of the cluster that joins forecasts its queue in the instance of the home. */
        const isForecast = async () => {
          await home.flux("flux submit --queue=cloud --cc=1-3 -N1 -t 20m sleep 1200");
          stack.program = program(2);
          const line = /^size 0 => 2: the 3 waiting jobs end by .*; without the change they never start$/m;
          // On a busy machine, the program that reads the queue may need more time than it gets.
          const isSaid = async () => line.test(messages(await stack.preview(), "info").join("\n"));
          await waitFor("the forecast", isSaid, patience, 500);
          await home.flux("flux cancel --all");
        };

        await grow(0);
        const [lead] = await home.ready(1);
        // The stand-in of Flux does not report the queues of jobs.
        if (process.env[viewVariable] !== undefined) await isForecast();
        await grow(2);
        const [first] = await cloud.ready(2);
        const output = await home.flux("flux run --queue=cloud -N 2 hostname");
        assert.deepEqual(output.trim().split("\n").sort(), ["cloud-0", "cloud-1"]);
        assert.equal((await home.flux("flux run hostname")).trim(), "home-0");
        const url = await serving(home, 4);
        await showsHosts(url, "ann", { "home-0": "free", "cloud-0": "free", "cloud-1": "free", "cloud-2": "down" });
        const clusters = (await hostsOf(url, "ann")).map(({ cluster }) => cluster);
        assert.deepEqual(clusters, ["home", "cloud", "cloud", "cloud"]);
        await grow(1);
        assert.equal((await cloud.ready(1))[0]?.uid, first?.uid);
        assert.equal((await home.ready(1))[0]?.uid, lead?.uid);
      },
      { reads: true },
    );
    assert.deepEqual(await leftIn(away), []);
  });

  aloneInRow("is named with the address at which its lead broker is not reached", async () => {
    await withStack(
      async (stack, namespace) => {
        // An address for documentation, which is unreachable (RFC 5737).
        const root = { ...aRoot(), address: "192.0.2.1", port: 30850 };
        const { flux } = realArgs({});
        const containers = [realContainer({ command: undefined })];
        stack.program = () => {
          new BurstCluster("cloud", { root, size: 2, namespace, containers, flux, waitTimeoutSeconds: 60 });
        };
        const { message } = await failure(stack.up());
        assert.match(
          message,
          /0 of 2 brokers have joined; pod cloud-\d-\w+ and 1 more: has not joined the lead broker at 192/,
        );
      },
      { reads: true },
    );
  });
});
