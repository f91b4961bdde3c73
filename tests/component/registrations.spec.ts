import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import { parse } from "yaml";
import { MiniCluster, MiniClusterResize, type MiniClusterArgs } from "../../provider";
import { renderCurveCertificate } from "../../provider/core/parse/curveCertificate";
import { attachKnownValue } from "../../provider/shared/deferred";
import { aContainer, aGpuPool, aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, type Registration, valueOf } from "../support/mocks";
import { valueAt } from "../support/propertyPaths";

/** Everything that is registered for a cluster. */
async function register(args: Partial<MiniClusterArgs> = {}, preview = false): Promise<Registration[]> {
  const seen = await mockEngine({ preview });
  await settled(new MiniCluster("demo", aMiniClusterArgs(args)));
  return seen;
}

const settled = (cluster: MiniCluster) => valueOf(pulumi.all([cluster.jobName, cluster.urn]));
const ids = (seen: Registration[]) => seen.map(({ id }) => id).sort();

const component = "MiniCluster demo";
const plain = [
  "ConfigMap demo-entrypoint",
  "Job demo",
  component,
  "RandomPassword demo-curve",
  "Secret demo-curve",
  "Service demo",
];
const patches = ["ConfigMapPatch demo-entrypoint-size", "JobPatch demo-size"];

describe("what a cluster registers", function () {
  this.timeout(20_000);

  let seen: Registration[];
  before(async () => void (seen = await register()));

  it("is a component with everything inside it, each with what it needs, leaves to a patch and makes room for", () => {
    const first = "deleteBeforeReplace: true";
    const want = `
MiniCluster demo: {}
RandomPassword demo-curve: {}
# The other objects follow when the API server accepts all of them.
Service demo: {${first}}
Secret demo-curve: {${first}, dependsOn: [RandomPassword demo-curve, Service demo]}
ConfigMap demo-entrypoint: {${first}, dependsOn: [Service demo], ignoreChanges: [data.size]}
ConfigMapPatch demo-entrypoint-size:
  {dependsOn: [ConfigMap demo-entrypoint], deletedWith: ConfigMap demo-entrypoint, retainOnDelete: true}
# The certificate's hash is in the pod template.
Job demo:
  ${first}
  ignoreChanges: [spec.completions, spec.parallelism]
  dependsOn:
    - ConfigMap demo-entrypoint
    - ConfigMapPatch demo-entrypoint-size
    - RandomPassword demo-curve
    - Secret demo-curve
    - Service demo
JobPatch demo-size: {dependsOn: [Job demo, RandomPassword demo-curve], deletedWith: Job demo, retainOnDelete: true}
`;
    const shown = seen.map(({ id, parent, ...each }) => {
      assert.equal(parent, id === component ? "" : component, id);
      const { dependsOn, ignoreChanges, deletedWith, retainOnDelete, deleteBeforeReplace } = each;
      const all = { dependsOn: dependsOn.sort(), ignoreChanges, deletedWith, retainOnDelete, deleteBeforeReplace };
      return [id, Object.fromEntries(Object.entries(all).filter(([, value]) => value && value.toString() !== ""))];
    });
    assert.deepEqual(Object.fromEntries(shown), parse(want));
  });

  it("makes a gang of Kubernetes itself before the Job, which goes only after the pods of the Job before", async () => {
    for (const version of ["v1alpha2", "v1beta1"] as const) {
      const own = await register({ gang: { native: { version } }, resize: MiniClusterResize.Manifest });
      const gang = own.find(({ id }) => id === "PodGroup demo-gang");
      const { apiVersion } = gang?.inputs as { apiVersion: string };
      assert.deepEqual([apiVersion, gang?.deleteBeforeReplace], [`scheduling.k8s.io/${version}`, false]);
      assert.ok(own.find(({ id }) => id === "Job demo")?.dependsOn.includes("PodGroup demo-gang"));
    }
  });

  it("gives the Job and its patch the time to wait", async () => {
    const waiting = (await register({ waitTimeoutSeconds: 90 })).filter(({ timeouts }) => timeouts.create !== "");
    assert.deepEqual(ids(waiting), ["Job demo", "JobPatch demo-size"]);
    for (const { timeouts } of waiting) assert.deepEqual(timeouts, { create: "90s", update: "90s" });
  });
});

