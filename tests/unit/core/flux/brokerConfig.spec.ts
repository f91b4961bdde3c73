import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../provider";
import { describeSettings } from "../../../../provider/core/flux/resources";
import { renderBrokerConfig } from "../../../../provider/core/flux/brokerConfig";
import { aContainer, aGpuPool, aMiniCluster, aPool, operatorFlux, unknownHardware } from "../../../support/fixtures";
import { parseToml } from "../../../support/scripts/toml";

type Args = Partial<MiniClusterArgs>;

/** What Flux reads of a configuration (flux-config-resource(5)). */
async function configOf(args: Args) {
  const text = renderBrokerConfig(aMiniCluster(args));
  return (await parseToml(text)) as { resource: { config?: Record<string, unknown>[] }; [table: string]: unknown };
}
const hostOf = async (args: Args) => (await configOf({ pool: aPool(), ...args })).resource.config?.[0] ?? {};

describe("the resources of a cluster on a pool", () => {
  it("are all that is different in the configuration, which Flux reads as a whole", async () => {
    const { resource, ...others } = await configOf({ maxSize: 4, pool: aPool() });
    const { resource: byPath, ...same } = await configOf({ maxSize: 4 });
    assert.deepEqual(others, same);
    assert.deepEqual(byPath, { path: "/mnt/flux/config/etc/flux/system/R" });
    // Flux ignores a path beside them.
    assert.deepEqual(resource, { config: [{ hosts: "demo-[0-3]", cores: "0-47", properties: ["hpc", "amd64"] }] });
  });

  it("are counted by the lead broker if the cores are unknown, with the properties of the hosts", async () => {
    const args = { maxSize: 4, pool: aPool({ resources: { "nvidia.com/gpu": "8" } }, { ...unknownHardware, gpus: 8 }) };
    const { resource } = await configOf(args);
    assert.deepEqual(resource, { path: "/mnt/flux/config/etc/flux/system/R" });
    assert.deepEqual(describeSettings(aMiniCluster(args)), {
      DESCRIBE: "once",
      RESOURCES: "/mnt/flux/config/etc/flux/system/R",
      APPEND: true,
      ENCODE: ["--ranks=0-3", "--hosts=demo-[0-3]", "--local", "--property=hpc", ";"],
    });
  });

  it("have half as many cores as CPUs where the lead broker finds no GPUs or is elsewhere", async () => {
    const cpus = (arch: "amd64" | "arm64", gpus = 0) => aPool({}, { arch, cores: undefined, vcpus: 96, gpus });
    const host = await hostOf({ pool: cpus("amd64", 8) });
    assert.deepEqual(host, { hosts: "demo-0", cores: "0-47", gpus: "0-7", properties: ["hpc", "amd64"] });
    assert.deepEqual(await hostOf({ pool: cpus("amd64") }), {});
    const groups = { x86: { pool: cpus("amd64"), size: 1 }, arm: { pool: cpus("arm64"), size: 1 } };
    const { config = [] } = (await configOf({ lead: {}, groups, containers: [{ image: "i" }] })).resource;
    const hosts = config.map(({ hosts, cores }) => [hosts, cores].join(" "));
    assert.deepEqual(hosts.filter((each) => !each.startsWith("demo-0")).sort(), ["demo-arm-0 0-95", "demo-x86-0 0-47"]);
  });

  const own = { cores: "0-47", properties: ["hpc", "amd64"] };
  const leadBroker = { address: "203.0.113.7", name: "lead", size: 2 };
  const demo = (size: number) => ({ hosts: `demo-[0-${size - 1}]`, ...own });
  const other = (hosts: string) => ({ hosts, cores: "0-47" });
  const joins = { leadBroker, clusters: [{ name: "demo", size: 8 }] };
  const instances: [name: string, args: Args, bursting: object, want: object[]][] = [
    ["all the same cores", { size: 2 }, { clusters: [{ name: "other", size: 3 }] }, [demo(2), other("other-[0-2]")]],
    ["its own properties alone", { maxSize: 4, containers: [{ image: "i" }] }, joins, [other("lead-[0-1]"), demo(8)]],
    // One that the user leaves out has no cores, and lets no broker start.
    ["no properties with a hostlist", { maxSize: 9 }, { hostlist: "demo-[0-1],far-0" }, [other("demo-[0-1],far-0")]],
  ];
  for (const [name, args, bursting, want] of instances)
    it(`have, among those of other clusters, ${name}`, async () =>
      assert.deepEqual(
        (await configOf({ pool: aPool(), ...args, flux: operatorFlux({ bursting }) })).resource.config,
        want,
      ));
});

