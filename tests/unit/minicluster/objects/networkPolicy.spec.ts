import * as assert from "node:assert/strict";
import type { MiniClusterNetworkPolicy } from "../../../../provider";
import { buildNetworkPolicy } from "../../../../provider/minicluster/objects/networkPolicy";
import { aMiniCluster } from "../../../support/fixtures";

interface Port {
  protocol: string;
  port: number;
  endPort?: number;
}
interface Policy {
  podSelector: object;
  policyTypes: string[];
  ingress: { from?: object[]; ports?: Port[] }[];
}

const policyOf = (policy: MiniClusterNetworkPolicy) => buildNetworkPolicy(aMiniCluster({ network: { policy } }));
const specOf = (policy: MiniClusterNetworkPolicy) => policyOf(policy)?.spec as unknown as Policy;
const cluster = { matchLabels: { "job-name": "demo" } };
const brokers = {
  ...cluster,
  matchExpressions: [{ key: "batch.kubernetes.io/job-completion-index", operator: "Exists" }],
};

describe("the network policy", () => {
  it("is not there by default", () => assert.equal(policyOf("none"), undefined));

  it("has the name of the cluster, and rules on what comes in alone", () => {
    for (const policy of ["brokerPort", "pods"] as const) {
      assert.equal((policyOf(policy)?.metadata as { name: string }).name, "demo");
      assert.deepEqual(specOf(policy).policyTypes, ["Ingress"]);
    }
  });

  it("of pods closes every port of every pod to all but the cluster's own, services included", () =>
    assert.deepEqual(specOf("pods"), {
      podSelector: cluster,
      policyTypes: ["Ingress"],
      ingress: [{ from: [{ podSelector: cluster }] }],
    }));

  describe("of the brokers' port", () => {
    const { podSelector, ingress } = specOf("brokerPort");
    const [own, others] = ingress;

    it("is one of the brokers' pods, and leaves the services alone", () => assert.deepEqual(podSelector, brokers));

    it("opens it to the cluster's own pods", () =>
      assert.deepEqual(own, { from: [{ podSelector: cluster }], ports: [{ protocol: "TCP", port: 8050 }] }));

    it("opens every other port to all, once", () => {
      assert.equal(others?.from, undefined);
      for (const protocol of ["TCP", "UDP", "SCTP"]) {
        const ranges = (others?.ports ?? []).filter((port) => port.protocol === protocol);
        const open = new Array<number>(65_536).fill(0);
        for (const { port, endPort = port } of ranges)
          for (let number = port; number <= endPort; number++) open[number]! += 1;
        const want = open.map((_, number) => (number === 0 || (protocol === "TCP" && number === 8050) ? 0 : 1));
        assert.deepEqual(open, want, protocol);
      }
    });
  });
});
