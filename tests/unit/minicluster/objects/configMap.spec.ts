import * as assert from "node:assert/strict";
import { buildConfigMap, buildConfigScale } from "../../../../provider/minicluster/objects/configMap";
import { aMiniCluster } from "../../../support/fixtures";

const files = { "broker.sh": "echo a\n" };

describe("the ConfigMap", () => {
  it("holds the files and the size", () => {
    const { metadata, data } = buildConfigMap(aMiniCluster({ size: 3 }), files);
    assert.deepEqual([metadata.name, metadata.namespace], ["demo-entrypoint", "default"]);
    assert.deepEqual(data, { "broker.sh": "echo a\n", size: "3" });
  });

  it("is patched with the size alone, under the same name", () => {
    const { metadata, data } = buildConfigScale(aMiniCluster({ size: 3 }), files);
    assert.deepEqual([metadata.name, metadata.namespace], ["demo-entrypoint", "default"]);
    assert.deepEqual(data, { size: "3" });
    assert.equal(metadata.annotations["pulumi.com/patchForce"], "true");
  });

  it("is patched again when its files have changed, and not when only the size has", () => {
    const hash = (size: number, content: Record<string, string>) =>
      buildConfigScale(aMiniCluster({ size }), content).metadata.annotations["minicluster/template-hash"];
    assert.equal(hash(3, files), hash(4, files));
    assert.notEqual(hash(3, files), hash(3, { "broker.sh": "echo b\n" }));
  });
});
