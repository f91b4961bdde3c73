import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../provider";
import { aBroker, aContainer, aMiniCluster, aSidecar } from "../../../support/fixtures";
import { itBuilds, manifestsOf, sentManifests, templateHash } from "../../../support/manifests";
import { type PlainPod, podOf } from "../../../support/pod";
import { valueAt } from "../../../support/propertyPaths";

describe("the pods", () => {
  it("drain for no longer than the time that the user's own template gives them", () => {
    const drainOf = (terminationGracePeriodSeconds: number) =>
      aMiniCluster({ podTemplate: { spec: { terminationGracePeriodSeconds } } }).drainTimeoutSeconds;
    assert.deepEqual([600, 40, 30, 5].map(drainOf), [30, 30, 20, 0]);
  });

  const inPool = [{ matchExpressions: [{ key: "pool", operator: "In", values: ["a", "b"] }] }];
  itBuilds("have time to drain their rank and to end", {}, { "pod.terminationGracePeriodSeconds": 60 });
  itBuilds(
    "have more time with a longer drain timeout",
    { drainTimeoutSeconds: 300 },
    { "pod.terminationGracePeriodSeconds": 330 },
  );
  itBuilds(
    "have the settings of the arguments",
    {
      shareProcessNamespace: true,
      pod: {
        serviceAccountName: "s",
        runtimeClassName: "r",
        schedulerName: "c",
        dnsPolicy: "Default",
        hostIPC: true,
        hostPID: false,
        resources: { limits: { cpu: "4" } },
        automountServiceAccountToken: true,
      },
    },
    {
      "pod.serviceAccountName": "s",
      "pod.runtimeClassName": "r",
      "pod.schedulerName": "c",
      "pod.dnsPolicy": "Default",
      "pod.hostIPC": true,
      "pod.shareProcessNamespace": true,
      "pod.automountServiceAccountToken": true,
      "pod.resources": { limits: { cpu: "4" } },
    },
  );
  itBuilds(
    "have the security context, labels, annotations and node selector of the arguments",
    {
      flux: { arch: "arm64" },
      pod: {
        restartPolicy: "Never",
        hostPID: true,
        labels: { app: "x" },
        annotations: { note: "y" },
        nodeSelector: { a: "b" },
        tolerations: [{ key: "gpu", operator: "Exists" }],
        securityContext: { seccompProfile: { type: "Unconfined" } },
      },
      containers: [{ image: "i", securityContext: { privileged: true, runAsUser: 0 } }],
    },
    {
      "pod.restartPolicy": "Never",
      "pod.hostPID": true,
      "pod.nodeSelector": { "kubernetes.io/arch": "arm64", a: "b" },
      "pod.securityContext": { seccompProfile: { type: "Unconfined" } },
      "template.labels.app": "x",
      "template.annotations.note": "y",
      "pod.tolerations[0].key": "kubernetes.io/arch",
      "pod.tolerations[1]": { key: "gpu", operator: "Exists" },
      "pod.containers[0].securityContext": { privileged: true, runAsUser: 0, allowPrivilegeEscalation: true },
    },
  );
  itBuilds(
    "keep apart by default, on the nodes of the node affinity",
    { pod: { nodeAffinity: { pool: ["a", "b"] } } },
    {
      "pod.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms": inPool,
      "pod.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey":
        "kubernetes.io/hostname",
      "pod.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution": undefined,
    },
  );
  itBuilds(
    "keep apart if they can",
    { network: { affinity: "preferred" } },
    {
      "pod.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution": undefined,
      "pod.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey":
        "kubernetes.io/hostname",
    },
  );
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
  itBuilds(
    "share nodes, on those of the node affinity",
    { network: { affinity: "none" }, pod: { nodeAffinity: { pool: ["a", "b"] } } },
    {
      "pod.affinity": {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: inPool } },
      },
    },
  );
  itBuilds("share nodes without any affinity", { network: { affinity: "none" } }, { "pod.affinity": undefined });
});

