import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as environment from "../../../../provider/minicluster/objects/environment";
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
const hash = (token: pulumi.Input<string>) => {
  const { main, sidecars } = cluster(token);
  return environment.hashEnvironment([main, ...sidecars], standInKey);
};
const reference = (name: string, key: string) => ({ valueFrom: { secretKeyRef: { name, key } } });

describe("the environment", () => {
  it("stands in the container where it is plain, and in a Secret where it is only known later or unknown", () => {
    for (const token of [pulumi.output("t"), unknownOutput()]) {
      const spec = cluster(token);
      assert.deepEqual(environment.buildEnvironment(spec, spec.main), [
        { name: "PLAIN", value: "a" },
        { name: "TOKEN", ...reference("demo-environment", "demo.TOKEN") },
        { name: "KEY", ...reference("s", "k") },
      ]);
    }
  });

  it("has variables of any name, each with a key of its own in the Secret", () => {
    const names = ["A", "1-a.b", ".a", "a b", "a%b", `.${"0".repeat(16)}`, "-".repeat(190), "é".normalize("NFD")[0]!];
    const variables = Object.fromEntries(names.map((name) => [name, pulumi.output("t")]));
    const spec = aMiniCluster({ containers: [aContainer({ environment: variables })] });
    const keys = Object.keys(environment.buildEnvironmentSecret(spec)?.data ?? {});
    assert.deepEqual(
      environment.buildEnvironment(spec, spec.main),
      names.map((name, index) => ({ name, ...reference("demo-environment", keys[index]!) })),
    );
    assert.deepEqual(keys.slice(0, 2), ["demo.A", "demo.1-a.b"]);
    assert.equal(new Set(keys).size, names.length);
    for (const key of keys) assert.match(key, /^[-\w.]{1,253}$/);
  });

  it("shares one Secret among all containers, which keeps secrets secret, and needs none where all is plain", async () => {
    const { data = {} } = environment.buildEnvironmentSecret(cluster(pulumi.secret("t"))) ?? {};
    const values = data as Record<string, pulumi.Output<string>>;
    assert.deepEqual(Object.keys(values), ["demo.TOKEN", "side.TOKEN"]);
    for (const value of Object.values(values)) {
      assert.equal(Buffer.from(await valueOf(value), "base64").toString(), "t");
      assert.equal(await pulumi.isSecret(value), true);
    }
    assert.deepEqual([environment.buildEnvironmentSecret(cluster("t")), hash("t")], [undefined, undefined]);
  });

  it("has a hash that changes with a value, and that can be shown", async () => {
    const [plain, secret, other] = [pulumi.output("t"), pulumi.secret("t"), Promise.resolve("u")].map(hash);
    assert.ok(plain && secret && other);
    assert.equal(await valueOf(plain), await valueOf(secret));
    assert.notEqual(await valueOf(plain), await valueOf(other));
    assert.equal(await pulumi.isSecret(secret), false);
  });
});
