import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../provider";
import { aContainer, aMiniCluster } from "../../../support/fixtures";
import { itBuilds, manifestsOf, sentManifests, templateHash } from "../../../support/manifests";
import { type PlainPod, podOf } from "../../../support/pod";
import { valueAt } from "../../../support/propertyPaths";

describe("the pods", () => {
  it("drain for no longer than the time that the user's own template gives them", () => {
    const drainOf = (terminationGracePeriodSeconds: number) =>
      aMiniCluster({ podTemplate: { spec: { terminationGracePeriodSeconds } } }).drainTimeoutSeconds;
    assert.deepEqual([600, 40, 30, 5].map(drainOf), [30, 30, 20, 0]);
  });

  const inPool = "[{matchExpressions: [{key: pool, operator: In, values: [a, b]}]}]";
  itBuilds(`
# have the time to drain their rank, and to end as any pod does
{}
  pod.terminationGracePeriodSeconds: 60
{drainTimeoutSeconds: 300}
  pod.terminationGracePeriodSeconds: 330
# have the user's settings
{shareProcessNamespace: true, pod: {serviceAccountName: s, runtimeClassName: r, schedulerName: c, dnsPolicy: Default, hostIPC: true, hostPID: false, resources: {limits: {cpu: "4"}}, automountServiceAccountToken: true}}
  pod: !has {serviceAccountName: s, runtimeClassName: r, schedulerName: c, dnsPolicy: Default, hostIPC: true, shareProcessNamespace: true, automountServiceAccountToken: true, resources: {limits: {cpu: "4"}}}
# have the user's rights, labels, annotations and place
flux: {arch: arm64}
|pod: {restartPolicy: Never, hostPID: true, labels: {app: x}, annotations: {note: y}, nodeSelector: {a: b}, tolerations: [{key: gpu, operator: Exists}], securityContext: {seccompProfile: {type: Unconfined}}}
|containers: [{image: i, securityContext: {privileged: true, runAsUser: 0}}]
  pod: !has {restartPolicy: Never, hostPID: true, nodeSelector: {kubernetes.io/arch: arm64, a: b}, securityContext: {seccompProfile: {type: Unconfined}}}
  template.labels.app: x
  template.annotations.note: y
  pod.tolerations[0].key: kubernetes.io/arch
  pod.tolerations[1]: {key: gpu, operator: Exists}
  pod.containers[0].securityContext: {privileged: true, runAsUser: 0, allowPrivilegeEscalation: true}
# keep apart unless they are told otherwise, and are on the nodes of the user's choice
pod: {nodeAffinity: {pool: [a, b]}}
  pod.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: ${inPool}
  pod.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: kubernetes.io/hostname
  pod.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution: !unset
# keep apart where they can
network: {affinity: preferred}
  pod.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution: !unset
  pod.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: kubernetes.io/hostname
# name each pull secret once, whoever needs it
{flux: {container: {imagePullSecret: a}}, containers: [!broker {imagePullSecret: !later b}, !side {imagePullSecret: a}, !side {name: c}]}
  pod.imagePullSecrets: [{name: a}, {name: b}]
# share nodes
{network: {affinity: none}, pod: {nodeAffinity: {pool: [a, b]}}}
  pod.affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ${inPool}}}}
network: {affinity: none}
  pod.affinity: !unset
`);
});

describe("restricted pods", () => {
  const least = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };

  it("have no container that may do more, by the user's template neither, unless that says so itself", () => {
    const extra = [{ name: "extra", image: "i" }];
    const args: Partial<MiniClusterArgs> = {
      podSecurity: "restricted",
      containers: [aContainer({ runFlux: true }), aContainer({ name: "side" })],
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
const config = "{name: minicluster-config, mountPath: /etc/minicluster/config, readOnly: true}";
const data = "{data: {path: /data, claimName: c}}";

describe("the pod of the services", () => {
  itBuilds(`
# passes on the user's settings of pods, but for what is the brokers' own, and lives as long as the cluster
{services: [{image: i, name: a}], flux: {arch: arm64}, gang: {schedulerName: fluence}, pod: {serviceAccountName: s, runtimeClassName: r, dnsPolicy: Default, nodeSelector: {pool: a}, tolerations: [{operator: Exists}], restartPolicy: Never}}
  servicesPod.spec: !has {serviceAccountName: s, runtimeClassName: r, dnsPolicy: Default, nodeSelector: {pool: a}, tolerations: [{operator: Exists}], restartPolicy: Always, schedulerName: !unset , affinity: !unset , initContainers: !unset }
  servicesPod.metadata.annotations["pulumi.com/skipAwait"]: !unset
# is not waited for where nothing is
{wait: none, services: [{image: i, name: a}]}
  servicesPod.metadata.annotations["pulumi.com/skipAwait"]: "true"
# starts its image's own command
services: [{image: i, name: a}]
  ${container(0)}: !has {command: !unset , volumeMounts: !unset }
  servicesPod.spec.volumes: !unset
# starts a script of ours around a command and around a script, and plain words alone unwrapped
services: [{image: i, name: a, command: serve}, {image: i, name: b, commands: {script: serve}}, {image: i, name: c, command: serve -x, noWrapEntrypoint: true}]
  ${container(0)}: !has {command: [bash, /etc/minicluster/config/a.start.sh], volumeMounts: [${config}]}
  ${container(1)}: !has {command: [bash, /etc/minicluster/config/b.start.sh], volumeMounts: [${config}]}
  ${container(2)}: !has {command: [serve, -x], volumeMounts: !unset }
  servicesPod.spec.volumes[0].name: minicluster-config
  servicesPod.spec.volumes[1]: !unset
# has volumes once, whoever mounts them, and none of the brokers'
services: [{image: i, name: a, command: x, volumes: ${data}}, {image: i, name: b, volumes: ${data}}]
|containers: [!broker {volumes: {other: {path: /x, claimName: x}}}]
  ${container(0)}.volumeMounts: [${config}, {name: data, mountPath: /data, readOnly: false}]
  servicesPod.spec.volumes[0].name: minicluster-config
  servicesPod.spec.volumes[1]: {name: data, persistentVolumeClaim: {claimName: c, readOnly: false}}
  servicesPod.spec.volumes[2]: !unset
`);
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
