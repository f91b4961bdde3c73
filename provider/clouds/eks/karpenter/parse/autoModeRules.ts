import { ruleOn } from "../../../../shared/rules";
import type { KarpenterPoolFields } from "./fields";

const rule = ruleOn<KarpenterPoolFields>();

/** Arguments without an equivalent in the NodeClass of EKS Auto Mode, and what EKS does instead. */
const refused = {
  os: "selects the operating system",
  amiVersion: "selects the image of the nodes",
  amiIds: "selects the image of the nodes",
  userData: "runs no user data",
  fastImagePull: "decides itself how images are pulled",
  localDisks: "uses local disks that are larger than diskGib itself",
  staticCpu: "does not set the CPU policy of the kubelet",
  nvidiaPlugin: "includes the device plugin of NVIDIA",
  efaPlugin: "includes the device plugin of EFA",
} as const;

const refusedRules = (Object.keys(refused) as (keyof typeof refused)[]).map((key) =>
  rule(["autoMode", key], (args, addIssue) => {
    const { [key]: value } = args;
    if (args.autoMode && value !== undefined && value !== false)
      addIssue([key], `EKS Auto Mode ${refused[key]}; remove ${key}, or autoMode`);
  }),
);

const diskTypeRule = rule(["autoMode", "diskType"], ({ autoMode, diskType }, addIssue) => {
  if (autoMode && diskType !== "gp3")
    addIssue(["diskType"], "EKS Auto Mode selects the type of the disk; remove diskType, or autoMode");
});

const nameRule = rule(["autoMode", "name"], ({ autoMode, name }, addIssue) => {
  if (autoMode && name === "default")
    addIssue(["name"], 'EKS Auto Mode has a NodeClass "default" itself; choose another name');
});

const ownTags = /^(karpenter\.sh\/(provisioner-name|managed-by)|eks\.amazonaws\.com\/nodeclass)$/;

const tagRule = rule(["autoMode", "tags[]"], ({ autoMode, tags }, addIssue) => {
  for (const tag of Object.keys(tags))
    if (autoMode && ownTags.test(tag)) addIssue(["tags", tag], "EKS Auto Mode sets this tag; use another key");
});

/** Rules on a pool whose nodes EKS Auto Mode launches. */
export const autoModeRules = [...refusedRules, diskTypeRule, nameRule, tagRule];
