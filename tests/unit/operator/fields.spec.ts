import * as assert from "node:assert/strict";
import { miniClusterManifestFields } from "../../../provider/operator/fields/v1alpha2";
import { problemsIn } from "../../support/manifestTexts";

describe("the fields of v1alpha2", () => {
  it("are listed by their paths, each once", () => {
    assert.equal(new Set(miniClusterManifestFields).size, miniClusterManifestFields.length);
    for (const path of [
      "spec.size",
      "spec.jobLabels",
      "spec.containers[].ports",
      "spec.containers[].environment",
      "spec.containers[].secrets.*.key",
      "spec.containers[].volumes.*.hostPath",
      "spec.services[].resources.limits",
      "spec.flux.bursting.clusters[].size",
      "spec.pod.nodeAffinity",
      "spec.pod.tolerations[].effect",
    ])
      assert.ok(miniClusterManifestFields.includes(path), path);
  });

  it("are all known to the reader, and no field beside them is", () => {
    const unknown = (paths: readonly string[]) =>
      paths.filter((path) =>
        problemsIn(JSON.stringify(nested(path))).some((problem) => problem.includes("unknown field")),
      );
    assert.deepEqual(unknown(miniClusterManifestFields), []);
    const others = ["spec.containers[].existingVolumes", "spec.flux.container.imageVolume", "spec.suspend"];
    assert.deepEqual(unknown(others), others);
  });
});

/** A manifest with something at the path of a field. */
function nested(path: string): object {
  const content = path.split(".").reduceRight<unknown>((inner, step) => {
    if (step === "*") return { a: inner };
    const [name = "", list] = step.split("[");
    return { [name]: list === undefined ? inner : [inner] };
  }, "x");
  const head = { apiVersion: "flux-framework.org/v1alpha2", kind: "MiniCluster", metadata: { name: "demo" } };
  return { ...head, ...(content as object) };
}
