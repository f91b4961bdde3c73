import * as assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { renderCurveCertificate } from "../../../../provider/minicluster/flux/curve";
import { buildSecret, hashCertificate } from "../../../../provider/minicluster/objects/secret";
import { givenCertificate, randomCertificate } from "../../../../provider/minicluster/register/lateValues";
import { aMiniCluster } from "../../../support/fixtures";
import { standInCertificate } from "../../../support/everything";
import { manifestsFor, standInKey } from "../../../support/manifests";
import { unknownOutput, valueOf } from "../../../support/mocks";

describe("the Secret", () => {
  const certificate = randomCertificate("demo", standInKey);
  const { metadata, type, immutable, data } = buildSecret(aMiniCluster(), certificate.data);
  const encoded = (data as Record<string, pulumi.Output<string>>)["curve.cert"];

  it("belongs to the cluster, and is not immutable, for a kubelet would keep it beyond its end", () =>
    assert.deepEqual([(metadata as { name: string }).name, type, immutable], ["demo-curve", "Opaque", undefined]));

  it("holds the certificate, and keeps it secret", async () => {
    assert.ok(encoded);
    const text = Buffer.from(await valueOf(encoded), "base64").toString();
    assert.equal(text, renderCurveCertificate("demo", Buffer.from(standInKey, "base64")));
    assert.equal(await pulumi.isSecret(encoded), true);
  });
});

describe("a certificate of the user's own", () => {
  const given = (certificate: pulumi.Input<string>) =>
    givenCertificate("MiniCluster demo: flux.curveCert", certificate).text;
  const secretKey = /secret-key = "(.{40})"/.exec(standInCertificate)?.[1] ?? "";

  const forms: [name: string, certificate: pulumi.Input<string>][] = [
    ["a plain text", standInCertificate],
    ["an output", pulumi.output(standInCertificate)],
    ["a secret output", pulumi.secret(standInCertificate)],
    ["a promise", Promise.resolve(standInCertificate)],
  ];
  for (const [name, certificate] of forms)
    it(`is taken as it is from ${name}, and kept secret`, async () => {
      assert.equal(await valueOf(given(certificate)), standInCertificate);
      assert.equal(await pulumi.isSecret(given(certificate)), true);
    });

  it("is refused as soon as it is known to be none, without a word of its keys", async () => {
    const swapped = standInCertificate.replace(secretKey, [...secretKey].reverse().join(""));
    for (const text of ["", swapped])
      await assert.rejects(valueOf(given(pulumi.output(text))), ({ message, stack = "" }: Error) => {
        assert.match(message, /^MiniCluster demo: flux\.curveCert (is no curve certificate|its public-key)/);
        for (const part of [secretKey, [...secretKey].reverse().join("")])
          assert.ok(!`${message}${stack}`.includes(part.slice(0, 8)));
        return true;
      });
  });

  it("may be unknown in a preview, and is secret even then", async () => {
    await pulumi.runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) }, "p", "s", true);
    const certificate = given(unknownOutput());
    assert.equal(await pulumi.isSecret(certificate), true);
    assert.equal(await valueOf(certificate), undefined);
  });
});

describe("the hash of the certificate", () => {
  const hashOf = (key: string) => {
    const hash = hashCertificate(randomCertificate("demo", key).text);
    assert.ok(hash);
    return hash;
  };
  const otherKey = Buffer.alloc(32, 9).toString("base64");

  it("tells one certificate from another, and stays the same for the same one", async () => {
    assert.equal(await valueOf(hashOf(standInKey)), await valueOf(hashOf(standInKey)));
    assert.notEqual(await valueOf(hashOf(standInKey)), await valueOf(hashOf(otherKey)));
  });

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
