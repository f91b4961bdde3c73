import assert from "node:assert/strict";

import type { MiniClusterArgs } from "../../../provider";
import { viewVariable } from "../../sandbox/real";
import { waitFor } from "../../sandbox/waiting";
import { agentPod } from "../agentPod";
import { onSpareNodes, patience } from "../lab";
import { type Look, lookAt } from "../look";
import { realContainer } from "../clusters";
import { rowWithCluster } from "../rows";
import { tokenOf } from "../../support/consoleServer";

const autoscale = { max: 2, idleSeconds: 5, cooldownSeconds: 0 };

const args: Partial<MiniClusterArgs> = {
  interactive: true,
  containers: [realContainer({ command: undefined })],
  // Another test removes one of the spare nodes.
  network: onSpareNodes.network,
  lead: { resources: { requests: { cpu: "100m" } } },
  groups: { cpu: { autoscale }, gpu: { autoscale, pod: onSpareNodes.pod } },
  console: { users: ["ann"], tokens: { ann: tokenOf("ann") } },
};

const podsAre = (group: Look, count: number) =>
  waitFor(
    `${count} pods`,
    async () => (await group.pods()).filter(({ deleting }) => !deleting).length === count,
    patience,
    200,
  );

// The stand-in of Flux has no queues.
describe("groups beside a separate lead broker", () => {
  if (process.env[viewVariable] === undefined) return void it.skip(`no real Flux: ${viewVariable} leads to none`);

  const test = rowWithCluster(args);

  test("rest as one pod, and a job in a queue starts the hosts of that group alone", async (cluster) => {
    const [lead] = await cluster.ready(1);
    const cpu = lookAt(cluster.namespace, "demo-cpu");
    const gpu = lookAt(cluster.namespace, "demo-gpu");
    assert.deepEqual([await cpu.pods(), await gpu.pods()], [[], []]);

    const id = (await cluster.flux("flux submit -q gpu -N2 bash -c 'hostname; sleep 5'")).trim();
    await gpu.ready(2);
    const output = await cluster.flux(`flux job attach ${id}`);
    assert.deepEqual(output.trim().split("\n").sort(), ["demo-gpu-0", "demo-gpu-1"]);
    assert.deepEqual(await cpu.pods(), []);
    await podsAre(gpu, 0);

    const next = (await cluster.flux("flux submit -N1 hostname")).trim();
    await cpu.ready(1);
    assert.equal((await cluster.flux(`flux job attach ${next}`)).trim(), "demo-cpu-0");
    await podsAre(cpu, 0);
    const [kept] = await cluster.ready(1);
    assert.equal(kept?.uid, lead?.uid);
    const log = await agentPod(cluster.namespace).log();
    assert.match(log, /^demo-gpu: size 0 => 2: /m);
    assert.match(log, /^demo-cpu: size 0 => 1: /m);

    // The console has the hosts by group, and what the agent has decided.
    const url = `http://${(kept?.pod["status"] as { podIP: string }).podIP}:8062/v1/board`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${tokenOf("ann")}` } });
    const { hosts, decisions } = (await answer.json()) as {
      hosts: { cluster: string }[];
      decisions: { cluster: string; text: string }[];
    };
    const clusters = ["demo", "demo-cpu", "demo-cpu", "demo-gpu", "demo-gpu"];
    assert.deepEqual(
      hosts.map((host) => host.cluster),
      clusters,
    );
    const said = (cluster: string, size: RegExp) =>
      decisions.some((decision) => decision.cluster === cluster && size.test(decision.text));
    assert.ok(said("demo-gpu", /size 0 => 2: /) && said("demo-cpu", /size 0 => 1: /), JSON.stringify(decisions));
  });
});
