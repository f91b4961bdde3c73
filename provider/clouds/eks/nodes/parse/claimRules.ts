import { forEachItem, type Rule } from "../../../../shared/rules";
import { isSuperchip } from "../../../machines";
import { NodePoolAcceleratorKind } from "../../../nodes/args";
import { besideDriver, byClaim } from "../../../nodes/parse/scheduling";
import { eksMachineType, isListed } from "../../machines";
import { EksNodePoolCapacity } from "../args";
import type { EksPoolFields, SharedEksFields } from "./fields";

const gpuByRule: Rule<SharedEksFields> = ({ gpuBy, machineTypes, hardware }, addIssue) => {
  if (gpuBy === undefined || machineTypes.length === 0) return;
  const found = machineTypes.map((type) => eksMachineType(type, hardware));
  // A type that is not known may have GPUs.
  if (!found.some((type) => !type || type.accelerator?.kind === NodePoolAcceleratorKind.Nvidia))
    addIssue(["gpuBy"], "requires NVIDIA GPUs; remove gpuBy");
};

/** A plugin and a driver would each give away the same devices. */
const pluginRule: Rule<SharedEksFields> = (args, addIssue) =>
  forEachItem(
    [
      ["gpuBy", "nvidiaPlugin"],
      ["fabricBy", "efaPlugin"],
    ] as const,
    ([by, plugin]) => {
      if (byClaim(args[by]) && args[plugin] !== undefined) addIssue([plugin], besideDriver(by, plugin));
    },
  );

/** Rules on claims of nodes that Karpenter brings, too. */
export const sharedClaimRules = [gpuByRule, pluginRule];

/** The rule on machines that come as parts of an UltraServer. */
export const ultraServerRule: Rule<EksPoolFields> = ({ machineTypes, capacity }, addIssue) => {
  const type = machineTypes.find((each) => isListed(each) && isSuperchip(eksMachineType(each, undefined)?.accelerator));
  if (type !== undefined && capacity !== EksNodePoolCapacity.CapacityBlock)
    addIssue(
      ["capacity"],
      `${type} comes in capacity blocks of UltraServers, of 9 or 18 nodes each; reserve one, and use "capacityBlock" with its ` +
        "id as reservationId",
    );
};
