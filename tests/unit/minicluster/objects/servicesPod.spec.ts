import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { manifestsOf, sentManifests, templateHash } from "../../../support/manifests";
import { containerOf, type PlainPod } from "../../../support/pod";

type Service = Partial<MiniClusterContainerArgs>;
interface Metadata {
  name: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

const services = (...all: Service[]) => ({
  services: all.map((service, index) => ({ image: "redis:7", name: `store-${index}`, ...service })),
});
const started = services({ command: "serve --port 80" });

/** The services pod as the API server gets it. */
async function podOf(args: Partial<MiniClusterArgs> = {}): Promise<{ metadata: Metadata; spec: PlainPod }> {
  const { servicesPod } = await sentManifests({ ...services({}), ...args });
  return servicesPod as { metadata: Metadata; spec: PlainPod };
}

describe("the pod of the services", () => {
  it("is not there without services", () => {
    const { servicesPod, servicesService } = manifestsOf();
    assert.deepEqual([servicesPod, servicesService], [undefined, undefined]);
  });

  it("says nothing about what the user has not said", async () => {
    const { spec } = await podOf();
    const common = ["subdomain", "securityContext", "automountServiceAccountToken", "enableServiceLinks"];
    assert.deepEqual(Object.keys(spec).sort(), [...common, "containers", "hostname", "restartPolicy"].sort());
    assert.deepEqual(Object.keys(spec.containers[0] ?? {}).sort(), [
      "image",
      "imagePullPolicy",
      "name",
      "securityContext",
    ]);
  });

  it("has its own label, by which its service knows it, and those by which the brokers' does", async () => {
    const { metadata } = await podOf({ namespace: "hpc", pod: { labels: { app: "x" }, annotations: { note: "y" } } });
    assert.deepEqual(metadata.labels, {
      "app.kubernetes.io/name": "minicluster",
      "app.kubernetes.io/instance": "demo",
      "job-name": "demo",
      app: "x",
      "minicluster/services": "demo",
    });
    assert.deepEqual([metadata.name, metadata.annotations.note], ["demo-services", "y"]);
  });

  it("has a host name of its own, in the domain of the brokers", async () => {
    const { hostname, subdomain } = (await podOf({ network: { headlessName: "hosts" } })).spec;
    assert.deepEqual([hostname, subdomain], ["demo-services", "hosts"]);
  });

  it("lives as long as the cluster, whatever the brokers do when they fail", async () =>
    assert.equal((await podOf({ pod: { restartPolicy: "Never" } })).spec.restartPolicy, "Always"));

  it("passes on the user's settings of pods, but for what places the brokers together", async () => {
    const shared = {
      serviceAccountName: "s",
      runtimeClassName: "r",
      dnsPolicy: "Default",
      nodeSelector: { pool: "a" },
    };
    const { spec } = await podOf({
      flux: { arch: "arm64" },
      gang: { schedulerName: "fluence" },
      pod: { ...shared, dnsPolicy: "Default", tolerations: [{ operator: "Exists" }] },
    });
    for (const [key, value] of Object.entries(shared)) assert.deepEqual(spec[key], value, key);
    assert.deepEqual(spec.tolerations, [{ operator: "Exists" }]);
    for (const key of ["schedulerName", "affinity", "initContainers"]) assert.ok(!(key in spec), key);
  });

  it("is as strict as the others: no token, no escalation, filtered system calls", async () => {
    const { spec } = await podOf();
    assert.equal(spec.automountServiceAccountToken, false);
    assert.deepEqual(spec.securityContext, { seccompProfile: { type: "RuntimeDefault" } });
    assert.deepEqual(spec.containers[0]?.securityContext, { allowPrivilegeEscalation: false });
  });

  it("has containers as the user wants them", async () => {
    const { spec } = await podOf(
      services({
        ...{
          workingDir: "/w",
          ports: [80],
          pullAlways: true,
          imagePullSecret: "pull",
          lifeCycle: { preStopExec: "bye" },
        },
        ...{ environment: { A: "a" }, secrets: { B: { name: "s", key: "k" } }, resources: { limits: { cpu: "1" } } },
      }),
    );
    const { name, image, ...others } = spec.containers[0] ?? {};
    assert.deepEqual([name, image], ["store-0", "redis:7"]);
    assert.deepEqual(others, {
      ...{ workingDir: "/w", imagePullPolicy: "Always", resources: { limits: { cpu: "1" } } },
      ports: [{ containerPort: 80, protocol: "TCP" }],
      lifecycle: { preStop: { exec: { command: ["bye"] } } },
      env: [
        { name: "A", value: "a" },
        { name: "B", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
      ],
      securityContext: { allowPrivilegeEscalation: false },
    });
    assert.deepEqual(spec.imagePullSecrets, [{ name: "pull" }]);
  });

  it("is waited for, unless nothing is", async () => {
    const skips = async (args: Partial<MiniClusterArgs>) =>
      (await podOf(args)).metadata.annotations["pulumi.com/skipAwait"];
    assert.deepEqual([await skips({}), await skips({ wait: "none" })], [undefined, "true"]);
  });
});

describe("the start of a service", () => {
  const config = { name: "minicluster-config", mountPath: "/etc/minicluster/config", readOnly: true };
  const script = ["bash", "/etc/minicluster/config/store-0.start.sh"];
  const starts: [name: string, service: Service, command: string[] | undefined, mounts: object[] | undefined][] = [
    ["its image's own command", {}, undefined, undefined],
    ["a script of ours around a command", { command: "serve" }, script, [config]],
    ["a script of ours around a script", { commands: { script: "serve" } }, script, [config]],
    [
      "its words alone, unwrapped",
      { command: "serve 'a b'", noWrapEntrypoint: true },
      ["bash", "-c", "serve 'a b'"],
      undefined,
    ],
    [
      "its plain words alone, unwrapped",
      { command: "serve --now", noWrapEntrypoint: true },
      ["serve", "--now"],
      undefined,
    ],
    [
      "a script of ours beside a volume",
      { command: "serve", volumes: { data: { path: "/data", claimName: "c" } } },
      script,
      [config, { name: "data", mountPath: "/data", readOnly: false }],
    ],
  ];
  for (const [name, service, command, mounts] of starts)
    it(`is ${name}`, async () => {
      const { spec } = await podOf(services(service));
      const container = containerOf(spec, "store-0");
      assert.deepEqual(container.command, command);
      assert.deepEqual(container.volumeMounts, mounts);
      const config = (spec.volumes ?? []).filter((volume) => volume.name === "minicluster-config");
      assert.equal(config.length, command === script ? 1 : 0);
    });

  it("needs the ConfigMap in no container that runs its image's own command", async () => {
    const { spec } = await podOf(services({ command: "serve" }, {}));
    assert.equal(containerOf(spec, "store-0").volumeMounts.length, 1);
    assert.equal(containerOf(spec, "store-1").volumeMounts, undefined);
  });

  it("has volumes once, whoever mounts them, and none of the brokers'", async () => {
    const data = { volumes: { data: { path: "/data", claimName: "c" } } };
    const { spec } = await podOf({
      containers: [aContainer({ volumes: { other: { path: "/x", claimName: "x" } } })],
      ...services(data, data),
    });
    assert.deepEqual(spec.volumes, [{ name: "data", persistentVolumeClaim: { claimName: "c", readOnly: false } }]);
  });

  it("stands in the ConfigMap of the cluster", () => {
    const { data } = manifestsOf(services({ command: "serve | tee /log" })).configMap;
    for (const file of ["store-0.start.sh", "store-0.command.sh"]) assert.ok(file in data, file);
  });
});

describe("the hashes of the services", () => {
  const hashes = async (args: Partial<MiniClusterArgs>) => {
    const { annotations } = (await podOf(args)).metadata;
    return [annotations["minicluster/config-hash"], annotations["minicluster/environment-hash"]];
  };
  const later = (value: string) => services({ environment: { TOKEN: pulumi.secret(value) } });

  it("change with their scripts, and not with those of the brokers", async () => {
    const before = await hashes(started);
    assert.notDeepEqual(await hashes(services({ command: "serve --port 81" })), before);
    assert.deepEqual(await hashes({ ...started, tasks: 7, containers: [aContainer({ command: "other" })] }), before);
    assert.deepEqual(await hashes({ ...started, size: 2, maxSize: 9 }), before);
  });

  it("change with a variable that is only known later, and not with one of the brokers", async () => {
    const [, none] = await hashes(started);
    const [config, before = ""] = await hashes(later("a"));
    assert.equal(none, undefined);
    assert.match(before, /^[0-9a-f]{16}$/);
    assert.deepEqual(await hashes(later("a")), [config, before]);
    assert.notDeepEqual(await hashes(later("b")), [config, before]);
    const broker = aContainer({ environment: { TOKEN: pulumi.output("x") } });
    assert.deepEqual(await hashes({ ...later("a"), containers: [broker] }), [config, before]);
  });

  it("leave the brokers alone when a service changes", () => {
    assert.equal(templateHash(started), templateHash(services({ command: "other" })));
    assert.equal(templateHash(started), templateHash({}));
  });

  it("share one Secret with the brokers", async () => {
    const args = { ...later("a"), containers: [aContainer({ environment: { TOKEN: pulumi.output("b") } })] };
    const { environment } = (await sentManifests(args)) as { environment: { data: object } };
    assert.deepEqual(Object.keys(environment.data), ["demo.TOKEN", "store-0.TOKEN"]);
    const { env } = containerOf((await podOf(args)).spec, "store-0");
    assert.deepEqual(env, [
      { name: "TOKEN", valueFrom: { secretKeyRef: { name: "demo-environment", key: "store-0.TOKEN" } } },
    ]);
  });
});
