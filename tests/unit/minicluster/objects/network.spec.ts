import * as assert from "node:assert/strict";
import { itBuilds, manifestsOf } from "../../../support/manifests";
import { aContainer } from "../../../support/fixtures";

const port = (number: number) => `{name: tcp-${number}, port: ${number}, protocol: TCP}`;
const cluster = "matchLabels: {job-name: demo}";
const broker = "matchExpressions: [{key: batch.kubernetes.io/job-completion-index, operator: Exists}]";
const range = (protocol: string, from: number, to: number) => `{protocol: ${protocol}, port: ${from}, endPort: ${to}}`;

describe("the service of a sidecar, and the service in front of the services", () => {
  itBuilds(`
# lead to the ports of the sidecar alone, in every broker's pod and in no other, and to those of all services
services: [{image: i, name: a, ports: [81, 444]}, {image: i, name: b}, {image: i, name: c, ports: [6379]}]
|containers: [!broker {ports: [8080]}, !side {ports: [80, 443], serviceName: nginx}, !side {name: plain, ports: [6379]}]
  sidecarServices.side.metadata.name: nginx
  sidecarServices.side.spec: !has {selector: {batch.kubernetes.io/job-name: demo}, ports: [${port(80)}, ${port(443)}]}
  sidecarServices.plain: !unset
  servicesService.spec: !has {selector: {minicluster/services: demo}, ports: [${port(81)}, ${port(444)}, ${port(6379)}]}
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

describe("the network policy of the brokers' port", () => {
  itBuilds(`
# opens it on the brokers' pods to the cluster's own alone, and every other port to all, once
network: {policy: brokerPort}
  networkPolicy.spec.podSelector: {${cluster}, ${broker}}
  networkPolicy.spec.ingress[0]: {from: [{podSelector: {${cluster}}}], ports: [{protocol: TCP, port: 8050}]}
  networkPolicy.spec.ingress[1].from: !unset
  networkPolicy.spec.ingress[1].ports: [${range("TCP", 1, 8049)}, ${range("TCP", 8051, 65_535)}, ${range("UDP", 1, 65_535)}, ${range("SCTP", 1, 65_535)}]
`);
});
