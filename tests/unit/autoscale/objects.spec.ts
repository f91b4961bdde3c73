import * as assert from "node:assert/strict";
import { type MiniClusterArgs, MiniClusterWait } from "../../../provider";
import { aBursting, aContainer, aPool } from "../../support/fixtures";
import { itBuilds, manifestsOf, templateHash } from "../../support/manifests";

const lead = { matchLabels: { "job-name": "demo", "batch.kubernetes.io/job-completion-index": "0" } };
const elastic: Partial<MiniClusterArgs> = { containers: [aContainer({ launcher: true })], autoscale: { max: 4 } };
const dataOf = (args: Partial<MiniClusterArgs>) =>
  (manifestsOf(args).programs?.data ?? {}) as Record<string, string | undefined>;
const archivesOf = (args: Partial<MiniClusterArgs>) => Object.keys(manifestsOf(args).programs?.binaryData ?? {});
const settingsOf = (args: Partial<MiniClusterArgs>) =>
  JSON.parse(dataOf(args)["lead.json"] ?? "{}") as Record<string, unknown>;
const portsOf = (args: Partial<MiniClusterArgs>) => [settingsOf(args)["demandPort"], settingsOf(args)["metricsPort"]];

describe("the metrics of a cluster", () => {
  it("are created and deleted, and the pods stay: every lead broker's pod runs their program once it is there", () => {
    for (const mode of [{}, { interactive: true }, { bursting: aBursting() }] as Partial<MiniClusterArgs>[])
      assert.deepEqual(templateHash({ ...mode, metrics: { port: 9100, podMonitor: {} } }), templateHash(mode));
  });

  const policy = "metrics.networkPolicy";
  const closed = (metrics: MiniClusterArgs["metrics"]) => ({ metrics, network: { policy: "pods" as const } });
  itBuilds("are let out from one port of one pod if a policy closes every port", closed({ port: 9100 }), {
    [`${policy}.spec`]: {
      podSelector: lead,
      policyTypes: ["Ingress"],
      ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ protocol: "TCP", port: 9100 }] }],
    },
  });
  const matchLabels = { "kubernetes.io/metadata.name": "monitoring" };
  itBuilds("are let out to the pods of one namespace", closed({ fromNamespace: "monitoring" }), {
    [`${policy}.spec.ingress[0].from`]: [{ namespaceSelector: { matchLabels } }],
  });
  const open = { metrics: {}, network: { policy: "brokerPort" as const } };
  itBuilds("need no policy if only the brokers' port is closed", open, { [policy]: undefined });
  itBuilds("have no PodMonitor by default", { metrics: {} }, { [policy]: undefined, "metrics.podMonitor": undefined });
  itBuilds("are none by default", { ...elastic, network: { policy: "pods" } }, { metrics: undefined });
  const relabelings = [
    { action: "keep", sourceLabels: ["__meta_kubernetes_pod_container_name"], regex: "demo" },
    {
      action: "replace",
      sourceLabels: ["__meta_kubernetes_pod_ip"],
      regex: "(.+)",
      targetLabel: "__address__",
      replacement: "$1:8061",
    },
  ];
  itBuilds(
    "are found by a PodMonitor once, in the lead broker's pod",
    { metrics: { podMonitor: { labels: { release: "prometheus" }, intervalSeconds: 15 } } },
    {
      "metrics.podMonitor.apiVersion": "monitoring.coreos.com/v1",
      "metrics.podMonitor.kind": "PodMonitor",
      "metrics.podMonitor.metadata.labels.release": "prometheus",
      "metrics.podMonitor.spec.selector": lead,
      "metrics.podMonitor.spec.podMetricsEndpoints": [{ path: "/metrics", interval: "15s", relabelings }],
    },
  );

  it("and the demand are served by one program, each on request", () => {
    const ports = [{ metrics: {} }, elastic, { ...elastic, metrics: { port: 9100 } }].map(portsOf);
    assert.deepEqual(ports, [
      [null, 8061],
      [8060, null],
      [8060, 9100],
    ]);
  });
  it("have the price of the pool, by which they count what jobs cost", () => {
    const pool = aPool({ pricePerHour: 2.5 });
    const prices = [
      { metrics: {}, pool },
      { metrics: {}, pool: aPool() },
      { ...elastic, pool },
    ].map((args) => settingsOf(args)["prices"]);
    assert.deepEqual(prices, [{ demo: 2.5 }, undefined, { demo: 2.5 }]);
  });
});

it("the program that submits jobs again runs with its policy, without a port and without a restart of the pods", () => {
  const args: Partial<MiniClusterArgs> = { requeue: { signal: "TERM" } };
  assert.deepEqual(settingsOf(args)["requeue"], { restarts: 3, signal: "TERM", graceSeconds: 20 });
  assert.deepEqual(portsOf(args), [null, null]);
  assert.deepEqual(archivesOf(args), ["lead.pyz"]);
  assert.deepEqual(templateHash({ requeue: {} }), templateHash({}));
});

