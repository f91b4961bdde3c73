import { ruleOn } from "../../../../shared/rules";
import { NodePoolLocalDisks } from "../../../nodes/args";
import { isFixedSize } from "../../../nodes/parse/sizing";
import { EksNodePoolCapacityType, EksNodePoolOs, EksNodePoolWarmPoolState } from "../args";
import type { EksPoolFields } from "./fields";
import { forEachType, machineFields } from "./machineTypes";
import { osOf } from "./os";

const rule = ruleOn<EksPoolFields>();

const sizeRule = rule(["warmPool?", "size", "maxSize"], ({ warmPool, ...sizes }, addIssue) => {
  if (warmPool && isFixedSize(sizes))
    addIssue(["warmPool"], "is for a pool that is autoscaled; set maxSize, or remove warmPool");
});

const capacityRule = rule(["warmPool?", "capacityType"], ({ warmPool, capacityType }, addIssue) => {
  if (warmPool && capacityType === EksNodePoolCapacityType.Spot)
    addIssue(
      ["warmPool"],
      'EC2 keeps no spot machines in a warm pool; remove warmPool, or use capacityType "onDemand"',
    );
  if (warmPool && capacityType === EksNodePoolCapacityType.CapacityBlock)
    addIssue(
      ["warmPool"],
      "the machines of a capacity block are prepaid and cannot wait in a warm pool; remove warmPool",
    );
});

const imageRule = rule(["warmPool?", "amiId"], ({ warmPool, amiId }, addIssue) => {
  if (warmPool && amiId !== undefined)
    addIssue(["warmPool"], "EKS supports warm pools only with its own images; remove warmPool, or amiId");
});

const rangeRule = rule(["warmPool.minSize", "warmPool.maxGroupPreparedCapacity"], ({ warmPool }, addIssue) => {
  const { minSize = 0, maxGroupPreparedCapacity: max = unlimited } = warmPool ?? {};
  if (max !== unlimited && minSize > max)
    addIssue(
      ["warmPool", "minSize"],
      `minSize ${minSize} is above maxGroupPreparedCapacity ${max}; raise maxGroupPreparedCapacity or lower minSize`,
    );
});

/** `maxGroupPreparedCapacity` without a limit other than the maximum of the pool. */
export const unlimited = -1;

const diskRule = rule(["warmPool.poolState", "localDisks"], ({ warmPool, localDisks }, addIssue) => {
  const { poolState = EksNodePoolWarmPoolState.Stopped } = warmPool ?? {};
  if (warmPool && poolState !== EksNodePoolWarmPoolState.Running && localDisks === NodePoolLocalDisks.Raid0)
    addIssue(
      ["localDisks"],
      `local disks lose their file system when a machine is ${poolState}; remove localDisks, or set poolState "running"`,
    );
});

const osRule = rule(
  ["warmPool.poolState", "warmPool.reuseOnScaleIn", ...machineFields, "os", "fabric"],
  ({ warmPool, ...args }, addIssue) => {
    const isHibernated = warmPool?.poolState === EksNodePoolWarmPoolState.Hibernated;
    if (!isHibernated && !warmPool?.reuseOnScaleIn) return;
    forEachType(args, ({ type, machine }) => {
      if (osOf(args, machine) !== EksNodePoolOs.Bottlerocket) return;
      const remedy = 'use os "al2023"';
      if (isHibernated)
        addIssue(
          ["warmPool", "poolState"],
          `${type} with Bottlerocket cannot be hibernated; ${remedy}, or poolState "stopped"`,
        );
      if (warmPool?.reuseOnScaleIn)
        addIssue(
          ["warmPool", "reuseOnScaleIn"],
          `${type} with Bottlerocket cannot return to a warm pool; ${remedy}, or remove reuseOnScaleIn`,
        );
    });
  },
);

/** Memory of a machine from which EC2 does not hibernate it (EC2, "Prerequisites for EC2 instance hibernation"). */
const hibernatedMib = 150 * 1024;

const hibernationRule = rule(["warmPool.poolState", ...machineFields], ({ warmPool, ...args }, addIssue) => {
  if (warmPool?.poolState !== EksNodePoolWarmPoolState.Hibernated) return;
  forEachType(args, ({ type, machine: { accelerator, memoryMib } }) => {
    const reason =
      accelerator || type.includes(".metal")
        ? `EC2 does not hibernate ${type}`
        : memoryMib >= hibernatedMib
          ? `EC2 hibernates machines with less than 150 GiB of memory, and ${type} has ${memoryMib / 1024}`
          : undefined;
    if (reason) addIssue(["warmPool", "poolState"], `${reason}; use poolState "stopped"`);
  });
});

const hibernationDiskRule = rule(
  ["warmPool.poolState", "diskGib", ...machineFields],
  ({ warmPool, diskGib, ...args }, addIssue) => {
    if (warmPool?.poolState !== EksNodePoolWarmPoolState.Hibernated || typeof diskGib !== "number") return;
    forEachType(args, ({ type, machine: { memoryMib } }) => {
      if (memoryMib < hibernatedMib && diskGib * 1024 <= memoryMib)
        addIssue(
          ["diskGib"],
          `a disk of ${diskGib} GiB has no room for the ${memoryMib / 1024} GiB of memory of a hibernated ${type}; raise diskGib`,
        );
    });
  },
);

/** Rules on the warm pool of a node group. */
export const warmPoolRules = [
  sizeRule,
  capacityRule,
  imageRule,
  rangeRule,
  diskRule,
  osRule,
  hibernationRule,
  hibernationDiskRule,
];
