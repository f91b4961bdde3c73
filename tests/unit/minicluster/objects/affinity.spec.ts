import * as assert from "node:assert/strict";
import { MiniClusterAffinity } from "../../../../provider";
import { buildAffinity } from "../../../../provider/minicluster/objects/affinity";
import { aMiniCluster } from "../../../support/fixtures";

// The pod of the services bears the name of the Job, too, and may share a node with a broker.
const brokers = {
  matchLabels: { "job-name": "demo" },
  matchExpressions: [{ key: "batch.kubernetes.io/job-completion-index", operator: "Exists" }],
};
const term = (topologyKey: string) => ({ labelSelector: brokers, topologyKey });
const preferred = (topologyKey: string) => ({
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: term(topologyKey) }],
});
const zone = { podAffinity: preferred("topology.kubernetes.io/zone") };
const nodeAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [
      {
        matchExpressions: [
          { key: "pool", operator: "In", values: ["a", "b"] },
          { key: "disk", operator: "In", values: ["ssd"] },
        ],
      },
    ],
  },
};

const between: Record<MiniClusterAffinity, object | undefined> = {
  required: {
    ...zone,
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term("kubernetes.io/hostname")] },
  },
  preferred: { ...zone, podAntiAffinity: preferred("kubernetes.io/hostname") },
  none: undefined,
};

describe("affinity", () => {
  for (const affinity of Object.values(MiniClusterAffinity)) {
    it(`${affinity} says how the pods keep apart`, () =>
      assert.deepEqual(buildAffinity(aMiniCluster({ network: { affinity } })), between[affinity]));

    it(`${affinity} leaves the choice of nodes as it is`, () => {
      const pod = { nodeAffinity: { pool: ["a", "b"], disk: ["ssd"] } };
      const want = { nodeAffinity, ...between[affinity] };
      assert.deepEqual(buildAffinity(aMiniCluster({ network: { affinity }, pod })), want);
    });
  }
});
