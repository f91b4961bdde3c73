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
  const cluster = { matchLabels: { "job-name": "demo" } };

  it("opens it on the brokers' pods, and on those alone, to the cluster's own", () => {
    const isBroker = [{ key: "batch.kubernetes.io/job-completion-index", operator: "Exists" }];
    assert.deepEqual(podSelector, { ...cluster, matchExpressions: isBroker });
    assert.deepEqual(ingress[0], { from: [{ podSelector: cluster }], ports: [{ protocol: "TCP", port: 8050 }] });
  });

  it("opens every other port to all, once", () => {
    const ports = (ingress[1]?.ports ?? []).map(({ protocol, port, endPort }) => `${protocol} ${port}-${endPort}`);
    assert.deepEqual([ingress[1]?.from, ports], [undefined, ["TCP 1-8049", "TCP 8051-65535", "UDP 1-65535", "SCTP 1-65535"]]); // prettier-ignore
  });
});