describe("a path with quotes and line ends", () => {
  it("reaches Flux unchanged", async () => {
    const mountPath = `/mnt/it's "a" \\ \n$b`;
    const { archive } = await configOf({ flux: { container: { mountPath } } });
    assert.deepEqual(archive, {
      dbpath: `${mountPath}/config/var/lib/flux/job-archive.sqlite`,
      period: "1m",
      busytimeout: "50s",
    });
  });
});

describe("Fluxion", () => {
  const tablesOf = async (args: Args) =>
    Object.entries(await configOf(args)).filter(([table]) => table.startsWith("sched-fluxion"));

  it("lets a job wait for hosts that are not up, for it counts cores alone", async () =>
    assert.deepEqual(await tablesOf({ flux: { scheduler: { queuePolicy: "easy" } } }), [
      ["sched-fluxion-qmanager", { "queue-policy": "easy" }],
      ["sched-fluxion-resource", { "prune-filters": "ALL:core", "match-policy": "lonode" }],
    ]));

  it("gives a job the lowest hosts first, because the highest leave first, or those that it finds first", async () => {
    const policyOf = async (scheduler: object) => (await tablesOf({ flux: { scheduler } }))[1]?.[1];
    assert.deepEqual(await policyOf({}), { "prune-filters": "ALL:core", "match-policy": "lonode" });
    assert.deepEqual(await policyOf({ matchPolicy: "first" }), {
      "prune-filters": "ALL:core",
      "match-policy": "first",
    });
  });

  it("is the same when a cluster begins to follow its queue, so that no broker restarts", () => {
    const config = (args: Args) => renderBrokerConfig(aMiniCluster({ interactive: true, maxSize: 4, ...args }));
    assert.equal(config({ size: undefined, autoscale: { max: 3 } }), config({ size: 2 }));
  });

  it("is not reported with the simple scheduler", async () =>
    assert.deepEqual(await tablesOf({ flux: { scheduler: { simple: true } } }), []));
});

describe("the cores of a host", () => {
  const withCpu = (cpu: pulumi.Input<string>, staticCpu: boolean, node = {}): Args => ({
    pool: aPool({ staticCpu }, node),
    flux: { container: { disable: true } },
    containers: [aContainer({ resources: { limits: { cpu, memory: "1Gi" } } })],
  });
  const cases: [name: string, args: Args, cores: string][] = [
    ["are all of them where a limit on CPU time leaves every core in sight", withCpu("8", false), "0-47"],
    ["are those that the kubelet gives to the container, two CPUs each", withCpu("64", true), "0-31"],
    ["are as many as CPUs where nothing shares a core", withCpu("40", true, { vcpus: 72, cores: 72 }), "0-39"],
    ["are at least one", withCpu("1", true), "0"],
    ["are those of the machine where the limit is only known later", withCpu(pulumi.output("8"), true), "0-47"],
  ];
  for (const [name, args, cores] of cases) it(name, async () => assert.equal((await hostOf(args))["cores"], cores));
});

