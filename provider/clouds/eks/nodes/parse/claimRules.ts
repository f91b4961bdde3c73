import { ruleOn } from "../../../../shared/rules";
import { isSuperchip } from "../../../machines";
import { NodePoolAcceleratorKind } from "../../../nodes/args";
import { besideDriver, byClaim } from "../../../nodes/parse/scheduling";
import { eksMachineType, isListed } from "../../machines";
import { EksNodePoolCapacity } from "../args";
import type { SharedEksFields } from "./fields";

const rule = ruleOn<SharedEksFields>();

const gpuByRule = rule(["gpuBy", "machineTypes", "hardware"], ({ gpuBy, machineTypes, hardware }, addIssue) => {
  if (gpuBy === undefined || machineTypes.length === 0) return;
  const found = machineTypes.map((type) => eksMachineType(type, hardware));
  // A type that is not known may have GPUs.
  if (!found.some((type) => !type || type.accelerator?.kind === NodePoolAcceleratorKind.Nvidia))
    addIssue(["gpuBy"], "requires NVIDIA GPUs; remove gpuBy");
});

/** Rules against a plugin beside a driver: both would give away the same devices. */
const nvidiaPluginRule = rule(["gpuBy", "nvidiaPlugin"], ({ gpuBy, nvidiaPlugin }, addIssue) => {
  if (byClaim(gpuBy) && nvidiaPlugin !== undefined) addIssue(["nvidiaPlugin"], besideDriver("gpuBy", "nvidiaPlugin"));
});
const efaPluginRule = rule(["fabricBy", "efaPlugin"], ({ fabricBy, efaPlugin }, addIssue) => {
  if (byClaim(fabricBy) && efaPlugin !== undefined) addIssue(["efaPlugin"], besideDriver("fabricBy", "efaPlugin"));
});

/** Rules on claims, also of nodes that Karpenter launches. */
export const sharedClaimRules = [gpuByRule, nvidiaPluginRule, efaPluginRule];

/** The rule on machines that come as parts of an UltraServer. */
export const ultraServerRule = rule(["machineTypes", "capacity"], ({ machineTypes, capacity }, addIssue) => {
  const type = machineTypes.find((each) => isListed(each) && isSuperchip(eksMachineType(each, undefined)?.accelerator));
  if (type !== undefined && capacity !== EksNodePoolCapacity.CapacityBlock)
    addIssue(
      ["capacity"],
      `${type} comes in capacity blocks of UltraServers, of 9 or 18 nodes each; reserve one, and use "capacityBlock" with its ` +
        "id as reservationId",
    );
});
