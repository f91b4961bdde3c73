import * as assert from "node:assert/strict";
import { metadata, patchMetadata } from "../../../../provider/minicluster/objects/metadata";
import { aMiniCluster } from "../../../support/fixtures";

const spec = aMiniCluster({ namespace: "hpc" });

describe("metadata", () => {
  it("puts every object into the cluster's namespace, with the cluster's labels, and takes its fields from anybody", () => {
    assert.deepEqual(metadata(spec, "x", { note: "y" }), {
      name: "x",
      namespace: "hpc",
      labels: { "app.kubernetes.io/name": "minicluster", "app.kubernetes.io/instance": "demo", "job-name": "demo" },
      annotations: { note: "y", "pulumi.com/patchForce": "true" },
    });
  });

  it("of a patch sets no labels, which would become the patch's own", () => {
    assert.deepEqual(patchMetadata(spec, "x", "123"), {
      name: "x",
      namespace: "hpc",
      annotations: { "pulumi.com/patchForce": "true", "minicluster/template-hash": "123" },
    });
    assert.equal(patchMetadata(spec, "x", "123", "456").annotations["minicluster/leaf-hash"], "456");
  });
});
