import * as assert from "node:assert/strict";
import type { Device } from "../../../../provider/clouds/existing/parse/clusterObjects";
import {
  amountsIn,
  isFull,
  type NodeRoom,
  place,
  type PodNeeds,
  podRequests,
} from "../../../../provider/core/diagnostics/room";

const requesting = (requests: object, limits: object = {}) => ({ resources: { requests, limits } });
const sidecar = (cpu: string) => ({ ...requesting({ cpu }), restartPolicy: "Always" });
const init = (cpu: string) => requesting({ cpu });

describe("the requests of a pod", () => {
  const cases: Record<string, [spec: object, want: Record<string, number>]> = {
    "are the sum of its containers": [
      { containers: [requesting({ cpu: "1500m", memory: "1Gi" }), requesting({ cpu: 2, "nvidia.com/gpu": "8" })] },
      { cpu: 3500, memory: 1024 ** 3, "nvidia.com/gpu": 8 },
    ],
    "are the limits of a container that requests nothing of a resource": [
      { containers: [requesting({ cpu: "1" }, { cpu: "4", memory: "1Gi" })] },
      { cpu: 1000, memory: 1024 ** 3 },
    ],
    "are rounded up to a thousandth of a CPU": [{ containers: [requesting({ cpu: "0.0001" })] }, { cpu: 1 }],
    "count 0 of what is known only later": [
      { containers: [requesting({ cpu: {}, memory: "1Mi" })] },
      { cpu: 0, memory: 1024 ** 2 },
    ],
    "include sidecars": [{ containers: [init("1")], initContainers: [sidecar("2")] }, { cpu: 3000 }],
    "are those of a larger init container, which runs before the others": [
      { containers: [init("1"), init("1")], initContainers: [init("3"), init("2.5")] },
      { cpu: 3000 },
    ],
    "are those of the containers if an init container is smaller": [
      { containers: [init("2"), init("2")], initContainers: [init("3")] },
      { cpu: 4000 },
    ],
    "are those of an init container beside the sidecars that have started": [
      { containers: [init("1")], initContainers: [sidecar("1"), init("4"), sidecar("1")] },
      { cpu: 5000 },
    ],
    "do not count a later sidecar beside an init container": [
      { containers: [init("1")], initContainers: [init("3"), sidecar("1")] },
      { cpu: 3000 },
    ],
    "are the largest of each resource": [
      {
        containers: [requesting({ cpu: "4", memory: "1Mi" })],
        initContainers: [requesting({ cpu: "1", memory: "2Mi" })],
      },
      { cpu: 4000, memory: 2 * 1024 ** 2 },
    ],
    "are those of the whole pod, of each resource": [
      { containers: [requesting({ cpu: "4", memory: "2Mi" })], resources: { requests: { cpu: "2" } } },
      { cpu: 2000, memory: 2 * 1024 ** 2 },
    ],
    "are a limit of the whole pod where no container has a request": [
      { containers: [requesting({ cpu: "1" })], resources: { limits: { cpu: "4", memory: "1Mi" } } },
      { cpu: 1000, memory: 1024 ** 2 },
    ],
    "are huge pages of the limit of the whole pod": [
      { containers: [requesting({ "hugepages-2Mi": "2Mi" })], resources: { limits: { "hugepages-2Mi": "4Mi" } } },
      { "hugepages-2Mi": 4 * 1024 ** 2 },
    ],
    "include the overhead of its runtime class": [
      { containers: [init("1")], resources: { requests: { cpu: "2" } }, overhead: { cpu: "250m", memory: "1Mi" } },
      { cpu: 2250, memory: 1024 ** 2 },
    ],
  };
  for (const [name, [spec, want]] of Object.entries(cases))
    it(name, () => assert.deepEqual(Object.fromEntries(podRequests(spec as Record<string, unknown>)), want));
});

