import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../provider";
import { buildManifests } from "../../../../provider/minicluster/objects";
import { givenCertificate, randomCertificate } from "../../../../provider/minicluster/register/lateValues";
import { aMiniCluster } from "../../../support/fixtures";
import { matchGolden } from "../../../support/golden";
import { standInKey } from "../../../support/manifests";
import { valueOf } from "../../../support/mocks";
import { scenarios } from "../../../support/scenarios";

const files: Record<keyof typeof scenarios, string> = {
  lammps: "lammps.yaml",
  armElastic: "arm-elastic.yaml",
  ensemble: "batch-ensemble.yaml",
  interactiveSidecar: "interactive-sidecar.yaml",
  webService: "web-service.yaml",
  gpuVolumes: "gpu-volumes.yaml",
  gpuPool: "gpu-pool.yaml",
  armPool: "arm-pool.yaml",
  customConfig: "custom-config.yaml",
  restricted: "restricted-archive.yaml",
};

/** The manifests as the API server gets them, around the certificate that the cluster would have, and that certificate. */
async function goldenManifests(args: MiniClusterArgs) {
  const spec = aMiniCluster(args);
  const { curveCert } = spec.flux;
  const certificate =
    curveCert === undefined ? randomCertificate(spec.name, standInKey) : givenCertificate("flux.curveCert", curveCert);
  const known: unknown = await valueOf(pulumi.output(buildManifests(spec, { certificate })));
  const manifests = JSON.parse(JSON.stringify(known)) as { secret: { data: Record<string, string> } };
  return { manifests, certificate: await valueOf(certificate.text) };
}

describe("golden manifests", () => {
  for (const [scenario, file] of Object.entries(files))
    it(file, async () => {
      const { manifests, certificate } = await goldenManifests(scenarios[scenario as keyof typeof scenarios]);
      const { secret, ...others } = manifests;
      assert.deepEqual(secret.data, { "curve.cert": Buffer.from(certificate).toString("base64") });
      const standIn = { ...secret, data: { "curve.cert": "(a stand-in for the certificate)" } };
      matchGolden(file, { secret: standIn, ...others });
      // The key is in the Secret alone.
      const [, key = ""] = /secret-key = "(.*)"/.exec(certificate) ?? [];
      assert.ok(!JSON.stringify(others).includes(JSON.stringify(key).slice(1, -1)));
    });
});
