import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniClusterAffinity, type MiniClusterArgs, type MiniClusterResourcesArgs } from "../../../../provider";
import { aContainer, aMiniCluster } from "../../../support/fixtures";
import { manifestsOf } from "../../../support/manifests";
import { containerOf, type PlainPod, podOf, qualityOfService } from "../../../support/pod";

describe("the pods", () => {
  it("have the time to drain their rank, and to end as any pod does", () =>
    assert.deepEqual(
      [{}, { drainTimeoutSeconds: 300 }].map((args) => podOf(args).terminationGracePeriodSeconds),
      [60, 330],
    ));

  it("drain for no longer than the time that the user's own template gives them", () => {
    const drainOf = (terminationGracePeriodSeconds: number) =>
      aMiniCluster({ podTemplate: { spec: { terminationGracePeriodSeconds } } }).drainTimeoutSeconds;
    assert.deepEqual([600, 40, 30, 5].map(drainOf), [30, 30, 20, 0]);
  });

  it("have the user's settings, labels, annotations and place", () => {
    const settings = {
      ...{ restartPolicy: "Never" as const, serviceAccountName: "s", runtimeClassName: "r", schedulerName: "c" },
      ...{ dnsPolicy: "Default" as const, hostIPC: true, hostPID: true, resources: { limits: { cpu: "4" } } },
      ...{ automountServiceAccountToken: true, securityContext: { seccompProfile: { type: "Unconfined" as const } } },
    };
    const labelled = { labels: { app: "x" }, annotations: { note: "y" } };
    const args: Partial<MiniClusterArgs> = {
      flux: { arch: "arm64" },
      pod: {
        ...{ ...settings, ...labelled, nodeSelector: { a: "b" } },
        tolerations: [{ key: "gpu", operator: "Exists" }],
      },
      containers: [aContainer({ securityContext: { privileged: true, runAsUser: 0 } })],
    };
    const pod = podOf(args);
    for (const [key, value] of Object.entries(settings)) assert.deepEqual(pod[key], value, key);
    assert.equal(podOf({ shareProcessNamespace: true }).shareProcessNamespace, true);
    const { labels, annotations } = manifestsOf(args).job.spec.template.metadata as typeof labelled;
    assert.deepEqual([labels.app, annotations.note], ["x", "y"]);
    assert.deepEqual(pod.nodeSelector, { "kubernetes.io/arch": "arm64", a: "b" });
    assert.deepEqual((pod.tolerations as { key: string }[]).map(({ key }) => key), ["kubernetes.io/arch", "gpu"]); // prettier-ignore
    const privileged = { privileged: true, runAsUser: 0, allowPrivilegeEscalation: true };
    assert.deepEqual(pod.containers[0]?.securityContext, privileged);
  });

  for (const affinity of Object.values(MiniClusterAffinity))
    it(`with affinity ${affinity} leave the choice of nodes as it is, and keep apart so far`, () => {
      const pod = { nodeAffinity: { pool: ["a", "b"] } };
      const { nodeAffinity, ...between } = podOf({ network: { affinity }, pod }).affinity as Record<string, object>;
      assert.deepEqual(nodeAffinity, {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "pool", operator: "In", values: ["a", "b"] }] }],
        },
      });
      assert.deepEqual(podOf({ network: { affinity } }).affinity ?? {}, between);
      const apart = affinity === "none" ? [] : [`${affinity}DuringSchedulingIgnoredDuringExecution`];
      assert.deepEqual(Object.keys(between["podAntiAffinity"] ?? {}), apart);
    });

  it("name each pull secret once, whoever needs it, one that is only known later as well", () => {
    const later = pulumi.output("later");
    const pod = podOf({
      flux: { container: { imagePullSecret: "a" } },
      containers: [
        aContainer({ runFlux: true, imagePullSecret: later }),
        aContainer({ name: "one", imagePullSecret: "a" }),
        aContainer({ name: "two" }),
      ],
    });
    const [first, second, ...others] = pod.imagePullSecrets as { name: unknown }[];
    assert.deepEqual([first?.name, second?.name === later, others], ["a", true, []]);
  });
});

describe("restricted pods", () => {
  const least = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };

  it("have no container that may do more: main, view, sidecar, service", () => {
    const args: Partial<MiniClusterArgs> = {
      podSecurity: "restricted",
      containers: [aContainer({ runFlux: true }), aContainer({ name: "side" })],
      services: [{ image: "i", name: "store" }],
    };
    const pods = [podOf(args), manifestsOf(args).servicesPod?.spec as unknown as PlainPod];
    const all = pods.flatMap(({ containers, initContainers = [] }) => [...initContainers, ...containers]);
    assert.equal(all.length, 4);
    for (const { name, securityContext } of all) assert.deepEqual(securityContext, least, name);
    for (const { securityContext } of pods) assert.equal((securityContext as { runAsUser: number }).runAsUser, 1000);
  });

  it("have no container of the user's own template that may do more, unless it says so itself", () => {
    const spec = {
      containers: [{ name: "extra", image: "i" }],
      initContainers: [{ name: "first", image: "i", securityContext: { runAsUser: 7 } }],
    };
    const pod = podOf({ podSecurity: "restricted", podTemplate: { spec } });
    assert.deepEqual(containerOf(pod, "extra").securityContext, least);
    assert.deepEqual(containerOf(pod, "first").securityContext, { ...least, runAsUser: 7 });
  });
});

describe("the quality of service of the pods", () => {
  const resources: MiniClusterResourcesArgs = { limits: { cpu: "4", memory: "8Gi" } };
  type Asked = MiniClusterResourcesArgs | undefined;
  const cases: [want: string, name: string, main: Asked, view: Asked][] = [
    ["BestEffort", "nothing is asked for", undefined, undefined],
    ["Burstable", "the view asks for nothing", resources, undefined],
    ["Guaranteed", "every container has limits", resources, resources],
  ];
  for (const [want, name, main, view] of cases)
    it(`is ${want} where ${name}`, () => {
      const pod = podOf({ flux: { container: { resources: view } }, containers: [aContainer({ resources: main })] });
      assert.equal(qualityOfService(pod), want);
    });
});
