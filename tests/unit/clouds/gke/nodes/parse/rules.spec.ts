import * as pulumi from "@pulumi/pulumi";
import type { GkeNodePoolArgs } from "../../../../../../provider";
import { itValidates } from "../../../../../support/problems";
import { aFalconPoolArgs, aGkePoolArgs, aRocePoolArgs, gkeProblemsOf, rdmaNetworks } from "../../../nodes/fixtures";

describe("the rules of a GkeNodePool on zones, capacity and networks", () =>
  itValidates(
    [
      {
        name: "a size without zones",
        args: { zones: [] },
        errors: ["zones: size requires zones, for GKE counts nodes by zone; name one or more"],
      },
      {
        name: "a size that two zones cannot share",
        args: { zones: ["us-central1-a", "us-central1-b"], size: 5 },
        errors: ["size: 5 nodes cannot be spread evenly over 2 zones; use 4 or 6"],
      },
      {
        name: "a duplicate zone",
        args: { zones: ["us-east4-a", "us-east4-a"] },
        errors: ["zones[1]: duplicate zone us-east4-a; remove one of the two"],
      },
      {
        name: "a compact placement in two zones",
        args: { machineType: "c2d-standard-112", placement: "compact", zones: ["us-central1-a", "us-central1-b"] },
        errors: ['zones: placement "compact" requires exactly one zone, not 2; name one'],
      },
      {
        name: "a compact placement without a zone",
        args: { machineType: "c2d-standard-112", placement: "compact", zones: undefined },
        errors: ['zones: placement "compact" requires exactly one zone, not 0; name one'],
      },
      {
        name: "RDMA in two zones",
        args: aRocePoolArgs({ zones: ["us-central1-a", "us-central1-b"] }),
        errors: ['zones: fabric "rdma" requires exactly one zone, not 2; name one'],
      },
      {
        name: "a reservation without a zone",
        args: { capacity: "reservation", reservationName: "r", zones: [], autoscale: { max: 4 } },
        errors: ['zones: capacity "reservation" requires the zone of the reservation; name it'],
      },
      {
        name: "a compact placement of a machine type without it",
        args: { machineType: "n1-standard-96", placement: "compact" },
        errors: [
          "placement: GKE has no compact placement for n1-standard-96; choose another machine type, or remove " +
            "placement",
        ],
      },
      {
        name: "a compact placement of queued nodes",
        args: { machineType: "c2d-standard-112", placement: "compact", capacity: "queued", autoscale: { max: 4 } },
        errors: ['placement: capacity "queued" has a placement of its own; remove placement'],
      },
      {
        name: "a compact placement with flex start",
        args: { machineType: "c2d-standard-112", placement: "compact", capacity: "flexStart", autoscale: { max: 4 } },
        errors: [
          'placement: capacity "flexStart" has compact placement of A3 Ultra, A4 and H4D only; choose one of ' +
            "these, or remove placement",
        ],
      },
      {
        name: "a placement policy without compact placement",
        args: { placementPolicyName: "p" },
        errors: ['placementPolicyName: requires placement "compact"; set it, or remove placementPolicyName'],
      },
      {
        name: "more nodes than a compact placement has",
        args: { machineType: "c2d-standard-112", placement: "compact", autoscale: { max: 1501 } },
        errors: ["autoscale.max: 1501 is above the 1500 nodes of a compact placement; lower it, or remove placement"],
      },
      { name: "a size that two zones share", args: { zones: ["us-central1-a", "us-central1-b"], size: 6 } },
      { name: "size 0 in two zones", args: { zones: ["us-central1-a", "us-central1-b"], size: 0 } },
      {
        name: "the largest compact placement, in a policy of the user",
        args: { machineType: "c2d-standard-112", placement: "compact", size: 1500, placementPolicyName: "p" },
      },
      {
        name: "a compact placement of A3 Ultra with flex start",
        args: aRocePoolArgs({ placement: "compact", capacity: "flexStart", autoscale: { max: 4 } }),
      },
      {
        name: "a compact placement of A4 with flex start",
        args: aRocePoolArgs({
          machineType: "a4-highgpu-8g",
          placement: "compact",
          capacity: "flexStart",
          autoscale: { max: 4 },
        }),
      },
      {
        name: "a compact placement of H4D with flex start",
        args: aFalconPoolArgs({ placement: "compact", capacity: "flexStart", autoscale: { max: 4 }, size: undefined }),
      },
      {
        name: "a reservation without its name",
        args: { capacity: "reservation" },
        errors: ['reservationName: capacity "reservation" requires the name of the reservation; add it'],
      },
      {
        name: "the name of a reservation on spot machines",
        args: { capacity: "spot", reservationName: "r" },
        errors: ['reservationName: requires capacity "reservation"; set it, or remove reservationName'],
      },
      {
        name: "a fixed size with flex start",
        args: { capacity: "flexStart", size: 2 },
        errors: ['size: nodes of capacity "flexStart" are in no fixed number; use autoscale or pairedWith'],
      },
      {
        name: "a fixed size of queued nodes",
        args: { capacity: "queued", size: 2 },
        errors: ['size: nodes of capacity "queued" are in no fixed number; use autoscale or pairedWith'],
      },
      {
        name: "repair with flex start",
        args: { capacity: "flexStart", autoRepair: true, autoscale: { max: 4 } },
        errors: ['autoRepair: GKE does not repair nodes of capacity "flexStart"; remove autoRepair'],
      },
      {
        name: "a min above 0 and repair of queued nodes",
        args: { capacity: "queued", autoRepair: true, autoscale: { min: 1, max: 4 } },
        errors: [
          'autoscale.min: must be 0 with capacity "queued", not 1; lower it',
          'autoRepair: GKE does not repair nodes of capacity "queued"; remove autoRepair',
        ],
      },
      {
        name: "a run time of nodes on demand",
        args: { maxRunSeconds: 60 },
        errors: ['maxRunSeconds: requires capacity "flexStart" or "queued"; set one of these, or remove maxRunSeconds'],
      },
      {
        name: "a machine type that is not available as spot",
        args: { machineType: "h3-standard-88", capacity: "spot" },
        errors: ['capacity: h3-standard-88 is not available as spot; use "onDemand" or "reservation"'],
      },
      { name: "a min above 0 with flex start", args: { capacity: "flexStart", autoscale: { min: 1, max: 4 } } },
      {
        name: "queued nodes with a run time, without repair",
        args: { capacity: "queued", pairedWith: { size: 4 }, maxRunSeconds: 3600, autoRepair: false },
      },
      {
        name: "a reservation with a name that is known later",
        args: { capacity: "reservation", reservationName: pulumi.output("r") },
      },
      {
        name: "Tier_1 bandwidth on a small machine",
        args: { machineType: "c2d-standard-16", fabric: "tier1" },
        errors: ["fabric: c2d-standard-16 has no Tier_1 bandwidth; choose a larger machine type, or remove fabric"],
      },
      {
        name: "RDMA on a machine type without it",
        args: aRocePoolArgs({ machineType: "a3-megagpu-8g" }),
        errors: ["fabric: a3-megagpu-8g has no RDMA; choose A3 Ultra, A4, A4X or H4D, or remove fabric"],
      },
      {
        name: "fewer networks than RDMA interfaces",
        args: aRocePoolArgs({ rdmaNetworks: rdmaNetworks(4) }),
        errors: ["rdmaNetworks: a3-ultragpu-8g has 8 RDMA interfaces, not 4; name one network for each"],
      },
      {
        name: "no network for an RDMA interface",
        args: aFalconPoolArgs({ rdmaNetworks: undefined }),
        errors: ["rdmaNetworks: h4d-highmem-192-lssd has 1 RDMA interfaces, not 0; name one network for each"],
      },
      {
        name: "no network for the second gVNIC",
        args: aRocePoolArgs({ gvnicNetwork: undefined }),
        errors: ["gvnicNetwork: a3-ultragpu-8g requires the network of its second gVNIC; add it"],
      },
      {
        name: "a network for a second gVNIC that does not exist",
        args: aFalconPoolArgs({ gvnicNetwork: { network: "vpc", subnetwork: "subnet" } }),
        errors: ["gvnicNetwork: h4d-highmem-192-lssd has no second gVNIC; remove gvnicNetwork"],
      },
      {
        name: "networks without RDMA",
        args: { rdmaNetworks: rdmaNetworks(1), gvnicNetwork: { network: "vpc", subnetwork: "subnet" } },
        errors: [
          'rdmaNetworks: requires fabric "rdma"; set it, or remove rdmaNetworks',
          'gvnicNetwork: requires fabric "rdma"; set it, or remove gvnicNetwork',
        ],
      },
      {
        name: "duplicate names of networks",
        args: {
          machineType: "h4d-standard-192",
          fabric: "rdma",
          rdmaNetworks: [
            { network: "a", subnetwork: "b", name: "c" },
            { network: "d", subnetwork: "e", name: "c" },
          ],
        },
        errors: [
          "rdmaNetworks: h4d-standard-192 has 1 RDMA interfaces, not 2; name one network for each",
          'rdmaNetworks[1].name: duplicate name "c"; name a Network object for each interface',
        ],
      },
      {
        name: "the name of the cluster's network",
        args: aFalconPoolArgs({ rdmaNetworks: [{ network: "vpc", subnetwork: "subnet", name: "default" }] }),
        errors: ['rdmaNetworks[0].name: "default" is the network of the cluster; use another name'],
      },
      {
        name: "networks of a machine type whose networks GKE creates",
        args: {
          machineType: "a4x-highgpu-4g",
          fabric: "rdma",
          rdmaNetworks: rdmaNetworks(4),
          gvnicNetwork: { network: "a", subnetwork: "b" },
        },
        errors: [
          "rdmaNetworks: GKE makes the networks of a4x-highgpu-4g itself (DRANET); remove rdmaNetworks",
          "gvnicNetwork: GKE makes the networks of a4x-highgpu-4g itself (DRANET); remove gvnicNetwork",
        ],
      },
      {
        name: "more nodes than an NVLink domain has",
        args: { machineType: "a4x-highgpu-4g", fabric: "rdma", size: 19 },
        errors: ["size: 19 is above the 18 nodes of an NVLink domain; lower it, and use a pool for each domain"],
      },
      {
        name: "no placement in an NVLink domain",
        args: { machineType: "a4x-highgpu-4g", fabric: "rdma", placement: "none" },
        errors: ["placement: a4x-highgpu-4g comes in one NVLink domain only; remove placement"],
      },
      {
        name: "an NVLink domain in two zones",
        args: { machineType: "a4x-highgpu-4g", zones: ["us-central1-a", "us-central1-b"] },
        errors: ['zones: placement "compact" requires exactly one zone, not 2; name one'],
      },
    ],
    (args: Partial<GkeNodePoolArgs>) => gkeProblemsOf(aGkePoolArgs(args)),
  ));
