import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { BurstCluster, readBurstRoot } from "../../provider";
import { standInCertificate } from "../support/everything";
import { aBurstClusterArgs, aPlan, aRoot } from "../support/fixtures";
import { isWireSecret, mockEngine, placesWhere, valueOf } from "../support/mocks";

/** A reference to the stack "org/home/prod" with these outputs, of which some are secret. */
async function stackWith(outputs: Record<string, unknown>, secretOutputNames = Object.keys(outputs)) {
  const state = ({ type }: pulumi.runtime.MockResourceArgs) =>
    type === "pulumi:pulumi:StackReference" ? { outputs, secretOutputNames } : {};
  const seen = await mockEngine({ state });
  return { seen, stack: new pulumi.StackReference("org/home/prod") };
}

const exported = () => ({ ...aRoot() });

describe("a cluster to join that another stack exports", function () {
  this.timeout(20_000);

  for (const isSecret of [true, false])
    it(`is read with a secret certificate${isSecret ? "" : ", even if it is plain in the other stack"}`, async () => {
      const { stack } = await stackWith({ burst: exported() }, isSecret ? ["burst"] : []);
      const { plan, address, port, certificate } = await readBurstRoot(stack);
      const plain = [JSON.parse(JSON.stringify(plan)), address, port];
      assert.deepEqual(plain, [aPlan(), "203.0.113.7", 30_850]);
      assert.deepEqual([await valueOf(certificate), await pulumi.isSecret(certificate)], [standInCertificate, true]);
    });

  it("is read from an output of another name", async () => {
    const { stack } = await stackWith({ joinMe: exported() });
    assert.equal((await readBurstRoot(stack, "joinMe")).port, 30_850);
  });

  it("is one that a cluster joins, with the certificate alone as a secret", async () => {
    const { stack, seen } = await stackWith({ burst: exported() });
    const cluster = new BurstCluster("cloud", aBurstClusterArgs({ root: await readBurstRoot(stack) }));
    await valueOf(pulumi.all([cluster.jobName, cluster.urn]));
    assert.deepEqual(placesWhere(seen, isWireSecret), ["Secret cloud-curve.data"]);
  });

  const missing = (output: string) =>
    `the stack org/home/prod has no output "${output}" of a MiniCluster with bursting; ` +
    "export the output burst of the MiniCluster in that stack, and run pulumi up there";
  const wrong = (...lines: string[]) =>
    ['the output "burst" of the stack org/home/prod is not the output burst of a MiniCluster:', ...lines]
      .map((line, index) => (index === 0 ? line : `  ${line}`))
      .join("\n");
  const alone = "must be an IP address or a host name; the port is a separate property";
  const cases: [name: string, outputs: Record<string, unknown>, says: string, output?: string][] = [
    ["has no such output", { other: 1 }, missing("burst")],
    ["has it under another name", { burst: exported() }, missing("joinMe"), "joinMe"],
    ["says nothing there", { burst: null }, missing("burst")],
    [
      "is of another version",
      { burst: { ...exported(), plan: { version: 2, hosts: [] } } },
      wrong(
        "plan.version: is 2, and this package reads version 1; " +
          "use the same version of minicluster for the root and the clusters that join it",
      ),
    ],
    [
      "has invalid certificates, or one for an address, of which nothing is shown, and other invalid parts",
      { burst: { ...exported(), address: standInCertificate, port: 0, certificate: "hunter2 hunter2", colour: "red" } },
      wrong(
        `address: ${alone}`,
        "port: 0 must be an integer from 1 to 65535",
        'certificate: is not a curve certificate: the section "curve" is missing; create one with flux keygen',
        "colour: unknown property; correct its name or remove it",
      ),
    ],
  ];
  for (const [name, outputs, says, output] of cases)
    it(`is an error where the stack ${name}`, async () => {
      const { stack } = await stackWith(outputs);
      await assert.rejects(readBurstRoot(stack, output), (error: Error) => {
        assert.equal(error.message, says);
        assert.equal(error.stack, says);
        return true;
      });
    });

  for (const text of ["a text", 5, []])
    it(`is an error where the output is ${JSON.stringify(text)}`, async () => {
      const { stack } = await stackWith({ burst: text });
      await assert.rejects(readBurstRoot(stack), /is not the output burst of a MiniCluster/);
    });
});
