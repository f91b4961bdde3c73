import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import type { Node } from "../../../../provider/clouds/existing/parse/clusterObjects";
import { poolNodeDiagnostics } from "../../../../provider/core/diagnostics/poolNodes";
import { jobSelector } from "../../../../provider/core/parse/names";
import { aContainer, aMiniCluster } from "../../../support/fixtures";
import { abbreviated } from "../../../support/problems";
import { aNode, lookedUp, nodesOf, type TestNode } from "../../clouds/existing/fixtures";

const rack = { "example.com/rack": "gpu" };
const onRack = (...shapes: TestNode[]) => nodesOf(...shapes.map((shape) => ({ labels: rack, ...shape })));

/** A pod of others on a node. */
const other = (node: string, requests: object, more: { namespace?: string; labels?: object; uid?: string } = {}) => ({
  node,
  pod: {
    metadata: { namespace: "others", ...more },
    spec: { containers: [{ resources: { requests } }] },
  },
});

/** The claim of a device of a node. */
const aClaim = (node: string, result: object = {}, metadata: object = {}) => ({
  metadata,
  status: { allocation: { devices: { results: [{ driver: "gpu", pool: node, device: "a", ...result }] } } },
});

/** A cluster on nodes, and what the API server has. */
interface Case {
  nodes: Node[];
  args?: Partial<MiniClusterArgs>;
  /** The nodes as the pool was looked up on them. Default: the nodes. */
  pool?: MiniClusterArgs["pool"];
  pods?: ReturnType<typeof other>[] | "denied";
  more?: boolean;
  /** Objects of resource.k8s.io, by their kind. */
  devices?: Record<string, object[]>;
}

const specOf = ({ nodes, args, pool }: Case) =>
  aMiniCluster({
    size: 2,
    containers: [aContainer({ resources: { requests: { cpu: "1", memory: "1Gi" } } })],
    pool: pool ?? lookedUp(nodes, { selector: rack, name: "rack", node: { cores: 48 } }).scheduling,
    ...args,
  });

/** Each line of a preview, as `severity: message`. */
async function linesOf(given: Case): Promise<string[]> {
  const spec = specOf(given);
  const read = (path: string) => {
    const url = new URL(path, "http://localhost");
    if (url.pathname === "/api/v1/nodes")
      return Promise.resolve({ items: given.nodes, metadata: { continue: given.more ? "more" : "" } });
    const { pods = [], devices = {} } = given;
    const [, kind] = /^\/apis\/resource\.k8s\.io\/v1\/(\w+)$/.exec(url.pathname) ?? [];
    if (kind !== undefined) return Promise.resolve({ items: devices[kind] ?? [] });
    if (pods === "denied") return Promise.reject(new Error("403"));
    const [, node] = /spec\.nodeName=([^,]+)/.exec(url.searchParams.get("fieldSelector") ?? "") ?? [];
    return Promise.resolve({ items: pods.filter((each) => each.node === node).map(({ pod }) => pod) });
  };
  const found = await poolNodeDiagnostics([{ spec, sourcePathOf: (path) => path }], read);
  return found.map(({ severity, message }) => `${severity}: ${message}`);
}

const pool = lookedUp(onRack({}), { selector: rack, name: "rack", node: { cores: 48 } }).scheduling;
const gpu = { capacity: { "nvidia.com/gpu": "8" } };

