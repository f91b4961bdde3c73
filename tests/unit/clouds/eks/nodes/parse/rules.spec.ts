import * as pulumi from "@pulumi/pulumi";
import type { EksNodePoolArgs } from "../../../../../../provider";
import { itValidates } from "../../../../../support/problems";
import { anEksPoolArgs, efaArgs, eksProblemsOf } from "../../../nodes/fixtures";

describe("the rules of an EksNodePool on zones, capacity and labels", () =>
  itValidates(
    [
      {
        name: "EFA in two zones",
        args: efaArgs({ zones: ["us-east-1a", "us-east-1b"] }),
        errors: ["zones: EFA requires exactly one availability zone, not 2; name one"],
      },
      {
        name: "EFA without a zone",
        args: efaArgs({ zones: undefined }),
        errors: ["zones: EFA requires exactly one availability zone, not 0; name one"],
      },
      {
        name: "a cluster placement group in two zones",
        args: { placement: "cluster", zones: ["us-east-1a", "us-east-1b"] },
        errors: ['zones: placement "cluster" requires exactly one availability zone, not 2; name one'],
      },
      {
        name: "a reservation without a zone",
        args: { capacity: "reservation", reservationId: "cr-1" },
        errors: ['zones: capacity "reservation" requires exactly one availability zone, not 0; name one'],
      },
      {
        name: "a capacity block in two zones",
        args: {
          machineTypes: ["p5.48xlarge"],
          capacity: "capacityBlock",
          reservationId: "cr-1",
          zones: ["us-east-1a", "us-east-1b"],
        },
        errors: ['zones: capacity "capacityBlock" requires exactly one availability zone, not 2; name one'],
      },
      {
        name: "a capacity block in a placement group",
        args: efaArgs({
          capacity: "capacityBlock",
          reservationId: "cr-1",
          placement: "cluster",
          placementGroupName: "mine",
        }),
        errors: ["placement: a capacity block cannot be in a placement group; remove placement"],
      },
      {
        name: "a reservation in a new placement group",
        args: efaArgs({ capacity: "reservation", reservationId: "cr-1", placement: "cluster" }),
        errors: [
          "placement: a reservation has no capacity in a new placement group; set placementGroupName to the " +
            "reservation's own group, or remove placement",
        ],
      },
      {
        name: "a placement group without the placement",
        args: { placementGroupName: "mine" },
        errors: ['placementGroupName: requires placement "cluster"; set it, or remove placementGroupName'],
      },
      {
        name: "a placement group on spot machines",
        args: efaArgs({ placementGroupName: "mine", capacity: "spot" }),
        errors: ['placementGroupName: requires placement "cluster"; set it, or remove placementGroupName'],
      },
      {
        name: "settings of EFA without EFA",
        args: { efaLayout: "combined", efaPlugin: { skip: true }, efaSecurityGroup: true },
        errors: [
          'efaLayout: requires fabric "efa"; set it, or remove efaLayout',
          'efaPlugin: requires fabric "efa"; set it, or remove efaPlugin',
          'efaSecurityGroup: requires fabric "efa"; set it, or remove efaSecurityGroup',
        ],
      },
      {
        name: "a volume type with provisioned IOPS",
        args: { diskType: "io2" },
        errors: ['diskType: provisioned-IOPS volumes (io1, io2) are not supported; use "gp3"'],
      },
      {
        name: "fastImagePull on gp2 and a small machine",
        args: { fastImagePull: true, diskType: "gp2", machineTypes: ["c7i.large"] },
        errors: [
          'diskType: fastImagePull sets the throughput, which gp2 has no field for; use "gp3"',
          "machineTypes[0]: c7i.large is too small for fastImagePull, which takes 4 vCPUs and 8 GiB; choose a " +
            "larger size, or remove fastImagePull",
        ],
      },
      {
        name: "fastImagePull on a volume type that is known later",
        args: { fastImagePull: true, diskType: pulumi.output("gp2"), machineTypes: ["c7i.xlarge"] },
      },
      {
        name: "fastImagePull on Bottlerocket",
        args: { fastImagePull: true, os: "bottlerocket", machineTypes: ["c7i.large"] },
      },
      { name: "a cluster placement group in one zone", args: { placement: "cluster", zones: ["us-east-1a"] } },
      {
        name: "a reservation in its own placement group",
        args: efaArgs({
          capacity: "reservation",
          reservationId: "cr-1",
          placement: "cluster",
          placementGroupName: "mine",
        }),
      },
      {
        name: "a capacity block in the zone of the only subnet",
        args: {
          machineTypes: ["p5.48xlarge"],
          capacity: "capacityBlock",
          reservationId: "cr-1",
          subnetIds: ["subnet-a"],
        },
      },
      { name: "no security group for EFA without EFA", args: { efaSecurityGroup: false } },
      {
        name: "a reservation without its id",
        args: { capacity: "reservation", zones: ["us-east-1a"] },
        errors: ['reservationId: capacity "reservation" requires the id of the reservation; add it'],
      },
      {
        name: "a capacity block without its id",
        args: efaArgs({ capacity: "capacityBlock" }),
        errors: ['reservationId: capacity "capacityBlock" requires the id of the reservation; add it'],
      },
      {
        name: "the id of a reservation on spot machines",
        args: { capacity: "spot", reservationId: "cr-1" },
        errors: [
          'reservationId: requires capacity "reservation" or "capacityBlock"; set one of these, or remove ' +
            "reservationId",
        ],
      },
      {
        name: "a reservation of two instance types",
        args: {
          capacity: "reservation",
          reservationId: "cr-1",
          zones: ["us-east-1a"],
          machineTypes: ["m7i.large", "m6i.large"],
        },
        errors: ["machineTypes: a reservation has one instance type; keep that one"],
      },
      {
        name: "an instance type that is not available as spot",
        args: { machineTypes: ["hpc7a.96xlarge"], capacity: "spot" },
        errors: ['capacity: hpc7a.96xlarge is not available as spot; use "onDemand" or "reservation"'],
      },
      {
        name: "an instance type without capacity blocks",
        args: {
          machineTypes: ["g5.48xlarge"],
          capacity: "capacityBlock",
          reservationId: "cr-1",
          zones: ["us-east-1a"],
        },
        errors: ['capacity: g5.48xlarge is not available in capacity blocks; use "onDemand" or "reservation"'],
      },
      {
        name: "labels that EKS reserves",
        args: {
          labels: {
            "minicluster/pool": "a",
            "node-role.kubernetes.io/hpc": "a",
            "k8s.io/a": "a",
            "my.eks.amazonaws.com/a": "a",
          },
        },
        errors: [
          'labels["minicluster/pool"]: this package sets this label; remove it and set name',
          'labels["node-role.kubernetes.io/hpc"]: EKS reserves labels of kubernetes.io; use another prefix',
          'labels["k8s.io/a"]: EKS reserves labels of k8s.io; use another prefix',
          'labels["my.eks.amazonaws.com/a"]: EKS reserves labels of eks.amazonaws.com; use another prefix',
        ],
      },
      {
        name: "a duplicate taint",
        args: {
          taints: [
            { key: "a", value: "1", effect: "NoSchedule" },
            { key: "a", effect: "NoExecute" },
            { key: "a", value: "2", effect: "NoSchedule" },
          ],
        },
        errors: ["taints[2]: duplicate taint a:NoSchedule; remove one of the two"],
      },
      {
        name: "labels that look reserved",
        args: {
          labels: {
            "k8s.amazonaws.com/accelerator": "mine",
            "mykubernetes.io/a": "b",
            "kubernetes.io.org/a": "b",
            "k8s.io": "b",
          },
        },
      },
    ],
    (args: Partial<EksNodePoolArgs>) => eksProblemsOf(anEksPoolArgs(args)),
  ));
