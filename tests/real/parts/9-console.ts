import assert from "node:assert/strict";

import { realContainer } from "../clusters";
import { patience } from "../lab";
import type { Look } from "../look";
import { rowWithCluster } from "../rows";
import { waitFor } from "../../sandbox/waiting";
import { runRestfulClient, secretKey, tokenOf } from "../../support/consoleServer";

const port = 8062;

const users = ["ann", "bob"];

/** Address of the server, in the lead broker's pod. */
async function serving(cluster: Look): Promise<string> {
  const { pod } = await cluster.pod(0);
  const url = `http://${(pod["status"] as { podIP: string }).podIP}:${port}`;
  const answers = () =>
    fetch(`${url}/v1/hosts`, as("ann")).then(async (answer) => answer.ok && (await hostsIn(answer)).length === 4);
  await waitFor("the hosts in the console", () => answers().catch(() => false), patience, 500);
  return url;
}

async function hostsIn(answer: Response) {
  const { hosts } = (await answer.json()) as { hosts: { host: string; state: string; cluster: string }[] };
  return hosts;
}

const as = (user: string, method = "GET") => ({ method, headers: { authorization: `Bearer ${tokenOf(user)}` } });

describe("the console of an instance", () => {
  const tokens = Object.fromEntries([...users, "root"].map((user) => [user, tokenOf(user)]));
  const test = rowWithCluster({
    ...{ interactive: true, size: 3, maxSize: 4, network: { policy: "pods", affinity: "none" } },
    containers: [realContainer({ command: undefined })],
    console: { users, admins: ["root"], tokens, secretKey },
  });

  test("serves the published client of flux-restful-api", async (cluster) => {
    await cluster.ready(3);
    const url = await serving(cluster);
    const steps = ["step 1", "step 2", "step 3"];
    const { nodes, ...seen } = await runRestfulClient(url, "ann");
    assert.deepEqual(seen, {
      ...{ submitted: "Job submit.", streamed: steps, isLive: true, output: steps.map((line) => `${line}\n`) },
      job: { name: "sh", owner: "ann", state: "INACTIVE", result: "COMPLETED", returncode: 0, nnodes: 1 },
      ...{ wide: 2, cancelled: "Job is requested to cancel.", result: "CANCELED" },
      ...{ listed: true, found: [true], ids: 2, huge: ["FAILED", "alloc", true], none: [] },
    });
    assert.deepEqual(nodes, ["demo-0", "demo-1", "demo-2"]);
    const log = await cluster.logs();
    assert.match(log, /^minicluster: console: ann submits job /m);
    assert.ok(!log.includes(tokenOf("ann")));
  });

  test("shows a host that is away, and goes on in the next pod of the lead broker", async (cluster) => {
    const former = await cluster.deletePod(0);
    await cluster.successor(former);
    await cluster.ready(3);
    const url = await serving(cluster);
    const hosts = async () => hostsIn(await fetch(`${url}/v1/hosts`, as("bob")));
    const want = { "demo-0": "free", "demo-1": "free", "demo-2": "free", "demo-3": "down" };
    const states = async () => Object.fromEntries((await hosts()).map(({ host, state }) => [host, state]));
    await waitFor(
      "three free hosts",
      async () => JSON.stringify(await states()) === JSON.stringify(want),
      patience,
      500,
    );
    assert.equal((await fetch(`${url}/v1/hosts`)).status, 401);
  });
});
