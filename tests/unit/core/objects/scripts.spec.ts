import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { scriptsHash } from "../../../../provider/core/objects/scripts";
import { scriptWarnings } from "../../../../provider/core/diagnostics/job";
import { version } from "../../../../provider/shared/version";
import { aMiniCluster } from "../../../support/fixtures";
import { manifestsOf } from "../../../support/manifests";

describe("the scripts of a version of this package", () => {
  const spec = aMiniCluster({ namespace: "hpc" });
  const patch = (scripts?: string) => ({
    metadata: { annotations: { ...(scripts && { "minicluster/scripts": scripts }) } },
  });

  it("are named as the reason where they replace the Job, and not where an argument does", () => {
    const [{ severity, message } = { severity: "", message: "" }] = scriptWarnings(spec, patch("old"), patch("new"));
    assert.equal(severity, "warning");
    assert.ok(
      message.startsWith(`new scripts of version ${version} replace the Job hpc/demo and restart every broker`),
    );
    assert.equal(scriptWarnings(spec, patch(), patch("new")).length, 1);
    assert.deepEqual(scriptWarnings(spec, patch("same"), patch("same")), []);
  });

  it("are marked in the patch of the ConfigMap, the same for every cluster", () => {
    const marks = [{}, { size: 3 }, { maxSize: 9, tasks: 4, interactive: true }].map(
      (args) => manifestsOf(args).configScale.metadata.annotations["minicluster/scripts"],
    );
    assert.deepEqual(new Set(marks), new Set([scriptsHash()]));
  });

  it("are those of the version in package.json", () => {
    const manifest = path.join(__dirname, "../../../../package.json");
    assert.equal(version, (JSON.parse(fs.readFileSync(manifest, "utf8")) as { version: string }).version);
  });
});
