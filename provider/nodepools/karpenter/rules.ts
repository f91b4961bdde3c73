import type { z } from "zod";
import { integer, leaf, list, nonEmptyText, object } from "../../shared/checks";
import type { Rule } from "../../shared/rules";
import { byClaim } from "../claims";
import { EksNodePoolCapacity, EksNodePoolEfaLayout, EksNodePoolOs } from "../eks/args";
import { hasEfa, sharedEksFields } from "../eks/fields";
import { eksMachineType } from "../eks/machineTypes";
import { sharedEksRules } from "../eks/rules";
import { isSuperchip } from "../machineType";

const ids = (what: string) =>
  list(leaf(nonEmptyText))
    .refine((all) => all.length > 0, { error: `needs at least one ${what}; add one` })
    .refine((all) => all.length <= 30, { error: "has more than the 30 that Karpenter takes; leave some out" });

/** Fields of the arguments, each checked by itself: those of an EksNodePool that Karpenter has, too, and its own. */
export const karpenterPoolFields = object({
  ...sharedEksFields,
  nodeRoleName: leaf(nonEmptyText),
  subnetIds: ids("subnet"),
  securityGroupIds: ids("security group"),
  amiVersion: nonEmptyText.optional(),
  amiIds: ids("image").optional(),
  userData: leaf(nonEmptyText).optional(),
  emptyForSeconds: integer(0, 86_400).default(300),
});

export type KarpenterPoolFields = z.output<typeof karpenterPoolFields>;

type KarpenterRule = Rule<KarpenterPoolFields>;

const sizeRule: KarpenterRule = ({ size }, addIssue) => {
  if (size !== undefined)
    addIssue(["size"], "Karpenter brings nodes for pods, in no fixed number; use autoscale or pairedWith");
};

const minRule: KarpenterRule = ({ autoscale }, addIssue) => {
  if (autoscale && autoscale.min > 0)
    addIssue(["autoscale", "min"], `must be 0, not ${autoscale.min}: Karpenter keeps no nodes without pods; lower it`);
};

const threadsRule: KarpenterRule = ({ threadsPerCore }, addIssue) => {
  if (threadsPerCore !== undefined)
    addIssue(
      ["threadsPerCore"],
      "Karpenter does not set threads per core; remove threadsPerCore, or use an EksNodePool",
    );
};

const zoneRule: KarpenterRule = (args, addIssue) => {
  const reason = hasEfa(args) ? "EFA" : args.placementGroupName === undefined ? undefined : "a placement group";
  if (reason !== undefined && args.zones.length !== 1)
    addIssue(["zones"], `${reason} requires exactly one availability zone, not ${args.zones.length}; name one`);
};

const placementRule: KarpenterRule = ({ capacity, placementGroupName }, addIssue) => {
  if (placementGroupName !== undefined && capacity === EksNodePoolCapacity.CapacityBlock)
    addIssue(["placementGroupName"], "a capacity block cannot be in a placement group; remove placementGroupName");
};

const imageRule: KarpenterRule = ({ amiIds, amiVersion }, addIssue) => {
  if (amiIds !== undefined && amiVersion !== undefined)
    addIssue(["amiVersion"], "is that of the image of EKS, and amiIds names others; remove one of them");
};

const userDataRule: KarpenterRule = ({ userData, staticCpu }, addIssue) => {
  if (userData !== undefined && staticCpu)
    addIssue(["userData"], "staticCpu sets the user data; remove staticCpu, and set the policy in userData");
};

const restrictedDomains = ["karpenter.sh", "karpenter.k8s.aws"];

const labelRule: KarpenterRule = ({ labels }, addIssue) => {
  for (const label of Object.keys(labels)) {
    const [prefix = ""] = label.includes("/") ? label.split("/") : [];
    const domain = restrictedDomains.find((each) => prefix.endsWith(each));
    if (domain) addIssue(["labels", label], `Karpenter reserves labels of ${domain}; use another prefix`);
  }
};

const reservedTags =
  /^(kubernetes\.io\/cluster|karpenter\.sh\/node(pool|claim)$|karpenter\.k8s\.aws\/ec2nodeclass$|eks:eks-cluster-name$)/;

const tagRule: KarpenterRule = ({ tags }, addIssue) => {
  for (const tag of Object.keys(tags))
    if (reservedTags.test(tag)) addIssue(["tags", tag], "Karpenter sets this tag; use another key");
};

/** Machines whose GPUs are one NVLink domain over many nodes come by claims, and AWS has none of them with Karpenter. */
const superchipRule: KarpenterRule = ({ machineTypes, hardware }, addIssue) => {
  for (const [index, type] of machineTypes.entries())
    if (isSuperchip(eksMachineType(type, hardware)?.accelerator))
      addIssue(["machineTypes", index], `AWS does not support ${type} with Karpenter; use an EksNodePool`);
};

const layoutRule: KarpenterRule = ({ fabricBy, efaLayout }, addIssue) => {
  if (byClaim(fabricBy) && efaLayout === EksNodePoolEfaLayout.Separate)
    addIssue(
      ["efaLayout"],
      'Karpenter has no layout but its own for EFA by claims; use "combined", or remove efaLayout',
    );
};

// Karpenter's page "Utilizing GPUs and EFAs with Dynamic Resource Allocation": it brings nodes for claims of devices it knows.
const claimable = /^(g4dn|g5|g5g|g6|g6e|gr6|p3dn|p4d|p4de|p5|p5e|p5en|p6-b200|p6-b300)\./;

const claimRule: KarpenterRule = ({ fabricBy, gpuBy, machineTypes }, addIssue) => {
  if (!byClaim(fabricBy) && !byClaim(gpuBy)) return;
  for (const [index, type] of machineTypes.entries())
    if (!claimable.test(type))
      addIssue(
        ["machineTypes", index],
        `Karpenter brings no ${type} for claims; use "plugin" in fabricBy and gpuBy, or an EksNodePool`,
      );
};

const claimUserDataRule: KarpenterRule = ({ gpuBy, os, userData }, addIssue) => {
  if (byClaim(gpuBy) && os === EksNodePoolOs.Bottlerocket && userData !== undefined)
    addIssue(["userData"], 'gpuBy "claim" turns off the plugin of Bottlerocket by its user data; remove userData');
};

/** Rules between the arguments of a pool. */
export const karpenterRules: KarpenterRule[] = [
  ...sharedEksRules,
  ...[sizeRule, minRule, threadsRule, zoneRule, placementRule, imageRule, userDataRule],
  ...[labelRule, tagRule, superchipRule, layoutRule, claimRule, claimUserDataRule],
];
