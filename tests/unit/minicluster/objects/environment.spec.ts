import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as environment from "../../../../provider/minicluster/objects/environment";
import type { MiniClusterSpec } from "../../../../provider/minicluster/parse/spec";
import { aContainer, aMiniCluster } from "../../../support/fixtures";
import { standInKey } from "../../../support/manifests";
import { unknownOutput, valueOf } from "../../../support/mocks";

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
const brokers = ({ main, sidecars }: MiniClusterSpec) => [main, ...sidecars];
const reference = (name: string, key: string) => ({ valueFrom: { secretKeyRef: { name, key } } });

describe("the environment", () => {
  it("stands in the container where it is plain, and in a Secret where it is only known later", () => {
    const spec = cluster(pulumi.output("t"));
    assert.deepEqual(environment.buildEnvironment(spec, spec.main), [
      { name: "PLAIN", value: "a" },
      { name: "TOKEN", ...reference("demo-environment", "demo.TOKEN") },
      { name: "KEY", ...reference("s", "k") },
    ]);
  });

  it("has variables of any name, each with a key of its own in the Secret", () => {
    const names = ["A", "1-a.b", ".a", "a b", "a%b", `.${"0".repeat(16)}`, "-".repeat(190), "é".normalize("NFD")[0]!];
    const environmentOf = (value: pulumi.Input<string>) =>
      aMiniCluster({
        containers: [aContainer({ environment: Object.fromEntries(names.map((name) => [name, value])) })],
      });
    const plain = environmentOf("t");
    assert.deepEqual(
      environment.buildEnvironment(plain, plain.main),
      names.map((name) => ({ name, value: "t" })),
    );
    const deferred = environmentOf(pulumi.output("t"));
    const keys = Object.keys(environment.buildEnvironmentSecret(deferred)?.data ?? {});
    assert.deepEqual(
      environment.buildEnvironment(deferred, deferred.main),
      names.map((name, index) => ({ name, ...reference("demo-environment", keys[index]!) })),
    );
    assert.deepEqual(keys.slice(0, 2), ["demo.A", "demo.1-a.b"]);
    assert.equal(new Set(keys).size, names.length);
    for (const key of keys) assert.match(key, /^[-\w.]{1,253}$/);
  });

  it("needs no Secret where all of it is plain", () => {
    assert.equal(environment.buildEnvironmentSecret(cluster("t")), undefined);
    assert.equal(environment.hashEnvironment(brokers(cluster("t")), standInKey), undefined);
  });

  it("shares one Secret among all containers, which keeps secrets secret", async () => {
    const { metadata, type, data } = environment.buildEnvironmentSecret(cluster(pulumi.secret("t"))) ?? {};
    assert.deepEqual([(metadata as { name: string }).name, type], ["demo-environment", "Opaque"]);
    const values = data as Record<string, pulumi.Output<string>>;
    assert.deepEqual(Object.keys(values), ["demo.TOKEN", "side.TOKEN"]);
    for (const value of Object.values(values)) {
      assert.equal(Buffer.from(await valueOf(value), "base64").toString(), "t");
      assert.equal(await pulumi.isSecret(value), true);
    }
  });

  it("has a hash that changes with a value, and that can be shown", async () => {
    const hash = (token: pulumi.Input<string>) => {
      const output = environment.hashEnvironment(brokers(cluster(token)), standInKey);
      assert.ok(output);
      return output;
    };
    assert.equal(await valueOf(hash(pulumi.output("t"))), await valueOf(hash(pulumi.secret("t"))));
    assert.notEqual(await valueOf(hash(pulumi.output("t"))), await valueOf(hash(Promise.resolve("u"))));
    assert.equal(await pulumi.isSecret(hash(pulumi.secret("t"))), false);
  });

  it("that is unknown leaves the container's list of variables known", () => {
    const spec = cluster(unknownOutput());
    assert.ok(environment.buildEnvironment(spec, spec.main).every((variable) => !pulumi.Output.isInstance(variable)));
  });
});
