import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../provider";
import { renderBrokerConfig } from "../../../provider/minicluster/flux/brokerConfig";
import { renderBrokerScript } from "../../../provider/minicluster/flux/scripts/broker";
import { aContainer, aGpuPool, aMiniCluster, aPool } from "../../support/fixtures";

// The package has a CommonJS build, and types for ES modules alone.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const toml = require("smol-toml") as { parse: (text: string) => object };

/** What a configuration says, as plain objects. */
const parse = (text: string) => JSON.parse(JSON.stringify(toml.parse(text))) as Record<string, unknown>;

interface Entry {
  hosts: string;
  cores?: string;
  gpus?: string;
  properties?: string[];
}

/** What Flux reads of its resources, and of anything else (flux-config-resource(5)). */
function configOf(args: Partial<MiniClusterArgs>) {
  const { resource, ...others } = parse(renderBrokerConfig(aMiniCluster({ pool: aPool(), ...args })));
  return { resource: resource as { config: Entry[]; path?: string }, others };
}

const hardwareOf = (args: Partial<MiniClusterArgs>) => configOf(args).resource.config[0];
const propertiesOf = (args: Partial<MiniClusterArgs>) => configOf(args).resource.config[0]?.properties;

describe("the resources of a cluster on a pool", () => {
  it("stand in its configuration, before everything that they do not belong to", () => {
    const pool = aGpuPool({}, { gpuModel: "H100" });
    const text = renderBrokerConfig(aMiniCluster({ pool, size: 2, maxSize: 16 }));
    assert.equal(
      text.slice(text.indexOf("[[resource"), text.indexOf("[bootstrap]")),
      [
        "[[resource.config]]",
        'hosts = "demo-[0-15]"',
        'cores = "0-47"',
        'gpus = "0-7"',
        'properties = ["hpc", "amd64", "h100", "efa"]',
        "",
        "",
      ].join("\n"),
    );
  });

  it("are all that is different in the configuration, which Flux reads as a whole", () => {
    const { resource, others } = configOf({ maxSize: 4 });
    const { resource: byPath, ...same } = parse(renderBrokerConfig(aMiniCluster({ maxSize: 4 })));
    assert.deepEqual(others, same);
    assert.deepEqual(Object.keys(others), ["access", "bootstrap", "archive", "sched-fluxion-qmanager"]);
    assert.deepEqual(byPath, { path: "/mnt/flux/config/etc/flux/system/R" });
    // Flux ignores a path beside them.
    assert.deepEqual(resource, { config: [{ hosts: "demo-[0-3]", cores: "0-47", properties: ["hpc", "amd64"] }] });
  });

  it("are the same whatever the present size", () => {
    const texts = [1, 2, 16].map((size) => renderBrokerConfig(aMiniCluster({ pool: aGpuPool(), size, maxSize: 16 })));
    assert.equal(new Set(texts).size, 1);
  });

  it("are not looked for by the brokers, except where the user's own configuration may want them", () => {
    const script = (args: Partial<MiniClusterArgs>) => renderBrokerScript(aMiniCluster(args));
    assert.match(script({}), /flux R encode/);
    assert.doesNotMatch(script({ pool: aPool() }), /flux R/);
    const brokerConfig = '[resource]\npath = "/mnt/flux/R"\n';
    assert.match(script({ pool: aPool(), flux: { brokerConfig } }), /flux R encode .* >\/mnt\/flux\/R/);
    assert.equal(renderBrokerConfig(aMiniCluster({ pool: aPool(), flux: { brokerConfig } })), brokerConfig);
  });

  const modes: Record<string, Partial<MiniClusterArgs>> = {
    "a cluster to work in": { interactive: true },
    "a batch job": { containers: [aContainer({ batch: true })] },
    "a launcher": { containers: [aContainer({ launcher: true })] },
    "the simple scheduler": { flux: { scheduler: { simple: true } } },
    "archived state": { archive: { path: "/a/state.tgz" } },
  };
  for (const [name, args] of Object.entries(modes))
    it(`are the same for ${name}`, () =>
      assert.deepEqual(configOf({ ...args, maxSize: 4 }).resource, configOf({ maxSize: 4 }).resource));
});

describe("the hosts of a cluster on a pool, behind a service with an address", () => {
  it("are all hosts", () =>
    assert.equal(hardwareOf({ maxSize: 4, flux: { minimalService: true } })?.hosts, "demo-[0-3]"));
});

describe("the hosts of a cluster on a pool, among those of other clusters", () => {
  it("all have the same cores, and only its own have its properties", () =>
    assert.deepEqual(
      configOf({ size: 2, flux: { bursting: { clusters: [{ name: "other", size: 3 }] } } }).resource.config,
      [
        { hosts: "demo-[0-1]", cores: "0-47", properties: ["hpc", "amd64"] },
        { hosts: "other-[0-2]", cores: "0-47" },
      ],
    ));

  it("are those that join, in a cluster that joins", () => {
    const bursting = {
      leadBroker: { address: "203.0.113.7", name: "lead", size: 2 },
      clusters: [{ name: "demo", size: 8 }],
    };
    const containers = [aContainer({ command: undefined as unknown as string })];
    assert.deepEqual(configOf({ maxSize: 4, containers, flux: { bursting } }).resource.config, [
      { hosts: "lead-[0-1]", cores: "0-47" },
      { hosts: "demo-[0-7]", cores: "0-47", properties: ["hpc", "amd64"] },
    ]);
  });

  it("have no properties where the user names the hosts: one that he leaves out has no cores, and lets no broker start", () =>
    assert.deepEqual(configOf({ maxSize: 9, flux: { bursting: { hostlist: "demo-[0-1],far-0" } } }).resource.config, [
      { hosts: "demo-[0-1],far-0", cores: "0-47" },
    ]));
});

