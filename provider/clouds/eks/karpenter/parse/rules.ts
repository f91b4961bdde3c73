import { type Rule, forEachItem, ruleOn } from "../../../../shared/rules";
import { karpenterPoolRules } from "../../../karpenter/parse";
import { isSuperchip } from "../../../machines";
import { byClaim } from "../../../nodes/parse/scheduling";
import { countFields, isFixedSize } from "../../../nodes/parse/sizing";
import { eksMachineType } from "../../machines";
import { EksNodePoolEfaLayout, EksNodePoolOs } from "../../nodes/args";
import { isCombinedLayout } from "../../nodes/parse/efa";
import { hasEfa } from "../../nodes/parse/fields";
import { requireNewImage } from "../../nodes/parse/imageRules";
import { forEachType, machineFields } from "../../nodes/parse/machineTypes";
import { sharedEksRules } from "../../nodes/parse/rules";
import { autoModeRules } from "./autoModeRules";
import { capacityRules } from "./capacityRules";
import type { KarpenterPoolFields } from "./fields";

const rule = ruleOn<KarpenterPoolFields>();

const threadsRule = rule(["threadsPerCore"], ({ threadsPerCore }, addIssue) => {
  if (threadsPerCore !== undefined)
    addIssue(
      ["threadsPerCore"],
      "Karpenter does not set threads per core; remove threadsPerCore, or use an EksNodePool",
    );
});

const imageRule = rule(["amiIds", "amiVersion"], ({ amiIds, amiVersion }, addIssue) => {
  if (amiIds !== undefined && amiVersion !== undefined)
    addIssue(["amiVersion"], "is the version of the EKS image, and amiIds sets other images; remove one of them");
});

const userDataRule = rule(
  ["userData", "staticCpu", "fastImagePull"],
  ({ userData, staticCpu, fastImagePull }, addIssue) => {
    if (userData === undefined) return;
    if (staticCpu)
      addIssue(["userData"], "staticCpu sets the user data; remove staticCpu, and set the policy in userData");
    if (fastImagePull)
      addIssue(["userData"], "fastImagePull sets the user data; remove fastImagePull, and set the feature in userData");
  },
);

const driverRule = rule([...machineFields, "amiVersion", "os", "fabric"], (args, addIssue) =>
  requireNewImage(args, addIssue),
);

const reservedTags =
  /^(kubernetes\.io\/cluster|karpenter\.sh\/node(pool|claim)$|karpenter\.k8s\.aws\/ec2nodeclass$|eks:eks-cluster-name$)/;

const tagRule = rule(["tags[]"], ({ tags }, addIssue) => {
  for (const tag of Object.keys(tags))
    if (reservedTags.test(tag)) addIssue(["tags", tag], "Karpenter sets this tag; use another key");
});

/** Machines whose NVLink domains span nodes require claims, which AWS does not support with Karpenter. */
const superchipRule = rule(["machineTypes[]", "hardware"], ({ machineTypes, hardware }, addIssue) => {
  forEachItem(machineTypes, (type, index) => {
    if (isSuperchip(eksMachineType(type, hardware)?.accelerator))
      addIssue(["machineTypes", index], `AWS does not support ${type} with Karpenter; use an EksNodePool`);
  });
});

const layoutRule = rule(["fabricBy", "efaLayout", ...countFields], ({ fabricBy, efaLayout, ...sizes }, addIssue) => {
  if (!isFixedSize(sizes) && byClaim(fabricBy) && efaLayout === EksNodePoolEfaLayout.Separate)
    addIssue(
      ["efaLayout"],
      'Karpenter supports only the layout "combined" for EFA by claims; use "combined", or remove efaLayout',
    );
  if (isFixedSize(sizes) && efaLayout === EksNodePoolEfaLayout.Combined)
    addIssue(
      ["efaLayout"],
      "Karpenter adds these interfaces for pods that request EFA, and launches nodes of a fixed size without pods; remove " +
        "efaLayout, or set maxSize",
    );
});

/** The primary interface in `networkInterfaces` cannot be EFA (rules of the CRD of EC2NodeClass). */
const staticEfaRule = rule([...machineFields, "fabric", ...countFields], (args, addIssue) => {
  if (!isFixedSize(args) || !hasEfa(args)) return;
  forEachType(args, ({ type, index, machine }) => {
    if (isCombinedLayout(machine, EksNodePoolEfaLayout.Separate))
      addIssue(
        ["machineTypes", index],
        `the first network card of ${type} supports one interface, which Karpenter uses for EFA only if pods request EFA; set ` +
          "maxSize, or use an EksNodePool",
      );
  });
});

// Types for whose devices Karpenter launches nodes by claims (its page "Utilizing GPUs and EFAs with Dynamic Resource
// Allocation").
const claimable = /^(g4dn|g5|g5g|g6|g6e|gr6|p3dn|p4d|p4de|p5|p5e|p5en|p6-b200|p6-b300)\./;

const claimRule = rule(["fabricBy", "gpuBy", "machineTypes[]", ...countFields], (args, addIssue) => {
  const { fabricBy, gpuBy, machineTypes } = args;
  // Nodes of a fixed size do not depend on claims.
  if (isFixedSize(args) || (!byClaim(fabricBy) && !byClaim(gpuBy))) return;
  forEachItem(machineTypes, (type, index) => {
    if (!claimable.test(type))
      addIssue(
        ["machineTypes", index],
        `Karpenter launches no ${type} for claims; use "plugin" in fabricBy and gpuBy, or an EksNodePool`,
      );
  });
});

const claimUserDataRule = rule(["gpuBy", "os", "userData"], ({ gpuBy, os, userData }, addIssue) => {
  if (byClaim(gpuBy) && os === EksNodePoolOs.Bottlerocket && userData !== undefined)
    addIssue(["userData"], 'gpuBy "claim" turns off the plugin of Bottlerocket by its user data; remove userData');
});

/** Rules between the arguments of a pool. */
export const karpenterRules: Rule<KarpenterPoolFields>[] = [
  ...sharedEksRules,
  ...karpenterPoolRules(["karpenter.sh", "karpenter.k8s.aws"]),
  threadsRule,
  ...capacityRules,
  imageRule,
  userDataRule,
  driverRule,
  tagRule,
  superchipRule,
  layoutRule,
  staticEfaRule,
  claimRule,
  claimUserDataRule,
  ...autoModeRules,
];
