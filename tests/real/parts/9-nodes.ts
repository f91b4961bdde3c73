import assert from "node:assert/strict";
import * as os from "node:os";
import fc from "fast-check";

import { lookupNodes, MiniCluster } from "../../../provider";
import { createNodes } from "../../sandbox/nodes/simulated";
import { viewVariable } from "../../sandbox/real";
import { waitFor } from "../../sandbox/waiting";
import { changes, onlyCounts, withStack } from "../../support/clusters";
import type { OperationResult } from "../../support/engine";
import { aMiniClusterArgs } from "../../support/fixtures";
import {
  type Blocker,
  blockerOn,
  isAdmittedOrNot,
  isAsForetold,
  lookedUp,
  type RoomCase,
  roomOutcome,
} from "../../support/roomCases";
import { said } from "../../support/said";
import { sharedCluster } from "../../support/sandboxHooks";
import { realArgs, realContainer } from "../clusters";
import { type ChangeNode, type Devices, withDevicePlugins } from "../devices";
import { lab, patience } from "../lab";
import { lookAt } from "../look";
import { afterRows } from "../rows";

const label = "minicluster-tests/existing";
const [gpu, fabric] = ["nvidia.com/gpu", "rdma/hca_shared_devices_a"];
const taints = [{ key: "gpu", value: "true", effect: "NoSchedule" }];

const devicesOf = (gpus: number, broken = 0, shares = 0): Devices => ({
  [gpu]: Array.from({ length: gpus }, (_, index) => index >= broken),
  [fabric]: Array<boolean>(shares).fill(true),
});

/** The lines of an operation on the nodes of a pool. */
const onPool = (result: OperationResult) => said(result).filter((line) => /^(pool )?rack: /.test(line));

/** A real node, and what others run on it. */
interface RandomNode {
  gpus: number;
  broken: number;
  hasFabric: boolean;
  isTainted: boolean;
  isCordoned: boolean;
  blockers: Blocker[];
}

const randomCase = fc.record<{ nodes: RandomNode[]; strangers: number; room: RoomCase }>({
  nodes: fc.array(
    fc.record<RandomNode>({
      gpus: fc.constantFrom(2, 2, 2, 2, 4, 0),
      broken: fc.constantFrom(0, 0, 0, 1),
      hasFabric: fc.constantFrom(true, true, true, true, true, false),
      isTainted: fc.constantFrom(true, true, true, true, false),
      isCordoned: fc.constantFrom(...Array<boolean>(7).fill(false), true),
      blockers: fc.array(
        fc.record<Blocker>({
          cpu: fc.constantFrom(0, 0, 0, 1),
          memoryGi: fc.integer({ min: 0, max: 4 }),
          gpus: fc.constantFrom(0, 0, 0, 1),
        }),
        { maxLength: 2 },
      ),
    }),
    { minLength: 2, maxLength: 4 },
  ),
  // Nodes of another architecture.
  strangers: fc.constantFrom(0, 0, 1),
  room: fc.record<RoomCase>({
    size: fc.integer({ min: 1, max: 4 }),
    affinity: fc.constantFrom("required", "required", "preferred", "none"),
    cpu: fc.option(fc.integer({ min: 100, max: 1_200 }), { nil: undefined }),
    memoryGi: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  }),
});

type RandomCase = typeof randomCase extends fc.Arbitrary<infer T> ? T : never;

/** The room that a preview foretells for a random case, and the room that there is. */
async function tryCase(name: string, change: ChangeNode, at: string[], namespace: string, random: RandomCase) {
  const { kube, kubeconfigPath } = sharedCluster();
  const selector = { [label]: name };
  const pods = { apiVersion: "v1", kind: "Pod", namespace };
  await Promise.all(
    random.nodes.map((node, index) =>
      change(at[index]!, {
        labels: selector,
        taints: node.isTainted ? taints : [],
        isCordoned: node.isCordoned,
        devices: devicesOf(node.gpus, node.broken, node.hasFabric ? 3 : 0),
      }),
    ),
  );
  const architecture = os.arch() === "arm64" ? "amd64" : "arm64";
  // No kubelet admits pods there: it has the taints of the first node, so that it is never the only usable one.
  const shape = { labels: selector, architecture, taints: random.nodes[0]?.isTainted ? taints : [] };
  const strangers = await createNodes(kube, 0, random.strangers, { namePrefix: name, ...shape });
  for (const [index, { blockers }] of random.nodes.entries())
    for (const [which, blocker] of blockers.entries())
      await kube.create(blockerOn(at[index]!, `${name}-${index}-${which}`, namespace, blocker));
  await waitFor("the other pods", async () => (await kube.list(pods)).every(isAdmittedOrNot), patience);
  const first = await kube.get({ apiVersion: "v1", kind: "Node", name: at[0]! });
  const { scheduling } = await lookedUp(kubeconfigPath, { selector }, first);
  const outcome = await roomOutcome(
    kube,
    kubeconfigPath,
    { name, namespace },
    random.room,
    scheduling,
    isAdmittedOrNot,
  );
  for (const { metadata } of await kube.list(pods)) await kube.delete({ ...pods, name: metadata.name });
  for (const stranger of strangers) await kube.delete({ apiVersion: "v1", kind: "Node", name: stranger });
  await waitFor("the pods to go", async () => (await kube.list(pods)).length === 0, patience);
  await Promise.all(
    random.nodes.map((_, index) => change(at[index]!, { labels: { [label]: null }, taints: [], isCordoned: false })),
  );
  return { name, ...outcome, random, scheduling };
}

