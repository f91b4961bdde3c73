import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniClusterArch, type MiniClusterArgs, type MiniClusterResourcesArgs } from "../../../../provider";
import { buildPodTemplate } from "../../../../provider/minicluster/objects/podTemplate";
import { aContainer, aMiniCluster } from "../../../support/fixtures";
import { manifestsOf } from "../../../support/manifests";
import { containerOf, type PlainPod, podOf, qualityOfService } from "../../../support/pod";

describe("the pods", () => {
  it("say nothing about what the user has not said", () => {
    const want = [
      "subdomain",
      "restartPolicy",
      "securityContext",
      "automountServiceAccountToken",
      "enableServiceLinks",
    ];
    const parts = ["shareProcessNamespace", "affinity", "initContainers", "containers", "volumes"];
    assert.deepEqual(Object.keys(podOf()).sort(), [...want, ...parts].sort());
  });

  it("carry the user's labels and annotations, and the hash of their configuration", () => {
    const spec = aMiniCluster({ pod: { labels: { app: "x" }, annotations: { note: "y" } } });
    const { labels, annotations } = buildPodTemplate(spec, { a: "b" }).metadata as Record<
      string,
      Record<string, string>
    >;
    assert.equal(labels?.app, "x");
    assert.equal(annotations?.note, "y");
    assert.match(annotations?.["minicluster/config-hash"] ?? "", /^[0-9a-f]{16}$/);
  });

  it("pass on the user's settings", () => {
    const settings = {
      ...{ restartPolicy: "Never" as const, serviceAccountName: "s", runtimeClassName: "r", schedulerName: "c" },
      ...{ dnsPolicy: "Default" as const, hostIPC: true, hostPID: true, resources: { limits: { cpu: "4" } } },
    };
    const pod = podOf({ pod: settings });
    for (const [key, value] of Object.entries(settings)) assert.deepEqual(pod[key], value, key);
    assert.equal(podOf({ shareProcessNamespace: true }).shareProcessNamespace, true);
  });
});

describe("the security of the pods", () => {
  it("is strict by default: no token, no escalation, filtered system calls", () => {
    const pod = podOf({ containers: [aContainer({ runFlux: true }), aContainer({ name: "side" })] });
    assert.equal(pod.automountServiceAccountToken, false);
    assert.deepEqual(pod.securityContext, { seccompProfile: { type: "RuntimeDefault" } });
    for (const { name, securityContext } of [...pod.containers, ...(pod.initContainers ?? [])])
      assert.deepEqual(securityContext, { allowPrivilegeEscalation: false }, name);
  });

  it("is what the user says", () => {
    const pod = podOf({
      pod: { automountServiceAccountToken: true, securityContext: { seccompProfile: { type: "Unconfined" } } },
      containers: [aContainer({ securityContext: { privileged: true, runAsUser: 0 } })],
    });
    assert.equal(pod.automountServiceAccountToken, true);
    assert.deepEqual(pod.securityContext, { seccompProfile: { type: "Unconfined" } });
    assert.deepEqual(pod.containers[0]?.securityContext, {
      ...{ privileged: true, runAsUser: 0, allowPrivilegeEscalation: true },
    });
  });
});

describe("restricted pods", () => {
  const args: Partial<MiniClusterArgs> = {
    podSecurity: "restricted",
    containers: [aContainer({ runFlux: true }), aContainer({ name: "side" })],
    services: [{ image: "i", name: "store" }],
  };
  const pods = [podOf(args), manifestsOf(args).servicesPod?.spec as unknown as PlainPod];

  it("run as an ordinary user, services included", () => {
    for (const { securityContext } of pods)
      assert.deepEqual(securityContext, {
        ...{ runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
        seccompProfile: { type: "RuntimeDefault" },
      });
  });

  it("have no container that may do more: main, view, sidecar, service", () => {
    const all = pods.flatMap(({ containers, initContainers = [] }) => [...initContainers, ...containers]);
    assert.deepEqual(
      all.map(({ name }) => name),
      ["flux-view", "side", "demo", "store"],
    );
    for (const { name, securityContext } of all)
      assert.deepEqual(securityContext, { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } }, name);
  });

  it("have no container of the user's own template that may do more, unless it says so itself", () => {
    const spec = {
      containers: [{ name: "extra", image: "i" }],
      initContainers: [{ name: "first", image: "i", securityContext: { runAsUser: 7 } }],
    };
    const pod = podOf({ podSecurity: "restricted", podTemplate: { spec } });
    const least = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
    assert.deepEqual(containerOf(pod, "extra").securityContext, least);
    assert.deepEqual(containerOf(pod, "first").securityContext, { ...least, runAsUser: 7 });
  });

  it("leave the pods of other clusters as they are", () =>
    assert.deepEqual(podOf({ podSecurity: "baseline" }), podOf()));
});

