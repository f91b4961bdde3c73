import * as assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import * as config from "../../../../provider/core/objects/config";
import { givenCertificate, randomCertificate } from "../../../../provider/core/register/certificate";
import { standInCertificate } from "../../../support/everything";
import { aContainer, aMiniCluster } from "../../../support/fixtures";
import { manifestsFor, standInKey } from "../../../support/manifests";
import { unknownOutput, valueOf } from "../../../support/mocks";
import { valueAt } from "../../../support/propertyPaths";

const cluster = (token: pulumi.Input<string>) =>
  aMiniCluster({
    containers: [
      aContainer({
        runFlux: true,
        environment: { PLAIN: "a", TOKEN: token },
        secrets: { KEY: { name: "s", key: "k" } },
      }),
      aContainer({ name: "side", environment: { TOKEN: token } }),
    ],
  });
const hash = (token: pulumi.Input<string>) => {
  const { main, sidecars } = cluster(token);
  return config.hashEnvironment([main, ...sidecars], standInKey);
};
const reference = (name: string, key: string) => ({ valueFrom: { secretKeyRef: { name, key } } });

/** A text as a container gets it, where X is "x" (k8s.io/kubernetes/third_party/forked/golang/expansion). */
const expanded = (text: string) =>
  text.replace(/\$(\$|\(([^)]*)\)|)/g, (whole, _, name?: string) =>
    whole === "$$" ? "$" : name === "X" ? "x" : whole,
  );

describe("the environment", () => {
  it("passes a plain value literally, like a value from a Secret", () => {
    for (const [value, sent] of Object.entries({
      pa$$word: "pa$$$word",
      "$(X)": "$$(X)",
      "$$(X)": "$$$$(X)",
      "a$b $": "a$b $",
      "$(": "$$(",
    })) {
      const { main } = aMiniCluster({ containers: [aContainer({ environment: { V: value } })] });
      const [variable] = config.buildEnvironment(aMiniCluster({}), main);
      assert.deepEqual(variable, { name: "V", value: sent });
    }
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("$", "(", ")", "X", "a") }), (value) => {
        assert.equal(expanded(config.unexpanded(value)), value);
      }),
      { numRuns: 5000 },
    );
  });

  it("sets a plain value in the container, and an unknown value in a Secret", () => {
    const spec = cluster(unknownOutput());
    assert.deepEqual(config.buildEnvironment(spec, spec.main), [
      { name: "PLAIN", value: "a" },
      { name: "TOKEN", ...reference("demo-environment", "demo.TOKEN") },
      { name: "KEY", ...reference("s", "k") },
    ]);
  });

  it("has variables of any name, each with a separate key in the Secret", () => {
    const others = ["A", "1-a.b", ".a", "a b", "a%b", `.${"0".repeat(16)}`, "-".repeat(190)];
    const names = [...others, "é".normalize("NFD")[0]!].sort();
    const variables = Object.fromEntries(names.map((name) => [name, pulumi.output("t")]));
    const spec = aMiniCluster({ containers: [aContainer({ environment: variables })] });
    const keys = Object.keys(config.buildEnvironmentSecret(spec)?.data ?? {});
    assert.deepEqual(
      config.buildEnvironment(spec, spec.main),
      names.map((name, index) => ({ name, ...reference("demo-environment", keys[index]!) })),
    );
    assert.deepEqual(
      keys.filter((key) => !key.startsWith("demo..")),
      ["demo.1-a.b", "demo.A", "demo.e"],
    );
    assert.equal(new Set(keys).size, names.length);
    for (const key of keys) assert.match(key, /^[-\w.]{1,253}$/);
  });

  it("has one Secret for all containers, and no Secret if all values are plain", async () => {
    const { data = {}, type } = config.buildEnvironmentSecret(cluster(pulumi.secret("t"))) ?? {};
    const values = data as Record<string, pulumi.Output<string>>;
    assert.deepEqual([type, ...Object.keys(values)], ["Opaque", "demo.TOKEN", "side.TOKEN"]);
    for (const value of Object.values(values)) {
      assert.equal(Buffer.from(await valueOf(value), "base64").toString(), "t");
      assert.equal(await pulumi.isSecret(value), true);
    }
    assert.deepEqual([config.buildEnvironmentSecret(cluster("t")), hash("t")], [undefined, undefined]);
  });

  it("has a hash that changes with a value, and that can be shown", async () => {
    const [plain, secret, other] = [pulumi.output("t"), pulumi.secret("t"), Promise.resolve("u")].map(hash);
    assert.ok(plain && secret && other);
    assert.equal(await valueOf(plain), await valueOf(secret));
    assert.notEqual(await valueOf(plain), await valueOf(other));
    assert.equal(await pulumi.isSecret(secret), false);
  });
});

describe("a certificate of the user's own", () => {
  const given = (certificate: pulumi.Input<string>) =>
    givenCertificate("MiniCluster demo: flux.curveCert", certificate);
  const secretKey = /secret-key = "(.{40})"/.exec(standInCertificate)?.[1] ?? "";

  it("is taken as it is from a text, an output and a promise, and kept secret", async () => {
    const forms = [standInCertificate, pulumi.secret(standInCertificate), Promise.resolve(standInCertificate)];
    for (const { text, data } of forms.map(given)) {
      assert.equal(await valueOf(text), standInCertificate);
      assert.deepEqual([await pulumi.isSecret(text), await pulumi.isSecret(data)], [true, true]);
    }
  });

  it("is rejected as soon as it is known to be invalid, without its keys in the error", async () => {
    const reversed = [...secretKey].reverse().join("");
    for (const text of ["", standInCertificate.replace(secretKey, reversed)])
      await assert.rejects(valueOf(given(pulumi.output(text)).text), ({ message, stack = "" }: Error) => {
        assert.match(message, /^MiniCluster demo: flux\.curveCert (is not a curve certificate|its public-key)/);
        for (const part of [secretKey, reversed]) assert.ok(!`${message}${stack}`.includes(part.slice(0, 8)));
        return true;
      });
  });
});

describe("the hash of the certificate", () => {
  const hashOf = (key: string) => config.hashCertificate(randomCertificate("demo", key).text) ?? assert.fail("no hash");
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
    const { metadata } = manifestsFor(aMiniCluster()).job.spec.template;
    const found = valueAt(metadata, 'annotations["minicluster/certificate-hash"]') as pulumi.Output<string>;
    assert.equal(await valueOf(found), await valueOf(hashOf(standInKey)));
    assert.notEqual(await valueOf(hashOf(otherKey)), await valueOf(found));
  });
});