describe("the GPUs of a host", () => {
  const gpu = "nvidia.com/gpu";
  const later = pulumi.output("4");
  const pool = aGpuPool();
  const withGpus = (limits: Record<string, pulumi.Input<string>>, side?: string): Args => ({
    pool,
    containers: [
      aContainer({ runFlux: true, resources: { limits } }),
      ...(side ? [{ image: "i", name: "side", resources: { limits: { [gpu]: side } } }] : []),
    ],
  });
  const withTemplate = (container: object): Args => ({ pool, podTemplate: { spec: { containers: [container] } } });
  const demo = (limits: unknown) => ({ name: "demo", resources: { limits } });
  const neuron = aPool({ resources: { "aws.amazon.com/neuron": "16" } }, { gpus: 16 });
  const cases: [name: string, args: Args, gpus: string | undefined][] = [
    ["are those of the machine", { pool }, "0-7"],
    ["are one alone", { pool: aGpuPool({ resources: { "amd.com/gpu": "1" } }, { gpus: 1 }) }, "0"],
    ["are those of the machine where nothing counts them", { pool: aPool({}, { gpus: 2 }) }, "0-1"],
    ["are those that the container requests", withGpus({ [gpu]: "4" }), "0-3"],
    ["are none where it requests none", withGpus({ [gpu]: "0" }), undefined],
    ["are those of the machine where the number is only known later", withGpus({ [gpu]: later }), "0-7"],
    ["are those that the containers beside it leave", withGpus({}, "1"), "0-6"],
    ["are none where the containers beside it have them all", withGpus({}, "8"), undefined],
    ["are those that the user's template gives to the container", withTemplate(demo({ [gpu]: 2 })), "0-1"],
    ["are none where the user's template takes them away", withTemplate(demo({ [gpu]: "0" })), undefined],
    ["are the machine's where only the template will know the number", withTemplate(demo({ [gpu]: later })), "0-7"],
    ["are the machine's where only it will know the limits", withTemplate(demo(pulumi.output({ [gpu]: "2" }))), "0-7"],
    [
      "are those that the template's own containers leave",
      withTemplate({ ...demo({ [gpu]: "3" }), name: "more", image: "i" }),
      "0-4",
    ],
    [
      "are the cores of Neuron devices where the container requests those",
      { ...withGpus({ "aws.amazon.com/neuroncore": "32" }), pool: neuron },
      "0-31",
    ],
  ];
  for (const [name, args, gpus] of cases) it(name, async () => assert.equal((await hostOf(args))["gpus"], gpus));
});

describe("the properties of a host", () => {
  const cases: [name: string, pool: MiniClusterArgs["pool"], want: string][] = [
    [
      "are the pool, the architecture, its GPUs and its network",
      aPool({}, { gpuModel: "GB200", fabric: "infiniband" }),
      "hpc,amd64,gb200,infiniband",
    ],
    ["are named once each", aPool({ pool: "efa" }, { gpuModel: "EFA", fabric: "efa" }), "efa,amd64"],
    [
      "have none of the characters that Flux refuses, and no blanks, which end a name in a constraint",
      aPool({}, { gpuModel: 'RTX PRO 6000 (Blackwell) & "more"|^`\' 1.5' }),
      "hpc,amd64,rtx-pro-6000-blackwell-more-1.5",
    ],
  ];
  for (const [name, pool, want] of cases)
    it(name, async () => assert.equal(String((await hostOf({ pool }))["properties"]), want));
});

describe("the jobs that have ended", () => {
  const limitsOf = async (args: Args) => (await configOf(args))["job-manager"];

  it("are limited in an instance without an end, which would fill its memory", async () => {
    assert.deepEqual(await limitsOf({ interactive: true }), { "inactive-num-limit": 2000 });
    assert.equal(await limitsOf({}), undefined);
  });

  it("are limited as the user says, in number and age", async () => {
    const flux = { inactiveNumLimit: 500, inactiveAgeLimit: "7d" };
    assert.deepEqual(await limitsOf({ flux }), { "inactive-num-limit": 500, "inactive-age-limit": "7d" });
    assert.deepEqual(await limitsOf({ interactive: true, flux: { inactiveAgeLimit: "90s" } }), {
      "inactive-num-limit": 2000,
      "inactive-age-limit": "90s",
    });
  });
});
