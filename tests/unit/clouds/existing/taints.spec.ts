import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { itFinds, lookedUp, messagesOf, nodesOf } from "./fixtures";

const gpu = { key: "gpu", value: "true", effect: "NoSchedule" } as const;
const team = { key: "team", effect: "NoExecute" } as const;
const controlPlane = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" } as const;

/** Keys of taints that go, or that end a node, each with the program that sets it. */
const lifecycle = {
  "the kubelet": "node.kubernetes.io/not-ready",
  "kubectl cordon": "node.kubernetes.io/unschedulable",
  "the cloud's controller": "node.cloudprovider.kubernetes.io/uninitialized",
  "the cluster autoscaler, before a removal": "ToBeDeletedByClusterAutoscaler",
  "the cluster autoscaler, of a candidate": "DeletionCandidateOfClusterAutoscaler",
  "a user, for the start of a node": "startup-taint.cluster-autoscaler.kubernetes.io/a",
  Karpenter: "karpenter.sh/disrupted",
  "the node readiness controller": "readiness.k8s.io/network",
  "the handler of EC2's notices": "aws-node-termination-handler/spot-itn",
  "GKE, before it ends a node": "cloud.google.com/impending-node-termination",
  Cilium: "node.cilium.io/agent-not-ready",
  "the driver of EBS": "ebs.csi.aws.com/agent-not-ready",
  "CoreWeave, before it takes a node": "node.coreweave.cloud/evict",
};

describe("the taints of existing nodes", () => {
  for (const [by, key] of Object.entries(lifecycle))
    it(`are not tolerated, and exclude no node, if they are of ${by}`, () => {
      const nodes = nodesOf({ taints: [{ key, effect: "NoSchedule" }] }, { taints: [{ key, effect: "NoExecute" }] });
      const found = lookedUp(nodes);
      assert.deepEqual([found.scheduling.taints, found.nodeCount, messagesOf(found)], [[], 2, []]);
    });

  itFinds(
    {
      "exclude the nodes of a control plane": {
        nodes: [{ taints: [controlPlane] }, {}, {}],
        want: { taints: [], nodeCount: 2 },
        messages: [
          "1 of 3 nodes are not used, because pods do not tolerate node-role.kubernetes.io/control-plane:NoSch…",
        ],
      },
      "are refused if all nodes are of a control plane": {
        nodes: [{ taints: [controlPlane] }],
        want: { taints: [], nodeCount: 0 },
        messages: [
          "taints: each of the 1 nodes has other taints (node-role.kubernetes.io/control-plane:NoSchedule); set…",
        ],
      },
      "include the control plane if the arguments tolerate it": {
        nodes: [{ taints: [controlPlane] }, {}],
        args: { taints: [controlPlane] },
        want: { taints: [controlPlane], nodeCount: 2 },
      },
      "are tolerated if all nodes have them, without a value that is absent": {
        nodes: [{ taints: [gpu, team] }, { taints: [team, gpu] }],
        want: { taints: [gpu, team], nodeCount: 2 },
      },
      "exclude nodes with a taint that others lack": {
        nodes: [{ taints: [gpu] }, { taints: [gpu, team] }],
        want: { taints: [gpu], nodeCount: 1 },
        messages: [
          "1 of 2 nodes are not used, because pods do not tolerate gpu=true:NoSchedule, team:NoExecute; add it to…",
        ],
      },
      "are others with another value": {
        nodes: [{ taints: [gpu] }, { taints: [{ ...gpu, value: "false" }] }],
        want: { taints: [], nodeCount: 0 },
        messages: [
          "taints: each of the 2 nodes has other taints (gpu=true:NoSchedule, gpu=false:NoSchedule); set the taints…",
        ],
      },
      "are others with another effect": {
        nodes: [{ taints: [gpu] }, {}],
        args: { taints: [{ ...gpu, effect: "NoExecute" }] },
        want: { taints: [{ ...gpu, effect: "NoExecute" }], nodeCount: 1 },
        messages: [
          "1 of 2 nodes are not used, because pods do not tolerate gpu=true:NoSchedule; add it to taints to use…",
        ],
      },
      "are not tolerated if only most nodes have them": {
        nodes: [{ taints: [gpu] }, { taints: [gpu] }, {}],
        want: { taints: [], nodeCount: 1 },
        messages: [
          "2 of 3 nodes are not used, because pods do not tolerate gpu=true:NoSchedule; add it to taints to use…",
        ],
      },
      "repel no pod if they are preferences": {
        nodes: [{ taints: [{ key: "slow", effect: "PreferNoSchedule" }] }, {}],
        want: { taints: [], nodeCount: 2 },
      },
      "are those of the arguments alone": {
        nodes: [{ taints: [gpu] }, { taints: [gpu, team] }],
        args: { taints: [gpu, team] },
        want: { taints: [gpu, team], nodeCount: 2 },
      },
      "that the arguments do not tolerate exclude nodes": {
        nodes: [{ taints: [gpu] }, {}],
        args: { taints: [] },
        want: { taints: [], nodeCount: 1 },
        messages: [
          "1 of 2 nodes are not used, because pods do not tolerate gpu=true:NoSchedule; add it to taints to use them",
        ],
      },
    },
    ({ scheduling: { taints }, nodeCount }) => ({ taints, nodeCount }),
  );

  it("may have a value that is known only later", () => {
    const later = { ...gpu, value: pulumi.output("true") };
    assert.equal(lookedUp(nodesOf({ taints: [gpu] }), { taints: [later] }).nodeCount, 1);
  });
});
