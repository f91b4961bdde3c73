import * as assert from "node:assert/strict";
import type { LookupNodesArgs } from "../../../../provider";
import type { NetworkAttachment, Node } from "../../../../provider/clouds/existing/parse/clusterObjects";
import { needsAttachment } from "../../../../provider/clouds/existing/parse/devices";
import { fabricRows } from "../../../../provider/clouds/existing/parse/fabrics";
import { abbreviated } from "../../../support/problems";
import { anAttachment, lookedUp, nodesAt, nodesOf, otherMessagesOf, type TestNode } from "./fixtures";

const having = (capacity: Record<string, string>, more: TestNode = {}) => nodesOf({ ...more, capacity });
const verbs = { OMPI_MCA_btl: "^openib", NCCL_SOCKET_IFNAME: "eth0" };
const networks = (...names: string[]) => ({
  "k8s.v1.cni.cncf.io/networks": names.map((name) => `default/${name}`).join(),
});
const times = <T>(count: number, item: T) => Array.from({ length: count }, () => item);

/** A network: the nodes, what pods get of it, and every message, of which parts may be omitted ("…"). */
interface Case {
  nodes: Node[];
  args?: LookupNodesArgs;
  attachments?: NetworkAttachment[];
  /** Undefined if the arguments are refused. */
  want?: { requests: Record<string, string>; interfaces: number; annotations?: object; settings?: object };
  messages?: string[];
}

const infiniband = { fabric: "infiniband", lockMemory: true, environment: verbs };
const rdma = { ...infiniband, fabric: "rdma" };

const cases: Record<string, Case> = {
  "is EFA with the huge pages of the node": {
    nodes: having({ "vpc.amazonaws.com/efa": "32", "hugepages-2Mi": "42240Mi" }),
    want: {
      requests: { "vpc.amazonaws.com/efa": "32", "hugepages-2Mi": "42240Mi" },
      interfaces: 32,
      settings: { fabric: "efa", lockMemory: false, environment: { FI_PROVIDER: "efa" } },
    },
  },
  "is EFA without huge pages that the node does not have": {
    nodes: having({ "vpc.amazonaws.com/efa": "1", "hugepages-2Mi": "0" }),
    want: {
      requests: { "vpc.amazonaws.com/efa": "1" },
      interfaces: 1,
      settings: { fabric: "efa", lockMemory: false, environment: { FI_PROVIDER: "efa" } },
    },
  },
  "is one unit of CoreWeave's thousand, without IPC_LOCK": {
    nodes: nodesAt("coreweave"),
    want: {
      requests: { "nvidia.com/gpu": "8", "rdma/ib": "1" },
      interfaces: 1,
      settings: { fabric: "infiniband", lockMemory: false, environment: { ...verbs, NCCL_IB_HCA: "ibp" } },
    },
  },
  "is one unit on CoreWeave, also if the plugin counts interfaces": {
    nodes: having({ "rdma/ib": "8" }, { labels: { "backend.coreweave.cloud/flavor": "infiniband" } }),
    want: {
      requests: { "rdma/ib": "1" },
      interfaces: 1,
      settings: { fabric: "infiniband", lockMemory: false, environment: { ...verbs, NCCL_IB_HCA: "ibp" } },
    },
  },
  "is all units of rdma/ib that can be interfaces": {
    nodes: having({ "rdma/ib": "8" }),
    want: { requests: { "rdma/ib": "8" }, interfaces: 8, settings: infiniband },
  },
  "is one unit of rdma/ib that counts pods": {
    nodes: nodesAt("nebius"),
    want: { requests: { "nvidia.com/gpu": "8", "rdma/ib": "1" }, interfaces: 1, settings: infiniband },
  },
  "is one unit of a shared device, which gives access to all": {
    nodes: nodesAt("on-premises"),
    want: { requests: { "rdma/rdma_shared_device_a": "1" }, interfaces: 1, settings: infiniband },
  },
  "is one unit of a shared device with another name": {
    nodes: having({ "rdma/hca_shared_devices_b": "500" }),
    want: { requests: { "rdma/hca_shared_devices_b": "1" }, interfaces: 1, settings: infiniband },
  },
  "is every virtual function of OKE, each attached": {
    nodes: nodesAt("oke"),
    attachments: [anAttachment("rdma-vf", "nvidia.com/rdma-vf"), anAttachment("other", "nvidia.com/other")],
    want: {
      requests: { "nvidia.com/gpu": "8", "nvidia.com/rdma-vf": "16" },
      interfaces: 16,
      annotations: networks(...times(16, "rdma-vf")),
      settings: {
        ...rdma,
        environment: {
          ...verbs,
          NCCL_IB_HCA: "mlx5",
          NCCL_IB_GID_INDEX: "3",
          NCCL_IB_SL: "0",
          NCCL_IB_TC: "41",
          NCCL_IB_TIMEOUT: "22",
        },
      },
    },
  },
  "is one interface of each name of the Network Operator": {
    nodes: having({ "nvidia.com/resibp1": "1", "nvidia.com/resibp2": "1" }),
    attachments: [anAttachment("ib-1", "nvidia.com/resibp1"), anAttachment("ib-2", "nvidia.com/resibp2")],
    want: {
      requests: { "nvidia.com/resibp1": "1", "nvidia.com/resibp2": "1" },
      interfaces: 2,
      annotations: networks("ib-1", "ib-2"),
      settings: infiniband,
    },
  },
  "is no network by a name of OpenShift alone": {
    nodes: having({ "openshift.io/mlxnics": "4" }),
    want: { requests: {}, interfaces: 0 },
  },
  "is the interfaces of OpenShift that the arguments name": {
    nodes: having({ "openshift.io/mlxnics": "2" }),
    args: { fabric: "openshift.io/mlxnics" },
    attachments: [anAttachment("mlx", "openshift.io/mlxnics")],
    want: {
      requests: { "openshift.io/mlxnics": "2" },
      interfaces: 2,
      annotations: networks("mlx", "mlx"),
      settings: rdma,
    },
  },
  "is attached by hand if no NetworkAttachmentDefinition is known": {
    nodes: having({ "nvidia.com/hostdev": "2" }),
    want: { requests: { "nvidia.com/hostdev": "2" }, interfaces: 2, settings: infiniband },
    messages: [
      "Multus attaches nvidia.com/hostdev by a NetworkAttachmentDefinition, and the Kubernetes cluster shows none…",
    ],
  },
  "is attached by hand if two NetworkAttachmentDefinitions have its interfaces": {
    nodes: having({ "nvidia.com/hostdev": "2" }),
    attachments: [anAttachment("a", "nvidia.com/hostdev"), anAttachment("b", "nvidia.com/hostdev")],
    want: { requests: { "nvidia.com/hostdev": "2" }, interfaces: 2, settings: infiniband },
    messages: [
      "Multus attaches nvidia.com/hostdev by a NetworkAttachmentDefinition, and the Kubernetes cluster has default/a…",
    ],
  },
  "is one unit of a resource that no row has": {
    nodes: having({ "example.com/nic": "4" }),
    args: { fabric: "example.com/nic" },
    want: { requests: { "example.com/nic": "1" }, interfaces: 0 },
  },
  "is none if the arguments say so": {
    nodes: having({ "rdma/ib": "8" }),
    args: { fabric: "none" },
    want: { requests: {}, interfaces: 0 },
  },
  "is a choice if only some nodes have it": {
    nodes: nodesOf({ capacity: { "rdma/ib": "8" } }, {}),
    messages: ['fabric: 1 of 2 nodes advertise rdma/ib; set it to "rdma/ib" to use these nodes alone, or to "none"'],
  },
  "is a choice if nodes have two": {
    nodes: having({ "rdma/ib": "8", "vpc.amazonaws.com/efa": "4" }),
    messages: ['fabric: the nodes advertise rdma/ib and vpc.amazonaws.com/efa; set it to one of them, or to "none"'],
  },
  "is refused if no node has it": {
    nodes: having({ "rdma/ib": "8" }),
    args: { fabric: "rdma/shared_ib" },
    messages: ["fabric: no node advertises rdma/shared_ib; they advertise rdma/ib"],
  },
  "is of no node whose plugin has stopped on all": {
    nodes: having({ "rdma/ib": "0" }),
    args: { fabric: "rdma/ib" },
    messages: ["fabric: no node advertises rdma/ib; they advertise no network that is known"],
  },
  "has a warning of a node whose plugin has stopped": {
    nodes: nodesOf({ capacity: { "rdma/ib": "8" } }, { capacity: { "rdma/ib": "8" }, allocatable: { "rdma/ib": "0" } }),
    want: { requests: { "rdma/ib": "8" }, interfaces: 8, settings: infiniband },
    messages: ["node node-1 offers 0 of 8 rdma/ib; check its device plugin, or cordon it"],
  },
};

