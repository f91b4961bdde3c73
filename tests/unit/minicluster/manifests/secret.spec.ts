import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { renderCurveCertificate } from "../../../../provider/minicluster/flux/curve";
import { buildSecret, randomCertificate } from "../../../../provider/minicluster/manifests/secret";
import { aMiniCluster } from "../../../support/fixtures";
import { standInKey } from "../../../support/manifests";
import { valueOf } from "../../../support/mocks";

describe("the Secret", () => {
  const certificate = randomCertificate(aMiniCluster(), standInKey);
  const { metadata, type, immutable, data } = buildSecret(aMiniCluster(), certificate);
  const encoded = (data as Record<string, pulumi.Output<string>>)["curve.cert"];

  it("belongs to the cluster, and cannot be changed under running brokers", () =>
    assert.deepEqual([(metadata as { name: string }).name, type, immutable], ["demo-curve", "Opaque", true]));

  it("holds the certificate, and keeps it secret", async () => {
    assert.ok(encoded);
    const text = Buffer.from(await valueOf(encoded), "base64").toString();
    assert.equal(text, renderCurveCertificate("demo", Buffer.from(standInKey, "base64")));
    assert.equal(await pulumi.isSecret(encoded), true);
  });
});
