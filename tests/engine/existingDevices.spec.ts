import assert from "node:assert/strict";
import fc from "fast-check";
import { nodesBy } from "../../provider/clouds/existing/lookup";
import { createNodes } from "../sandbox/nodes/simulated";
import { cloudOfSuite } from "../support/clouds";
import { efaOn, gpusOn, type Held, holdDevices, installDeviceClasses, publishDevices } from "../support/devices";
import { isAsForetold, type RoomCase, roomOutcome } from "../support/roomCases";

const label = "minicluster-tests/existing";

/** A simulated node with devices of two drivers, some of which others have claimed. */
interface ClaimingNode {
  gpus: number;
  efas: number;
  gpuRoots: string[];
  efaRoots: string[];
  heldGpus: number[];
  heldEfas: number[];
  isAdmin: boolean;
}

interface ClaimingCase {
  nodes: ClaimingNode[];
  room: RoomCase;
}

const roots = (...letters: string[]) => letters.map((letter) => `pci0000:${letter}`);

/** The node whose devices a pod claims, and larger ones, of which others hold more. */
const smallNode = fc.record<ClaimingNode>({
  gpus: fc.constantFrom(2, 2, 4),
  efas: fc.constantFrom(1, 2),
  gpuRoots: fc.constant(roots("10", "20")),
  efaRoots: fc.constantFrom(roots("10", "20"), roots("10", "20"), roots("11", "21")),
  heldGpus: fc.constantFrom([], [], [0]),
  heldEfas: fc.constant([]),
  isAdmin: fc.boolean(),
});

const largeNode = fc.record<ClaimingNode>({
  gpus: fc.constantFrom(4, 8),
  efas: fc.constantFrom(2, 4, 4),
  gpuRoots: fc.constantFrom(roots("10", "20"), roots("10", "20", "90", "a0")),
  efaRoots: fc.constantFrom(roots("10", "20"), roots("20", "10", "90", "a0"), roots("10", "11")),
  heldGpus: fc.uniqueArray(fc.nat(7), { maxLength: 6 }),
  heldEfas: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }),
  isAdmin: fc.constantFrom(false, false, true),
});

const heldOn = ({ gpus, efas, heldGpus, heldEfas, isAdmin }: ClaimingNode): Held[] => [
  {
    deviceClass: "gpu.nvidia.com",
    driver: "gpu.nvidia.com",
    devices: heldGpus.filter((each) => each < gpus),
    isAdmin,
  },
  // The first device of the driver is the Ethernet.
  { deviceClass: "efa.networking.k8s.aws", driver: "dra.net", devices: heldEfas.filter((each) => each <= efas) },
];

const onTwoRoots = {
  efas: 2,
  gpuRoots: roots("10", "20"),
  efaRoots: roots("10", "20"),
  heldGpus: [],
  heldEfas: [],
  isAdmin: false,
};

/** The larger node has enough free devices for a pod, but not near each other. */
const apart: ClaimingCase = {
  nodes: [
    { ...onTwoRoots, gpus: 2 },
    { ...onTwoRoots, gpus: 4, heldGpus: [0, 2] },
  ],
  room: { size: 2, affinity: "none", cpu: 100, memoryGi: undefined },
};

const claimingCase = fc.record<ClaimingCase>({
  nodes: fc.tuple(smallNode, fc.array(largeNode, { minLength: 1, maxLength: 3 })).map(([one, more]) => [one, ...more]),
  room: fc.record<RoomCase>({
    size: fc.integer({ min: 1, max: 9 }),
    affinity: fc.constantFrom("required", "preferred", "none"),
    cpu: fc.constant(100),
    memoryGi: fc.constant(undefined),
  }),
});