/** The settings of pods without a network. */
const none = { fabric: undefined, lockMemory: undefined, environment: undefined };

describe("the network of existing nodes", () => {
  for (const [name, { nodes, args, attachments, want, messages = [] }] of Object.entries(cases))
    it(name, () => {
      const found = lookedUp(nodes, args, attachments && { attachments });
      assert.deepEqual(abbreviated(otherMessagesOf(found), messages), messages);
      if (!want) return;
      const { resources: requests, node, annotations, environment, lockMemory } = found.scheduling;
      const { fabricInterfaces: interfaces, fabric } = node;
      const { settings, ...wanted } = { annotations: undefined, settings: none, ...want };
      assert.deepEqual(
        { requests, interfaces, annotations, settings: { fabric, lockMemory, environment } },
        { ...wanted, settings },
      );
    });

  it("is tested for each row of the table that has a resource", () => {
    const requested = Object.values(cases).flatMap(({ want }) => Object.keys(want?.requests ?? {}));
    const isTested = (pattern: string) =>
      requested.some((name) => (pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
    const resources = fabricRows.filter(({ names }) => names.some((name) => name.includes("/")));
    assert.deepEqual(
      resources.filter(({ names }) => !names.some(isTested)),
      [],
    );
  });

  const attached: Record<string, [fabric: string | undefined, nodes: Node[], want: boolean]> = {
    "of OKE": [undefined, nodesAt("oke"), true],
    "of shared devices": [undefined, nodesAt("on-premises"), false],
    "of EFA that the arguments name": ["vpc.amazonaws.com/efa", having({ "vpc.amazonaws.com/efa": "1" }), false],
    "of OpenShift without the arguments": [undefined, having({ "openshift.io/a": "1" }), false],
    "of OpenShift that the arguments name": ["openshift.io/a", having({ "openshift.io/a": "1" }), true],
  };
  for (const [name, [fabric, nodes, want]] of Object.entries(attached))
    it(`${want ? "reads" : "reads no"} NetworkAttachmentDefinitions for the interfaces ${name}`, () =>
      assert.equal(needsAttachment(fabric, nodes), want));
});
