import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer, aMiniCluster } from "../../../support/fixtures";
import { itBuilds, manifestsOf } from "../../../support/manifests";
import { type PlainPod, podOf } from "../../../support/pod";

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
