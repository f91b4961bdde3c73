import * as assert from "node:assert/strict";
import type { EksNodePoolArgs, GkeNodePoolArgs, NodePoolScheduling } from "../../../../../provider";
import { eksMachineTypes } from "../../../../../provider/clouds/eks/machines";
import { gkeMachineTypes } from "../../../../../provider/clouds/gke/machines";
import { partitionsOf } from "../../../../../provider/clouds/gke/machines/accelerated";
import { aContainer, aMiniCluster } from "../../../../support/fixtures";
import { validating, problemsOf } from "../../../../support/problems";
import { aGkePool, aksPool, anEfaPoolArgs, anEksPool } from "../fixtures";

type Pool = { scheduling: NodePoolScheduling };

const both = { fabricBy: "claim", gpuBy: "claim" } as const;
const block = { capacityType: "capacityBlock", reservationId: "cr-1" } as const;
const anEfaPool = (type: string, args: Partial<EksNodePoolArgs> = {}) => anEksPool(anEfaPoolArgs(type, args));
const anH100Pool = (args: Partial<GkeNodePoolArgs>) => aGkePool({ machineType: "a3-highgpu-8g", ...args });
const anNdPool = (args: object) => aksPool({ machineType: "Standard_ND96isr_H100_v5", ...args });

/** What pods claim of a node, and what its plugins count. The pools of tests/golden/pools have all of it. */
function devicesOf({ claims = [], claimSets, matchAttributes = [], resources = {} }: NodePoolScheduling): string {
  const claimed = claims.map(({ name, count }) => `${count} ${name}`).join(" and ");
  const near = matchAttributes.map((name) => ` near by ${name.split("/")[1]}`).join("");
  return claimed === "" ? `${resources["nvidia.com/gpu"]} GPUs` : `${claimSets} x ${claimed}${near}`;
}

describe("the devices of a pool", () => {
  const table: Record<string, Pool> = {
    "1 x 1 efa": anEfaPool("hpc7g.16xlarge", { fabricBy: "claim" }),
    "8 x 1 gpu and 4 efa near by pcieRoot": anEfaPool("p5.48xlarge", both),
    "4 x 2 gpu and 1 efa near by pcieRoot": anEfaPool("p4d.24xlarge", both),
    "8 x 1 gpu and 2 efa": anEfaPool("p5en.48xlarge", both),
    "8 x 1 gpu and 1 rdma": aGkePool({ machineType: "a3-ultragpu-8g", fabric: "rdma", ...both }),
    "8 x 1 gpu and 1 rdma near by pcieRoot": aGkePool({
      machineType: "a4-highgpu-8g",
      fabric: "rdma",
      ...both,
      deviceAlignment: "pcieRoot",
    }),
    "8 x 1 gpu and 1 infiniband near by numaNode": anNdPool({
      fabric: "infiniband",
      ...both,
      deviceAlignment: "numaNode",
    }),
    "1 x 8 gpu": anNdPool({ gpuBy: "claim" }),
    "56 GPUs": anH100Pool({ gpuPartition: "1g.10gb" }),
    "24 GPUs": anNdPool({ gpuPartition: "2g" }),
    "8 GPUs": anNdPool({ gpuPartition: "7g" }),
  };
  for (const [want, { scheduling }] of Object.entries(table))
    it(`are ${want}`, () => assert.equal(devicesOf(scheduling), want));

  it("are never more than one claim may have, on any machine", () => {
    for (const [type, { accelerator, efaInterfaces, needsNewImage }] of Object.entries(eksMachineTypes)) {
      if (accelerator?.kind !== "nvidia" || efaInterfaces === 0 || needsNewImage) continue;
      const pool = anEfaPool(type, { ...both, ...(type.startsWith("p6e") && block) });
      const { claims = [], claimSets = 0 } = pool.scheduling;
      const [gpus = 0, interfaces = 0] = claims.map(({ count = 0 }) => count);
      assert.deepEqual([gpus * claimSets, interfaces * claimSets], [accelerator.count, efaInterfaces], type);
      assert.ok(gpus + interfaces <= 32, type);
    }
  });
});

describe("GPUs that are divided or shared", () => {
  it("have partitions where GKE's plugin supports them, of GPUs that machines have", () => {
    const names = new Set([...gkeMachineTypes.values()].map(({ acceleratorType }) => acceleratorType));
    const divisible = [...names].filter((name) => Object.keys(partitionsOf(name)).length > 0);
    assert.deepEqual(divisible.sort(), [
      "nvidia-a100-80gb",
      "nvidia-b200",
      "nvidia-gb200",
      "nvidia-h100-80gb",
      "nvidia-h100-mega-80gb",
      "nvidia-h200-141gb",
      "nvidia-rtx-pro-6000",
      "nvidia-tesla-a100",
    ]);
    for (const name of divisible)
      for (const [size, count] of Object.entries(partitionsOf(name)))
        assert.ok(count * Number(/^(\d)g\./.exec(size)?.[1]) <= 7, `${name} ${size}`);
  });
});

describe("a cluster on GPUs that are divided or shared", () => {
  const sevenths = anH100Pool({ gpuPartition: "1g.10gb" }).scheduling;
  const turns = anH100Pool({ gpuSharing: { strategy: "timeSharing", clients: 4 } }).scheduling;

  it(
    "has all parts of a node where a pod has a node to itself, and one turn in each container, for GKE gives no " +
      "more",
    () => {
      const gpusOf = (pool: NodePoolScheduling) => aMiniCluster({ pool }).main.resources?.limits?.["nvidia.com/gpu"];
      assert.deepEqual([gpusOf(sevenths), gpusOf(turns)], ["56", "1"]);
    },
  );

  // As many pods are on a node as it has parts or turns, where each has one.
  const { rejects, accepts } = validating(
    ({ pool, gpus, size }: { pool: NodePoolScheduling; gpus: number; size: number }) => {
      const containers = [aContainer({ resources: { limits: { "nvidia.com/gpu": String(gpus) } } })];
      return problemsOf({ name: "demo", size, maxSize: size, network: { affinity: "none" }, pool, containers });
    },
  );
  rejects({
    "size: size 65 is above the 64 pods that pool hpc has devices for…": { pool: turns, gpus: 1, size: 65 },
    'containers[0].resources.limits["nvidia.com/gpu"]: pods of pool hpc share its…': { pool: turns, gpus: 2, size: 1 },
  });

  accepts({
    "as many pods as the parts of all nodes": { pool: sevenths, gpus: 1, size: 112 },
    "as many pods as the shares of all nodes": { pool: turns, gpus: 1, size: 64 },
  });
});
