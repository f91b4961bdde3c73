import * as pulumi from "@pulumi/pulumi";
import type { EksNodePoolArgs } from "../../../../../../provider";
import { validating } from "../../../../../support/problems";
import { anEksPoolArgs, blockArgs, efaArgs, eksProblemsOf } from "../../../nodes/fixtures";

const zones = ["us-east-1a"];
const twoZones = ["us-east-1a", "us-east-1b"];
const cluster = { placement: "cluster" } as const;
const reservation = { capacityType: "reservation", reservationId: "cr-1" } as const;
const block = { ...reservation, capacityType: "capacityBlock", machineTypes: ["p5.48xlarge"] } as const;

describe("the rules of an EksNodePool on zones, capacity and labels", () => {
  const { rejects, rejectsAll, accepts } = validating((args: Partial<EksNodePoolArgs>) =>
    eksProblemsOf(anEksPoolArgs(args)),
  );
  rejects({
    "zones: EFA requires exactly one availability zone, not 2; set one": efaArgs({ zones: twoZones }),
    "zones: EFA requires exactly one availability zone, not 0; set one": efaArgs({ zones: undefined }),
    'zones: placement "cluster" requires exactly one availability zone, not 2…': { ...cluster, zones: twoZones },
    'zones: capacityType "reservation" requires exactly one availability zone, not 0; set one': reservation,
    'zones: capacityType "capacityBlock" requires exactly one availability zone, not 2; set one': {
      ...block,
      machineTypes: [...block.machineTypes],
      zones: twoZones,
    },
    "placement: a capacity block cannot be in a placement…": blockArgs({ ...cluster, placementGroupName: "mine" }),
    "placement: a reservation has no capacity in a new placement group…": efaArgs({ ...reservation, ...cluster }),
    'placementGroupName: requires placement "cluster"; set it, or remove placementGroupName': [
      { placementGroupName: "mine" },
      efaArgs({ placementGroupName: "mine", capacityType: "spot" }),
    ],
    'diskType: provisioned-IOPS volumes (io1, io2) are not supported; use "gp3"': { diskType: "io2" },
    'reservationId: capacityType "reservation" requires the id of the…': { capacityType: "reservation", zones },
    'reservationId: capacityType "capacityBlock" requires the id of the…': efaArgs({ capacityType: "capacityBlock" }),
    'reservationId: requires capacityType "reservation"…': { capacityType: "spot", reservationId: "cr-1" },
    'reservationPreference: "open" requires capacityType "onDemand"; set it, or remove reservationPreference': [
      { capacityType: "spot", reservationPreference: "open" },
      { ...reservation, zones, reservationPreference: "open" },
    ],
    'reservationPreference: "capacityReservationsOnly" requires capacityType "reservation"; set it, or…': [
      { reservationPreference: "capacityReservationsOnly" },
      { ...block, machineTypes: ["p5.48xlarge"], zones, reservationPreference: "capacityReservationsOnly" },
    ],
    'reservationResourceGroupArn: requires capacityType "reservation"; set it…': { reservationResourceGroupArn: "arn" },
    "reservationResourceGroupArn: reservationId names one reservation; remove one of the two": {
      ...reservation,
      zones,
      reservationResourceGroupArn: "arn",
    },
    "placement: a reservation has no capacity in a new placement group; set…": efaArgs({
      ...cluster,
      reservationPreference: "open",
    }),
    "machineTypes: a reservation has one instance type; remove the others": {
      ...reservation,
      zones,
      machineTypes: ["m7i.large", "m6i.large"],
    },
    "capacityType: hpc7a.96xlarge is not available as…": { machineTypes: ["hpc7a.96xlarge"], capacityType: "spot" },
    "capacityType: g5.48xlarge is not available in capacity…": { ...block, machineTypes: ["g5.48xlarge"], zones },
    "taints[1]: duplicate taint a:NoSchedule; remove one of the two": {
      taints: ["1", "2"].map((value) => ({ key: "a", value, effect: "NoSchedule" })),
    },
  });
  rejectsAll({ efaLayout: "combined", efaPlugin: { skip: true }, efaSecurityGroup: true }, [
    'efaLayout: requires fabric "efa"; set it, or remove efaLayout',
    'efaPlugin: requires fabric "efa"; set it, or remove efaPlugin',
    'efaSecurityGroup: requires fabric "efa"; set it, or remove efaSecurityGroup',
  ]);
  rejectsAll({ fastImagePull: true, diskType: "gp2", machineTypes: ["c7i.large"] }, [
    'diskType: fastImagePull sets the throughput of the disk, which gp2 does not support; use "gp3"',
    "machineTypes[0]: c7i.large is too small for fastImagePull, which requires 4 vCPUs and 8 GiB…",
  ]);
  const labels = ["minicluster/pool", "node-role.kubernetes.io/hpc", "k8s.io/a", "my.eks.amazonaws.com/a"];
  rejectsAll({ labels: Object.fromEntries(labels.map((key) => [key, "a"])) }, [
    'labels["minicluster/pool"]: this package sets this label; remove it and set name',
    'labels["node-role.kubernetes.io/hpc"]: EKS reserves labels of kubernetes.io; use another prefix',
    'labels["k8s.io/a"]: EKS reserves labels of k8s.io; use another prefix',
    'labels["my.eks.amazonaws.com/a"]: EKS reserves labels of eks.amazonaws.com; use another prefix',
  ]);
  const fast = { fastImagePull: true } as const;
  accepts({
    "a volume type that is known later": { ...fast, diskType: pulumi.output("gp2"), machineTypes: ["c7i.xlarge"] },
    "fastImagePull on Bottlerocket": { ...fast, os: "bottlerocket", machineTypes: ["c7i.large"] },
    "a cluster placement group in one zone": { ...cluster, zones },
    "any open reservation": { capacityType: "reservation", reservationPreference: "capacityReservationsOnly" },
    "a group of reservations in several zones": {
      capacityType: "reservation",
      reservationResourceGroupArn: "arn",
      zones: twoZones,
      machineTypes: ["m7i.large", "m6i.large"],
    },
    "a reservation in its own placement group": efaArgs({ ...reservation, ...cluster, placementGroupName: "mine" }),
    "a capacity block in the zone of the only subnet": {
      ...block,
      machineTypes: [...block.machineTypes],
      subnetIds: ["subnet-a"],
    },
    "no security group for EFA without EFA": { efaSecurityGroup: false },
    "two effects of one taint": {
      taints: [
        { key: "a", effect: "NoSchedule" },
        { key: "a", effect: "NoExecute" },
      ],
    },
    "labels that look reserved": { labels: { "mykubernetes.io/a": "b", "kubernetes.io.org/a": "b", "k8s.io": "b" } },
  });
});
