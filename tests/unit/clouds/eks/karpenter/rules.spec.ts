import type { KarpenterNodePoolArgs } from "../../../../../provider";
import { validating } from "../../../../support/problems";
import { aKarpenterPoolArgs, karpenterEfaArgs, karpenterProblemsOf } from "../../nodes/fixtures";

const block = { capacityType: "capacityBlock", reservationId: "cr-1" } as const;
const fixed = { size: 2, maxSize: undefined } as const;
const claims = { fabricBy: "claim", gpuBy: "claim" } as const;

describe("the rules of a KarpenterNodePool", () => {
  const { rejects, rejectsAll, accepts } = validating(
    (args: Partial<KarpenterNodePoolArgs & { size: number; threadsPerCore: number }>) =>
      karpenterProblemsOf(aKarpenterPoolArgs(args)),
  );
  accepts({
    "g7 with an image of the user's own": { machineTypes: ["g7.12xlarge"], amiIds: ["ami-595"] },
    "g7 with the newest image": { machineTypes: ["g7.12xlarge"] },
    "g7 with the first image that has its driver": { machineTypes: ["g7.12xlarge"], amiVersion: "v20260917" },
    "g7 with the first image of Bottlerocket that has its driver": {
      machineTypes: ["g7.12xlarge"],
      os: "bottlerocket",
      amiVersion: "1.66.0",
    },
    "claims of a type for which Karpenter launches no nodes, on a fixed number of nodes": karpenterEfaArgs({
      machineTypes: ["hpc7g.16xlarge"],
      fabricBy: "claim",
      ...fixed,
    }),
    "the separate layout of claimed EFA on a fixed number of nodes": karpenterEfaArgs({
      ...claims,
      machineTypes: ["p5.4xlarge"],
      efaLayout: "separate",
      ...fixed,
    }),
    "a fixed number of nodes": { size: 2, maxSize: undefined },
  });
  rejects({
    "size: size 5 is above maxSize 4; raise maxSize or lower size": { size: 5 },
    "amiVersion: the image of al2023 has the driver for the RTX PRO 4500 of g7.12xlarge from v20260917 on…": {
      machineTypes: ["g7.12xlarge"],
      amiVersion: "v20260810",
    },
    "amiVersion: the image of bottlerocket has the driver for the RTX PRO 4500 of g7.12xlarge from v1.66 on…": [
      { machineTypes: ["g7.12xlarge"], os: "bottlerocket", amiVersion: "1.65.0" },
      { machineTypes: ["g7.12xlarge"], os: "bottlerocket", amiVersion: "v1.65.1" },
    ],
    "localDisks: m7i.large has no local disks; remove localDisks, or choose a machine type…": { localDisks: "raid0" },
    "threadsPerCore: Karpenter does not set threads per core…": { threadsPerCore: 1 },
    "minSize: must be 0, not 1: Karpenter keeps no nodes without pods…": { minSize: 1, maxSize: 2 },
    "zones: EFA requires exactly one availability zone, not 0; set one": karpenterEfaArgs({ zones: [] }),
    "zones: a placement group requires exactly one availability zone, not 0; set one": { placementGroupName: "mine" },
    "placementGroupName: a capacity block cannot be in a…": karpenterEfaArgs({ ...block, placementGroupName: "mine" }),
    "amiVersion: is the version of the EKS image, and amiIds sets other images…": {
      amiIds: ["ami-1"],
      amiVersion: "v1",
    },
    'tags["karpenter.sh/nodepool"]: Karpenter sets this tag…': { tags: { "karpenter.sh/nodepool": "b" } },
    "machineTypes[0]: AWS does not support p6e-gb200.36xlarge with Karpenter; use an EksNodePool": karpenterEfaArgs({
      ...block,
      machineTypes: ["p6e-gb200.36xlarge"],
    }),
    "fabric: m7i.large has no EFA; choose another instance type…": karpenterEfaArgs({ machineTypes: ["m7i.large"] }),
    "subnetIds: needs at least one subnet; add one": { subnetIds: [] },
    "securityGroupIds: has more than the 30 entries that Karpenter accepts; remove some": {
      securityGroupIds: Array.from({ length: 31 }, (_, index) => `sg-${index}`),
    },
    'efaLayout: Karpenter supports only the layout "combined" for EFA by claims; use "combined", or remove efaLayout':
      karpenterEfaArgs({ ...claims, efaLayout: "separate" }),
    "efaLayout: Karpenter adds these interfaces for pods that request EFA…": karpenterEfaArgs({
      machineTypes: ["hpc7a.96xlarge"],
      efaLayout: "combined",
      ...fixed,
    }),
    "efaLayout: Karpenter adds these interfaces for pods that request EFA, and…": karpenterEfaArgs({
      ...claims,
      machineTypes: ["p5.4xlarge"],
      efaLayout: "combined",
      ...fixed,
    }),
    "machineTypes[0]: the first network card of hpc6id.32xlarge supports one interface…": karpenterEfaArgs({
      machineTypes: ["hpc6id.32xlarge"],
      ...fixed,
    }),
    ['machineTypes[0]: Karpenter launches no hpc7g.16xlarge for claims; use "plugin" in fabricBy and gpuBy, or ' +
    "an EksNodePool"]: karpenterEfaArgs({ machineTypes: ["hpc7g.16xlarge"], fabricBy: "claim" }),
    'userData: gpuBy "claim" turns off the plugin…': karpenterEfaArgs({ ...claims, os: "bottlerocket", userData: "a" }),
  });
  rejectsAll({ userData: "a", staticCpu: true, fastImagePull: true, machineTypes: ["c7i.xlarge"] }, [
    "userData: staticCpu sets the user data; remove staticCpu, and set the policy in userData",
    "userData: fastImagePull sets the user data; remove fastImagePull, and set the feature in userData",
  ]);
  rejects({
    "capacityTypes: replaces capacityType; remove one of the two": { capacityType: "spot", capacityTypes: ["spot"] },
    "capacityTypes: needs at least one capacity type; add one": { capacityTypes: [] },
    "capacityTypes: has a capacity type twice; remove one of them": { capacityTypes: ["spot", "spot"] },
    "capacityTypes: the nodes of a capacity block are a pool by themselves…": {
      capacityTypes: ["capacityBlock", "onDemand"],
      reservationId: "cr-1",
      machineTypes: ["p5.48xlarge"],
    },
    "capacityTypes: hpc7a.96xlarge is not available as spot…": {
      capacityTypes: ["onDemand", "spot"],
      machineTypes: ["hpc7a.96xlarge"],
    },
    'reservationId: capacityType "reservation" requires the id of the reservation; add it, or reservationTags…': [
      { capacityType: "reservation" },
      { capacityTypes: ["onDemand", "reservation"] },
    ],
    'reservationId: requires capacityType "reservation" or "capacityBlock"…': { reservationId: "cr-1" },
    'reservationTags: requires capacityType "reservation"…': { capacityType: "spot", reservationTags: { a: "b" } },
    'reservationMatchCriteria: requires capacityType "reservation"…': { reservationMatchCriteria: "open" },
    "reservationTags: reservationId names one reservation; remove reservationId, or reservationTags": {
      capacityType: "reservation",
      reservationId: "cr-1",
      reservationTags: { a: "b" },
    },
    "reservationTags: needs at least one tag; add one": { capacityType: "reservation", reservationTags: {} },
    "reservationMatchCriteria: EKS Auto Mode uses open reservations with…": {
      autoMode: true,
      capacityType: "reservation",
      reservationMatchCriteria: "open",
    },
    "machineTypes: a reservation has one instance type; remove the others": {
      capacityType: "reservation",
      reservationId: "cr-1",
      machineTypes: ["m7i.large", "m6i.large"],
    },
  });
  accepts({
    "a reservation of one type, and spot machines of others": {
      capacityTypes: ["reservation", "spot"],
      reservationId: "cr-1",
      machineTypes: ["m7i.large", "m6i.large"],
    },
    "open reservations with tags": {
      capacityType: "reservation",
      reservationMatchCriteria: "open",
      reservationTags: { a: "b" },
    },
  });
  const auto = { autoMode: true } as const;
  rejectsAll(
    {
      ...auto,
      os: "bottlerocket",
      amiVersion: "latest",
      userData: "a",
      fastImagePull: true,
      staticCpu: true,
      efaPlugin: {},
      machineTypes: ["g5.8xlarge"],
      fabric: "efa",
      zones: ["us-east-1a"],
      localDisks: "raid0",
    },
    [
      "userData: staticCpu sets the user data; remove staticCpu, and set the policy in userData",
      "userData: fastImagePull sets the user data; remove fastImagePull, and set the feature in userData",
      "os: EKS Auto Mode selects the operating system; remove os, or autoMode",
      "amiVersion: EKS Auto Mode selects the image of the nodes; remove amiVersion, or autoMode",
      "userData: EKS Auto Mode runs no user data; remove userData, or autoMode",
      "fastImagePull: EKS Auto Mode decides itself how images are pulled; remove fastImagePull, or autoMode",
      "localDisks: EKS Auto Mode uses local disks that are larger than diskGib itself; remove localDisks, or autoMode",
      "staticCpu: EKS Auto Mode does not set the CPU policy of the kubelet; remove staticCpu, or autoMode",
      "efaPlugin: EKS Auto Mode includes the device plugin of EFA; remove efaPlugin, or autoMode",
    ],
  );
  rejects({
    "amiIds: EKS Auto Mode selects the image of the nodes; remove amiIds, or autoMode": { ...auto, amiIds: ["ami-1"] },
    "nvidiaPlugin: EKS Auto Mode includes the device plugin of NVIDIA; remove nvidiaPlugin, or autoMode": {
      ...auto,
      machineTypes: ["g5.xlarge"],
      nvidiaPlugin: { skip: true },
    },
    "diskType: EKS Auto Mode selects the type of the disk; remove diskType, or autoMode": { ...auto, diskType: "gp2" },
    'name: EKS Auto Mode has a NodeClass "default" itself; choose another name': { ...auto, name: "default" },
    'tags["eks.amazonaws.com/nodeclass"]: EKS Auto Mode sets this tag; use another key': {
      ...auto,
      tags: { "eks.amazonaws.com/nodeclass": "a" },
    },
  });
  rejectsAll({ labels: { "karpenter.sh/a": "b", "node.kubernetes.io/a": "b" } }, [
    'labels["node.kubernetes.io/a"]: EKS reserves labels of kubernetes.io; use another prefix',
    'labels["karpenter.sh/a"]: Karpenter reserves labels of karpenter.sh; use another prefix',
  ]);
});
