import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs, MiniClusterPodArgs } from "../../../../provider";
import { aBroker, aContainer, aMiniCluster, aSidecar, withBroker, withTemplate } from "../../../support/fixtures";
import { itBuilds, manifestsOf, sentManifests, templateHash } from "../../../support/manifests";
import { type PlainPod, podOf } from "../../../support/pod";
import { valueAt } from "../../../support/propertyPaths";

describe("the pods", () => {
  it("drain for no longer than the time that the user's own template gives them", () => {
    const drainOf = (terminationGracePeriodSeconds: number) =>
      aMiniCluster({ podTemplate: { spec: { terminationGracePeriodSeconds } } }).drainTimeoutSeconds;
    assert.deepEqual([600, 40, 30, 5].map(drainOf), [30, 30, 20, 0]);
  });

  const pool = { pool: ["a", "b"] };
  const inPool = [{ matchExpressions: [{ key: "pool", operator: "In", values: ["a", "b"] }] }];
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
  const grace = "pod.terminationGracePeriodSeconds";
  itBuilds("have time to drain their rank and to end", {}, { [grace]: 60 });
  itBuilds("have more time with a longer drain timeout", { drainTimeoutSeconds: 300 }, { [grace]: 330 });

  const pod: MiniClusterPodArgs = {
    serviceAccountName: "s",
    runtimeClassName: "r",
    schedulerName: "c",
    dnsPolicy: "Default",
    hostIPC: true,
    hostPID: false,
    resources: { limits: { cpu: "4" } },
    automountServiceAccountToken: true,
    restartPolicy: "Never",
    securityContext: { seccompProfile: { type: "Unconfined" } },
  };
  itBuilds(
    "have the settings of the arguments",
    { shareProcessNamespace: true, pod },
    {
      ...Object.fromEntries(Object.entries(pod).map(([key, value]) => [`pod.${key}`, value])),
      "pod.shareProcessNamespace": true,
    },
  );
  itBuilds(
    "have labels, annotations, node selector and tolerations of the arguments beside those of the component",
    {
      flux: { arch: "arm64" },
      pod: {
        hostPID: true,
        labels: { app: "x" },
        annotations: { note: "y" },
        nodeSelector: { a: "b" },
        tolerations: [{ key: "gpu", operator: "Exists" }],
      },
      containers: [{ image: "i", securityContext: { privileged: true, runAsUser: 0 } }],
    },
    {
      "pod.hostPID": true,
      "pod.nodeSelector": { "kubernetes.io/arch": "arm64", a: "b" },
      "template.labels.app": "x",
      "template.annotations.note": "y",
      "pod.tolerations[0].key": "kubernetes.io/arch",
      "pod.tolerations[1]": { key: "gpu", operator: "Exists" },
      "pod.containers[0].securityContext": { privileged: true, runAsUser: 0, allowPrivilegeEscalation: true },
    },
  );
  itBuilds(
    "keep apart by default, on the nodes of the node affinity",
    { pod: { nodeAffinity: pool } },
    {
      [`pod.affinity.nodeAffinity.${required}.nodeSelectorTerms`]: inPool,
      [`pod.affinity.podAntiAffinity.${required}[0].topologyKey`]: "kubernetes.io/hostname",
      [`pod.affinity.podAntiAffinity.${preferred}`]: undefined,
    },
  );
  itBuilds(
    "keep apart if they can",
    { network: { affinity: "preferred" } },
    {
      [`pod.affinity.podAntiAffinity.${required}`]: undefined,
      [`pod.affinity.podAntiAffinity.${preferred}[0].podAffinityTerm.topologyKey`]: "kubernetes.io/hostname",
    },
  );
  itBuilds(
    "share nodes, on those of the node affinity",
    { network: { affinity: "none" }, pod: { nodeAffinity: pool } },
    { "pod.affinity": { nodeAffinity: { [required]: { nodeSelectorTerms: inPool } } } },
  );
  itBuilds("share nodes without any affinity", { network: { affinity: "none" } }, { "pod.affinity": undefined });
  itBuilds(
    "name each pull secret once",
    {
      flux: { container: { imagePullSecret: "a" } },
      containers: [
        aBroker({ imagePullSecret: pulumi.output("b") }),
        aSidecar({ imagePullSecret: "a" }),
        aSidecar({ name: "c" }),
      ],
    },
    { "pod.imagePullSecrets": [{ name: "a" }, { name: "b" }] },
  );
});

describe("restricted pods", () => {
  const least = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };

  it("have no container with more privileges, nor one of the user's template, unless the template sets them", () => {
    const extra = [{ name: "extra", image: "i" }];
    const args: Partial<MiniClusterArgs> = {
      podSecurity: "restricted",
      containers: [aBroker(), aSidecar()],
      services: [{ image: "i", name: "store" }],
      ...withTemplate({
        containers: extra,
        initContainers: [{ name: "first", image: "i", securityContext: { runAsUser: 7 } }],
      }),
    };
    const pods = [podOf(args), manifestsOf(args).servicesPod?.spec as unknown as PlainPod];
    const all = pods.flatMap(({ containers, initContainers = [] }) => [...initContainers, ...containers]);
    const want = { "flux-view": least, side: least, demo: least, extra: least, store: least };
    assert.deepEqual(Object.fromEntries(all.map(({ name, securityContext }) => [name, securityContext])), {
      ...want,
      first: { ...least, runAsUser: 7 },
    });
    const [view] = podOf({ podSecurity: "restricted", containers: [aBroker()] }).initContainers ?? [];
    assert.deepEqual(view?.securityContext, least);
    for (const { securityContext } of pods) assert.equal((securityContext as { runAsUser: number }).runAsUser, 1000);
  });
});