describe("restricted pods", () => {
  const least = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };

  it("have no container that may do more, by the user's template neither, unless that says so itself", () => {
    const extra = [{ name: "extra", image: "i" }];
    const args: Partial<MiniClusterArgs> = {
      podSecurity: "restricted",
      containers: [aBroker(), aSidecar()],
      services: [{ image: "i", name: "store" }],
      podTemplate: {
        spec: { containers: extra, initContainers: [{ name: "first", image: "i", securityContext: { runAsUser: 7 } }] },
      },
    };
    const pods = [podOf(args), manifestsOf(args).servicesPod?.spec as unknown as PlainPod];
    const all = pods.flatMap(({ containers, initContainers = [] }) => [...initContainers, ...containers]);
    assert.deepEqual(
      Object.fromEntries(all.map(({ name, securityContext }) => [name, securityContext])),
      { "flux-view": least, side: least, first: { ...least, runAsUser: 7 }, demo: least, extra: least, store: least }, // prettier-ignore
    );
    for (const { securityContext } of pods) assert.equal((securityContext as { runAsUser: number }).runAsUser, 1000);
  });
});

type Service = Partial<MiniClusterContainerArgs>;

const services = (...all: Service[]) => ({
  services: all.map((service, index) => ({ image: "redis:7", name: `store-${index}`, ...service })),
});

const container = (index: number) => `servicesPod.spec.containers[${index}]`;
const config = { name: "minicluster-config", mountPath: "/etc/minicluster/config", readOnly: true };
const data = { data: { path: "/data", claimName: "c" } };

describe("the pod of the services", () => {
  itBuilds(
    "has the pod settings but those of the brokers, and lives as long as the cluster",
    {
      services: [{ image: "i", name: "a" }],
      flux: { arch: "arm64" },
      gang: { schedulerName: "fluence" },
      pod: {
        serviceAccountName: "s",
        runtimeClassName: "r",
        dnsPolicy: "Default",
        nodeSelector: { pool: "a" },
        tolerations: [{ operator: "Exists" }],
        restartPolicy: "Never",
      },
    },
    {
      "servicesPod.spec.serviceAccountName": "s",
      "servicesPod.spec.runtimeClassName": "r",
      "servicesPod.spec.dnsPolicy": "Default",
      "servicesPod.spec.nodeSelector": { pool: "a" },
      "servicesPod.spec.tolerations": [{ operator: "Exists" }],
      "servicesPod.spec.restartPolicy": "Always",
      "servicesPod.spec.schedulerName": undefined,
      "servicesPod.spec.affinity": undefined,
      "servicesPod.spec.initContainers": undefined,
      'servicesPod.metadata.annotations["pulumi.com/skipAwait"]': undefined,
    },
  );
  itBuilds(
    "is not waited for if nothing is",
    { wait: "none", services: [{ image: "i", name: "a" }] },
    { 'servicesPod.metadata.annotations["pulumi.com/skipAwait"]': "true" },
  );
  itBuilds(
    "starts the entrypoint of its image",
    { services: [{ image: "i", name: "a" }] },
    {
      [`${container(0)}.command`]: undefined,
      [`${container(0)}.volumeMounts`]: undefined,
      "servicesPod.spec.volumes": undefined,
    },
  );
  itBuilds(
    "starts a script around a command or script, and nothing around noWrapEntrypoint",
    {
      services: [
        { image: "i", name: "a", command: "serve" },
        { image: "i", name: "b", commands: { script: "serve" } },
        { image: "i", name: "c", command: "serve -x", noWrapEntrypoint: true },
      ],
    },
    {
      [`${container(0)}.command`]: ["bash", "/etc/minicluster/config/a.start.sh"],
      [`${container(0)}.volumeMounts`]: [config],
      [`${container(1)}.command`]: ["bash", "/etc/minicluster/config/b.start.sh"],
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
      services: [
        { image: "i", name: "a", command: "x", volumes: data },
        { image: "i", name: "b", volumes: data },
      ],
      containers: [aBroker({ volumes: { other: { path: "/x", claimName: "x" } } })],
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
