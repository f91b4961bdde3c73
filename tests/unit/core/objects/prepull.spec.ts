import * as assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../provider";
import { aBroker, aContainer, aPool, aSidecar, withBroker, withTemplate } from "../../../support/fixtures";
import { manifestsOf } from "../../../support/manifests";
import { valueOf } from "../../../support/mocks";
import { type PlainPod, podOf } from "../../../support/pod";
import { valueAt } from "../../../support/propertyPaths";

type Args = Partial<MiniClusterArgs>;

/** What pulls the images of a cluster. */
function prepullOf(args: Args) {
  const { prepull } = manifestsOf({ prepull: true, ...args });
  assert.ok(prepull);
  return prepull as unknown as {
    metadata: { name: string; annotations: Record<string, string> };
    spec: { template: { metadata: { labels: Record<string, string> }; spec: PlainPod } };
  };
}
const pullingPod = (args: Args) => prepullOf(args).spec.template.spec;

/** Images that the pod pulls, in their order, and those of its volumes. */
function imagesOf(args: Args): string[] {
  const { initContainers = [], containers, volumes = [] } = pullingPod(args);
  const mounted = volumes.map(({ image }) => (image as { reference: string }).reference);
  return [...[...initContainers, ...containers].map(({ image }) => image), ...mounted];
}

describe("what pulls the images", () => {
  const view = { flux: { container: { image: "view" } } };
  const noView = { flux: { container: { disable: true } } };
  const ubuntu = aBroker({ image: "ubuntu" });
  const images: [name: string, args: Args, want: string][] = [
    ["of the view and of the brokers", view, "view, ubuntu"],
    ["of the brokers alone without a view", noView, "ubuntu"],
    [
      "of a view that is an image volume",
      { flux: { container: { image: "view", imageVolume: true } } },
      "ubuntu, view",
    ],
    [
      "of a sidecar with a start script",
      { ...view, containers: [ubuntu, aSidecar({ image: "side" })] },
      "view, side, ubuntu",
    ],
    [
      "not of a sidecar without a start script, which may have no bash",
      { ...view, containers: [ubuntu, { name: "side", image: "side" }] },
      "view, ubuntu",
    ],
    [
      "once each",
      { flux: { container: { image: "ubuntu" } }, containers: [ubuntu, aSidecar({ image: "ubuntu" })] },
      "ubuntu",
    ],
    ["that are known later", { ...noView, ...withBroker({ image: pulumi.output("later") }) }, "later"],
    ["of podTemplate", { ...view, ...withTemplate({ containers: [{ name: "demo", image: "other" }] }) }, "view, other"],
  ];
  for (const [name, args, want] of images)
    it(`takes those ${name}`, async () => {
      const all = { containers: [aContainer({ image: "ubuntu" })], ...args };
      assert.deepEqual((await valueOf(pulumi.output(imagesOf(all)))).join(", "), want);
    });

  it("runs where the pods of the cluster may run, with their secrets and their user", () => {
    const args: Args = {
      pool: aPool(),
      podSecurity: "restricted",
      containers: [aContainer({ imagePullSecret: "registry" })],
      pod: { nodeAffinity: { disk: ["nvme"] }, nodeSelector: { rack: "r1" }, serviceAccountName: "puller" },
      podTemplate: { spec: { tolerations: [{ operator: "Exists" }] } },
    };
    const [pod, job] = [pullingPod(args), podOf(args)];
    // The Job's pods select nodes by what their user and their pool say.
    assert.deepEqual(pod["nodeSelector"], { "kubernetes.io/os": "linux", ...(job["nodeSelector"] as object) });
    for (const key of ["tolerations", "imagePullSecrets", "serviceAccountName", "securityContext"])
      assert.deepEqual([key, pod[key]], [key, job[key]]);
    assert.deepEqual(pod["affinity"], { nodeAffinity: (job["affinity"] as { nodeAffinity: object }).nodeAffinity });
    assert.equal(pod["automountServiceAccountToken"], false);
    assert.deepEqual(Object.keys(pod["nodeSelector"] as object), [
      "kubernetes.io/os",
      "kubernetes.io/arch",
      "minicluster/pool",
      "rack",
    ]);
  });

  it("requests no devices and very little CPU and memory, and has no permissions", () => {
    const limits = { "nvidia.com/gpu": "8" };
    const containers = [aContainer({ resources: { limits }, securityContext: { privileged: true } })];
    const pod = pullingPod({ containers });
    for (const { resources, securityContext } of [...(pod.initContainers ?? []), ...pod.containers]) {
      assert.deepEqual(resources, { requests: { cpu: "1m", memory: "8Mi" }, limits: { cpu: "100m", memory: "64Mi" } });
      assert.deepEqual(securityContext, { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } });
    }
  });

  it("is not one of the cluster's hosts: no Service and no policy selects its pods", () => {
    const { service, networkPolicy } = manifestsOf({ network: { policy: "pods" } });
    const { labels } = prepullOf({}).spec.template.metadata;
    for (const selector of [valueAt(service, "spec.selector"), valueAt(networkPolicy, "spec.podSelector.matchLabels")])
      assert.ok(Object.entries(selector as object).some(([key, value]) => labels[key] !== value));
  });

  it("changes nothing about the pods of the cluster", () => assert.deepEqual(podOf({ prepull: true }), podOf({})));

  it("is awaited unless wait is none", () =>
    assert.deepEqual(
      [{}, { wait: "none" as const }].map((args) => prepullOf(args).metadata.annotations["pulumi.com/skipAwait"]),
      [undefined, "true"],
    ));

  it("runs with nothing but bash: one container after the other, and the last until it is terminated", async () => {
    const { initContainers = [], containers } = pullingPod({});
    const bash = execFileSync("bash", ["-c", "type -P bash"], { encoding: "utf8" }).trim();
    const [first = [], last = []] = [...initContainers, ...containers].map(({ command = [] }) => command.slice(1));
    execFileSync(bash, first, { env: { PATH: "/nowhere" } });
    const resting = spawn(bash, [first[0] ?? "", (last[1] ?? "").replace("while", "echo up; while")], {
      env: { PATH: "/nowhere" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(resting.stdout, "data");
    // Between two rests bash only notes a signal, and acts on it with the next; the kubelet's next one kills.
    const again = setInterval(() => resting.kill("SIGTERM"), 50);
    assert.deepEqual(await once(resting, "exit").finally(() => clearInterval(again)), [0, null]);
  });
});
