import * as assert from "node:assert/strict";
import { buildNetworkPolicy } from "../../../../provider/minicluster/objects/network";
import { itBuilds, manifestsOf } from "../../../support/manifests";
import { aContainer, aMiniCluster } from "../../../support/fixtures";

describe("the service of a sidecar, and the service in front of the services", () => {
  itBuilds(`
# lead to the ports of the sidecar alone, in every broker's pod and in no other, and to those of all services
services: [{image: i, name: a, ports: [81, 444]}, {image: i, name: b}, {image: i, name: c, ports: [6379]}]
|containers: [!broker {ports: [8080]}, !side {ports: [80, 443], serviceName: nginx}, !side {name: plain, ports: [6379]}]
  sidecarServices.side.metadata.name: nginx
  sidecarServices.side.spec.type: ClusterIP
  sidecarServices.side.spec.selector: {batch.kubernetes.io/job-name: demo}
  sidecarServices.side.spec.publishNotReadyAddresses: true
  sidecarServices.side.spec.ports: [{name: tcp-80, port: 80, protocol: TCP}, {name: tcp-443, port: 443, protocol: TCP}]
  sidecarServices.plain: !unset
  servicesService.spec.type: ClusterIP
  servicesService.spec.selector: {minicluster/services: demo}
  servicesService.spec.ports[1]: {name: tcp-444, port: 444, protocol: TCP}
  servicesService.spec.ports[2]: {name: tcp-6379, port: 6379, protocol: TCP}
# are not there without a name, and headless without ports, which a service must have
{services: [{image: i, name: a}], containers: [!broker {}, !side {ports: [80]}]}
  sidecarServices: !unset
  servicesService.spec: {clusterIP: None, selector: {minicluster/services: demo}, ports: []}
`);

  it("change nothing in the pods of the brokers", () => {
    const podsWith = (serviceName?: string) => {
      const side = aContainer({ name: "web", ports: [80], serviceName });
      const { job, configMap } = manifestsOf({ containers: [aContainer({ runFlux: true }), side] });
      return [job.spec.template.spec, configMap];
    };
    assert.deepEqual(podsWith("nginx"), podsWith());
  });
});

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
