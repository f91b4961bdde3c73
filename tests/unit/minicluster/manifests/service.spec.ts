import * as assert from "node:assert/strict";
import { buildPodTemplate } from "../../../../provider/minicluster/manifests/podTemplate";
import { buildService } from "../../../../provider/minicluster/manifests/service";
import { aMiniCluster } from "../../../support/fixtures";

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
