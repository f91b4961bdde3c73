import * as assert from "node:assert/strict";
import type { AksNodePoolArgs, GkeNodePoolArgs, MiniClusterArgs, NodePoolScheduling } from "../../../provider";
import { parseAksNodePoolArgs } from "../../../provider/nodepools/aks/parse";
import { buildAgentPool } from "../../../provider/nodepools/aks/pool";
import { aksRemarks } from "../../../provider/nodepools/aks/remarks";
import { buildDevicePlugin } from "../../../provider/nodepools/devicePlugins";
import { partitionsOf } from "../../../provider/nodepools/gke/partitions";
import { gkeMachineTypes } from "../../../provider/nodepools/gke/machineTypes";
import { parseGkeNodePoolArgs } from "../../../provider/nodepools/gke/parse";
import { buildNodePool } from "../../../provider/nodepools/gke/pool";
import { schemaProblems } from "../../support/apiSchema";
import { itJudges } from "../../support/cases";
import { aContainer, aMiniCluster, aMiniClusterArgs } from "../../support/fixtures";
import { problemsOf } from "../../support/problems";
import { aksArgs, aksProblems } from "./aks/fixtures";
import { aGkePoolArgs, gkeProblemsOf } from "./gke/fixtures";

const h100 = { machineType: "a3-highgpu-8g" } as const;
const gke = (args: Partial<GkeNodePoolArgs>) => parseGkeNodePoolArgs("hpc", aGkePoolArgs({ ...h100, ...args }));
const aks = (args: Partial<AksNodePoolArgs>) =>
  parseAksNodePoolArgs("hpc", aksArgs({ machineType: "Standard_ND96isr_H100_v5", ...args }));
const timeSharing = { strategy: "timeSharing", clients: 4 } as const;

const acceleratorsOf = (args: Partial<GkeNodePoolArgs>) =>
  (buildNodePool(gke(args)).nodeConfig as unknown as { guestAccelerators: Record<string, unknown>[] })
    .guestAccelerators[0];

describe("The rules of a GkeNodePool on GPUs that are divided or shared", () =>
  itJudges(
    `
{ machineType: a3-highgpu-8g, gpuPartition: 1g.10gb }
{ machineType: a3-highgpu-8g, gpuPartition: 1g.5gb }
  gpuPartition: the H100 of a3-highgpu-8g is divided into 1g.10gb, 1g.20gb, 2g.20gb, 3g.40gb, 7g.80gb, not 1g.5gb; use one of these
{ machineType: g2-standard-96, gpuPartition: 1g.5gb }
  gpuPartition: g2-standard-96 has no GPUs that can be divided (MIG); remove gpuPartition, or choose A100, H100, H200, B200 or RTX PRO 6000
{ machineType: c2d-standard-112, gpuPartition: 1g.5gb }
  gpuPartition: c2d-standard-112 has no GPUs that can be divided (MIG); remove gpuPartition, or choose A100, H100, H200, B200 or RTX PRO 6000
{ machineType: n1-standard-32, gpus: { type: nvidia-tesla-v100, count: 8 }, gpuPartition: 1g.5gb }
  gpuPartition: n1-standard-32 has no GPUs that can be divided (MIG); remove gpuPartition, or choose A100, H100, H200, B200 or RTX PRO 6000
{ machineType: g2-standard-96, gpuSharing: { strategy: mps, clients: 48 } }
{ machineType: n1-standard-32, gpus: { type: nvidia-tesla-v100, count: 8 }, gpuSharing: { strategy: timeSharing, clients: 2 } }
{ machineType: c2d-standard-112, gpuSharing: { strategy: mps, clients: 2 } }
  gpuSharing: c2d-standard-112 has no GPUs; remove gpuSharing
{ machineType: g2-standard-96, gpuSharing: { strategy: mps, clients: 49 } }
  gpuSharing.clients: 49 must be an integer from 2 to 48
# One pod claims all interfaces of a node.
{ machineType: a4x-highgpu-4g, fabric: rdma, gpuPartition: 1g.23gb, gpuSharing: { strategy: mps, clients: 2 } }
  gpuPartition: one pod claims the RDMA interfaces of a node of a4x-highgpu-4g; remove gpuPartition, or fabric
  gpuSharing: one pod claims the RDMA interfaces of a node of a4x-highgpu-4g; remove gpuSharing, or fabric
{ machineType: a4x-highgpu-4g, gpuPartition: 1g.23gb }
{ machineType: a3-highgpu-8g, gpuBy: claim, gpuPartition: 1g.10gb }
  gpuPartition: pods claim whole GPUs (gpuBy "claim"); remove gpuPartition, or gpuBy
`,
    (given) => gkeProblemsOf(aGkePoolArgs(given)),
  ));

