import type { GkeNodePoolArgs } from "../../../../../../provider";
import { validating } from "../../../../../support/problems";
import { aGkePoolArgs, gkeProblemsOf } from "../../../nodes/fixtures";

describe("the rules of a GkeNodePool on claims and divided GPUs", () => {
  const { rejects, rejectsAll, accepts } = validating((args: Partial<GkeNodePoolArgs>) =>
    gkeProblemsOf(aGkePoolArgs(args)),
  );
  rejects({
    'fabricBy: requires fabric "rdma"; set it, or remove fabricBy': { fabricBy: "claim" },
    "gpuBy: n4-standard-16 has no GPUs; remove gpuBy": { gpuBy: "claim" },
    "gvnicNetwork: GKE creates the networks of a3-ultragpu-8g itself (DRANET); remove gvnicNetwork": {
      machineType: "a3-ultragpu-8g",
      fabric: "rdma",
      fabricBy: "claim",
      gvnicNetwork: { network: "a", subnetwork: "b" },
    },
    'gpuDriver: GKE installs no driver if pods claim GPUs (gpuBy "claim"); remove gpuDriver, and install a driver…': {
      machineType: "a3-ultragpu-8g",
      fabric: "rdma",
      fabricBy: "claim",
      gpuBy: "claim",
      gpuDriver: "latest",
    },
    'deviceAlignment: requires gpuBy "claim" and fabricBy "claim"; set both, or remove deviceAlignment': {
      machineType: "a4-highgpu-8g",
      fabric: "rdma",
      fabricBy: "claim",
      deviceAlignment: "pcieRoot",
    },
    "deviceAlignment: the GPUs and the interfaces of a4x-maxgpu-4g-metal have no common PCIe root; use…": {
      machineType: "a4x-maxgpu-4g-metal",
      fabric: "rdma",
      gpuBy: "claim",
      capacityType: "reservation",
      reservationName: "r",
      deviceAlignment: "pcieRoot",
    },
    'fabricBy: pods claim the RDMA interfaces of a4x-highgpu-4g; use "claim", or remove fabricBy': {
      machineType: "a4x-highgpu-4g",
      fabric: "rdma",
      fabricBy: "plugin",
    },
    "fabricBy: GKE supports claims of RDMA interfaces (DRANET) only on nodes with GPUs, and h4d-highmem-192-lssd…": {
      machineType: "h4d-highmem-192-lssd",
      fabric: "rdma",
      fabricBy: "claim",
    },
    'capacityType: a4x-maxgpu-4g-metal is available only from a reservation; use "reservation", with its…': {
      machineType: "a4x-maxgpu-4g-metal",
      fabric: "rdma",
    },
    "gpuPartition: the H100 of a3-highgpu-8g has partitions of 1g.10gb, 1g.20gb, 2g.20gb, 3g.40gb, 7g.80gb, not…": {
      machineType: "a3-highgpu-8g",
      gpuPartition: "1g.5gb",
    },
    "gpuPartition: g2-standard-96 has no GPUs that can be…": { machineType: "g2-standard-96", gpuPartition: "1g.5gb" },
    ["gpuPartition: n1-standard-32 has no GPUs that can be partitioned (MIG); remove gpuPartition, or choose A100, " +
    "H100, H200, B200 or RTX PRO 6000"]: {
      machineType: "n1-standard-32",
      gpus: { type: "nvidia-tesla-v100", count: 8 },
      gpuPartition: "1g.5gb",
    },
    "gpuSharing: c2d-standard-112 has no GPUs; remove gpuSharing": {
      machineType: "c2d-standard-112",
      gpuSharing: { strategy: "mps", clients: 2 },
    },
    "gpuSharing.clients: 49 must be an integer from 2 to 48": {
      machineType: "g2-standard-96",
      gpuSharing: { strategy: "mps", clients: 49 },
    },
    'gpuPartition: pods claim whole GPUs (gpuBy "claim"); remove gpuPartition, or gpuBy': {
      machineType: "a3-highgpu-8g",
      gpuBy: "claim",
      gpuPartition: "1g.10gb",
    },
  });
  rejectsAll(
    {
      machineType: "a4x-highgpu-4g",
      fabric: "rdma",
      gpuPartition: "1g.23gb",
      gpuSharing: { strategy: "mps", clients: 2 },
    },
    [
      "gpuPartition: one pod claims the RDMA interfaces of a node of a4x-highgpu-4g; remove gpuPartition, or fabric",
      "gpuSharing: one pod claims the RDMA interfaces of a node of a4x-highgpu-4g; remove gpuSharing, or fabric",
    ],
  );
  accepts({
    "GPUs that 48 clients share": { machineType: "g2-standard-96", gpuSharing: { strategy: "mps", clients: 48 } },
    "added GPUs that two clients share": {
      machineType: "n1-standard-32",
      gpus: { type: "nvidia-tesla-v100", count: 8 },
      gpuSharing: { strategy: "timeSharing", clients: 2 },
    },
    "divided GPUs in an NVLink domain without RDMA": { machineType: "a4x-highgpu-4g", gpuPartition: "1g.23gb" },
  });
});
