import { itJudges } from "../../../../support/cases";
import { aKarpenterPoolArgs, karpenterProblemsOf, karpenterTags } from "../../nodes/fixtures";

describe("the rules of a KarpenterNodePool", () => {
  itJudges(
    `
{size: 2, pairedWith: !unset }
  size: Karpenter brings nodes for pods, in no fixed number; use autoscale or pairedWith
threadsPerCore: 1
  threadsPerCore: Karpenter does not set threads per core; remove threadsPerCore, or use an EksNodePool
autoscale: {min: 1, max: 2}
  autoscale.min: must be 0, not 1: Karpenter keeps no nodes without pods; lower it
!efa {zones: []}
  zones: EFA requires exactly one availability zone, not 0; name one
placementGroupName: mine
  zones: a placement group requires exactly one availability zone, not 0; name one
!efa {capacity: capacityBlock, reservationId: cr-1, placementGroupName: mine}
  placementGroupName: a capacity block cannot be in a placement group; remove placementGroupName
{amiIds: [ami-1], amiVersion: v1}
  amiVersion: is that of the image of EKS, and amiIds names others; remove one of them
{userData: a, staticCpu: true, fastImagePull: true, machineTypes: [c7i.xlarge]}
  userData: staticCpu sets the user data; remove staticCpu, and set the policy in userData
  userData: fastImagePull sets the user data; remove fastImagePull, and set the feature in userData
labels: {karpenter.sh/a: b, node.kubernetes.io/a: b}
  labels["node.kubernetes.io/a"]: EKS reserves labels of kubernetes.io; use another prefix
  labels["karpenter.sh/a"]: Karpenter reserves labels of karpenter.sh; use another prefix
tags: {karpenter.sh/nodepool: b}
  tags["karpenter.sh/nodepool"]: Karpenter sets this tag; use another key
!efa {machineTypes: [p6e-gb200.36xlarge], capacity: capacityBlock, reservationId: cr-1}
  machineTypes[0]: AWS does not support p6e-gb200.36xlarge with Karpenter; use an EksNodePool
!efa {machineTypes: [m7i.large]}
  fabric: m7i.large has no EFA; choose another instance type, or remove fabric
subnetIds: []
  subnetIds: needs at least one subnet; add one
securityGroupIds: !groups 31
  securityGroupIds: has more than the 30 that Karpenter takes; leave some out
!efa {machineTypes: [p5.48xlarge], fabricBy: claim, gpuBy: claim, efaLayout: separate}
  efaLayout: Karpenter has no layout but its own for EFA by claims; use "combined", or remove efaLayout
!efa {machineTypes: [hpc7g.16xlarge], fabricBy: claim}
  machineTypes[0]: Karpenter brings no hpc7g.16xlarge for claims; use "plugin" in fabricBy and gpuBy, or an EksNodePool
!efa {machineTypes: [p5.48xlarge], fabricBy: claim, gpuBy: claim, os: bottlerocket, userData: a}
  userData: gpuBy "claim" turns off the plugin of Bottlerocket by its user data; remove userData
`,
    (args) => karpenterProblemsOf(aKarpenterPoolArgs(args)),
    karpenterTags,
  );
});