describe("The rules of an AksNodePool on GPUs that are divided", () =>
  itJudges(
    `
{ machineType: Standard_ND96isr_H100_v5, gpuPartition: 1g }
{ machineType: Standard_NC24ads_A100_v4, gpuPartition: 7g }
{ machineType: Standard_ND96isr_H100_v5, gpuBy: claim, gpuPartition: 1g }
  gpuPartition: pods claim whole GPUs (gpuBy "claim"); remove gpuPartition, or gpuBy
{ machineType: Standard_NC4as_T4_v3, gpuPartition: 1g }
  gpuPartition: Standard_NC4as_T4_v3 has no GPUs that can be divided (MIG); remove gpuPartition, or choose A100, H100 or H200
{ machineType: Standard_ND96isr_MI300X_v5, gpuPartition: 1g }
  gpuPartition: Standard_ND96isr_MI300X_v5 has no GPUs that can be divided (MIG); remove gpuPartition, or choose A100, H100 or H200
{ machineType: Standard_D8ds_v5, gpuPartition: 1g }
  gpuPartition: Standard_D8ds_v5 has no GPUs that can be divided (MIG); remove gpuPartition, or choose A100, H100 or H200
{ machineType: Standard_ND96isr_H100_v5, gpuPartition: 5g }
  gpuPartition: must be one of "1g", "2g", "3g", "4g", "7g"
`,
    (given) => aksProblems(aksArgs(given)),
  ));

describe("GPUs that are divided or shared", () => {
  it("are asked for as GKE has them", () => {
    const whole = {
      ...{ type: "nvidia-h100-80gb", count: 8 },
      gpuDriverInstallationConfig: { gpuDriverVersion: "DEFAULT" },
    };
    assert.deepEqual(acceleratorsOf({}), whole);
    assert.deepEqual(acceleratorsOf({ gpuPartition: "3g.40gb" }), { ...whole, gpuPartitionSize: "3g.40gb" });
    assert.deepEqual(acceleratorsOf({ gpuSharing: timeSharing }), {
      ...whole,
      gpuSharingConfig: { gpuSharingStrategy: "TIME_SHARING", maxSharedClientsPerGpu: 4 },
    });
    assert.deepEqual(acceleratorsOf({ gpuSharing: { strategy: "mps", clients: 2 } })?.["gpuSharingConfig"], {
      ...{ gpuSharingStrategy: "MPS", maxSharedClientsPerGpu: 2 },
    });
  });

  it("are asked for as AKS has them", () => {
    assert.equal(buildAgentPool(aks({ gpuPartition: "3g" }), undefined).gpuInstanceProfile, "MIG3g");
    assert.equal("gpuInstanceProfile" in buildAgentPool(aks({}), undefined), false);
  });

  const counted: [name: string, scheduling: NodePoolScheduling, gpus: number, perContainer?: number][] = [
    ["whole ones of GKE", gke({}).scheduling, 8],
    ["sevenths", gke({ gpuPartition: "1g.10gb" }).scheduling, 56],
    ["halves", gke({ gpuPartition: "3g.40gb" }).scheduling, 16],
    ["turns", gke({ gpuSharing: timeSharing }).scheduling, 32, 1],
    ["turns on sevenths", gke({ gpuPartition: "1g.10gb", gpuSharing: timeSharing }).scheduling, 224, 1],
    ["whole ones of AKS", aks({}).scheduling, 8],
    ["sevenths of AKS", aks({ gpuPartition: "1g" }).scheduling, 56],
    ["thirds of AKS", aks({ gpuPartition: "2g" }).scheduling, 24],
    ["halves of AKS", aks({ gpuPartition: "3g" }).scheduling, 16],
    ["one part of all of AKS", aks({ gpuPartition: "7g" }).scheduling, 8],
  ];
  for (const [name, { node, resources, gpusPerContainer }, gpus, perContainer] of counted)
    it(`are counted by the one name that Kubernetes has for them, as many as there are: ${name}`, () => {
      assert.equal(node.gpus, gpus);
      assert.equal(resources?.["nvidia.com/gpu"], String(gpus));
      assert.equal(gpusPerContainer, perContainer);
    });

  it("of AKS are counted so by the plugin of the pool, which needs a right to see them", () => {
    const container = (args: Partial<AksNodePoolArgs>) => {
      const { devicePlugins, name, staticCpu } = aks(args);
      const set = buildDevicePlugin(devicePlugins[0] ?? assert.fail("no plugin"), { pool: name, staticCpu });
      assert.deepEqual(schemaProblems(set, "inputs.apps.v1.DaemonSet", "nvidia"), []);
      const { template } = set.spec as unknown as { template: { spec: { containers: Record<string, unknown>[] } } };
      return template.spec.containers[0];
    };
    const divided = container({ gpuPartition: "1g" });
    assert.deepEqual(divided?.["env"], [
      { name: "MIG_STRATEGY", value: "single" },
      { name: "NVIDIA_MIG_MONITOR_DEVICES", value: "all" },
    ]);
    assert.deepEqual(divided["securityContext"], { capabilities: { drop: ["ALL"], add: ["SYS_ADMIN"] } });
    assert.equal(container({})?.["env"], undefined);
    assert.deepEqual(container({ gpuPartition: "1g", staticCpu: true })?.["securityContext"], { privileged: true });
  });

  it("of a pool of AKS without nodes are more than its autoscaler knows, and a preview says so", () => {
    const texts = (args: Partial<AksNodePoolArgs>) =>
      aksRemarks(aks({ size: undefined, autoscale: { max: 4 }, ...args })).map(({ text }) => text);
    assert.match(
      texts({ gpuPartition: "1g" }).join(),
      /may scale to zero nodes, .* nvidia\.com\/gpu: pods that request it/,
    );
    assert.deepEqual(texts({}), []);
  });

  it("have partitions where GKE's plugin knows them, of GPUs that machines have", () => {
    const names = new Set([...gkeMachineTypes.values()].map(({ acceleratorType }) => acceleratorType));
    const divisible = [...names].filter((name) => Object.keys(partitionsOf(name)).length > 0);
    assert.deepEqual(divisible.sort(), [
      ...["nvidia-a100-80gb", "nvidia-b200", "nvidia-gb200", "nvidia-h100-80gb", "nvidia-h100-mega-80gb"],
      ...["nvidia-h200-141gb", "nvidia-rtx-pro-6000", "nvidia-tesla-a100"],
    ]);
    for (const name of divisible)
      for (const [size, count] of Object.entries(partitionsOf(name))) {
        const [, slices = ""] = /^(\d)g\./.exec(size) ?? [];
        assert.ok(count * Number(slices) <= 7, `${name} ${size}`);
      }
  });
});

