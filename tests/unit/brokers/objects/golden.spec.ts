import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../provider";
import { buildManifests } from "../../../../provider/brokers/objects";
import { givenCertificate, randomCertificate } from "../../../../provider/brokers/register/certificate";
import { aMiniCluster } from "../../../support/fixtures";
import { matchGolden } from "../../../support/golden";
import { standInKey } from "../../../support/manifests";
import { valueOf } from "../../../support/mocks";
import { scenarios } from "../../../support/scenarios";

/** The file of a scenario: `gpu-pool.yaml` of `gpuPool`. */
const fileOf = (scenario: string) => `${scenario.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.yaml`;

/** The manifests as the API server gets them, and the certificate that the cluster has in them. */
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
  for (const [scenario, args] of Object.entries(scenarios))
    it(scenario, async () => {
      const { manifests, certificate } = await goldenManifests(args);
      const { secret, ...others } = manifests;
      assert.deepEqual(secret.data, { "curve.cert": Buffer.from(certificate).toString("base64") });
      const standIn = { ...secret, data: { "curve.cert": "(a stand-in for the certificate)" } };
      matchGolden(fileOf(scenario), { secret: standIn, ...others });
      // The key is in the Secret alone.
      const [, key = ""] = /secret-key = "(.*)"/.exec(certificate) ?? [];
      assert.ok(!JSON.stringify(others).includes(JSON.stringify(key).slice(1, -1)));
    });
});
