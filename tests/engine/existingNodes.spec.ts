import assert from "node:assert/strict";
import fc from "fast-check";
import { nodesBy } from "../../provider/clouds/existing/lookup";
import { createNodes, type NodeShape } from "../sandbox/nodes/simulated";
import {
  type Blocker,
  blocker,
  blockerOn,
  isAsForetold,
  lookedUp,
  type RoomCase,
  roomCase,
  roomOutcome,
} from "../support/roomCases";
import { sharedCluster } from "../support/sandboxHooks";

const label = "minicluster-tests/existing";

/** Taint of every node here, so that the pods and previews of other tests do not use it. */
const own = { key: label, effect: "NoSchedule" };

/** A simulated node, and what others run on it. */
interface RandomNode {
  cpu: number;
  memoryGi: number;
  architecture: string;
  gpus: number;
  hasFabric: boolean;
  isTainted: boolean;
  isCordoned: boolean;
  blockers: Blocker[];
}

const randomNode = fc.record<RandomNode>({
  cpu: fc.constantFrom(4, 8, 8, 8, 16),
  memoryGi: fc.constantFrom(32, 32, 64),
  architecture: fc.constantFrom("amd64", "amd64", "amd64", "arm64"),
  gpus: fc.constantFrom(0, 0, 4),
  hasFabric: fc.constantFrom(true, false),
  isTainted: fc.constantFrom(false, false, true),
  isCordoned: fc.constantFrom(false, false, false, false, true),
  blockers: fc.array(blocker, { maxLength: 2 }),
});

const randomCase = fc.record<{ nodes: RandomNode[]; room: RoomCase }>({
  nodes: fc.array(randomNode, { minLength: 1, maxLength: 7 }),
  room: roomCase,
});

const shapeOf = ({ cpu, memoryGi, architecture, gpus, hasFabric, isTainted }: RandomNode): NodeShape => ({
  architecture,
  capacity: {
    cpu: String(cpu),
    memory: `${memoryGi}Gi`,
    ...(gpus > 0 && { "nvidia.com/gpu": String(gpus) }),
    ...(hasFabric && { "rdma/hca_shared_devices_a": "63" }),
  },
  taints: [own, ...(isTainted ? [{ key: "gpu", value: "true", effect: "NoSchedule" }] : [])],
});

describe("Existing nodes", function () {
  this.timeout(600_000);

  it("have the room that a preview foretells, in 50 random cases", async () => {
    const { kube, kubeconfigPath, newNamespace } = sharedCluster();
    const namespace = await newNamespace();
    const seed = Number(process.env.MINICLUSTER_SEED ?? 59);
    const wrong: object[] = [];
    let short = 0;
    for (const [index, { nodes, room }] of fc.sample(randomCase, { seed, numRuns: 50 }).entries()) {
      const name = `room-${index}`;
      const labels = { [label]: name };
      const names: string[] = [];
      for (const [at, node] of nodes.entries()) {
        const [created = ""] = await createNodes(kube, at, 1, { namePrefix: name, labels, ...shapeOf(node) });
        names.push(created);
        if (node.isCordoned)
          await kube.patch({ apiVersion: "v1", kind: "Node", name: created }, { spec: { unschedulable: true } });
        const blockers = node.blockers.map((each, which) =>
          blockerOn(created, `${created}-${which}`, namespace, { ...each, gpus: node.gpus > 0 ? each.gpus : 0 }),
        );
        for (const each of blockers) await kube.create(each);
      }
      const first = await kube.get({ apiVersion: "v1", kind: "Node", name: names[0] ?? "" });
      const { scheduling } = await lookedUp(kubeconfigPath, { selector: labels }, first);
      const outcome = await roomOutcome(kube, kubeconfigPath, { name, namespace }, room, scheduling);
      if (outcome.foretold < room.size) short += 1;
      if (!isAsForetold(outcome)) wrong.push({ index, ...outcome, room, nodes, scheduling });
      for (const each of names) await kube.delete({ apiVersion: "v1", kind: "Node", name: each });
    }
    assert.deepEqual(wrong, []);
    assert.ok(short > 10 && short < 45, `${short} of 50 cases have too little room`);
  });

  it("are refused with what to choose where they are of two kinds, or none", async () => {
    const { kube, kubeconfigPath } = sharedCluster();
    const selected = (name: string) => ({ [label]: name });
    const refusals = async (selector: Record<string, string>, args: object = {}) => {
      try {
        await nodesBy({ selector, ...args }, { kubeconfig: kubeconfigPath });
        return [];
      } catch (error) {
        return (error as { errors: { propertyPath: string; reason: string }[] }).errors.map(
          ({ propertyPath, reason }) => `${propertyPath}: ${reason}`,
        );
      }
    };
    const fabric = { "rdma/ib": "1" };
    const gpus = { "nvidia.com/gpu": "8" };
    const mixed = { labels: selected("mixed"), taints: [own] };
    await createNodes(kube, 0, 1, { namePrefix: "mixed-amd", ...mixed, capacity: { ...fabric, ...gpus } });
    await createNodes(kube, 0, 2, { namePrefix: "mixed-arm", ...mixed, architecture: "arm64" });
    assert.deepEqual(await refusals(selected("mixed")), [
      "node.arch: the nodes are amd64 and arm64, and pods have one architecture; set it to one of them",
      "node.gpus: 1 of 3 nodes have nvidia.com/gpu; set it to 8 to use these nodes alone, or to 0 for no GPUs",
    ]);
    assert.deepEqual(await refusals(selected("mixed"), { node: { gpus: 0 } }), [
      "node.arch: the nodes are amd64 and arm64, and pods have one architecture; set it to one of them",
      'fabric: 1 of 3 nodes advertise rdma/ib; set it to "rdma/ib" to use these nodes alone, or to "none"',
    ]);
    assert.deepEqual(await refusals(selected("mixed"), { node: { arch: "arm64" } }), []);
    assert.deepEqual(await refusals(selected("none")), [
      `selector: no node has ${label}=none; the nodes have ${label}: mixed`,
    ]);
    assert.deepEqual(await refusals({ "minicluster-tests/existign": "mixed" }), [
      `selector: no node has the label minicluster-tests/existign; did you mean ${label}?`,
    ]);
    assert.deepEqual(await refusals(selected("mixed"), { node: { arch: "arm64" }, deviceClasses: ["nothing"] }), [
      "deviceClasses[0]: the Kubernetes cluster has no DeviceClass nothing; it has none; install the driver of the " +
        "devices",
    ]);
  });
});