describe("A cluster on GPUs that are divided or shared", () => {
  const limitsOf = (args: Partial<MiniClusterArgs>) => aMiniCluster(args).main.resources?.limits;
  const sevenths = gke({ gpuPartition: "1g.10gb" }).scheduling;
  const turns = gke({ gpuSharing: timeSharing }).scheduling;
  const one = { resources: { limits: { "nvidia.com/gpu": "1" } } };

  it("has all parts of a node where a pod has a node to itself", () =>
    assert.equal(limitsOf({ pool: sevenths })?.["nvidia.com/gpu"], "56"));

  it("has one turn in each container, for GKE gives no more", () =>
    assert.equal(limitsOf({ pool: turns })?.["nvidia.com/gpu"], "1"));

  it("has as many pods on a node as there are parts or turns, where each has one", () => {
    const size = 112;
    const problems = (pool: NodePoolScheduling, pods: number) =>
      problemsOf(
        aMiniClusterArgs({
          size: pods,
          maxSize: pods,
          network: { affinity: "none" },
          pool,
          containers: [aContainer(one)],
        }),
      );
    assert.deepEqual(problems(sevenths, size), []);
    assert.deepEqual(problems(turns, 64), []);
    assert.match(
      problems(turns, 65)
        .map(({ reason }) => reason)
        .join(),
      /65 is above the 64 pods that pool hpc has devices for/,
    );
  });

  it("is refused where a container requests more than one turn", () =>
    assert.deepEqual(
      problemsOf(
        aMiniClusterArgs({
          pool: turns,
          containers: [aContainer({ resources: { limits: { "nvidia.com/gpu": "2" } } })],
        }),
      ),
      [
        {
          propertyPath: 'containers[0].resources.limits["nvidia.com/gpu"]',
          reason: "pods of pool hpc share its GPUs, and a container may request 1; lower it",
        },
      ],
    ));
});
