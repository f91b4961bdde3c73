import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { buildSecret } from "../../../../provider/minicluster/manifests/secret";
import { aMiniCluster } from "../../../support/fixtures";
import { valueOf } from "../../../support/mocks";

describe("the Secret", () => {
  it("holds the certificate, stays secret, and cannot be changed under running brokers", async () => {
    const { metadata, type, immutable, data } = buildSecret(aMiniCluster(), pulumi.secret("certificate"));
    assert.deepEqual([(metadata as { name: string }).name, type, immutable], ["demo-curve", "Opaque", true]);
    const encoded = (data as Record<string, pulumi.Output<string>>)["curve.cert"];
    assert.ok(encoded);
    assert.equal(Buffer.from(await valueOf(encoded), "base64").toString(), "certificate");
    assert.equal(await pulumi.isSecret(encoded), true);
  });
});
