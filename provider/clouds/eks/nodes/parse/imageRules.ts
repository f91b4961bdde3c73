import { type AddIssue, forEachItem, type Picked, ruleOn } from "../../../../shared/rules";
import { requireLocalDisks } from "../../../nodes/parse/localDisks";
import { type EksMachineType, eksMachineType } from "../../machines";
import type { EksPoolFields, SharedEksFields } from "./fields";

const rule = ruleOn<EksPoolFields>();

/** Fields that give the machine types. */
export const machineFields = ["machineTypes[]", "hardware"] as const;

interface Found {
  type: string;
  index: number;
  machine: EksMachineType;
}

/** Calls back for each machine type of a pool that is known. */
export const forEachType = (
  { machineTypes, hardware }: Picked<SharedEksFields, (typeof machineFields)[number]>,
  callback: (found: Found) => void,
) =>
  forEachItem(machineTypes, (type, index) => {
    const machine = eksMachineType(type, hardware);
    if (machine) callback({ type, index, machine });
  });

/**
 * Adds an issue for accelerators for which images of EKS have no driver: the RTX PRO 4500 of g7 requires driver 595, which an image of
 * the user's own may have.
 */
export const requireDriver = (args: Parameters<typeof forEachType>[0], argument: string, addIssue: AddIssue) =>
  forEachType(args, ({ type, machine: { accelerator, hasDriver } }) => {
    if (!hasDriver)
      addIssue(
        ["machineTypes"],
        `the images of EKS have no driver for the ${accelerator?.model} of ${type}; set ${argument} to an image that has, or ` +
          "choose another instance type",
      );
  });

/** The rule on such accelerators of an EksNodePool. */
export const driverRule = rule([...machineFields, "amiId"], (args, addIssue) => {
  if (args.amiId === undefined) requireDriver(args, "amiId", addIssue);
});

/** The rule on an image of the user's own. */
export const ownImageRule = rule(["amiId", "version"], ({ amiId, version }, addIssue) => {
  if (amiId !== undefined && version !== undefined)
    addIssue(["version"], "is that of the image of EKS, and amiId names another; remove one of them");
});

/** The rule on local disks, also of nodes that Karpenter launches. */
export const localDisksRule = ruleOn<SharedEksFields>()([...machineFields, "localDisks"], (args, addIssue) =>
  forEachType(args, ({ type, machine }) => requireLocalDisks(type, machine, args.localDisks, addIssue)),
);
