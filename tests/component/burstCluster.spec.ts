import * as assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { BurstCluster, type BurstClusterArgs, MiniCluster, type MiniClusterArgs } from "../../provider";
import { renderCurveCertificate } from "../../provider/minicluster/flux/curve";
import { aBurstClusterArgs, aBursting, aMiniClusterArgs, aRoot } from "../support/fixtures";
import {
  isWireSecret,
  mockEngine,
  type Registration,
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

/** Everything that is registered for a cluster that joins one which is told of in plain words. */
async function register(args: Partial<BurstClusterArgs> = {}, preview = false): Promise<Registration[]> {
  const seen = await mockEngine({ preview });
  await settled(new BurstCluster("cloud", aBurstClusterArgs(args)));
  return seen;
}

/** Both sides in one program. */
async function both(
  rootOf: (home: MiniCluster) => BurstClusterArgs["root"],
  { preview = false, args = {} }: { preview?: boolean; args?: Partial<MiniClusterArgs> } = {},
) {
  const seen = await mockEngine({ preview });
  const expose = { nodePort: { address: "203.0.113.7", port: 30_850 } };
  const home = new MiniCluster(
    "home",
    aMiniClusterArgs({ name: "home", maxSize: 4, bursting: aBursting({ expose }), ...args }),
  );
  const cloud = new BurstCluster("cloud", aBurstClusterArgs({ root: rootOf(home) }));
  await Promise.all([settled(home), settled(cloud)]);
  return { seen, home, cloud };
}

/** The ways to hand over a cluster to join. */
const ways: Record<string, (home: MiniCluster) => BurstClusterArgs["root"]> = {
  "the output burst": ({ burst }) => burst,
  "the four parts": ({ burstPlan, burstAddress, burstPort, burstCertificate }) =>
    ({
      plan: burstPlan,
      address: burstAddress,
      port: burstPort,
      certificate: burstCertificate,
    }) as BurstClusterArgs["root"],
};

/** Paths at which a condition holds, in the inputs of the resources of the cluster that joins. */
function placesWhere(seen: Registration[], holds: (value: unknown) => boolean): string[] {
  const walk = (value: unknown, path: string): string[] => {
    if (holds(value)) return [path];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, item]) => walk(item, `${path}.${key}`));
  };
  return seen
    .filter(({ id }) => id.includes(" cloud"))
    .flatMap(({ id, inputs }) => walk(inputs, id))
    .sort();
}

const dataOf = (seen: Registration[], id: string) => valueAt(find(seen, id).inputs, "data.value");
const leadOf = (seen: Registration[]) =>
  (
    valueAt(find(seen, "Job cloud").inputs, "spec.template.spec.containers[0].env") as {
      name: string;
      value?: unknown;
    }[]
  ).find(({ name }) => name === "MINICLUSTER_LEAD")?.value;