describe("Existing nodes whose devices pods claim", function () {
  this.timeout(600_000);
  const cloud = cloudOfSuite();
  before(() => installDeviceClasses(cloud.kube));

  it("give claims of all devices, near each other where every node has them near", async () => {
    const { kube, cluster } = cloud;
    const shape = (name: string) => ({ namePrefix: name, labels: { [label]: name } });
    const [near, far] = [
      ["pci0000:10", "pci0000:20"],
      ["pci0000:11", "pci0000:21"],
    ];
    const numa = (node: number) => ({ "resource.kubernetes.io/numaNode": { int: node } });
    const onNodes = async (name: string, ...all: Parameters<typeof publishDevices>[2][]) => {
      const names = await createNodes(kube, 0, all.length, shape(name));
      for (const [index, node] of names.entries()) await publishDevices(kube, node, all[index]!);
      const { scheduling } = await nodesBy(
        { selector: { [label]: name }, deviceClasses: ["gpu.nvidia.com", "efa.networking.k8s.aws"] },
        { kubeconfig: cluster.kubeconfigPath },
      );
      const { claims, claimSets, matchAttributes } = scheduling;
      return { counts: claims?.map(({ count }) => count), claimSets, matchAttributes };
    };
    const root = ["resource.kubernetes.io/pcieRoot"];
    const sets = { counts: [2, 1], claimSets: 2 };
    assert.deepEqual(await onNodes("near", [gpusOn(near, 4), efaOn(near, 2)], [gpusOn(near, 4), efaOn(near, 2)]), {
      ...sets,
      matchAttributes: root,
    });
    assert.deepEqual(await onNodes("far", [gpusOn(near, 4), efaOn(near, 2)], [gpusOn(near, 4), efaOn(far, 2)]), {
      ...sets,
      matchAttributes: [],
    });
    const onNuma = [gpusOn(near, 4, numa), efaOn(far, 2, numa)];
    assert.deepEqual(await onNodes("numa", [gpusOn(near, 4, numa), efaOn(near, 2, numa)], onNuma), {
      ...sets,
      matchAttributes: ["resource.kubernetes.io/numaNode"],
    });
    // All devices of the smaller node: the larger one has a set of these near each other as well.
    assert.deepEqual(await onNodes("more", [gpusOn(near, 2), efaOn(near, 2)], [gpusOn(near, 4), efaOn(near, 4)]), {
      counts: [1, 1],
      claimSets: 2,
      matchAttributes: root,
    });
  });

  it("have the room that a preview foretells, in random cases", async () => {
    const { kube, cluster } = cloud;
    const namespace = "held";
    const labels = { "resource.kubernetes.io/admin-access": "true" };
    await kube.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } });
    const seed = Number(process.env.MINICLUSTER_SEED ?? 59);
    const wrong: object[] = [];
    const cases = [apart, ...fc.sample(claimingCase, { seed, numRuns: 20 })];
    const seen = { short: 0, several: 0, aligned: 0 };
    for (const [index, { nodes, room }] of cases.entries()) {
      const name = `claims-${index}`;
      const selector = { [label]: name };
      const names = await createNodes(kube, 0, nodes.length, { namePrefix: name, labels: selector });
      for (const [at, node] of nodes.entries()) {
        const { gpus, efas, gpuRoots, efaRoots } = node;
        await publishDevices(kube, names[at]!, [gpusOn(gpuRoots, gpus), efaOn(efaRoots, efas)]);
        await holdDevices(kube, namespace, names[at]!, heldOn(node));
      }
      const deviceClasses = ["gpu.nvidia.com", "efa.networking.k8s.aws"];
      const settings = { kubeconfig: cluster.kubeconfigPath };
      const { scheduling } = await nodesBy({ selector, deviceClasses }, settings);
      const outcome = await roomOutcome(kube, cluster.kubeconfigPath, { name, namespace }, room, scheduling);
      if (outcome.foretold < room.size) seen.short += 1;
      if (outcome.foretold > nodes.length) seen.several += 1;
      if (scheduling.matchAttributes?.length) seen.aligned += 1;
      if (!isAsForetold(outcome)) wrong.push({ index, ...outcome, room, nodes, scheduling });
      for (const each of names) await kube.delete({ apiVersion: "v1", kind: "Node", name: each });
    }
    assert.deepEqual(wrong, []);
    assert.ok(seen.short > 3 && seen.several > 0 && seen.aligned > 1, JSON.stringify(seen));
  });
});
