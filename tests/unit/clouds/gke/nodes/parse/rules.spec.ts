import * as pulumi from "@pulumi/pulumi";
import type { GkeNodePoolArgs } from "../../../../../../provider";
import { validating } from "../../../../../support/problems";
import {
  aFalconPoolArgs,
  aGkePoolArgs,
  aRocePoolArgs,
  gkeProblemsOf,
  rdmaNetworks,
  x1GkeArgs,
} from "../../../nodes/fixtures";

describe("the rules of a GkeNodePool on zones, capacity and networks", () => {
  const { rejects, rejectsAll, accepts } = validating((args: Partial<GkeNodePoolArgs>) =>
    gkeProblemsOf(aGkePoolArgs(args)),
  );
  rejects({
    "gibInstaller: requires RDMA between GPUs; remove gibInstaller": [
      { gibInstaller: {} },
      { machineType: "a3-ultragpu-8g", gibInstaller: {} },
      aFalconPoolArgs({ gibInstaller: { skip: true } }),
    ],
    "gibInstaller: the image of the pods on a4x-maxgpu-4g-metal contains gIB; remove gibInstaller": {
      machineType: "a4x-maxgpu-4g-metal",
      fabric: "rdma",
      capacityType: "reservation",
      reservationName: "r",
      gibInstaller: {},
    },
    "zones: a fixed size requires zones, because GKE counts nodes per zone; set one or more": { zones: [] },
    "size: 5 nodes cannot be distributed equally over 2 zones…": { zones: ["us-central1-a", "us-central1-b"], size: 5 },
    "zones[1]: duplicate zone us-east4-a; remove one of the two": { zones: ["us-east4-a", "us-east4-a"] },
    'zones: placement "compact" requires exactly one zone, not 2; set one': [
      { machineType: "c2d-standard-112", placement: "compact", zones: ["us-central1-a", "us-central1-b"] },
      { machineType: "a4x-highgpu-4g", zones: ["us-central1-a", "us-central1-b"] },
    ],
    'zones: fabric "rdma" requires exactly one zone…': aRocePoolArgs({ zones: ["us-central1-a", "us-central1-b"] }),
    'zones: capacityType "reservation" requires the zone of the reservation; set it': {
      capacityType: "reservation",
      reservationName: "r",
      zones: [],
      maxSize: 4,
    },
    "placement: GKE does not support compact placement for…": { machineType: "n1-standard-96", placement: "compact" },
    'placement: capacityType "queued" determines the placement; remove placement': {
      machineType: "c2d-standard-112",
      placement: "compact",
      capacityType: "queued",
      maxSize: 4,
    },
    ['placement: capacityType "flexStart" supports a placement only on A3 Ultra, A4 and H4D; choose one of ' +
    "these, or remove placement"]: {
      machineType: "c2d-standard-112",
      placement: "compact",
      capacityType: "flexStart",
      maxSize: 4,
    },
    'placementPolicyName: requires placement "compact" or "highThroughput"…': {
      placementPolicyName: "p",
    },
    ["placement: Google has no workload policies for a3-highgpu-4g, only for A3 High with 8 GPUs, A3 Mega, A3 Ultra, " +
    'A4, A4X and H4D; use "compact", or remove placement']: {
      machineType: "a3-highgpu-4g",
      placement: "highThroughput",
    },
    'placement: capacityType "queued" determines…': {
      machineType: "h4d-standard-192",
      placement: "highThroughput",
      capacityType: "queued",
      maxSize: 4,
    },
    'placement: capacityType "flexStart" supports a placement only on…': {
      machineType: "a3-megagpu-8g",
      placement: "highThroughput",
      capacityType: "flexStart",
      maxSize: 4,
    },
    'zones: placement "highThroughput" requires exactly one zone, not 0; set one': {
      machineType: "a3-megagpu-8g",
      placement: "highThroughput",
      zones: [],
    },
    'maxTopologyDistance: requires placement "highThroughput"; set it, or remove maxTopologyDistance': [
      { maxTopologyDistance: "block" },
      { machineType: "a4-highgpu-8g", placement: "compact", maxTopologyDistance: "block" },
    ],
    "maxTopologyDistance: the existing policy has its own distance; remove it, or placementPolicyName": {
      machineType: "a4-highgpu-8g",
      placement: "highThroughput",
      maxTopologyDistance: "block",
      placementPolicyName: "p",
    },
    "maxSize: 1501 is above the 1500 nodes of a compact placement; lower it, or remove placement": {
      machineType: "c2d-standard-112",
      placement: "compact",
      maxSize: 1501,
    },
    'reservationName: capacityType "reservation" requires the name of the reservation; add it': {
      capacityType: "reservation",
    },
    'reservationName: requires capacityType "reservation"…': [
      { capacityType: "spot", reservationName: "r" },
      { capacityType: "anyReservation", reservationName: "r" },
    ],
    'reservationName: "r/reservationSubBlocks/s" must be a reservation: "NAME" or…': {
      capacityType: "reservation",
      reservationName: "r/reservationSubBlocks/s",
    },
    'reservationName: "reservations/r" must be a reservation…': {
      capacityType: "reservation",
      reservationName: "reservations/r",
    },
    'size: nodes of capacityType "flexStart" cannot have a fixed number…': { capacityType: "flexStart", size: 2 },
    'autoRepair: GKE does not repair nodes of capacityType "flexStart"; remove autoRepair': {
      capacityType: "flexStart",
      autoRepair: true,
      maxSize: 4,
    },
    'maxRunSeconds: requires capacityType "flexStart" or "queued"…': { maxRunSeconds: 60 },
    "capacityType: h3-standard-88 is not available as spot…": { machineType: "h3-standard-88", capacityType: "spot" },
    "fabric: c2d-standard-16 has no Tier_1 bandwidth…": { machineType: "c2d-standard-16", fabric: "tier1" },
    "fabric: a3-megagpu-8g has no RDMA; choose A3 Ultra, A4, A4X or…": aRocePoolArgs({ machineType: "a3-megagpu-8g" }),
    "rdmaNetworks: a3-ultragpu-8g has 8 RDMA interfaces, not 4…": aRocePoolArgs({ rdmaNetworks: rdmaNetworks(4) }),
    "rdmaNetworks: h4d-highmem-192-lssd has 1 RDMA interfaces, not 0…": aFalconPoolArgs({ rdmaNetworks: undefined }),
    "gvnicNetwork: a3-ultragpu-8g requires the network of its second…": aRocePoolArgs({ gvnicNetwork: undefined }),
    "gvnicNetwork: h4d-highmem-192-lssd has no second gVNIC; remove gvnicNetwork": aFalconPoolArgs({
      gvnicNetwork: { network: "vpc", subnetwork: "subnet" },
    }),
    'rdmaNetworks[0].name: "default" is the network of the GKE cluster; use another name': aFalconPoolArgs({
      rdmaNetworks: [{ network: "vpc", subnetwork: "subnet", name: "default" }],
    }),
    "size: 19 is above the 18 nodes of an NVLink domain…": { machineType: "a4x-highgpu-4g", fabric: "rdma", size: 19 },
    "placement: all nodes of a4x-highgpu-4g are in one NVLink domain; remove placement": {
      machineType: "a4x-highgpu-4g",
      fabric: "rdma",
      placement: "none",
    },
    "placement: all nodes of a4x-highgpu-4g are in one NVLink domain…": {
      machineType: "a4x-highgpu-4g",
      placement: "highThroughput",
    },
  });
  rejectsAll({ capacityType: "queued", autoRepair: true, minSize: 1, maxSize: 4 }, [
    'minSize: must be 0 with capacityType "queued", not 1; remove it',
    'autoRepair: GKE does not repair nodes of capacityType "queued"; remove autoRepair',
  ]);
  rejectsAll({ rdmaNetworks: rdmaNetworks(1), gvnicNetwork: { network: "vpc", subnetwork: "subnet" } }, [
    'rdmaNetworks: requires fabric "rdma"; set it, or remove rdmaNetworks',
    'gvnicNetwork: requires fabric "rdma"; set it, or remove gvnicNetwork',
  ]);
  rejectsAll(
    {
      machineType: "h4d-standard-192",
      fabric: "rdma",
      rdmaNetworks: [
        { network: "a", subnetwork: "b", name: "c" },
        { network: "d", subnetwork: "e", name: "c" },
      ],
    },
    [
      "rdmaNetworks: h4d-standard-192 has 1 RDMA interfaces, not 2; set one network for each",
      'rdmaNetworks[1].name: duplicate name "c"; set a separate Network object for each interface',
    ],
  );
  rejectsAll(
    {
      machineType: "a4x-highgpu-4g",
      fabric: "rdma",
      rdmaNetworks: rdmaNetworks(4),
      gvnicNetwork: { network: "a", subnetwork: "b" },
    },
    [
      "rdmaNetworks: GKE creates the networks of a4x-highgpu-4g itself (DRANET); remove rdmaNetworks",
      "gvnicNetwork: GKE creates the networks of a4x-highgpu-4g itself (DRANET); remove gvnicNetwork",
    ],
  );
  accepts({
    "a size that two zones share": { zones: ["us-central1-a", "us-central1-b"], size: 6 },
    "size 0 in two zones": { zones: ["us-central1-a", "us-central1-b"], size: 0 },
    "the largest compact placement, in a policy of the user": {
      machineType: "c2d-standard-112",
      placement: "compact",
      size: 1500,
      placementPolicyName: "p",
    },
    "a compact placement of A3 Ultra with flex start": aRocePoolArgs({
      placement: "compact",
      capacityType: "flexStart",
      maxSize: 4,
    }),
    "a workload policy of A3 High with 8 GPUs": { machineType: "a3-highgpu-8g", placement: "highThroughput" },
    "a workload policy of a type that this package does not list": x1GkeArgs({ placement: "highThroughput" }),
    "a compact placement of H4D with flex start": aFalconPoolArgs({
      placement: "compact",
      capacityType: "flexStart",
      maxSize: 4,
      size: undefined,
    }),
    "a min above 0 with flex start": { capacityType: "flexStart", minSize: 1, maxSize: 4 },
    "queued nodes with a run time, without repair": {
      capacityType: "queued",
      size: 4,
      maxSize: 4,
      maxRunSeconds: 3600,
      autoRepair: false,
    },
    "a block of a reservation of another project": {
      capacityType: "reservation",
      reservationName: "projects/p/reservations/r/reservationBlocks/b",
    },
    "any reservation in a zone that GKE chooses": { capacityType: "anyReservationThenFail", zones: [], maxSize: 4 },
    "a reservation with a name that is known later": {
      capacityType: "reservation",
      reservationName: pulumi.output("r"),
    },
  });
});