describe("existing nodes with a device plugin", function () {
  // The first of these tests waits for all rows.
  this.timeout(1_800_000);

  afterRows("carry a cluster as its preview says, on these nodes alone, and each pod has its devices", () => {
    const nodes = ["real-0", "real-1", "real-2"];
    return withDevicePlugins(nodes, async (change) => {
      const selector = { [label]: "rack" };
      const labels = { ...selector, "feature.node.kubernetes.io/cpu-hardware_multithreading": "true" };
      await Promise.all(nodes.map((node) => change(node, { labels, taints, devices: devicesOf(2, 0, 3) })));
      const body: Parameters<typeof withStack>[0] = async (stack, namespace) => {
        const program = (size: number) => async () => {
          const { scheduling } = await lookupNodes({ selector, name: "rack" });
          const args = { namespace, size, maxSize: 4, interactive: true, pool: scheduling };
          const containers = [realContainer({ command: undefined })];
          new MiniCluster("demo", aMiniClusterArgs(realArgs({ ...args, containers })));
          return { scheduling };
        };
        stack.program = program(3);
        const has = "\\d+ CPUs, \\d+ GiB, 2 × nvidia.com/gpu, 3 × rdma/hca_shared_devices_a, kubelet v[0-9.]+";
        const tainted = "tainted gpu=true:NoSchedule \\(tolerated\\)";
        const whole = `^pool rack: 3 nodes match: ${has}; ${tainted}; room for`;
        const [line = "", ...others] = onPool(await stack.preview());
        assert.match(line, new RegExp(`${whole} 3 of size 3, 3 of maxSize 4$`));
        assert.deepEqual(others, []);
        await stack.up();
        const cluster = lookAt(namespace);
        await cluster.hosts(3);
        await cluster.work(3);
        // The stand-in of Flux has no GPUs.
        if (process.env[viewVariable])
          assert.equal((await cluster.flux("flux resource list -s up -no {ngpus}")).trim(), "6");
        const on = await Promise.all([0, 1, 2].map(async (rank) => (await cluster.nodeOf(rank)).name));
        assert.deepEqual([...on].sort(), nodes);
        for (const rank of [0, 1, 2]) {
          const devices = await cluster.bash(rank, 'echo "$NVIDIA_COM_GPU $RDMA_HCA_SHARED_DEVICES_A"');
          assert.match(devices, /^device-0,device-1 device-\d$|^device-1,device-0 device-\d$/m);
        }

        // The cluster's own pods take no room.
        stack.program = program(4);
        const more = "; add or free nodes, or lower size";
        assert.match(onPool(await stack.preview())[0] ?? "", new RegExp(`${whole} 3 of size 4${more}$`));

        // A GPU fails: the cluster stays as it is, and the node of a lost pod is no longer usable.
        const weak = on[2]!;
        await change(weak, { devices: devicesOf(2, 1, 3) });
        const preview = await stack.preview();
        assert.deepEqual(changes(preview), onlyCounts);
        const [short, warning] = onPool(preview).sort();
        assert.match(short ?? "", new RegExp(`; 1 is full; room for 2 of size 4${more}$`));
        assert.equal(warning, `rack: node ${weak} offers 1 of 2 nvidia.com/gpu; check its device plugin, or cordon it`);
        const lost = await cluster.deletePod(2);
        const isRefused = async () => {
          const next = (await cluster.pods()).find(
            ({ completionIndex, uid }) => completionIndex === 2 && uid !== lost.uid,
          );
          const { conditions = [] } = next?.pod["status"] as { conditions?: { reason?: string; message?: string }[] };
          return conditions.find(({ reason }) => reason === "Unschedulable")?.message;
        };
        const why = await waitFor("the scheduler to find no node", isRefused, patience, 200);
        assert.match(why, /Insufficient nvidia\.com\/gpu/);
        await change(weak, { devices: devicesOf(2, 0, 3) });
        await cluster.hosts(3);
        assert.equal((await cluster.nodeOf(2)).name, weak);
      };
      await withStack(body, { reads: true });
    });
  });

  afterRows("have the room that a preview foretells, in random cases", async () => {
    const seed = Number(process.env.MINICLUSTER_SEED ?? 59);
    const cases = fc.sample(randomCase, { seed, numRuns: 50 });
    const names = lab()
      .realNodes.slice(0, 8)
      .map(({ name }) => name);
    const outcomes: Awaited<ReturnType<typeof tryCase>>[] = [];
    await withDevicePlugins(names, async (change) => {
      // Most of a case is waiting for the kubelets: two run at the same time, on separate nodes.
      const waiting = [...cases.entries()];
      const lane = async (at: string[]) => {
        const namespace = await sharedCluster().newNamespace();
        for (let next = waiting.shift(); next; next = waiting.shift())
          outcomes.push(await tryCase(`room-${next[0]}`, change, at, namespace, next[1]));
      };
      await Promise.all([lane(names.slice(0, 4)), lane(names.slice(4))]);
    });
    assert.deepEqual(
      outcomes.filter((outcome) => !isAsForetold(outcome)),
      [],
    );
    const short = outcomes.filter(({ foretold, random }) => foretold < random.room.size).length;
    const placed = outcomes.reduce((sum, { found }) => sum + found, 0);
    assert.ok(short > 10 && short < 45 && placed > 30, `${short} cases have too little room, and ${placed} pods run`);
  });
});
