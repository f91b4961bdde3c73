import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { buildPrograms } from "../../../../provider/brokers/objects/programs";
import { aBursting, aMiniCluster } from "../../../support/fixtures";
import { itBuilds, templateHash } from "../../../support/manifests";

const lead = '{matchLabels: {job-name: demo, batch.kubernetes.io/job-completion-index: "0"}}';

describe("the metrics of a cluster", () => {
  it("are served by a program that every lead broker's pod runs once it is there: metrics come and go, and the pods stay", () => {
    for (const mode of [{}, { interactive: true }, { bursting: aBursting() }] as Partial<MiniClusterArgs>[])
      assert.deepEqual(templateHash({ ...mode, metrics: { port: 9100, podMonitor: {} } }), templateHash(mode));
  });

  itBuilds(`
# are let out where a policy closes every port: from one port of one pod, to pods of the cluster
{metrics: {port: 9100}, network: {policy: pods}}
  metrics.networkPolicy.spec: {podSelector: ${lead}, policyTypes: [Ingress], ingress: [{from: [{namespaceSelector: {}}], ports: [{protocol: TCP, port: 9100}]}]}
# are let out to the pods of one namespace
{metrics: {fromNamespace: monitoring}, network: {policy: pods}}
  metrics.networkPolicy.spec.ingress[0].from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}]
# need no policy where every port but the brokers' is open
{metrics: {}, network: {policy: brokerPort}}
  metrics.networkPolicy: !unset
metrics: {}
  metrics: !has {networkPolicy: !unset , podMonitor: !unset }
{interactive: true, autoscale: {max: 4}, network: {policy: pods}}
  metrics: !unset
# are found by a PodMonitor: once, in the lead broker's pod, at a port that no container names
metrics: {podMonitor: {labels: {release: prometheus}, intervalSeconds: 15}}
  metrics.podMonitor: !has {apiVersion: monitoring.coreos.com/v1, kind: PodMonitor}
  metrics.podMonitor.metadata.labels.release: prometheus
  metrics.podMonitor.spec.selector: ${lead}
  metrics.podMonitor.spec.podMetricsEndpoints[0]: !has {path: /metrics, interval: 15s}
  metrics.podMonitor.spec.podMetricsEndpoints[0].relabelings[0]: {action: keep, sourceLabels: [__meta_kubernetes_pod_container_name], regex: demo}
  metrics.podMonitor.spec.podMetricsEndpoints[0].relabelings[1]: {action: replace, sourceLabels: [__meta_kubernetes_pod_ip], regex: (.+), targetLabel: __address__, replacement: "$1:8061"}
`);

  it("and the demand are served by one program, each where it is asked for", () => {
    const settingsOf = (args: Partial<MiniClusterArgs>) => {
      const { "demand.json": text } = (buildPrograms(aMiniCluster(args))?.data ?? {}) as Record<string, string>;
      const { demandPort, metricsPort } = JSON.parse(text ?? "{}") as Record<string, unknown>;
      return { demandPort, metricsPort };
    };
    const elastic = { interactive: true, size: undefined, maxSize: undefined, autoscale: { max: 4 } };
    assert.deepEqual(settingsOf({ metrics: {} }), { demandPort: null, metricsPort: 8061 });
    assert.deepEqual(settingsOf(elastic), { demandPort: 8060, metricsPort: null });
    assert.deepEqual(settingsOf({ ...elastic, metrics: { port: 9100 } }), { demandPort: 8060, metricsPort: 9100 });
  });
});

describe("the agent that sets the size", () => {
  itBuilds(`
# may get and patch one Job, and nothing else
{interactive: true, size: !unset , maxSize: !unset , autoscale: {max: 4}}
  agent.account.automountServiceAccountToken: false
  agent.role.rules: [{apiGroups: [batch], resources: [jobs], resourceNames: [demo], verbs: [get, patch]}]
  agent.binding: !has {roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: demo-autoscale}, subjects: [{kind: ServiceAccount, name: demo-autoscale, namespace: default}]}
  agent.deployment.spec.template.spec: !has {serviceAccountName: demo-autoscale, automountServiceAccountToken: true}
# reads its program, and the key that it and the lead broker's pod have
{interactive: true, size: !unset , maxSize: !unset , autoscale: {max: 4}}
  programs.metadata.name: demo-programs
  agent.secret: !has {type: Opaque}
  agent.secret.metadata.name: demo-autoscale
  agent.deployment.spec.template.spec.volumes[0]: {name: minicluster-programs, projected: {sources: [{configMap: {name: demo-programs}}, {secret: {name: demo-autoscale}}]}}
  agent.deployment.spec.template.spec.containers[0].volumeMounts[0]: {name: minicluster-programs, mountPath: /etc/minicluster/programs, readOnly: true}
# comes only where the size follows the queue
interactive: true
  agent: !unset
`);
});