const services = (...all: Partial<MiniClusterContainerArgs>[]) => ({
  services: all.map((service, index) => ({ image: "i", name: `store-${index}`, ...service })),
});

describe("the pod of the services", () => {
  const skipped = 'servicesPod.metadata.annotations["pulumi.com/skipAwait"]';
  const container = (index: number) => `servicesPod.spec.containers[${index}]`;
  const config = { name: "minicluster-config", mountPath: "/etc/minicluster/config", readOnly: true };
  const volumes = { data: { path: "/data", claimName: "c" } };

  it("has the pod settings but those of the brokers, and lives as long as the cluster", async () => {
    const shared: MiniClusterPodArgs = {
      serviceAccountName: "s",
      runtimeClassName: "r",
      dnsPolicy: "Default",
      nodeSelector: { pool: "a" },
      tolerations: [{ operator: "Exists" }],
    };
    const { servicesPod } = await sentManifests({
      ...services({}),
      flux: { arch: "arm64" },
      gang: { schedulerName: "fluence" },
      pod: { ...shared, restartPolicy: "Never" },
    });
    const spec = (servicesPod as { spec: Record<string, unknown> }).spec;
    const own = ["schedulerName", "affinity", "initContainers"].map((key) => [key, undefined]);
    const want = { ...shared, restartPolicy: "Always", ...(Object.fromEntries(own) as object) };
    assert.deepEqual(Object.fromEntries(Object.keys(want).map((key) => [key, spec[key]])), want);
  });

  itBuilds("is waited for", services({}), { [skipped]: undefined });
  itBuilds("is not awaited if wait is none", { wait: "none", ...services({}) }, { [skipped]: "true" });
  itBuilds("starts the entrypoint of its image", services({}), {
    [`${container(0)}.command`]: undefined,
    [`${container(0)}.volumeMounts`]: undefined,
    "servicesPod.spec.volumes": undefined,
  });
  itBuilds(
    "starts a script around a command or script, and nothing around noWrapEntrypoint",
    services({ command: "a" }, { commands: { script: "b" } }, { command: "serve -x", noWrapEntrypoint: true }),
    {
      [`${container(0)}.command`]: ["bash", "/etc/minicluster/config/store-0.start.sh"],
      [`${container(0)}.volumeMounts`]: [config],
      [`${container(1)}.command`]: ["bash", "/etc/minicluster/config/store-1.start.sh"],
      [`${container(1)}.volumeMounts`]: [config],
      [`${container(2)}.command`]: ["serve", "-x"],
      [`${container(2)}.volumeMounts`]: undefined,
      "servicesPod.spec.volumes[0].name": "minicluster-config",
      "servicesPod.spec.volumes[1]": undefined,
    },
  );
  itBuilds(
    "has each volume once, and none of the brokers' volumes",
    {
      ...services({ command: "x", volumes }, { volumes }),
      ...withBroker({ volumes: { other: { path: "/x", claimName: "x" } } }),
    },
    {
      [`${container(0)}.volumeMounts`]: [config, { name: "data", mountPath: "/data", readOnly: false }],
      "servicesPod.spec.volumes[0].name": "minicluster-config",
      "servicesPod.spec.volumes[1]": { name: "data", persistentVolumeClaim: { claimName: "c", readOnly: false } },
      "servicesPod.spec.volumes[2]": undefined,
    },
  );
});

describe("the hashes of the services", () => {
  const hashes = async (args: Partial<MiniClusterArgs>) => {
    const { servicesPod } = await sentManifests({ ...services({}), ...args });
    const annotations = valueAt(servicesPod, "metadata.annotations") as Record<string, string>;
    return [annotations["minicluster/config-hash"], annotations["minicluster/environment-hash"]];
  };
  const started = services({ command: "serve --port 80" });
  const later = (value: string) => services({ environment: { TOKEN: pulumi.secret(value) } });

  it("change with their scripts, and not with those of the brokers, which they leave alone", async () => {
    const before = await hashes(started);
    assert.notDeepEqual(await hashes(services({ command: "other" })), before);
    assert.deepEqual(await hashes({ ...started, size: 2, maxSize: 9, tasks: 7 }), before);
    assert.equal(new Set([started, services({ command: "other" }), {}].map(templateHash)).size, 1);
  });

  it("change with a variable that is only known later, and not with one of the brokers", async () => {
    const before = await hashes(later("a"));
    assert.match(before[1] ?? "", /^[0-9a-f]{16}$/);
    assert.equal((await hashes(started))[1], undefined);
    assert.notDeepEqual(await hashes(later("b")), before);
    const broker = aContainer({ environment: { TOKEN: pulumi.output("x") } });
    assert.deepEqual(await hashes({ ...later("a"), containers: [broker] }), before);
  });
});
