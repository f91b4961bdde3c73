import * as assert from "node:assert/strict";
import { buildServicesService } from "../../../../provider/minicluster/objects/service";
import { aContainer, aMiniCluster } from "../../../support/fixtures";
import { manifestsOf } from "../../../support/manifests";

const tcp = (...ports: number[]) => ports.map((port) => ({ name: `tcp-${port}`, port, protocol: "TCP" }));

describe("the service of a sidecar", () => {
  const withSidecar = (serviceName?: string) => ({
    services: [{ image: "i", name: "store" }],
    containers: [
      aContainer({ runFlux: true, ports: [8080] }),
      aContainer({ name: "web", ports: [80, 443], serviceName }),
      aContainer({ name: "plain", ports: [6379] }),
    ],
  });

  it("has its name, and leads to the ports of the sidecar alone, in every broker's pod and in no other", () => {
    const { web, ...others } = manifestsOf(withSidecar("nginx")).sidecarServices ?? {};
    assert.deepEqual(others, {});
    assert.equal((web?.metadata as { name: string }).name, "nginx");
    assert.deepEqual(web?.spec, {
      type: "ClusterIP",
      // The pod of the services does not have this one.
      selector: { "batch.kubernetes.io/job-name": "demo" },
      publishNotReadyAddresses: true,
      ports: tcp(80, 443),
    });
  });

  it("changes nothing in the pods, and is not there without a name", () => {
    const { sidecarServices, ...without } = manifestsOf(withSidecar());
    assert.equal(sidecarServices, undefined);
    const { job, configMap } = manifestsOf(withSidecar("nginx"));
    assert.deepEqual([job.spec.template.spec, configMap], [without.job.spec.template.spec, without.configMap]);
  });
});

describe("the service in front of the services", () => {
  const serviceOf = (...ports: number[][]) => {
    const services = ports.map((each, index) => ({ image: "i", name: `store-${index}`, ports: each }));
    return buildServicesService(aMiniCluster({ services }))?.spec;
  };
  const selector = { "minicluster/services": "demo" };

  it("has all of their ports, and is headless without one, which another one must have", () => {
    assert.deepEqual(serviceOf([80, 443], [], [6379]), { type: "ClusterIP", selector, ports: tcp(80, 443, 6379) });
    assert.deepEqual(serviceOf([]), { clusterIP: "None", selector, ports: [] });
  });
});