describe("the architecture of the nodes", () => {
  const arm = { key: "kubernetes.io/arch", operator: "Equal", value: "arm64", effect: "NoSchedule" };

  it("is open by default", () => assert.deepEqual([podOf().nodeSelector, podOf().tolerations], [undefined, undefined]));

  it("x86 selects nodes", () => {
    const pod = podOf({ flux: { arch: MiniClusterArch.Amd64 } });
    assert.deepEqual([pod.nodeSelector, pod.tolerations], [{ "kubernetes.io/arch": "amd64" }, undefined]);
  });

  it("ARM selects nodes, tolerates their taint and leaves room for the user's own", () => {
    const mine = { key: "gpu", operator: "Exists" } as const;
    const pod = podOf({
      flux: { arch: MiniClusterArch.Arm64 },
      pod: { nodeSelector: { pool: "a" }, tolerations: [mine] },
    });
    assert.deepEqual(pod.nodeSelector, { "kubernetes.io/arch": "arm64", pool: "a" });
    assert.deepEqual(pod.tolerations, [arm, mine]);
  });
});

describe("pull secrets", () => {
  it("are named once, whoever needs them", () => {
    const pod = podOf({
      flux: { container: { imagePullSecret: "a" } },
      containers: [
        aContainer({ runFlux: true, imagePullSecret: "b" }),
        aContainer({ name: "one", imagePullSecret: "a" }),
        aContainer({ name: "two" }),
      ],
    });
    assert.deepEqual(pod.imagePullSecrets, [{ name: "a" }, { name: "b" }]);
  });

  it("may be only known later", () => {
    const secret = pulumi.output("later");
    const pod = podOf({ containers: [aContainer({ imagePullSecret: secret })] });
    assert.deepEqual(
      (pod.imagePullSecrets as { name: unknown }[]).map(({ name }) => name === secret),
      [true],
    );
  });
});

describe("the quality of service of the pods", () => {
  const resources: MiniClusterResourcesArgs = { limits: { cpu: "4", memory: "8Gi" } };
  const cases: [
    want: string,
    name: string,
    main: MiniClusterResourcesArgs | undefined,
    view: MiniClusterResourcesArgs | undefined,
  ][] = [
    ["BestEffort", "nothing is asked for", undefined, undefined],
    ["Burstable", "the view asks for nothing", resources, undefined],
    ["Guaranteed", "every container has limits", resources, resources],
    ["Burstable", "requests are below the limits", { ...resources, requests: { cpu: "1" } }, resources],
    ["Guaranteed", "requests are the limits", { ...resources, requests: { cpu: "4", memory: "8Gi" } }, resources],
  ];
  for (const [want, name, main, view] of cases)
    it(`is ${want} where ${name}`, () => {
      const pod = podOf({ flux: { container: { resources: view } }, containers: [aContainer({ resources: main })] });
      assert.equal(qualityOfService(pod), want);
    });

  it("is Guaranteed without a view as soon as the containers are", () => {
    const containers = [aContainer({ runFlux: true, resources }), aContainer({ name: "side", resources })];
    assert.equal(qualityOfService(podOf({ flux: { container: { disable: true } }, containers })), "Guaranteed");
  });
});