describe("what a cluster with services, a sidecar's service and a policy registers", function () {
  this.timeout(20_000);

  const args: Partial<MiniClusterArgs> = {
    services: [aContainer({ name: "store", environment: { TOKEN: pulumi.secret("t") } })],
    containers: [aContainer({ runFlux: true }), aContainer({ name: "web", ports: [80], serviceName: "front" })],
    network: { policy: "pods" },
    wait: "ready",
    waitTimeoutSeconds: 90,
  };
  let seen: Registration[];
  before(async () => void (seen = await register(args)));

  const find = (id: string) => seen.find((each) => each.id === id) ?? assert.fail(`${id} is not registered`);
  const [pod, front, policy] = ["Pod demo-services", "Service demo-services", "NetworkPolicy demo"] as const;
  const sidecar = "Service demo-sidecar-web";

  it("adds few resources at any size, inside the component, deleted before their successors are created", async () => {
    const more = [pod, front, policy, sidecar, "Secret demo-environment"];
    const want = [...plain, ...patches, ...more].sort();
    assert.deepEqual(ids(seen), want);
    assert.deepEqual(ids(await register({ ...args, size: 5000 }, true)), want);
    for (const id of more) assert.deepEqual([find(id).parent, find(id).deleteBeforeReplace], [component, true], id);
  });

  it("is created in order: the files, the services that run them, the Service in front of these, the brokers", () => {
    const order = ["ConfigMap demo-entrypoint", pod, front, "Job demo", "JobPatch demo-size"];
    const positions = order.map((id) => seen.indexOf(find(id)));
    assert.deepEqual(
      [...positions].sort((one, other) => one - other),
      positions,
    );
    const files = ["ConfigMap demo-entrypoint", "ConfigMapPatch demo-entrypoint-size", "Secret demo-environment"];
    // The hash of the variables is keyed with the certificate.
    assert.deepEqual(find(pod).dependsOn.sort(), [...files, "RandomPassword demo-curve", "Service demo"].sort());
    assert.deepEqual(find(front).dependsOn, [pod]);
    for (const id of [...files, pod, front, policy, sidecar, "Service demo", "Secret demo-curve"])
      assert.ok(find("Job demo").dependsOn.includes(id), id);
  });

  it("is a pod with a secret status, replaced when what its containers read changes, that has time to start", () => {
    const { replaceOnChanges, timeouts, additionalSecretOutputs } = find(pod);
    assert.deepEqual(additionalSecretOutputs, ["status"]);
    assert.deepEqual(replaceOnChanges, [
      'metadata.annotations["minicluster/config-hash"]',
      'metadata.annotations["minicluster/environment-hash"]',
    ]);
    assert.deepEqual(timeouts, { create: "90s", update: "90s" });
    for (const path of replaceOnChanges) assert.notEqual(valueAt(find(pod).inputs, path), undefined, path);
  });
});

it("a cluster with a given certificate registers no key, and a Job that depends on its source", async () => {
  for (const preview of [false, true]) {
    const seen = await mockEngine({ preview });
    const key = new random.RandomPassword("mine", { length: 32 });
    const curveCert = key.result.apply((text) => renderCurveCertificate("mine", Buffer.from(text.slice(0, 32))));
    await settled(new MiniCluster("demo", aMiniClusterArgs({ flux: { curveCert } })));
    const own = [...plain, ...patches].filter((id) => !id.startsWith("RandomPassword"));
    assert.deepEqual(ids(seen), [...own, "RandomPassword mine"].sort());
    for (const id of ["Secret demo-curve", "Job demo"])
      assert.ok(seen.find((each) => each.id === id)?.dependsOn.includes("RandomPassword mine"), id);
  }
});

