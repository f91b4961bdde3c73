import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { sentManifests, templateHash } from "../../../support/manifests";
import { containerOf, type PlainPod } from "../../../support/pod";

type Service = Partial<MiniClusterContainerArgs>;

const services = (...all: Service[]) => ({
  services: all.map((service, index) => ({ image: "redis:7", name: `store-${index}`, ...service })),
});

/** The services pod as the API server gets it. */
async function podOf(args: Partial<MiniClusterArgs> = {}) {
  const { servicesPod } = await sentManifests({ ...services({}), ...args });
  return servicesPod as { metadata: { annotations: Record<string, string> }; spec: PlainPod };
}

describe("the pod of the services", () => {
  it("passes on the user's settings of pods, but for what is the brokers' own, and lives as long as the cluster", async () => {
    const shared = {
      serviceAccountName: "s",
      runtimeClassName: "r",
      dnsPolicy: "Default",
      nodeSelector: { pool: "a" },
    };
    const pod = { ...shared, dnsPolicy: "Default", tolerations: [{ operator: "Exists" }] } as const;
    const { spec } = await podOf({
      ...{ flux: { arch: "arm64" }, gang: { schedulerName: "fluence" } },
      pod: { ...pod, tolerations: [...pod.tolerations], restartPolicy: "Never" },
    });
    for (const [key, value] of Object.entries(shared)) assert.deepEqual(spec[key], value, key);
    assert.deepEqual([spec.tolerations, spec.restartPolicy], [[{ operator: "Exists" }], "Always"]);
    for (const key of ["schedulerName", "affinity", "initContainers"]) assert.ok(!(key in spec), key);
  });

  it("is waited for, unless nothing is", async () => {
    const skips = async (args: Partial<MiniClusterArgs>) =>
      (await podOf(args)).metadata.annotations["pulumi.com/skipAwait"];
    assert.deepEqual([await skips({}), await skips({ wait: "none" })], [undefined, "true"]);
  });

  const config = { name: "minicluster-config", mountPath: "/etc/minicluster/config", readOnly: true };
  const script = ["bash", "/etc/minicluster/config/store-0.start.sh"];
  const starts: [name: string, service: Service, command: string[] | undefined, mounts: object[] | undefined][] = [
    ["its image's own command", {}, undefined, undefined],
    ["a script of ours around a command", { command: "serve" }, script, [config]],
    ["a script of ours around a script", { commands: { script: "serve" } }, script, [config]],
    ["its plain words alone, unwrapped", { command: "serve -x", noWrapEntrypoint: true }, ["serve", "-x"], undefined],
    [
      "a script of ours beside a volume",
      { command: "serve", volumes: { data: { path: "/data", claimName: "c" } } },
      script,
      [config, { name: "data", mountPath: "/data", readOnly: false }],
    ],
  ];
  for (const [name, service, command, mounts] of starts)
    it(`starts ${name}`, async () => {
      const { spec } = await podOf(services(service));
      const container = containerOf(spec, "store-0");
      assert.deepEqual([container.command, container.volumeMounts], [command, mounts]);
      const volumes = (spec.volumes ?? []).filter((volume) => volume.name === "minicluster-config");
      assert.equal(volumes.length, command === script ? 1 : 0);
    });

  it("has volumes once, whoever mounts them, and none of the brokers'", async () => {
    const data = { volumes: { data: { path: "/data", claimName: "c" } } };
    const containers = [aContainer({ volumes: { other: { path: "/x", claimName: "x" } } })];
    const { spec } = await podOf({ containers, ...services(data, data) });
    assert.deepEqual(spec.volumes, [{ name: "data", persistentVolumeClaim: { claimName: "c", readOnly: false } }]);
  });
});

describe("the hashes of the services", () => {
  const hashes = async (args: Partial<MiniClusterArgs>) => {
    const { annotations } = (await podOf(args)).metadata;
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
