import * as assert from "node:assert/strict";
import type { KarpenterNodePoolArgs } from "../../../../../provider";
import { buildKarpenterPool, buildNodeClass } from "../../../../../provider/clouds/eks/karpenter/objects";
import { autoModeNotices, classErrors, factsIn } from "../../../../../provider/clouds/eks/karpenter/diagnostics";
import { sizingErrors } from "../../../../../provider/clouds/karpenter/diagnostics";
import { eksMachineTypes } from "../../../../../provider/clouds/eks/machines";
import { resizeDiagnostics } from "../../../../../provider/clouds/nodes/diagnostics";
import { aKarpenterPool, aKarpenterPoolArgs, karpenterEfaArgs, karpenterProblemsOf } from "../../nodes/fixtures";
import { asInputs, itMakes, diagnosing, ofAnyCloud } from "../../nodes/tables";

const fixed = { size: 3, maxSize: undefined };

const pools: Record<string, Partial<KarpenterNodePoolArgs>> = {
  "a plain pool": {},
  "EFA in a capacity block": karpenterEfaArgs({
    machineTypes: ["p5.4xlarge"],
    capacityType: "capacityBlock",
    reservationId: "cr-1",
    labels: { tier: "fast" },
    tags: { team: "a" },
    taints: [{ key: "a", effect: "NoSchedule" }],
    emptyForSeconds: 60,
  }),
  "EFA in the combined layout, which is Karpenter's own": karpenterEfaArgs({
    machineTypes: ["hpc7a.96xlarge"],
    efaLayout: "combined",
  }),
  "EFA on cards that take one interface, which is left to Karpenter": karpenterEfaArgs({
    machineTypes: ["hpc6id.32xlarge"],
  }),
  "EFA in a placement group": karpenterEfaArgs({ machineTypes: ["hpc7g.16xlarge"], placementGroupName: "mine" }),
  "Bottlerocket, an image version and whole CPUs": { os: "bottlerocket", amiVersion: "v1.50.0", staticCpu: true },
  "images that are pulled in parallel": { machineTypes: ["c7i.xlarge"], fastImagePull: true },
  "images and user data of the user's own": { amiIds: ["ami-1"], userData: "mine" },
  "spot machines up to a limit": { capacityType: "spot", maxSize: 8 },
  "GPUs and EFA that pods claim, whose interfaces are left to Karpenter": karpenterEfaArgs({
    machineTypes: ["p6-b300.48xlarge"],
    fabricBy: "claim",
    gpuBy: "claim",
  }),
  "GPUs with their plugin": { machineTypes: ["g5.xlarge"], capacityType: "reservation", reservationId: "cr-1" },
  "local disks as one file system": { machineTypes: ["c6id.32xlarge"], localDisks: "raid0" },
  "nodes in a fixed number": { size: 3, maxSize: undefined },
  "EFA on nodes in a fixed number, for which Karpenter adds no interfaces": karpenterEfaArgs({
    machineTypes: ["hpc7a.96xlarge"],
    size: 3,
    maxSize: undefined,
  }),
  "EFA that pods claim on nodes in a fixed number": karpenterEfaArgs({
    machineTypes: ["p5.4xlarge"],
    fabricBy: "claim",
    gpuBy: "claim",
    size: 3,
    maxSize: undefined,
  }),
  "reserved machines first, then spot machines and machines on demand": {
    capacityTypes: ["reservation", "spot", "onDemand"],
    reservationTags: { team: "hpc" },
    machineTypes: ["m7i.large", "m6i.large"],
  },
  "open reservations": { capacityType: "reservation", reservationMatchCriteria: "open" },
  "nodes of EKS Auto Mode": { autoMode: true, tags: { team: "a" } },
  "EFA in EKS Auto Mode, in a placement group": karpenterEfaArgs({
    machineTypes: ["p5.4xlarge"],
    autoMode: true,
    placementGroupName: "mine",
    size: 3,
    maxSize: undefined,
  }),
  "EFA that pods claim in EKS Auto Mode, which has the drivers": karpenterEfaArgs({
    machineTypes: ["p6-b300.48xlarge"],
    autoMode: true,
    fabricBy: "claim",
    gpuBy: "claim",
  }),
  "a capacity block in EKS Auto Mode, with local disks": {
    machineTypes: ["p5.48xlarge"],
    autoMode: true,
    capacityType: "capacityBlock",
    reservationId: "cr-1",
    diskGib: 300,
  },
};

function made(args: Partial<KarpenterNodePoolArgs>) {
  const spec = aKarpenterPool(args);
  return { nodeClass: buildNodeClass(spec), nodePool: buildKarpenterPool(spec), ...ofAnyCloud(spec) };
}

