import { forEachItem, ruleOn } from "../../../../shared/rules";
import { isSuperchip } from "../../../machines";
import { NodePoolAcceleratorKind } from "../../../nodes/args";
import { besideDriver, byClaim } from "../../../nodes/parse/scheduling";
import { eksMachineType } from "../../machines";
import { EksNodePoolCapacityType } from "../args";
import type { EksPoolFields, SharedEksFields } from "./fields";

const rule = ruleOn<SharedEksFields>();

const gpuByRule = rule(["gpuBy", "machineTypes", "hardware"], ({ gpuBy, machineTypes, hardware }, addIssue) => {
  if (gpuBy === undefined || machineTypes.length === 0) return;
  const found = machineTypes.map((type) => eksMachineType(type, hardware));
  // An unknown type may have GPUs.
  if (!found.some((type) => !type || type.accelerator?.kind === NodePoolAcceleratorKind.Nvidia))
    addIssue(["gpuBy"], "requires NVIDIA GPUs; remove gpuBy");
});

/** Rules against a device plugin together with a DRA driver: both would allocate the same devices. */
const nvidiaPluginRule = rule(["gpuBy", "nvidiaPlugin"], ({ gpuBy, nvidiaPlugin }, addIssue) => {
  if (byClaim(gpuBy) && nvidiaPlugin !== undefined) addIssue(["nvidiaPlugin"], besideDriver("gpuBy", "nvidiaPlugin"));
});
const efaPluginRule = rule(["fabricBy", "efaPlugin"], ({ fabricBy, efaPlugin }, addIssue) => {
  if (byClaim(fabricBy) && efaPlugin !== undefined) addIssue(["efaPlugin"], besideDriver("fabricBy", "efaPlugin"));
});

/**
 * The rule on GB300, whose network cards AWS has not published: the layout of GB200 may not apply (EC2 document
 * "Maximize network bandwidth").
 */
const unpublishedCardsRule = rule(["machineTypes[]"], ({ machineTypes }, addIssue) =>
  forEachItem(machineTypes, (type, index) => {
    if (type.startsWith("p6e-gb300."))
      addIssue(
        ["machineTypes", index],
        `AWS has not published the network cards of ${type}; choose another instance type, such as p6e-gb200.36xlarge`,
      );
  }),
);

/** Rules on claims, and on what AWS has not published, also of nodes that Karpenter launches. */
export const sharedClaimRules = [gpuByRule, nvidiaPluginRule, efaPluginRule, unpublishedCardsRule];

/** The minimum Kubernetes version of the DRA driver of EFA (EKS user guide, "Manage EFA devices on Amazon EKS"). */
const leastMinor = 34;

/**
 * The minimum version in the README of the chart aws-dranet 1.0.0, which is higher than in the documentation of EKS.
 */
const chartMinor = 35;

/** Minor Kubernetes version of nodes; NaN if it is not known yet. */
export const minorOf = (version: unknown) =>
  typeof version === "string" ? Number(/^1\.(\d+)/.exec(version)?.[1]) : NaN;

/** The rule on the Kubernetes version of nodes whose EFA interfaces pods claim, if the version is known. */
export const claimVersionRule = ruleOn<EksPoolFields>()(["fabricBy", "version"], ({ fabricBy, version }, addIssue) => {
  if (byClaim(fabricBy) && minorOf(version) < leastMinor)
    addIssue(
      ["version"],
      `fabricBy "claim" requires Kubernetes 1.${leastMinor}, not ${JSON.stringify(version)}; raise version`,
    );
});

/**
 * True for EFA by claims on nodes of a Kubernetes version that is supported by AWS, but not by the chart of the driver.
 */
export const isBelowChart = ({ fabricBy, version }: Pick<EksPoolFields, "fabricBy" | "version">) =>
  byClaim(fabricBy) && minorOf(version) < chartMinor;

// Families of the tables that are not in `supportedInstanceLabels` of the chart aws-dranet 1.0.0.
const unknownToDriver = /^(g7|c8ib|c8in|r8ib|c9g|m9g)\./;

/** Machine types of a pool with EFA by claims whose nodes the DRA driver of EFA does not select by default. */
export const typesWithoutDriver = ({ fabricBy, machineTypes }: Pick<SharedEksFields, "fabricBy" | "machineTypes">) =>
  byClaim(fabricBy) ? machineTypes.filter((type) => unknownToDriver.test(type)) : [];

/** The rule on machines that are part of an UltraServer. */
export const ultraServerRule = rule(
  ["machineTypes", "capacityType", "hardware"],
  ({ machineTypes, capacityType, hardware }, addIssue) => {
    const type = machineTypes.find((each) => isSuperchip(eksMachineType(each, hardware)?.accelerator));
    if (type !== undefined && capacityType !== EksNodePoolCapacityType.CapacityBlock)
      addIssue(
        ["capacityType"],
        `${type} is available only in capacity blocks of UltraServers, of 9 or 18 nodes each; reserve one, and set capacityType "capacityBlock" and its ` +
          "id as reservationId",
      );
  },
);
