import type { KarpenterNodePoolArgs } from "../../../../../provider";
import { itValidates } from "../../../../support/problems";
import { aKarpenterPoolArgs, karpenterEfaArgs, karpenterProblemsOf } from "../../nodes/fixtures";

describe("the rules of a KarpenterNodePool", () => {
  itValidates(
    [
      {
        name: "a fixed size",
        args: { size: 2, pairedWith: undefined },
        errors: ["size: Karpenter brings nodes for pods, in no fixed number; use autoscale or pairedWith"],
      },
      {
        name: "threads per core",
        args: { threadsPerCore: 1 },
        errors: [
          "threadsPerCore: Karpenter does not set threads per core; remove threadsPerCore, or use an EksNodePool",
        ],
      },
      {
        name: "a min above 0",
        args: { autoscale: { min: 1, max: 2 } },
        errors: ["autoscale.min: must be 0, not 1: Karpenter keeps no nodes without pods; lower it"],
      },
      {
        name: "EFA without a zone",
        args: karpenterEfaArgs({ zones: [] }),
        errors: ["zones: EFA requires exactly one availability zone, not 0; name one"],
      },
      {
        name: "a placement group without a zone",
        args: { placementGroupName: "mine" },
        errors: ["zones: a placement group requires exactly one availability zone, not 0; name one"],
      },
      {
        name: "a placement group beside a capacity block",
        args: karpenterEfaArgs({ capacity: "capacityBlock", reservationId: "cr-1", placementGroupName: "mine" }),
        errors: ["placementGroupName: a capacity block cannot be in a placement group; remove placementGroupName"],
      },
      {
        name: "a version beside own images",
        args: { amiIds: ["ami-1"], amiVersion: "v1" },
        errors: ["amiVersion: is that of the image of EKS, and amiIds names others; remove one of them"],
      },
      {
        name: "features that set the user data beside own user data",
        args: { userData: "a", staticCpu: true, fastImagePull: true, machineTypes: ["c7i.xlarge"] },
        errors: [
          "userData: staticCpu sets the user data; remove staticCpu, and set the policy in userData",
          "userData: fastImagePull sets the user data; remove fastImagePull, and set the feature in userData",
        ],
      },
      {
        name: "labels that EKS and Karpenter reserve",
        args: { labels: { "karpenter.sh/a": "b", "node.kubernetes.io/a": "b" } },
        errors: [
          'labels["node.kubernetes.io/a"]: EKS reserves labels of kubernetes.io; use another prefix',
          'labels["karpenter.sh/a"]: Karpenter reserves labels of karpenter.sh; use another prefix',
        ],
      },
      {
        name: "a tag that Karpenter sets",
        args: { tags: { "karpenter.sh/nodepool": "b" } },
        errors: ['tags["karpenter.sh/nodepool"]: Karpenter sets this tag; use another key'],
      },
      {
        name: "an instance type that Karpenter does not support",
        args: karpenterEfaArgs({
          machineTypes: ["p6e-gb200.36xlarge"],
          capacity: "capacityBlock",
          reservationId: "cr-1",
        }),
        errors: ["machineTypes[0]: AWS does not support p6e-gb200.36xlarge with Karpenter; use an EksNodePool"],
      },
      {
        name: "EFA on an instance type without it",
        args: karpenterEfaArgs({ machineTypes: ["m7i.large"] }),
        errors: ["fabric: m7i.large has no EFA; choose another instance type, or remove fabric"],
      },
      { name: "no subnet", args: { subnetIds: [] }, errors: ["subnetIds: needs at least one subnet; add one"] },
      {
        name: "more security groups than Karpenter takes",
        args: { securityGroupIds: Array.from({ length: 31 }, (_, index) => `sg-${index}`) },
        errors: ["securityGroupIds: has more than the 30 that Karpenter takes; leave some out"],
      },
      {
        name: "a layout of EFA beside claims",
        args: karpenterEfaArgs({
          machineTypes: ["p5.48xlarge"],
          fabricBy: "claim",
          gpuBy: "claim",
          efaLayout: "separate",
        }),
        errors: [
          'efaLayout: Karpenter has no layout but its own for EFA by claims; use "combined", or remove efaLayout',
        ],
      },
      {
        name: "an instance type without claims by Karpenter",
        args: karpenterEfaArgs({ machineTypes: ["hpc7g.16xlarge"], fabricBy: "claim" }),
        errors: [
          'machineTypes[0]: Karpenter brings no hpc7g.16xlarge for claims; use "plugin" in fabricBy and gpuBy, ' +
            "or an EksNodePool",
        ],
      },
      {
        name: "user data beside claims of GPUs on Bottlerocket",
        args: karpenterEfaArgs({
          machineTypes: ["p5.48xlarge"],
          fabricBy: "claim",
          gpuBy: "claim",
          os: "bottlerocket",
          userData: "a",
        }),
        errors: ['userData: gpuBy "claim" turns off the plugin of Bottlerocket by its user data; remove userData'],
      },
    ],
    (args: Partial<KarpenterNodePoolArgs & { size: number; threadsPerCore: number }>) =>
      karpenterProblemsOf(aKarpenterPoolArgs(args)),
  );
});