describe("the agent that sets the size", () => {
  const pod = "agent.deployment.spec.template.spec";
  const name = "demo-autoscale";
  itBuilds("may get and patch one Job and nothing else", elastic, {
    "agent.account.automountServiceAccountToken": false,
    "agent.role.rules": [
      { apiGroups: ["batch"], resources: ["jobs"], resourceNames: ["demo"], verbs: ["get", "patch"] },
    ],
    "agent.binding.roleRef": { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
    "agent.binding.subjects": [{ kind: "ServiceAccount", name, namespace: "default" }],
    [`${pod}.serviceAccountName`]: name,
    [`${pod}.automountServiceAccountToken`]: true,
  });
  itBuilds("reads its program, and the key that it shares with the lead broker", elastic, {
    "programs.metadata.name": "demo-programs",
    "agent.secret.type": "Opaque",
    "agent.secret.metadata.name": name,
    [`${pod}.volumes[0]`]: {
      name: "minicluster-programs",
      projected: { sources: [{ configMap: { name: "demo-programs" } }, { secret: { name } }] },
    },
    [`${pod}.containers[0].volumeMounts[0]`]: {
      name: "minicluster-programs",
      mountPath: "/etc/minicluster/programs",
      readOnly: true,
    },
  });
  itBuilds("exists only if the size follows the queue", { interactive: true }, { agent: undefined });
  const gpu = { key: "nvidia.com/gpu", operator: "Exists" } as const;
  const arm = { key: "kubernetes.io/arch", operator: "Equal", value: "arm64", effect: "NoSchedule" };
  itBuilds(
    "is scheduled on ARM nodes wherever the brokers are",
    { ...elastic, flux: { arch: "arm64" }, pod: { tolerations: [gpu] } },
    {
      [`${pod}.nodeSelector`]: { "kubernetes.io/os": "linux", "kubernetes.io/arch": "arm64" },
      [`${pod}.tolerations`]: [arm, gpu],
    },
  );
  itBuilds("is Ready when it has made a file since its own start, and tolerates nothing by default", elastic, {
    [`${pod}.containers[0].startupProbe`]: {
      exec: { command: ["test", "-e", "/tmp/ready"] },
      periodSeconds: 1,
      failureThreshold: 86_400,
    },
    [`${pod}.containers[0].volumeMounts[1]`]: { name: "tmp", mountPath: "/tmp" },
    [`${pod}.volumes[1]`]: { name: "tmp", emptyDir: { sizeLimit: "1Mi" } },
    [`${pod}.tolerations`]: undefined,
  });

  const container = `${pod}.containers[0]`;
  itBuilds(
    "runs in an image of Python without Flux",
    { ...elastic, autoscale: { max: 4, image: "python:3-alpine" } },
    {
      [`${container}.image`]: "python:3-alpine",
      [`${container}.command`]: [
        "sh",
        "-c",
        "rm -f /tmp/ready; exec python3 /etc/minicluster/programs/agent.pyz /etc/minicluster/programs/agent.json " +
          '"http://$MINICLUSTER_DEMAND/demand/demo"',
      ],
    },
  );
  it("has no image in its settings, and a change of the image is no change of its program", () => {
    const settings = (image?: string) => dataOf({ ...elastic, autoscale: { max: 4, image } })["agent.json"];
    assert.equal(settings("python:3-alpine"), settings());
  });
  const groups = { cpu: { autoscale: { max: 2, image: "agent" } }, gpu: { autoscale: { max: 2, image: "agent" } } };
  itBuilds("has one image for all groups", { interactive: true, groups }, { [`${container}.image`]: "agent" });

  const newPodIsReady = "jsonpath={$[?(@.updatedReplicas == 1 && @.readyReplicas == 1) && !@.unavailableReplicas]}";
  // The lead broker, without which the agent is not Ready, may come at any time, or may have gone.
  const waits = { ready: newPodIsReady, settled: newPodIsReady };
  for (const wait of Object.values(MiniClusterWait))
    itBuilds(
      `is ${wait in waits ? "" : "not "}waited for with wait "${wait}"`,
      { ...elastic, wait },
      {
        'agent.deployment.metadata.annotations["pulumi.com/waitFor"]':
          { none: "", complete: "", ...waits }[wait] || "jsonpath={$[?@.uid]}",
      },
    );
});

describe("the console of a cluster", () => {
  const args = { console: { users: ["zoe-of-lab"], port: 8070 } };

  it("is created and deleted, and the pods stay: every lead broker's pod runs its program once it is there", () => {
    for (const mode of [{}, { interactive: true }, { metrics: {} }] as Partial<MiniClusterArgs>[])
      assert.deepEqual(templateHash({ ...mode, ...args }), templateHash(mode));
  });

  it("is a program with its port and the hosts of each cluster, and none of its users", () => {
    const data = dataOf({ ...args, maxSize: 8, bursting: aBursting() });
    const { port, clusters } = JSON.parse(data["console.json"] ?? "") as { port: number; clusters: unknown[] };
    assert.deepEqual([port, clusters[0], clusters.length], [8070, { name: "demo", hosts: 8 }, 2]);
    assert.ok(!JSON.stringify(data).includes("zoe"));
    assert.deepEqual(archivesOf(args), ["console.pyz"]);
    assert.deepEqual(archivesOf({ metrics: {} }), ["lead.pyz"]);
  });

  const ports = [{ protocol: "TCP", port: 8070 }];
  itBuilds("has a Service, which leads to the lead broker's pod", args, {
    "console.service.metadata.name": "demo-console",
    "console.service.spec": { type: "ClusterIP", selector: lead.matchLabels, ports: [{ name: "http", ...ports[0] }] },
    "console.networkPolicy": undefined,
  });
  const matchLabels = { "kubernetes.io/metadata.name": "ingress" };
  itBuilds(
    "lets the pods of one namespace in where a policy closes every port",
    { console: { ...args.console, fromNamespace: "ingress" }, network: { policy: "pods" } },
    {
      "console.networkPolicy.spec": {
        podSelector: lead,
        policyTypes: ["Ingress"],
        ingress: [{ from: [{ namespaceSelector: { matchLabels } }], ports }],
      },
    },
  );
});
