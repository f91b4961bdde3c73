import assert from "node:assert/strict";

import { viewVariable } from "../../sandbox/real";
import { startAgent } from "../../support/agent";
import { rowWithCluster } from "../rows";

// The demand comes from Flux's own queue, by Flux's own Python: the stand-in of flux has neither.
describe("a queue of a real Flux", () => {
  if (process.env[viewVariable] === undefined) return void it.skip(`no real Flux: ${viewVariable} leads to none`);

  // The agent's own pod has no way to the API server here.
  const autoscale = { min: 1, max: 3, idleSeconds: 10, cooldownSeconds: 0 };
  const test = rowWithCluster({ interactive: true, autoscale, wait: "none" });

  test("gets the hosts that its jobs ask for, and gives them back", async (cluster) => {
    const [lead] = await cluster.ready(1);
    const { podIP } = lead?.pod["status"] as { podIP: string };
    const agent = await startAgent(cluster, `http://${podIP}:8060/demand/demo`);
    try {
      const id = (await cluster.flux("flux submit -N3 bash -c 'hostname; sleep 5'")).trim();
      await cluster.ready(3);
      assert.deepEqual((await cluster.flux(`flux job attach ${id}`)).trim().split("\n").sort(), [
        "demo-0",
        "demo-1",
        "demo-2",
      ]);
      const [kept] = await cluster.ready(1);
      assert.equal(kept?.uid, lead?.uid);
      assert.match(agent.log(), /^size 1 => 3: 0 running on 0 hosts, 1 pending for 3$/m);
      assert.match(agent.log(), /^size 3 => 1: /m);
    } finally {
      agent.stop();
    }
  });
});
