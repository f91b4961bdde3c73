import * as assert from "node:assert/strict";
import { buildNetworkPolicy } from "../../../../provider/minicluster/objects/networkPolicy";
import { aMiniCluster } from "../../../support/fixtures";

interface Policy {
  podSelector: object;
  ingress: { from?: object[]; ports?: { protocol: string; port: number; endPort?: number }[] }[];
}

describe("the network policy of the brokers' port", () => {
  const policy = buildNetworkPolicy(aMiniCluster({ network: { policy: "brokerPort" } }))?.spec;
  const { podSelector, ingress } = policy as unknown as Policy;
  const [own, others] = ingress;
  const cluster = { matchLabels: { "job-name": "demo" } };

  it("opens it on the brokers' pods, and on those alone, to the cluster's own", () => {
    const isBroker = [{ key: "batch.kubernetes.io/job-completion-index", operator: "Exists" }];
    assert.deepEqual(podSelector, { ...cluster, matchExpressions: isBroker });
    assert.deepEqual(own, { from: [{ podSelector: cluster }], ports: [{ protocol: "TCP", port: 8050 }] });
  });

  it("opens every other port to all, once", () => {
    assert.equal(others?.from, undefined);
    for (const protocol of ["TCP", "UDP", "SCTP"]) {
      const open = new Array<number>(65_536).fill(0);
      for (const { port, endPort = port } of (others?.ports ?? []).filter((each) => each.protocol === protocol))
        for (let number = port; number <= endPort; number++) open[number]! += 1;
      const want = open.map((_, number) => (number === 0 || (protocol === "TCP" && number === 8050) ? 0 : 1));
      assert.deepEqual(open, want, protocol);
    }
  });
});