describe("the room of nodes", () => {
  const free = (amounts: Record<string, string>, devices: Device[] = []): NodeRoom => ({
    free: amountsIn({ pods: "110", cpu: "8", ...amounts }),
    devices,
  });
  const needing = (requests: Record<string, string>, more: Partial<PodNeeds> = {}): PodNeeds => ({
    requests: amountsIn(requests),
    claims: [],
    claimSets: 1,
    matchAttributes: [],
    areApart: false,
    ...more,
  });
  const aDevice = (driver: string, name: string, attributes = {}): Device => ({ driver, pool: "a", name, attributes });
  const at = (driver: string, ...roots: (string | undefined)[]) =>
    roots.map((root, index) => aDevice(driver, `${driver}-${index}`, root === undefined ? {} : { root }));
  const gpus = (count: number) => Array.from({ length: count }, (_, index) => aDevice("gpu", `gpu-${index}`));
  const claiming = (count: number, driver = "gpu") => [
    { isOfClass: (device: Device) => device.driver === driver, count },
  ];

  const cases: Record<string, [nodes: NodeRoom[], needs: PodNeeds, wanted: number, want: number]> = {
    "is for several pods on a node": [[free({})], needing({ cpu: "3" }), 9, 2],
    "is for one pod on each node if they are apart": [
      [free({}), free({})],
      needing({ cpu: "1" }, { areApart: true }),
      9,
      2,
    ],
    "is for no more pods than are wanted": [[free({}), free({})], needing({ cpu: "1" }), 3, 3],
    "is limited by the scarcest resource": [
      [free({ "nvidia.com/gpu": "2" })],
      needing({ cpu: "1", "nvidia.com/gpu": "1" }),
      9,
      2,
    ],
    "is nowhere if no node has a resource": [[free({})], needing({ "rdma/ib": "1" }), 9, 0],
    "needs nothing of a resource of which a pod requests 0": [[free({})], needing({ cpu: "8", "rdma/ib": "0" }), 9, 1],
    "is limited by the number of pods of a node": [[free({ pods: "2" })], needing({ cpu: "1" }), 9, 2],
    "is none on a node that others have overbooked": [
      [{ ...free({}), free: amountsIn({ pods: "-1", cpu: "8" }) }],
      needing({}),
      9,
      0,
    ],
    "is as large as the devices that no claim has": [
      [free({}, gpus(5))],
      needing({ cpu: "1" }, { claims: claiming(2) }),
      9,
      2,
    ],
    "is limited by the devices of all sets of a pod": [
      [free({}, gpus(7))],
      needing({}, { claims: claiming(1), claimSets: 2 }),
      9,
      3,
    ],
    "is limited by the sets of devices at one location": [
      [free({}, [...at("gpu", "10", "10", "20"), ...at("nic", "10", "20", "20")])],
      needing({}, { claims: [...claiming(1), ...claiming(1, "nic")], matchAttributes: ["root"] }),
      9,
      2,
    ],
    "is none for devices without the attribute of their location": [
      [free({}, [...at("gpu", undefined), ...at("nic", undefined)])],
      needing({}, { claims: [...claiming(1), ...claiming(1, "nic")], matchAttributes: ["root"] }),
      9,
      0,
    ],
    "is none without a device of a class": [[free({}, gpus(5))], needing({}, { claims: claiming(1, "nic") }), 9, 0],
  };
  for (const [name, [nodes, needs, wanted, want]] of Object.entries(cases))
    it(name, () => assert.equal(place(nodes, needs, wanted), want));

  it("is less for the next pods, by what the first ones request and claim", () => {
    const nodes = [free({ pods: "3" }, gpus(4))];
    assert.equal(place(nodes, needing({ cpu: "3" }, { claims: claiming(3) }), 9), 1);
    assert.deepEqual([nodes[0]?.free.get("cpu"), nodes[0]?.free.get("pods"), nodes[0]?.devices.length], [5000, 2, 1]);
    assert.equal(place(nodes, needing({ cpu: "1" }, { claims: claiming(1) }), 9), 1);
    assert.equal(place(nodes, needing({ cpu: "1" }), 9), 1);
  });

  it("is less for the next pods by the sets that the first ones claim", () => {
    const nodes = [free({}, [...at("gpu", "10", "20", "20"), ...at("nic", "20", "10", "20")])];
    const needs = needing({}, { claims: [...claiming(1), ...claiming(1, "nic")], matchAttributes: ["root"] });
    assert.deepEqual([place(nodes, needs, 2), nodes[0]?.devices.length, place(nodes, needs, 9)], [2, 2, 1]);
  });

  it("is not full for other pods", () => {
    const node = free({ cpu: "2" });
    assert.deepEqual([isFull(node, needing({ cpu: "3" })), isFull(node, needing({ cpu: "2" }))], [true, false]);
  });
});
