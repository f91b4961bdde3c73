import * as assert from "node:assert/strict";
import { buildPodTemplate } from "../../../../provider/minicluster/objects/podTemplate";
import {
  buildService,
  buildServicesService,
  buildSidecarServices,
} from "../../../../provider/minicluster/objects/service";
import { aContainer, aMiniCluster } from "../../../support/fixtures";
import { manifestsFor } from "../../../support/manifests";

describe("the service", () => {
  it("is headless, and names pods before they are ready, because they find each other by it", () => {
    assert.deepEqual(buildService(aMiniCluster()).spec, {
      clusterIP: "None",
      selector: { "job-name": "demo" },
      publishNotReadyAddresses: true,
      ports: [{ name: "broker", port: 8050, protocol: "TCP" }],
    });
  });

  it("has the name that the pods have as their subdomain", () => {
    for (const headlessName of [undefined, "hosts"]) {
      const spec = aMiniCluster({ network: { headlessName } });
      const template = buildPodTemplate(spec, {}) as { spec: { subdomain: string } };
      assert.equal((buildService(spec).metadata as { name: string }).name, headlessName ?? "demo");
      assert.equal(template.spec.subdomain, headlessName ?? "demo");
    }
  });

  it("selects only labels that the pods have and that a user cannot change", () => {
    const { metadata } = buildPodTemplate(aMiniCluster({ pod: { labels: { app: "x" } } }), {});
    assert.equal((metadata as { labels: Record<string, string> }).labels["job-name"], "demo");
  });
});

describe("the minimal service", () => {
  const service = buildService(aMiniCluster({ flux: { minimalService: true } }));

  it("gives the lead broker an address before it is ready, and no other pod one", () =>
    assert.deepEqual(service.spec, {
      type: "ClusterIP",
      selector: { "job-name": "demo", "batch.kubernetes.io/job-completion-index": "0" },
      publishNotReadyAddresses: true,
      ports: [{ name: "broker", port: 8050, protocol: "TCP" }],
    }));

  it("is not waited for: its pod comes after it", () => {
    const annotations = { "pulumi.com/skipAwait": "true", "pulumi.com/patchForce": "true" };
    assert.deepEqual((service.metadata as { annotations: object }).annotations, annotations);
    const { metadata } = buildService(aMiniCluster()) as { metadata: { annotations: object } };
    assert.ok(!("pulumi.com/skipAwait" in metadata.annotations));
  });
});

describe("the service of a sidecar", () => {
  const sidecars = (serviceName?: string) =>
    aMiniCluster({
      services: [{ image: "i", name: "store" }],
      containers: [
        aContainer({ runFlux: true, ports: [8080] }),
        aContainer({ name: "web", ports: [80, 443], serviceName }),
        aContainer({ name: "plain", ports: [6379] }),
      ],
    });

  it("is there where it has a name", () => {
    assert.equal(buildSidecarServices(sidecars()), undefined);
    assert.deepEqual(Object.keys(buildSidecarServices(sidecars("nginx")) ?? {}), ["web"]);
  });

  it("has that name, and leads to the ports of the sidecar alone, in every broker's pod and in no other", () => {
    const service = buildSidecarServices(sidecars("nginx"))?.["web"];
    assert.equal((service?.metadata as { name: string }).name, "nginx");
    assert.deepEqual(service?.spec, {
      type: "ClusterIP",
      // The pod of the services does not have this one.
      selector: { "batch.kubernetes.io/job-name": "demo" },
      publishNotReadyAddresses: true,
      ports: [80, 443].map((port) => ({ name: `tcp-${port}`, port, protocol: "TCP" })),
    });
  });

  it("is not waited for: its pods come after it", () => {
    const { annotations } = buildSidecarServices(sidecars("nginx"))?.["web"]?.metadata as { annotations: object };
    assert.deepEqual(annotations, { "pulumi.com/skipAwait": "true", "pulumi.com/patchForce": "true" });
  });

  it("changes nothing in the pods", () => {
    const [without, one, other] = [undefined, "nginx", "front"].map((name) => manifestsFor(sidecars(name)));
    for (const { job, configMap, jobScale } of [one!, other!])
      assert.deepEqual(
        [job.spec.template.spec, configMap, jobScale.metadata.annotations["minicluster/template-hash"]],
        [
          without!.job.spec.template.spec,
          without!.configMap,
          without!.jobScale.metadata.annotations["minicluster/template-hash"],
        ],
      );
  });
});

describe("the service in front of the services", () => {
  const serviceOf = (ports: number[][]) => {
    const services = ports.map((each, index) => ({ image: "i", name: `store-${index}`, ports: each }));
    return buildServicesService(aMiniCluster({ services }));
  };
  const selector = { "minicluster/services": "demo" };

  it("is not there without services", () => assert.equal(serviceOf([]), undefined));

  it("has the host name of their pod, and all of their ports", () => {
    const service = serviceOf([[80, 443], [], [6379]]);
    assert.equal((service?.metadata as { name: string }).name, "demo-services");
    assert.deepEqual(service?.spec, {
      type: "ClusterIP",
      selector,
      ports: [80, 443, 6379].map((port) => ({ name: `tcp-${port}`, port, protocol: "TCP" })),
    });
  });

  it("is headless without ports, which another one must have", () =>
    assert.deepEqual(serviceOf([[]])?.spec, { clusterIP: "None", selector, ports: [] }));

  it("is not waited for: its pod is", () => {
    const { annotations } = serviceOf([[80]])?.metadata as { annotations: object };
    assert.deepEqual(annotations, { "pulumi.com/skipAwait": "true", "pulumi.com/patchForce": "true" });
  });
});
