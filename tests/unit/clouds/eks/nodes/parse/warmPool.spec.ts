import type { EksNodePoolArgs } from "../../../../../../provider";
import { warmPoolNotices } from "../../../../../../provider/clouds/eks/nodes/diagnostics";
import { validating } from "../../../../../support/problems";
import { anEksPool, anEksPoolArgs, blockArgs, eksProblemsOf } from "../../../nodes/fixtures";
import { diagnosing } from "../../../nodes/tables";

const hibernated = { maxSize: 4, warmPool: { poolState: "hibernated" } } as const;
const withDisks = { maxSize: 4, machineTypes: ["c6id.32xlarge"], localDisks: "raid0" as const };

describe("the rules of a warm pool", () => {
  const { rejects, rejectsAll, accepts } = validating((args: Partial<EksNodePoolArgs>) =>
    eksProblemsOf(anEksPoolArgs(args)),
  );
  rejects({
    "warmPool: is for a pool that is autoscaled; set maxSize, or remove warmPool": { size: 2, warmPool: {} },
    "warmPool: EC2 keeps no spot machines in a warm pool…": { maxSize: 4, capacityType: "spot", warmPool: {} },
    "warmPool: the machines of a capacity block are prepaid…": blockArgs({ maxSize: 4, warmPool: {} }),
    "warmPool: EKS supports warm pools only with its own images; remove warmPool, or amiId": {
      maxSize: 4,
      amiId: "ami-1",
      warmPool: {},
    },
    "warmPool.minSize: minSize 3 is above maxGroupPreparedCapacity 2…": {
      maxSize: 4,
      warmPool: { minSize: 3, maxGroupPreparedCapacity: 2 },
    },
    "warmPool.maxGroupPreparedCapacity: -2 must be an integer from -1 to 100000": {
      maxSize: 4,
      warmPool: { maxGroupPreparedCapacity: -2 },
    },
    "localDisks: local disks lose their file system when a machine is stopped…": { ...withDisks, warmPool: {} },
    "warmPool.poolState: EC2 does not hibernate g5.xlarge…": { ...hibernated, machineTypes: ["g5.xlarge"] },
    "warmPool.poolState: EC2 does not hibernate c7i.metal-24xl…": { ...hibernated, machineTypes: ["c7i.metal-24xl"] },
    "warmPool.poolState: EC2 hibernates machines with less than 150 GiB of memory, and m7i.16xlarge has 256…": {
      ...hibernated,
      machineTypes: ["m7i.16xlarge"],
    },
    "diskGib: a disk of 20 GiB has no room for the 32 GiB of memory of a hibernated m7i.2xlarge; raise diskGib": {
      ...hibernated,
      machineTypes: ["m7i.2xlarge"],
      diskGib: 20,
    },
  });
  rejectsAll({ maxSize: 4, os: "bottlerocket", warmPool: { ...hibernated.warmPool, reuseOnScaleIn: true } }, [
    'warmPool.poolState: m7i.large with Bottlerocket cannot be hibernated; use os "al2023", or poolState "stopped"',
    "warmPool.reuseOnScaleIn: m7i.large with Bottlerocket cannot return to a warm pool…",
  ]);
  accepts({
    "several machine types": { maxSize: 4, machineTypes: ["m7i.large", "m6i.large"], warmPool: {} },
    "stopped machines with Bottlerocket": { maxSize: 4, os: "bottlerocket", warmPool: { reuseOnScaleIn: false } },
    "running machines with local disks": { ...withDisks, warmPool: { poolState: "running" } },
    "a minimum without a limit": { maxSize: 4, warmPool: { minSize: 3, maxGroupPreparedCapacity: -1 } },
    "hibernated machines": hibernated,
  });
});

describe("the notice of a warm pool", () => {
  const { says, saysNothing } = diagnosing((args: Partial<EksNodePoolArgs>) => warmPoolNotices(anEksPool(args)));
  says({
    "info: pool hpc: beside the nodes, up to 6 machines wait in the warm pool (stopped), charged until…": {
      minSize: 2,
      maxSize: 8,
      warmPool: { maxGroupPreparedCapacity: -1 },
    },
    ["info: pool hpc: beside the nodes, up to 3 machines wait in the warm pool (running), charged like nodes, " +
    "price per hour 6 EUR"]: {
      maxSize: 8,
      price: { perHour: 2, currency: "EUR" },
      warmPool: { poolState: "running", minSize: 3, maxGroupPreparedCapacity: 3 },
    },
  });
  saysNothing({ "a pool without a warm pool": { maxSize: 8 } });
});
