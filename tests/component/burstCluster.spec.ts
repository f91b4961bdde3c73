import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { BurstCluster, type BurstClusterArgs, MiniCluster, type MiniClusterArgs } from "../../provider";
import { aBurstClusterArgs, aBursting, aMiniClusterArgs, aRoot } from "../support/fixtures";
import {
  isWireSecret,
  mockEngine,
  placesWhere as placesIn,
  type Registration,
  uncaughtIn,
  unknownOnTheWire,
  unknownOutput,
  valueOf,
} from "../support/mocks";
import { valueAt } from "../support/propertyPaths";

const ids = (seen: Registration[]) => seen.map(({ id }) => id).sort();
const find = (seen: Registration[], id: string) => seen.find((each) => each.id === id) ?? assert.fail(`no ${id}`);
const settled = (cluster: BurstCluster | MiniCluster) => valueOf(pulumi.all([cluster.jobName, cluster.urn]));

const component = "BurstCluster cloud";
const plain = ["ConfigMap cloud-entrypoint", "Job cloud", component, "Secret cloud-curve", "Service cloud"];
const patches = ["ConfigMapPatch cloud-entrypoint-size", "JobPatch cloud-size"];

/** Everything that is registered for a cluster that joins one which is given in plain values. */
async function register(args: Partial<BurstClusterArgs> = {}, preview = false): Promise<Registration[]> {
  const seen = await mockEngine({ preview });
  await settled(new BurstCluster("cloud", aBurstClusterArgs(args)));
  return seen;
}

/** Both sides in one program. */
async function both({ preview = false, args = {} }: { preview?: boolean; args?: Partial<MiniClusterArgs> } = {}) {
  const seen = await mockEngine({ preview });
  const expose = { nodePort: { address: "203.0.113.7", port: 30_850 } };
  const home = new MiniCluster(
    "home",
    aMiniClusterArgs({ name: "home", maxSize: 4, bursting: aBursting({ expose }), ...args }),
  );
  const cloud = new BurstCluster("cloud", aBurstClusterArgs({ root: home.burst }));
  await Promise.all([settled(home), settled(cloud)]);
  return { seen, home, cloud };
}

/** Paths at which a condition holds, in the inputs of the resources of the cluster that joins. */
const placesWhere = (seen: Registration[], holds: (value: unknown) => boolean) =>
  placesIn(
    seen.filter(({ id }) => id.includes(" cloud")),
    holds,
  );

const dataOf = (seen: Registration[], id: string) => valueAt(find(seen, id).inputs, "data.value");
const leadOf = (seen: Registration[]) =>
  valueAt(find(seen, "Job cloud").inputs, "spec.template.spec.containers[0].env[1].value");

