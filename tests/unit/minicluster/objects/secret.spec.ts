import * as assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { hashCertificate } from "../../../../provider/minicluster/objects/secret";
import { givenCertificate, randomCertificate } from "../../../../provider/minicluster/register/lateValues";
import { aMiniCluster } from "../../../support/fixtures";
import { standInCertificate } from "../../../support/everything";
import { manifestsFor, standInKey } from "../../../support/manifests";
import { mockEngine, unknownOutput, valueOf } from "../../../support/mocks";

describe("a certificate of the user's own", () => {
  const given = (certificate: pulumi.Input<string>) =>
    givenCertificate("MiniCluster demo: flux.curveCert", certificate);
  const secretKey = /secret-key = "(.{40})"/.exec(standInCertificate)?.[1] ?? "";

  const forms: [name: string, certificate: pulumi.Input<string>][] = [
    ["a plain text", standInCertificate],
    ["a secret output", pulumi.secret(standInCertificate)],
    ["a promise", Promise.resolve(standInCertificate)],
  ];
  for (const [name, certificate] of forms)
    it(`is taken as it is from ${name}, and kept secret`, async () => {
      const { text, data } = given(certificate);
      assert.equal(await valueOf(text), standInCertificate);
      assert.deepEqual([await pulumi.isSecret(text), await pulumi.isSecret(data)], [true, true]);
    });

  it("is refused as soon as it is known to be none, without a word of its keys", async () => {
    const reversed = [...secretKey].reverse().join("");
    for (const text of ["", standInCertificate.replace(secretKey, reversed)])
      await assert.rejects(valueOf(given(pulumi.output(text)).text), ({ message, stack = "" }: Error) => {
        assert.match(message, /^MiniCluster demo: flux\.curveCert (is no curve certificate|its public-key)/);
        for (const part of [secretKey, reversed]) assert.ok(!`${message}${stack}`.includes(part.slice(0, 8)));
        return true;
      });
  });

  it("may be unknown in a preview, and is secret even then", async () => {
    await mockEngine({ preview: true });
    const { text } = given(unknownOutput());
    assert.deepEqual([await pulumi.isSecret(text), await valueOf(text)], [true, undefined]);
  });
});

describe("the hash of the certificate", () => {
  const hashOf = (key: string) => hashCertificate(randomCertificate("demo", key).text) ?? assert.fail("no hash");
  const otherKey = Buffer.alloc(32, 9).toString("base64");

  it("can be shown: it is no secret, and a plain hash of the certificate is something else", async () => {
    assert.equal(await pulumi.isSecret(hashOf(standInKey)), false);
    const text = await valueOf(randomCertificate("demo", standInKey).text);
    const hash = await valueOf(hashOf(standInKey));
    assert.match(hash, /^[0-9a-f]{16}$/);
    for (const guess of [text, standInKey, JSON.stringify([text])])
      assert.ok(!createHash("sha256").update(guess).digest("hex").startsWith(hash));
  });

  it("is an annotation of the brokers' pods, which restart with another certificate", async () => {
    const annotation = async (key: string) => {
      const { annotations } = manifestsFor(aMiniCluster(), key).job.spec.template.metadata as {
        annotations: Record<string, pulumi.Output<string>>;
      };
      return valueOf(pulumi.output(annotations["minicluster/certificate-hash"]));
    };
    assert.equal(await annotation(standInKey), await valueOf(hashOf(standInKey)));
    assert.notEqual(await annotation(otherKey), await annotation(standInKey));
  });
});