describe("the line of a preview on existing nodes", () => {
  const cases: Record<string, [want: string, given: Case]> = {
    "has the hardware and the room": [
      "info: pool rack: 2 nodes match: 96 CPUs, 384 GiB; room for 2 of size 2",
      { nodes: onRack({}, {}) },
    ],
    "has the range of what differs, and GPUs": [
      "info: pool rack: 2 nodes match: 96 CPUs, 384 GiB to 2.0 TiB, 8 × nvidia.com/gpu; room for 2 of size 2",
      { nodes: onRack(gpu, { capacity: { ...gpu.capacity, memory: "2Ti" } }) },
    ],
    "warns of too few nodes": [
      "warning: pool rack: 1 node matches: 96 CPUs, 384 GiB; room for 1 of size 2; add or free nodes, or lower size",
      { nodes: onRack({}) },
    ],
    "names the limits of autoscale, of which only the least is due now": [
      "info: pool rack: 1 node matches: 96 CPUs, 384 GiB; room for 1 of autoscale.min 1, 1 of autoscale.max 6",
      {
        nodes: onRack({}),
        args: { size: undefined, autoscale: { min: 1, max: 6 }, container: { image: "i" }, containers: undefined },
      },
    ],
    "does not warn if not all nodes are read": [
      "info: pool rack: 2 or more nodes match: 96 CPUs, 384 GiB; room for 2 of size 3",
      { nodes: onRack({}, {}), args: { size: 3 }, more: true },
    ],
    "counts what the node offers to pods, not what it has": [
      "warning: pool rack: 2 nodes match: 96 CPUs, 384 GiB; 1 is full; room for 1 of size 2…",
      { nodes: onRack({}, { allocatable: { cpu: "900m" } }) },
    ],
    "counts what other pods request": [
      "warning: pool rack: 2 nodes match: 96 CPUs, 384 GiB; 1 is full; room for 1 of size 2…",
      { nodes: onRack({}, {}), pods: [other("node-1", { cpu: "95500m" })] },
    ],
    "counts no pod of the cluster itself": [
      "info: pool rack: 2 nodes match: 96 CPUs, 384 GiB; room for 2 of size 2",
      {
        nodes: onRack({}, {}),
        pods: [other("node-1", { cpu: "96" }, { namespace: "default", labels: jobSelector(aMiniCluster({})) })],
      },
    ],
    "counts a pod of the same name in another namespace": [
      "warning: pool rack: 2 nodes match: 96 CPUs, 384 GiB; 1 is full; room for 1 of size 2…",
      { nodes: onRack({}, {}), pods: [other("node-1", { cpu: "96" }, { labels: jobSelector(aMiniCluster({})) })] },
    ],
    "says that other pods do not count": [
      "info: pool rack: 2 nodes match: 96 CPUs, 384 GiB; listing pods is not allowed, so other pods do not count…",
      { nodes: onRack({}, {}), pods: "denied" },
    ],
    "has no room on a node that is cordoned, or not ready": [
      "warning: pool rack: 3 nodes match: 96 CPUs, 384 GiB; 1 is cordoned; 1 is not ready; room for 1 of size 2…",
      {
        nodes: [
          { ...aNode({ name: "node-0", labels: rack }), spec: { unschedulable: true } },
          ...onRack({ taints: [{ key: "node.kubernetes.io/not-ready", effect: "NoExecute" }] }, {}),
        ],
      },
    ],
    "has no room on a node with a taint that pods do not tolerate": [
      "warning: pool rack: 2 nodes match: 96 CPUs, 384 GiB; 1 is tainted team=a:NoSchedule (not tolerated); room…",
      { nodes: onRack({}, { taints: [{ key: "team", value: "a", effect: "NoSchedule" }] }), pool },
    ],
    "names the taints that pods tolerate": [
      "info: pool rack: 2 nodes match: 96 CPUs, 384 GiB; tainted gpu:NoSchedule (tolerated); room for 2 of size 2",
      { nodes: onRack(...[1, 2].map(() => ({ taints: [{ key: "gpu", effect: "NoSchedule" }] }))) },
    ],
    "has the room for more pods, if the cluster is elastic": [
      "info: pool rack: 3 nodes match: 96 CPUs, 384 GiB; room for 2 of size 2, 3 of maxSize 8",
      { nodes: onRack({}, {}, {}), args: { maxSize: 8 } },
    ],
    "has several pods on a node, if they need not be apart": [
      "info: pool rack: 1 node matches: 96 CPUs, 384 GiB; room for 2 of size 2",
      { nodes: onRack({}), args: { network: { affinity: "none" } } },
    ],
    "has no room on a node without a label that the arguments require": [
      "warning: pool rack: 2 nodes match: 96 CPUs, 384 GiB; room for 1 of size 2…",
      { nodes: onRack({}, { labels: { ...rack, disk: "ssd" } }), args: { pod: { nodeSelector: { disk: "ssd" } } } },
    ],
    "counts no device that a claim has, and all devices of each set": [
      "warning: pool rack: 2 nodes match: 96 CPUs, 384 GiB; 1 is full; room for 1 of size 2…",
      {
        nodes: onRack({}, {}),
        pool: { ...pool, claims: [{ name: "gpu", deviceClass: "gpu", count: 1 }], claimSets: 2 },
        devices: {
          deviceclasses: [{ metadata: { name: "gpu" }, spec: { selectors: [] } }],
          resourceslices: ["node-0", "node-1"].map((nodeName) => ({
            spec: { driver: "gpu", nodeName, pool: { name: nodeName }, devices: [{ name: "a" }, { name: "b" }] },
          })),
          resourceclaims: [aClaim("node-1")],
        },
      },
    ],
    "counts devices that the pods of the cluster have, or a claim for administration": [
      "info: pool rack: 2 nodes match: 96 CPUs, 384 GiB; room for 2 of size 2",
      {
        nodes: onRack({}, {}),
        pods: [other("node-0", {}, { namespace: "default", labels: jobSelector(aMiniCluster({})), uid: "own" })],
        pool: { ...pool, claims: [{ name: "gpu", deviceClass: "gpu", count: 2 }] },
        devices: {
          deviceclasses: [{ metadata: { name: "gpu" }, spec: { selectors: [] } }],
          resourceslices: ["node-0", "node-1"].map((nodeName) => ({
            spec: { driver: "gpu", nodeName, pool: { name: nodeName }, devices: [{ name: "a" }, { name: "b" }] },
          })),
          resourceclaims: [
            aClaim("node-0", {}, { ownerReferences: [{ uid: "own" }] }),
            aClaim("node-1", { adminAccess: true }),
          ],
        },
      },
    ],
    "says that no node has the labels": [
      "info: pool rack: no node has its labels now (example.com/rack=gpu); pods wait until one is added",
      { nodes: [], pool },
    ],
  };
  for (const [name, [want, given]] of Object.entries(cases))
    it(name, async () => assert.deepEqual(abbreviated(await linesOf(given), [want]), [want]));

  it("is not there for a pool of this package, whose nodes do not exist yet", async () => {
    const own = { ...pool, nodeSelector: { "minicluster/pool": "rack" } };
    assert.deepEqual(await linesOf({ nodes: onRack({}), pool: own }), []);
  });

  it("is not there for a cluster that is suspended", async () =>
    assert.deepEqual(await linesOf({ nodes: onRack({}), args: { suspend: true } }), []));

  it("is not there where nodes cannot be read", async () => {
    const job = { spec: specOf({ nodes: onRack({}) }), sourcePathOf: (path: PropertyKey[]) => path };
    assert.deepEqual(await poolNodeDiagnostics([job], () => Promise.reject(new Error("403"))), []);
  });
});
