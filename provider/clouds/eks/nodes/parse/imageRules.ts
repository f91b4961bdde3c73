import { isDeferred } from "../../../../shared/deferred";
import { type AddIssue, ruleOn } from "../../../../shared/rules";
import { requireLocalDisks } from "../../../nodes/parse/localDisks";
import { EksNodePoolOs } from "../args";
import { minorOf } from "./claimRules";
import type { EksPoolFields, SharedEksFields } from "./fields";
import { forEachType, machineFields } from "./machineTypes";
import { osOf } from "./os";

const rule = ruleOn<EksPoolFields>();

/** The first Kubernetes version whose images of Bottlerocket have the driver of g7. */
const leastMinor = 37;

/** The first images with the driver of g7, by operating system: the digits of the version, up to the minor version. */
const leastImage: Record<EksNodePoolOs, [version: string, format: RegExp]> = {
  [EksNodePoolOs.Al2023]: ["20260917", /^v?(\d{8})$/],
  [EksNodePoolOs.Bottlerocket]: ["1.66", /^v?1\.(\d+)/],
};

/**
 * Calls back for each type whose GPUs need NVIDIA's driver 595: the RTX PRO 4500 of g7. Amazon Linux 2023 has it since v20260917
 * (amazon-eks-ami #2768), Bottlerocket since 1.66.0 and only for Kubernetes 1.37 or later ("GPU Driver Versions on Bottlerocket"). Each
 * selects the driver for the machine when it boots.
 */
function forEachNewDriver(
  args: Parameters<typeof forEachType>[0] & Parameters<typeof osOf>[0],
  callback: (found: { gpu: string; os: EksNodePoolOs }) => void,
) {
  forEachType(args, ({ type, machine }) => {
    if (machine.needsNewImage)
      callback({ gpu: `the ${machine.accelerator?.model} of ${type}`, os: osOf(args, machine) });
  });
}

/** The rule on the Kubernetes version of nodes of Bottlerocket with such GPUs. */
export const driverRule = rule([...machineFields, "amiId", "os", "fabric", "version"], (args, addIssue) => {
  const { amiId, version } = args;
  if (amiId !== undefined || isDeferred(version) || minorOf(version) >= leastMinor) return;
  forEachNewDriver(args, ({ gpu, os }) => {
    if (os === EksNodePoolOs.Bottlerocket)
      addIssue(
        ["version"],
        `Bottlerocket has the driver for ${gpu} from Kubernetes 1.${leastMinor} on; set version, or use os "al2023"`,
      );
  });
});

/** Adds an issue for a version of the image that is too old for such GPUs. */
export const requireNewImage = (
  { amiVersion, ...args }: Parameters<typeof forEachNewDriver>[0] & { amiVersion?: unknown },
  addIssue: AddIssue,
) =>
  forEachNewDriver(args, ({ gpu, os }) => {
    const [least, format] = leastImage[os];
    if (Number(format.exec(typeof amiVersion === "string" ? amiVersion : "")?.[1]) < Number(least.split(".").at(-1)))
      addIssue(
        ["amiVersion"],
        `the image of ${os} has the driver for ${gpu} from v${least} on; raise or remove amiVersion`,
      );
  });

/** GPUs whose driver an image of Bottlerocket has only for newer versions of Kubernetes, where the version is not an argument. */
export function gpusOfNewKubernetes(args: Parameters<typeof forEachNewDriver>[0] & { amiIds?: unknown }): string[] {
  const gpus = new Set<string>();
  if (args.amiIds === undefined)
    forEachNewDriver(args, ({ gpu, os }) => void (os === EksNodePoolOs.Bottlerocket && gpus.add(gpu)));
  return [...gpus];
}

/** The rule on a custom image. */
export const ownImageRule = rule(["amiId", "version"], ({ amiId, version }, addIssue) => {
  if (amiId !== undefined && version !== undefined)
    addIssue(["version"], "is the version of the EKS image, and amiId sets another image; remove one of them");
});

/** The rule on local disks, also of nodes that Karpenter launches. */
export const localDisksRule = ruleOn<SharedEksFields>()([...machineFields, "localDisks"], (args, addIssue) =>
  forEachType(args, ({ type, machine }) => requireLocalDisks(type, machine, args.localDisks, addIssue)),
);
