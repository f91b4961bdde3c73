import * as assert from "node:assert/strict";
import { itBuilds, manifestsOf } from "../../../support/manifests";
import { aContainer } from "../../../support/fixtures";

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
