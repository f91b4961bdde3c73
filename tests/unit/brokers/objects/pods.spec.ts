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
  itBuilds([
    { name: "have time to drain their rank and to end", args: {}, want: { "pod.terminationGracePeriodSeconds": 60 } },
    {
      name: "have more time with a longer drain timeout",
      args: { drainTimeoutSeconds: 300 },
      want: { "pod.terminationGracePeriodSeconds": 330 },
    },
    {
      name: "have the settings of the arguments",
      args: {
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
      want: {
        "pod.serviceAccountName": "s",
        "pod.runtimeClassName": "r",
        "pod.schedulerName": "c",
        "pod.dnsPolicy": "Default",
        "pod.hostIPC": true,
        "pod.shareProcessNamespace": true,
        "pod.automountServiceAccountToken": true,
        "pod.resources": { limits: { cpu: "4" } },
      },
    },
    {
      name: "have the security context, labels, annotations and node selector of the arguments",
      args: {
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
      want: {
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
    },
    {
      name: "keep apart by default, on the nodes of the node affinity",
      args: { pod: { nodeAffinity: { pool: ["a", "b"] } } },
      want: {
        "pod.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms": inPool,
        "pod.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey":
          "kubernetes.io/hostname",
        "pod.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution": undefined,
      },
    },
    {
      name: "keep apart if they can",
      args: { network: { affinity: "preferred" } },
      want: {
        "pod.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution": undefined,
        "pod.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey":
          "kubernetes.io/hostname",
      },
    },
    {
      name: "name each pull secret once",
      args: {
        flux: { container: { imagePullSecret: "a" } },
        containers: [
          aBroker({ imagePullSecret: pulumi.output("b") }),
          aSidecar({ imagePullSecret: "a" }),
          aSidecar({ name: "c" }),
        ],
      },
      want: { "pod.imagePullSecrets": [{ name: "a" }, { name: "b" }] },
    },
    {
      name: "share nodes, on those of the node affinity",
      args: { network: { affinity: "none" }, pod: { nodeAffinity: { pool: ["a", "b"] } } },
      want: {
        "pod.affinity": {
          nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: inPool } },
        },
      },
    },
    {
      name: "share nodes without any affinity",
      args: { network: { affinity: "none" } },
      want: { "pod.affinity": undefined },
    },
  ]);
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
  itBuilds([
    {
      name: "has the pod settings but those of the brokers, and lives as long as the cluster",
      args: {
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
      want: {
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
    },
    {
      name: "is not waited for if nothing is",
      args: { wait: "none", services: [{ image: "i", name: "a" }] },
      want: { 'servicesPod.metadata.annotations["pulumi.com/skipAwait"]': "true" },
    },
    {
      name: "starts the entrypoint of its image",
      args: { services: [{ image: "i", name: "a" }] },
      want: {
        [`${container(0)}.command`]: undefined,
        [`${container(0)}.volumeMounts`]: undefined,
        "servicesPod.spec.volumes": undefined,
      },
    },
    {
      name: "starts a script around a command or script, and nothing around noWrapEntrypoint",
      args: {
        services: [
          { image: "i", name: "a", command: "serve" },
          { image: "i", name: "b", commands: { script: "serve" } },
          { image: "i", name: "c", command: "serve -x", noWrapEntrypoint: true },
        ],
      },
      want: {
        [`${container(0)}.command`]: ["bash", "/etc/minicluster/config/a.start.sh"],
        [`${container(0)}.volumeMounts`]: [config],
        [`${container(1)}.command`]: ["bash", "/etc/minicluster/config/b.start.sh"],
        [`${container(1)}.volumeMounts`]: [config],
        [`${container(2)}.command`]: ["serve", "-x"],
        [`${container(2)}.volumeMounts`]: undefined,
        "servicesPod.spec.volumes[0].name": "minicluster-config",
        "servicesPod.spec.volumes[1]": undefined,
      },
    },
    {
      name: "has each volume once, and none of the brokers' volumes",
      args: {
        services: [
          { image: "i", name: "a", command: "x", volumes: data },
          { image: "i", name: "b", volumes: data },
        ],
        containers: [aBroker({ volumes: { other: { path: "/x", claimName: "x" } } })],
      },
      want: {
        [`${container(0)}.volumeMounts`]: [config, { name: "data", mountPath: "/data", readOnly: false }],
        "servicesPod.spec.volumes[0].name": "minicluster-config",
        "servicesPod.spec.volumes[1]": { name: "data", persistentVolumeClaim: { claimName: "c", readOnly: false } },
        "servicesPod.spec.volumes[2]": undefined,
      },
    },
  ]);
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