describe("what a cluster that joins registers", function () {
  this.timeout(20_000);

  for (const preview of [false, true])
    for (const size of [0, 1, 8])
      it(`is the same at size ${size}, and no key of its own${preview ? ", in a preview too" : ""}`, async () => {
        const seen = await register({ size }, preview);
        assert.deepEqual(ids(seen), [...plain, ...patches].sort());
        for (const { id, parent } of seen) assert.equal(parent, id === component ? "" : component, id);
      });

  it("leaves the size and the suspension to the patches", async () => {
    const seen = await register({ size: 0 });
    assert.deepEqual(find(seen, "Job cloud").ignoreChanges, ["spec.completions", "spec.parallelism", "spec.suspend"]);
    const counts = { completions: 1, parallelism: 1, activeDeadlineSeconds: 31_500_000, suspend: true };
    assert.deepEqual(valueAt(find(seen, "JobPatch cloud-size").inputs, "spec"), counts);
    assert.equal(valueAt(find(seen, "Job cloud").inputs, "spec.suspend"), true);
  });

  it("is no patch when the size stands in the manifest, and the Job itself rests", async () => {
    const seen = await register({ size: 0, resize: "manifest" });
    assert.deepEqual(ids(seen), [...plain].sort());
    assert.deepEqual(find(seen, "Job cloud").ignoreChanges, []);
    assert.equal(valueAt(find(seen, "Job cloud").inputs, "spec.suspend"), true);
  });

  it("is nothing when the arguments are wrong, not even the component", async () => {
    const seen = await mockEngine();
    assert.throws(
      () => new BurstCluster("cloud", aBurstClusterArgs({ size: 9 })),
      (error) => pulumi.InputPropertiesError.isInstance(error) && error.errors[0]?.propertyPath === "size",
    );
    assert.throws(() => new BurstCluster("cloud", aBurstClusterArgs({ root: undefined })), /root: is of a MiniCluster/);
    assert.deepEqual(seen, []);
  });

  it("goes to the provider that the caller gives", async () => {
    const seen = await mockEngine();
    const kubernetes = new (class extends pulumi.ProviderResource {})("kubernetes", "far", {});
    await settled(new BurstCluster("cloud", aBurstClusterArgs(), { providers: { kubernetes } }));
    for (const { id, provider } of seen.filter(({ id }) => id.includes(" cloud") && id !== component))
      assert.match(provider, /::pulumi:providers:kubernetes::far$/, id);
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
    diagnoseCommand: "kubectl describe job,pod --namespace far --selector job-name=cloud",
  };

  it("are nine, none of them a secret, and nothing of the lead broker", async () => {
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

  for (const [name, rootOf] of Object.entries(ways)) {
    it(`by ${name} has its certificate, as a secret, and its endpoint, as none`, async () => {
      const { seen } = await both(rootOf);
      assert.deepEqual(dataOf(seen, "Secret cloud-curve"), dataOf(seen, "Secret home-curve"));
      assert.deepEqual(placesWhere(seen, isWireSecret), ["Secret cloud-curve.data"]);
      assert.equal(leadOf(seen), "203.0.113.7:30850");
    });

    it(`by ${name} has all that is to be created in a preview`, async () => {
      const { seen } = await both(rootOf, { preview: true });
      for (const id of [...plain, ...patches]) find(seen, id);
      for (const place of placesWhere(seen, (value) => value === unknownOnTheWire))
        assert.match(
          place,
          /MINICLUSTER_LEAD|env\.1\.value$|leaf-hash$|certificate-hash$|^Secret cloud-curve\.data/,
          place,
        );
    });

    it(`by ${name} takes its size from the plan`, async () => {
      const { cloud } = await both(rootOf);
      assert.deepEqual(await valueOf(pulumi.all([cloud.size, cloud.maxSize])), [3, 8]);
    });

    for (const wait of ["ready", "none"] as const)
      it(`by ${name} has pods that come after the cluster to join, as far as the program waits for "${wait}"`, async () => {
        const { seen } = await both(rootOf, { args: { wait } });
        const { dependsOn } = find(seen, "Job cloud");
        const last = wait === "ready" ? "JobPatch home-size" : "Job home";
        assert.ok(dependsOn.includes(last), dependsOn.join());
      });
  }

  it("is refused where that one lets nobody join", async () => {
    await mockEngine();
    const home = new MiniCluster("home", aMiniClusterArgs());
    assert.throws(
      () => new BurstCluster("cloud", aBurstClusterArgs({ root: home.burst as BurstClusterArgs["root"] })),
      /root: is of a MiniCluster that nobody may join/,
    );
    await settled(home);
  });
});

describe("what is unknown in a preview of a cluster that joins", function () {
  this.timeout(20_000);

  const unknowns = async (root: Partial<Record<"address" | "port" | "certificate", pulumi.Input<string>>>) =>
    placesWhere(await register({ root: aRoot(root as object) }, true), (value) => value === unknownOnTheWire);
  const hashes = ["JobPatch cloud-size.metadata.annotations.minicluster/leaf-hash"];
  const template = "Job cloud.spec.template";

  for (const isSecret of [true, false])
    it(`is an address that ${isSecret ? "stays a secret, where it is one" : "is no secret, where it is none"}`, async () => {
      const address = isSecret ? pulumi.secret("203.0.113.7") : pulumi.output("203.0.113.7");
      const seen = await register({ root: aRoot({ address }) });
      assert.equal(
        placesWhere(seen, isWireSecret).some((place) => place.startsWith("Job cloud.spec")),
        isSecret,
      );
    });

  it("is nothing, when everything is told", async () => assert.deepEqual(await unknowns({}), []));

  for (const part of ["address", "port"] as const)
    it(`is an unknown ${part}, and the hash that will tell when it changes`, async () =>
      assert.deepEqual(await unknowns({ [part]: unknownOutput() }), [
        `${template}.spec.containers.0.env.1.value`,
        ...hashes,
      ]));

  it("is an unknown certificate, in its Secret and in the hashes that tell when it changes", async () =>
    assert.deepEqual(await unknowns({ certificate: unknownOutput() }), [
      `${template}.metadata.annotations.minicluster/certificate-hash`,
      ...hashes,
      "Secret cloud-curve.data",
    ]));
});

describe("a late part of a cluster to join that is of the wrong form", function () {
  this.timeout(20_000);

  /** What goes wrong, in the words of the first errors that nobody has caught: they end a program. */
  async function errorsOf(root: object): Promise<string[]> {
    const errors: string[] = [];
    const listeners = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", (error) => errors.push(String(error)));
    try {
      await mockEngine();
      const cluster = new BurstCluster("cloud", aBurstClusterArgs({ root: aRoot(root) }));
      assert.ok(cluster.secretName);
      for (let turn = 0; turn < 200 && errors.length === 0; turn += 1) await sleep(10);
      await sleep(50);
      return errors;
    } finally {
      process.removeAllListeners("unhandledRejection");
      for (const listener of listeners) process.on("unhandledRejection", listener);
    }
  }

  const certificate = renderCurveCertificate("demo", Buffer.alloc(32, 9));

  it("is an error that names the certificate, and shows nothing of it", async () => {
    const key = /secret-key = "(.*)"/.exec(certificate)?.[1] ?? "";
    const errors = await errorsOf({ certificate: pulumi.secret(certificate.replace("public-key", "publik-key")) });
    assert.ok(errors.length > 0);
    assert.ok(
      errors.some((error) => error.includes("BurstCluster cloud: root.certificate is no curve certificate")),
      errors.join(),
    );
    for (const error of errors) assert.ok(!error.includes(key.slice(0, 8)));
  });

  it("is an error that names the address and the port, and shows neither", async () => {
    const errors = await errorsOf({ address: pulumi.output("tcp://a"), port: pulumi.output(70_123) });
    assert.ok(
      errors.some((error) =>
        error.includes(
          "BurstCluster cloud: root.address is no IP address (version 4) and no host name; root.port is no TCP port",
        ),
      ),
      errors.join(),
    );
    for (const error of errors) assert.doesNotMatch(error, /tcp:|70123/);
  });

  for (const isSecret of [false, true])
    it(`is an error that shows no line of a certificate in its place, ${isSecret ? "a secret" : "plain"}`, async () => {
      const errors = await errorsOf({ address: isSecret ? pulumi.secret(certificate) : pulumi.output(certificate) });
      assert.ok(errors.length > 0);
      assert.ok(
        errors.some((error) => error.includes("BurstCluster cloud: root.address is no IP address (version 4)")),
        errors.join(),
      );
      // What a line says beside the key, "metadata" for one, may well stand in a message.
      for (const line of certificate.split("\n").filter((text) => text.includes("=")))
        for (const error of errors) assert.ok(!error.includes(line.trim()), "the certificate is shown");
    });
});