describe("what a cluster on a pool registers", function () {
  this.timeout(20_000);

  const budget = "PodDisruptionBudget demo";

  /** As a component of this package hands it on: known at once, and there only when its nodes are. */
  const poolOf = (...parts: string[]) => {
    const made = parts.map((name) => new random.RandomPassword(name, { length: 1 }).result);
    return attachKnownValue(
      pulumi.all(made).apply(() => aGpuPool()),
      aGpuPool(),
    );
  };

  for (const preview of [false, true])
    for (const resize of Object.values(MiniClusterResize))
      it(`is a budget, and a Job after all of the pool (resize: ${resize}, preview: ${preview})`, async () => {
        const seen = await mockEngine({ preview });
        await settled(new MiniCluster("demo", aMiniClusterArgs({ pool: poolOf("nodes", "plugin"), resize })));
        const dependents = seen.filter(({ dependsOn }) => dependsOn.includes("RandomPassword nodes"));
        assert.deepEqual(ids(dependents), ["Job demo"]);
        for (const id of ["RandomPassword plugin", budget, "Service demo", "Secret demo-curve"])
          assert.ok(dependents[0]?.dependsOn.includes(id), id);
        const { parent, deleteBeforeReplace } = seen.find(({ id }) => id === budget) ?? assert.fail();
        assert.deepEqual([parent, deleteBeforeReplace], [component, true]);
      });

  it("is a Job that comes after what pulls its images, and that after the nodes of the pool", async () => {
    const seen = await mockEngine();
    await settled(new MiniCluster("demo", aMiniClusterArgs({ pool: poolOf("nodes"), prepull: true })));
    const dependsOn = (name: string) => seen.find(({ id }) => id === name)?.dependsOn ?? [];
    assert.deepEqual(dependsOn("DaemonSet demo-prepull"), ["Service demo", "RandomPassword nodes"]);
    assert.ok(dependsOn("Job demo").includes("DaemonSet demo-prepull"));
  });

  it("is a Job that waits for nothing more where the pool is plain", async () => {
    const seen = await register({ pool: aGpuPool(), disruptionBudget: false });
    const jobOf = (all: Registration[]) => all.find(({ id }) => id === "Job demo")?.dependsOn.sort();
    assert.deepEqual(jobOf(seen), jobOf(await register()));
  });
});

describe("how much a cluster registers", function () {
  this.timeout(20_000);

  for (const preview of [false, true])
    it(`is eight resources at any size, and no patch with the size in the manifest (preview: ${preview})`, async () => {
      for (const size of [1, 5000])
        assert.deepEqual(ids(await register({ size }, preview)), [...plain, ...patches].sort());
      const seen = await register({ resize: MiniClusterResize.Manifest }, preview);
      assert.deepEqual(ids(seen), [...plain].sort());
      for (const { id, ignoreChanges } of seen) assert.deepEqual(ignoreChanges, [], id);
    });

  it("is nothing when the arguments are wrong, not even the component", async () => {
    const seen = await mockEngine();
    assert.throws(
      () => new MiniCluster("demo", aMiniClusterArgs({ size: 0 })),
      (error) => pulumi.InputPropertiesError.isInstance(error) && error.errors[0]?.propertyPath === "size",
    );
    assert.deepEqual(seen, []);
  });
});

describe("the options of a cluster", function () {
  this.timeout(20_000);

  const inside = (seen: Registration[]) => seen.filter(({ type }) => type !== "MiniCluster" && type !== "kubernetes");

  it("let a transform of the caller's see every resource inside", async () => {
    const seen = await mockEngine();
    const names: string[] = [];
    const mark: pulumi.ResourceTransformation = ({ type, name, props, opts }) => {
      names.push(`${type.split(":").at(-1)} ${name}`);
      return { props, opts: pulumi.mergeOptions(opts, { protect: true }) };
    };
    await settled(new MiniCluster("demo", aMiniClusterArgs(), { transformations: [mark] }));
    assert.deepEqual(names.sort(), [...plain, ...patches].sort());
    for (const { id, protect } of inside(seen)) assert.equal(protect, true, id);
  });

  it("pass a provider on to every resource of Kubernetes", async () => {
    const seen = await mockEngine();
    const kubernetes = new (class extends pulumi.ProviderResource {})("kubernetes", "other", {});
    await settled(new MiniCluster("demo", aMiniClusterArgs(), { providers: { kubernetes } }));
    for (const { id, type, provider } of inside(seen))
      assert.match(provider, type === "RandomPassword" ? /^$/ : /::pulumi:providers:kubernetes::other$/, id);
  });
});
