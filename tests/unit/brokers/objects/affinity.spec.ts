import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer, aGpuPool, aPool } from "../../../support/fixtures";
import { podOf } from "../../../support/pod";

type Args = Partial<MiniClusterArgs>;

/** What the scheduler is told of other pods: a zone that is preferred, and nodes that are apart. */
function termsOf(args: Args): string[] {
  const affinity = (podOf(args).affinity ?? {}) as Record<string, object>;
  const named = { podAffinity: "one zone", podAntiAffinity: "apart" };
  return Object.entries(named).flatMap(([key, text]) => (affinity[key] ? [text] : []));
}

const cpus = (cpu: string, more: object = {}): Args["containers"] => [
  aContainer({ runFlux: true, resources: { requests: { cpu } }, ...more }),
];
const oneZone = { zones: ["a"] };
const pool = aPool(oneZone);
const template = (spec: object): Args => ({ pool, podTemplate: { spec } });

// Nodes of the pool have 96 CPUs, those of the pool of GPUs 4 EFA interfaces, too.
const cases: Record<string, [name: string, args: Args][]> = {
  "one zone, apart": [
    ["there is no pool, however much they request", { containers: cpus("95") }],
    ["two of them have room on a node, and the pool has several zones", { pool: aPool(), containers: cpus("48") }],
  ],
  apart: [
    ["two of them have room on a node", { pool, containers: cpus("48") }],
    [
      "two of them have room by what is known now",
      { pool, containers: cpus("90", { resources: { requests: { cpu: pulumi.output("90") } } }) },
    ],
    [
      "they are given less by the user's template",
      template({ containers: [{ name: "demo", resources: { requests: { cpu: "1" } } }] }),
    ],
    [
      "they have that label by the user's template",
      template({ nodeSelector: { "minicluster/pool": pulumi.output("hpc") } }),
    ],
    [
      "they have the label of their nodes by an output",
      { pool, pod: { nodeSelector: { "minicluster/pool": pulumi.output("hpc") } } },
    ],
    [
      "they request half of the interfaces",
      {
        pool: aGpuPool(oneZone),
        containers: [aContainer({ resources: { requests: { cpu: "1" }, limits: { "vpc.amazonaws.com/efa": "2" } } })],
      },
    ],
    [
      "they request all GPUs, which a plugin may offer in parts",
      { pool: aPool({ ...oneZone, resources: { "nvidia.com/gpu": "8" } }, { gpus: 8 }), containers: cpus("1") },
    ],
    [
      "they request the memory of the least of its machines",
      { pool, containers: [aContainer({ resources: { requests: { cpu: "1", memory: "350Gi" } } })] },
    ],
    ["they would rather not share, and have little of a node", { pool, network: { affinity: "preferred" } }],
  ],
  "one zone": [["each has nearly all CPUs of a node, and the pool has several zones", { pool: aPool() }]],
  nothing: [
    ["each has nearly all CPUs of a node", { pool }],
    ["each requests more than half of the CPUs", { pool, containers: cpus("48500m") }],
    [
      "each is limited to more than half of the CPUs",
      { pool, containers: [aContainer({ resources: { limits: { cpu: "49" } } })] },
    ],
    [
      "a sidecar requests the other half",
      {
        pool,
        containers: [...(cpus("30") ?? []), { image: "i", name: "side", resources: { requests: { cpu: "19" } } }],
      },
    ],
    ["each has all interfaces", { pool: aGpuPool(oneZone), containers: cpus("1") }],
    ["they would rather not share, and cannot", { pool, network: { affinity: "preferred" }, containers: cpus("90") }],
    ["they may share", { network: { affinity: "none" } }],
  ],
};

describe("the scheduler is told of the other pods of a cluster", () => {
  for (const [want, rows] of Object.entries(cases))
    for (const [name, args] of rows)
      it(`${want}, where ${name}`, () => assert.equal(termsOf(args).join(", ") || "nothing", want));
});
