import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../provider";
import { allManifests } from "../../../support/specs";
import { givenCertificate, randomCertificate } from "../../../../provider/core/register/certificate";
import { differences } from "../../../support/differences";
import { aMiniCluster } from "../../../support/fixtures";
import { matchGolden, withoutTexts } from "../../../support/golden";
import { standInKey } from "../../../support/manifests";
import { valueOf } from "../../../support/mocks";
import { scenarios } from "../../../support/everything";

/** The file of a scenario: `gpu-pool.yaml` of `gpuPool`. */
const fileOf = (scenario: string) =>
  `manifests/${scenario.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.yaml`;

/** The manifests as the API server gets them, and the certificate that is in them. */
async function sentManifests(args: Partial<MiniClusterArgs>) {
  const spec = aMiniCluster(args);
  const { curveCert } = spec.flux;
  const certificate =
    curveCert === undefined ? randomCertificate(spec.name, standInKey) : givenCertificate("flux.curveCert", curveCert);
  const known: unknown = await valueOf(pulumi.output(allManifests(spec, { certificate })));
  const manifests = JSON.parse(JSON.stringify(known)) as { secret: { data: Record<string, string> } };
  return { name: spec.name, manifests, certificate: await valueOf(certificate.text) };
}

/** What a golden shows of manifests, with one name for every cluster. */
async function goldenManifests(args: Partial<MiniClusterArgs>): Promise<unknown> {
  const { name, manifests, certificate } = await sentManifests(args);
  const { secret, ...others } = manifests;
  assert.deepEqual(secret.data, { "curve.cert": Buffer.from(certificate).toString("base64") });
  // The key is in the Secret alone.
  const [, key = ""] = /secret-key = "(.*)"/.exec(certificate) ?? [];
  assert.ok(!JSON.stringify(others).includes(JSON.stringify(key).slice(1, -1)));
  const shown = withoutTexts({ secret: { ...secret, data: { "curve.cert": "(the certificate)" } }, ...others });
  return JSON.parse(JSON.stringify(shown).replaceAll(name, "demo"));
}

describe("golden manifests", () => {
  let plain: unknown;
  before(async () => void (plain = await goldenManifests({})));

  it("of a cluster with defaults", () => matchGolden("manifests/defaults.yaml", plain));

  for (const [scenario, args] of Object.entries(scenarios))
    it(`of ${scenario}, as differences from those`, async () =>
      matchGolden(fileOf(scenario), differences(await goldenManifests(args), plain)));
});
