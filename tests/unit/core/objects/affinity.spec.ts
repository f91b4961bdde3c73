import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer, aGpuPool, aPool, aSidecar, withBroker, withTemplate } from "../../../support/fixtures";
import { podOf } from "../../../support/pod";

type Args = Partial<MiniClusterArgs>;

/** The terms on other pods for the scheduler: a preferred zone, and separate nodes. */
function termsOf(args: Args): string[] {
  const affinity = (podOf(args).affinity ?? {}) as Record<string, object>;
  const named = { podAffinity: "one zone", podAntiAffinity: "apart" };
  return Object.entries(named).flatMap(([key, text]) => (affinity[key] ? [text] : []));
}

const requesting = (requests: object, limits = {}) => withBroker({ resources: { requests, limits } as never });
const cpus = (cpu: pulumi.Input<string>) => requesting({ cpu });
const oneZone = { zones: ["a"] };
const pool = aPool(oneZone);
const late = { "minicluster/pool": pulumi.output("hpc") };
const preferred = { network: { affinity: "preferred" as const } };
const sharing = { containers: [aContainer({ runFlux: true, resources: { requests: { cpu: "30" } } })] };
const side = aSidecar({ resources: { requests: { cpu: "19" } } });
const gpus = aPool({ ...oneZone, resources: { "nvidia.com/gpu": "8" } }, { gpus: 8 });

// Nodes of the pool have 96 CPUs, those of the pool of GPUs 4 EFA interfaces as well.
const cases: Record<string, Record<string, Args>> = {
  "one zone, apart": {
    "there is no pool, however much they request": cpus("95"),
    "two of them have room on a node, and the pool has several zones": { pool: aPool(), ...cpus("48") },
  },
  apart: {
    "two of them have room on a node": { pool, ...cpus("48") },
    "two of them have room by what is known now": { pool, ...cpus(pulumi.output("90")) },
    "they are given less by the user's template": {
      pool,
      ...withTemplate({ containers: [{ name: "demo", resources: { requests: { cpu: "1" } } }] }),
    },
    "the labels of the user's template are known only later": {
      pool,
      ...withTemplate({ nodeSelector: pulumi.output(late) }),
    },
    "they have that label by the user's template": { pool, ...withTemplate({ nodeSelector: late }) },
    "they have the label of their nodes by an output": { pool, pod: { nodeSelector: late } },
    "they request half of the interfaces": {
      pool: aGpuPool(oneZone),
      ...requesting({ cpu: "1" }, { "vpc.amazonaws.com/efa": "2" }),
    },
    "they request all GPUs, which a plugin may offer in parts": { pool: gpus, ...cpus("1") },
    "they request the memory of the least of its machines": { pool, ...requesting({ cpu: "1", memory: "350Gi" }) },
    "they would rather not share, and have little of a node": { pool, ...preferred },
  },
  "one zone": { "each has nearly all CPUs of a node, and the pool has several zones": { pool: aPool() } },
  nothing: {
    "each has nearly all CPUs of a node": { pool },
    "each requests more than half of the CPUs": { pool, ...cpus("48500m") },
    "each is limited to more than half of the CPUs": { pool, ...requesting({}, { cpu: "49" }) },
    "a sidecar requests the other half": { pool, containers: [...sharing.containers, side] },
    "each has all interfaces": { pool: aGpuPool(oneZone), ...cpus("1") },
    "they would rather not share, and cannot": { pool, ...preferred, ...cpus("90") },
    "they may share": { network: { affinity: "none" } },
  },
};

describe("the terms on the other pods of a cluster are", () => {
  for (const [want, rows] of Object.entries(cases))
    for (const [name, args] of Object.entries(rows))
      it(`${want}, where ${name}`, () => assert.equal(termsOf(args).join(", ") || "nothing", want));
});
