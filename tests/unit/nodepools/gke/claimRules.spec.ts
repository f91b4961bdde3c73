import type { GkeNodePoolArgs } from "../../../../provider";
import { itValidates } from "../../../support/problems";
import { aGkePoolArgs, gkeProblemsOf } from "../../clouds/nodes/fixtures";

describe("the rules of a GkeNodePool on claims and divided GPUs", () =>
  itValidates(
    [
      {
        name: "claims of RDMA without RDMA",
        args: { fabricBy: "claim" },
        errors: ['fabricBy: requires fabric "rdma"; set it, or remove fabricBy'],
      },
      {
        name: "claims of GPUs without GPUs",
        args: { gpuBy: "claim" },
        errors: ["gpuBy: n4-standard-16 has no GPUs; remove gpuBy"],
      },
      {
        name: "a gVNIC network beside claims of RDMA",
        args: {
          machineType: "a3-ultragpu-8g",
          fabric: "rdma",
          fabricBy: "claim",
          gvnicNetwork: { network: "a", subnetwork: "b" },
        },
        errors: ["gvnicNetwork: GKE makes the networks of a3-ultragpu-8g itself (DRANET); remove gvnicNetwork"],
      },
      {
        name: "a GPU driver beside claims of GPUs",
        args: { machineType: "a3-ultragpu-8g", fabric: "rdma", fabricBy: "claim", gpuBy: "claim", gpuDriver: "latest" },
        errors: ["gpuDriver: GKE installs no driver where pods claim GPUs; install one by hand, and remove gpuDriver"],
      },
      {
        name: "a plugin on a machine type whose RDMA interfaces pods claim",
        args: { machineType: "a4x-highgpu-4g", fabric: "rdma", fabricBy: "plugin" },
        errors: ['fabricBy: pods claim the RDMA interfaces of a4x-highgpu-4g; use "claim", or remove fabricBy'],
      },
      {
        name: "claims of RDMA on nodes without GPUs",
        args: { machineType: "h4d-highmem-192-lssd", fabric: "rdma", fabricBy: "claim" },
        errors: ["fabricBy: GKE has DRANET on nodes with GPUs, and h4d-highmem-192-lssd has none; remove fabricBy"],
      },
      {
        name: "bare metal without a reservation",
        args: { machineType: "a4x-maxgpu-4g-metal", fabric: "rdma" },
        errors: [
          'capacity: a4x-maxgpu-4g-metal comes from a reservation only; use "reservation", with its sub-block in ' +
            "reservationName",
        ],
      },
      {
        name: "an unknown partition of H100",
        args: { machineType: "a3-highgpu-8g", gpuPartition: "1g.5gb" },
        errors: [
          "gpuPartition: the H100 of a3-highgpu-8g is divided into 1g.10gb, 1g.20gb, 2g.20gb, 3g.40gb, 7g.80gb, " +
            "not 1g.5gb; use one of these",
        ],
      },
      {
        name: "a partition of L4",
        args: { machineType: "g2-standard-96", gpuPartition: "1g.5gb" },
        errors: [
          "gpuPartition: g2-standard-96 has no GPUs that can be divided (MIG); remove gpuPartition, or choose " +
            "A100, H100, H200, B200 or RTX PRO 6000",
        ],
      },
      {
        name: "a partition without GPUs",
        args: { machineType: "c2d-standard-112", gpuPartition: "1g.5gb" },
        errors: [
          "gpuPartition: c2d-standard-112 has no GPUs that can be divided (MIG); remove gpuPartition, or choose " +
            "A100, H100, H200, B200 or RTX PRO 6000",
        ],
      },
      {
        name: "a partition of V100",
        args: { machineType: "n1-standard-32", gpus: { type: "nvidia-tesla-v100", count: 8 }, gpuPartition: "1g.5gb" },
        errors: [
          "gpuPartition: n1-standard-32 has no GPUs that can be divided (MIG); remove gpuPartition, or choose " +
            "A100, H100, H200, B200 or RTX PRO 6000",
        ],
      },
      {
        name: "GPUs that 48 clients share",
        args: { machineType: "g2-standard-96", gpuSharing: { strategy: "mps", clients: 48 } },
      },
      {
        name: "added GPUs that two clients share",
        args: {
          machineType: "n1-standard-32",
          gpus: { type: "nvidia-tesla-v100", count: 8 },
          gpuSharing: { strategy: "timeSharing", clients: 2 },
        },
      },
      {
        name: "shared GPUs without GPUs",
        args: { machineType: "c2d-standard-112", gpuSharing: { strategy: "mps", clients: 2 } },
        errors: ["gpuSharing: c2d-standard-112 has no GPUs; remove gpuSharing"],
      },
      {
        name: "GPUs that 49 clients share",
        args: { machineType: "g2-standard-96", gpuSharing: { strategy: "mps", clients: 49 } },
        errors: ["gpuSharing.clients: 49 must be an integer from 2 to 48"],
      },
      {
        name: "divided and shared GPUs beside claims of RDMA",
        args: {
          machineType: "a4x-highgpu-4g",
          fabric: "rdma",
          gpuPartition: "1g.23gb",
          gpuSharing: { strategy: "mps", clients: 2 },
        },
        errors: [
          "gpuPartition: one pod claims the RDMA interfaces of a node of a4x-highgpu-4g; remove gpuPartition, " +
            "or fabric",
          "gpuSharing: one pod claims the RDMA interfaces of a node of a4x-highgpu-4g; remove gpuSharing, or fabric",
        ],
      },
      {
        name: "divided GPUs in an NVLink domain without RDMA",
        args: { machineType: "a4x-highgpu-4g", gpuPartition: "1g.23gb" },
      },
      {
        name: "divided GPUs beside claims of GPUs",
        args: { machineType: "a3-highgpu-8g", gpuBy: "claim", gpuPartition: "1g.10gb" },
        errors: ['gpuPartition: pods claim whole GPUs (gpuBy "claim"); remove gpuPartition, or gpuBy'],
      },
    ],
    (args: Partial<GkeNodePoolArgs>) => gkeProblemsOf(aGkePoolArgs(args)),
  ));