describe("a KarpenterNodePool", () => {
  itMakes("karpenter", pools, made);
});

describe("EFA of a KarpenterNodePool with a fixed number of nodes", () => {
  const efaTypes = Object.keys(eksMachineTypes).filter((type) => {
    const problems = karpenterProblemsOf(aKarpenterPoolArgs(karpenterEfaArgs({ machineTypes: [type], ...fixed })));
    return problems.length === 0;
  });
  for (const by of ["plugin", "claim"] as const)
    it(`is in the EC2NodeClass in the number that pods request, by ${by}, on every accepted machine type`, () => {
      assert.ok(efaTypes.length > 50);
      for (const type of efaTypes) {
        const args = karpenterEfaArgs({ machineTypes: [type], ...fixed, fabricBy: by });
        if (karpenterProblemsOf(aKarpenterPoolArgs(args)).length > 0) continue;
        const spec = aKarpenterPool(args);
        const { networkInterfaces = [] } = buildNodeClass(spec).spec as {
          networkInterfaces?: { interfaceType: string; networkCardIndex: number; deviceIndex: number }[];
        };
        const [primary, ...others] = networkInterfaces;
        assert.deepEqual(primary, { networkCardIndex: 0, deviceIndex: 0, interfaceType: "interface" }, type);
        assert.deepEqual(
          others.map(({ interfaceType }) => interfaceType),
          Array.from({ length: spec.machine.efaInterfaces }, () => "efa-only"),
          type,
        );
      }
    });
});

describe("the diagnostics of a change of a KarpenterNodePool", () => {
  const inputsOf = (args: Partial<KarpenterNodePoolArgs>) => asInputs(buildKarpenterPool(aKarpenterPool(args)));

  const { says, saysNothing } = diagnosing(([before, after]: (Partial<KarpenterNodePoolArgs> | undefined)[]) => {
    const spec = aKarpenterPool(after);
    const facts = factsIn(spec);
    return resizeDiagnostics(spec.scheduling, facts(before ? inputsOf(before) : {}), facts(inputsOf(after ?? {})));
  });
  says({
    "info: pool hpc (maximum): nodes 4 => 8, vCPUs 8 => 16, GiB of memory 32…": [{}, { maxSize: 8 }],
    "info: pool hpc (maximum): machines m7i.large => g5.xlarge, nodes 4 => 4…": [{}, { machineTypes: ["g5.xlarge"] }],
  });

  saysNothing({ "no inputs before": [undefined, {}] });
});

describe("a change of the way in which a pool of Karpenter is sized", () => {
  const { says, saysNothing } = diagnosing(
    ([before, after]: [Partial<KarpenterNodePoolArgs>, Partial<KarpenterNodePoolArgs>]) =>
      sizingErrors(aKarpenterPool(after))(inputs(before), inputs(after)),
  );
  const inputs = (args: Partial<KarpenterNodePoolArgs>) => asInputs(buildKarpenterPool(aKarpenterPool(args)));
  says({
    "error: pool hpc: Karpenter cannot change a NodePool between a fixed size and…": [fixed, { maxSize: 4 }],
  });
  saysNothing({
    "another fixed size": [fixed, { ...fixed, size: 5 }],
    "another limit": [{}, { maxSize: 9 }],
  });
});

describe("the diagnostics of EKS Auto Mode", () => {
  const lifetime = "info: pool hpc: EKS Auto Mode ends each node, with its brokers, 20 days after its start";
  const notices = diagnosing((args: Partial<KarpenterNodePoolArgs>) => autoModeNotices(aKarpenterPool(args)));
  notices.says({ [lifetime]: { autoMode: true } });
  notices.saysAll({ autoMode: true, machineTypes: ["hpc7g.16xlarge"] }, [
    lifetime,
    "warning: pool hpc: AWS does not list hpc7g.16xlarge for EKS Auto Mode; if pods stay Pending…",
  ]);

  const inputs = (args: Partial<KarpenterNodePoolArgs>) => asInputs(buildKarpenterPool(aKarpenterPool(args)));
  const change = diagnosing(([before, after]: [Partial<KarpenterNodePoolArgs>, Partial<KarpenterNodePoolArgs>]) =>
    classErrors(aKarpenterPool(after))(inputs(before), inputs(after)),
  );
  change.says({
    "error: pool hpc: an existing NodePool cannot change autoMode; set another name for the pool": [
      {},
      { autoMode: true },
    ],
  });
  change.saysNothing({ "another limit": [{ autoMode: true }, { autoMode: true, maxSize: 9 }] });
});