describe("what a cluster that joins registers", function () {
  this.timeout(20_000);

  for (const preview of [false, true])
    for (const size of [0, 8])
      it(`is the same at size ${size}, and no further key${preview ? ", in a preview too" : ""}`, async () => {
        const seen = await register({ size }, preview);
        assert.deepEqual(ids(seen), [...plain, ...patches].sort());
        for (const { id, parent } of seen) assert.equal(parent, id === component ? "" : component, id);
      });

  it("leaves the size and the suspension to the patches", async () => {
    const seen = await register({ size: 0 });
    assert.deepEqual(find(seen, "Job cloud").ignoreChanges, ["spec.completions", "spec.parallelism", "spec.suspend"]);
    const counts = { completions: 1, parallelism: 1, activeDeadlineSeconds: 3_153_600_000, suspend: true };
    assert.deepEqual(valueAt(find(seen, "JobPatch cloud-size").inputs, "spec"), counts);
    assert.equal(valueAt(find(seen, "Job cloud").inputs, "spec.suspend"), true);
  });

  it("is no patch when the size is in the manifest, and the Job itself is suspended", async () => {
    const seen = await register({ size: 0, resize: "manifest" });
    assert.deepEqual(ids(seen), [...plain].sort());
    assert.deepEqual(find(seen, "Job cloud").ignoreChanges, []);
    assert.equal(valueAt(find(seen, "Job cloud").inputs, "spec.suspend"), true);
  });

  it("is an agent where the size follows the queue, and no patch: the agent sets counts and suspension", async () => {
    const root = aRoot({ demandPort: 30_860 });
    const kinds = ["Deployment", "Role", "RoleBinding", "Secret", "ServiceAccount"];
    const agents = kinds.map((kind) => `${kind} cloud-autoscale`);
    for (const preview of [false, true]) {
      const seen = await register({ root, autoscale: {} }, preview);
      const inputs = (id: string, path: string) => valueAt(find(seen, id).inputs, path);
      const all = [...plain, "ConfigMap cloud-programs", "ConfigMapPatch cloud-entrypoint-size", ...agents];
      assert.deepEqual(ids(seen), all.sort());
      assert.deepEqual(find(seen, "Job cloud").ignoreChanges, ["spec.completions", "spec.parallelism", "spec.suspend"]);
      assert.equal(inputs("Job cloud", "spec.suspend"), true);
      assert.deepEqual(inputs("Role cloud-autoscale", "rules"), [
        { apiGroups: ["batch"], resources: ["jobs"], resourceNames: ["cloud"], verbs: ["get", "patch"] },
      ]);
      assert.ok(isWireSecret(inputs("Secret cloud-autoscale", "data")));
      const container = "spec.template.spec.containers[0]";
      const env = [{ name: "MINICLUSTER_DEMAND", value: "203.0.113.7:30860" }];
      assert.deepEqual(inputs("Deployment cloud-autoscale", `${container}.env`), env);
      const command = inputs("Deployment cloud-autoscale", `${container}.command`) as string[];
      assert.match(command.join(" "), /\/demand\/cloud"$/);
      assert.ok(find(seen, "Deployment cloud-autoscale").dependsOn.includes("Job cloud"));
    }
  });

  it("is nothing where the cluster to join serves no demand", async () => {
    const root = aRoot({ demandPort: pulumi.output(undefined) as unknown as pulumi.Output<number> });
    const uncaught = await uncaughtIn(async () => {
      await mockEngine();
      void new BurstCluster("cloud", aBurstClusterArgs({ root, autoscale: {} }));
    });
    assert.match(
      String(uncaught),
      /root\.demandPort must be a TCP port; set bursting\.expose\.demand of the MiniCluster/,
    );
  });

  it("is nothing when the arguments are wrong, not even the component", async () => {
    const seen = await mockEngine();
    assert.throws(
      () => new BurstCluster("cloud", aBurstClusterArgs({ size: 9 })),
      (error) => pulumi.InputPropertiesError.isInstance(error) && error.errors[0]?.propertyPath === "size",
    );
    assert.throws(
      () => new BurstCluster("cloud", aBurstClusterArgs({ root: undefined })),
      /root: the MiniCluster has no bursting/,
    );
    assert.deepEqual(seen, []);
  });
});

describe("the outputs of a cluster that joins", function () {
  this.timeout(20_000);

  const want = {
    jobName: "cloud",
    namespace: "far",
    serviceName: "hosts",
    secretName: "cloud-curve",
    hostlist: "home-0,home-[1-3],cloud-[0-7]",
    size: 2,
    maxSize: 8,
    logsCommand:
      "kubectl logs --namespace far --selector job-name=cloud,batch.kubernetes.io/job-completion-index=0 " +
      "--container cloud --follow --tail -1",
    largestPricePerHour: undefined,
    diagnoseCommand: "kubectl describe job,pod --namespace far --selector job-name=cloud",
  };

  it("are ten, none of them a secret, and nothing of the lead broker", async () => {
    await mockEngine();
    const args = aBurstClusterArgs({ namespace: "far", size: 2, network: { headlessName: "hosts" } });
    const cluster = new BurstCluster("cloud", args);
    const fields = Object.keys(cluster).filter((key) => !key.startsWith("__") && key !== "urn");
    assert.deepEqual(fields.sort(), Object.keys(want).sort());
    const outputs = Object.keys(want).map(
      (key) => [key, cluster[key as keyof typeof want] as pulumi.Output<unknown>] as const,
    );
    const values = await Promise.all(outputs.map(async ([key, output]) => [key, await valueOf(output)]));
    assert.deepEqual(Object.fromEntries(values), want);
    for (const [key, output] of outputs) assert.equal(await pulumi.isSecret(output), false, key);
  });
});

describe("a cluster that joins one of the same program", function () {
  this.timeout(20_000);

  it("has its certificate, as a secret, its endpoint, as none, and its size by the plan", async () => {
    const { seen, cloud } = await both();
    assert.deepEqual(dataOf(seen, "Secret cloud-curve"), dataOf(seen, "Secret home-curve"));
    assert.deepEqual(placesWhere(seen, isWireSecret), ["Secret cloud-curve.data"]);
    assert.equal(leadOf(seen), "203.0.113.7:30850");
    assert.deepEqual(await valueOf(pulumi.all([cloud.size, cloud.maxSize])), [3, 8]);
  });

  it("has all that is to be created in a preview", async () => {
    const { seen } = await both({ preview: true });
    for (const id of [...plain, ...patches]) find(seen, id);
    const late = /MINICLUSTER_LEAD|env\.1\.value$|leaf-hash$|certificate-hash$|^Secret cloud-curve\.data/;
    for (const place of placesWhere(seen, (value) => value === unknownOnTheWire)) assert.match(place, late);
  });

  for (const [wait, last] of [
    ["ready", "JobPatch home-size"],
    ["none", "Job home"],
  ] as const)
    it(`has pods that come after ${last} of the cluster to join, with wait: "${wait}"`, async () => {
      const { seen } = await both({ args: { wait } });
      assert.ok(find(seen, "Job cloud").dependsOn.includes(last));
    });
});

describe("what is unknown in a preview of a cluster that joins", function () {
  this.timeout(20_000);

  const unknowns = async (root: Partial<Record<"address" | "port" | "certificate", pulumi.Input<string>>>) =>
    placesWhere(await register({ root: aRoot(root as object) }, true), (value) => value === unknownOnTheWire);
  const hashes = ["JobPatch cloud-size.metadata.annotations.minicluster/leaf-hash"];
  const template = "Job cloud.spec.template";

  for (const isSecret of [true, false])
    it(`is an address that is ${isSecret ? "still a secret" : "no secret"}`, async () => {
      const address = isSecret ? pulumi.secret("203.0.113.7") : pulumi.output("203.0.113.7");
      const secrets = placesWhere(await register({ root: aRoot({ address }) }), isWireSecret).join();
      assert.equal(/Job cloud\.spec/.test(secrets), isSecret, secrets);
    });

  it("is nothing, when all values are known", async () => assert.deepEqual(await unknowns({}), []));

  for (const part of ["address", "port"] as const)
    it(`is an unknown ${part}, and the hash that changes with it`, async () => {
      const variable = `${template}.spec.containers.0.env.1.value`;
      assert.deepEqual(await unknowns({ [part]: unknownOutput() }), [variable, ...hashes]);
    });

  it("is an unknown certificate, in its Secret and in the hashes that change with it", async () =>
    assert.deepEqual(await unknowns({ certificate: unknownOutput() }), [
      `${template}.metadata.annotations.minicluster/certificate-hash`,
      ...hashes,
      "Secret cloud-curve.data",
    ]));
});