describe("the cores of a host", () => {
  const withCpu = (cpu: MiniClusterContainerArgs["image"], staticCpu: boolean, node = {}) => ({
    pool: aPool({ staticCpu }, node),
    flux: { container: { disable: true } },
    containers: [aContainer({ resources: { limits: { cpu, memory: "1Gi" } } })],
  });
  const cases: [name: string, args: Partial<MiniClusterArgs>, cores: string][] = [
    ["are those of the machine", { pool: aPool({}, { cores: 192 }) }, "0-191"],
    ["are one alone", { pool: aPool({}, { cores: 1 }) }, "0"],
    ["are all of them where a limit on CPU time leaves every core in sight", withCpu("8", false), "0-47"],
    ["are those that the kubelet gives to the container, two CPUs each", withCpu("64", true), "0-31"],
    ["are as many as CPUs where nothing shares a core", withCpu("40", true, { vcpus: 72, cores: 72 }), "0-39"],
    ["are at least one", withCpu("1", true), "0"],
    ["are those of the machine where the limit is only known later", withCpu(pulumi.output("8"), true), "0-47"],
  ];
  for (const [name, args, cores] of cases) it(name, () => assert.equal(hardwareOf(args)?.cores, cores));
});

describe("the GPUs of a host", () => {
  const withGpus = (limits: Record<string, pulumi.Input<string>>) => ({
    pool: aGpuPool(),
    containers: [aContainer({ resources: { limits } })],
  });
  const withTemplate = (limits: pulumi.Input<Record<string, pulumi.Input<string | number>>>) => ({
    pool: aGpuPool(),
    podTemplate: { spec: { containers: [{ name: "demo", resources: { limits } }] } } as MiniClusterArgs["podTemplate"],
  });
  const cases: [name: string, args: Partial<MiniClusterArgs>, gpus: string | undefined][] = [
    ["are those of the machine", { pool: aGpuPool() }, "0-7"],
    ["are one alone", { pool: aGpuPool({ resources: { "amd.com/gpu": "1" } }, { gpus: 1 }) }, "0"],
    ["are none of a machine without", { pool: aPool() }, undefined],
    ["are those that the container asks for", withGpus({ "nvidia.com/gpu": "4" }), "0-3"],
    ["are none where it asks for none", withGpus({ "nvidia.com/gpu": "0" }), undefined],
    [
      "are those of the machine where the number is only known later",
      withGpus({ "nvidia.com/gpu": pulumi.output("4") }),
      "0-7",
    ],
    ["are those of the machine where nothing counts them", { pool: aPool({}, { gpus: 2 }) }, "0-1"],
    ["are those that the user's template gives to the container", withTemplate({ "nvidia.com/gpu": 2 }), "0-1"],
    ["are none where the user's template takes them away", withTemplate({ "nvidia.com/gpu": "0" }), undefined],
    [
      "are those of the machine where only the template will know the number",
      withTemplate({ "nvidia.com/gpu": pulumi.output("2") }),
      "0-7",
    ],
    [
      "are those of the machine where only the template will know the limits",
      withTemplate(pulumi.output({ "nvidia.com/gpu": "2" })),
      "0-7",
    ],
    [
      "are those that the template's own containers leave",
      {
        pool: aGpuPool(),
        podTemplate: {
          spec: { containers: [{ name: "more", image: "i", resources: { limits: { "nvidia.com/gpu": "3" } } }] },
        },
      },
      "0-4",
    ],
    [
      "are none where the containers beside it have them all",
      {
        pool: aGpuPool(),
        containers: [
          aContainer({ runFlux: true }),
          { image: "i", name: "side", resources: { limits: { "nvidia.com/gpu": "8" } } },
        ],
      },
      undefined,
    ],
    [
      "are the cores of Neuron devices where the container asks for those",
      {
        pool: aPool({ resources: { "aws.amazon.com/neuron": "16" } }, { gpus: 16 }),
        containers: [aContainer({ resources: { limits: { "aws.amazon.com/neuroncore": "32" } } })],
      },
      "0-31",
    ],
    [
      "are those that the containers beside it leave",
      {
        pool: aGpuPool(),
        containers: [
          aContainer({ runFlux: true }),
          { image: "i", name: "side", resources: { limits: { "nvidia.com/gpu": "1" } } },
        ],
      },
      "0-6",
    ],
  ];
  for (const [name, args, gpus] of cases) it(name, () => assert.equal(hardwareOf(args)?.gpus, gpus));
});

describe("the properties of a host", () => {
  const cases: [name: string, pool: MiniClusterArgs["pool"], want: string[]][] = [
    ["are the pool and the architecture", aPool({ pool: "cpu" }, { arch: "arm64" }), ["cpu", "arm64"]],
    [
      "are those of its GPUs and its network, too",
      aPool({}, { gpuModel: "GB200", fabric: "infiniband" }),
      ["hpc", "amd64", "gb200", "infiniband"],
    ],
    ["are named once each", aPool({ pool: "efa" }, { gpuModel: "EFA", fabric: "efa" }), ["efa", "amd64"]],
    [
      "have none of the characters that Flux refuses, and no blanks, which end a name in a constraint",
      aPool({}, { gpuModel: 'RTX PRO 6000 (Blackwell) & "more"|^`\' 1.5' }),
      ["hpc", "amd64", "rtx-pro-6000-blackwell-more-1.5"],
    ],
  ];
  for (const [name, pool, want] of cases) it(name, () => assert.deepEqual(propertiesOf({ pool }), want));
});
