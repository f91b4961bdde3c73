import { NodePoolDevicesBy } from "../args";
import { byClaim } from "../claims";
import { GkeNodePoolCapacity, GkeNodePoolGpuDriver } from "./args";
import type { GkeRule } from "./fields";
import { machineTypeOf, rdmaOf } from "./machineTypes";

const fabricByRule: GkeRule = (args, addIssue) => {
  const { fabricBy, machineType } = args;
  const rdma = rdmaOf(args);
  if (!rdma) return;
  if (fabricBy === NodePoolDevicesBy.Plugin && rdma.claimed)
    addIssue(["fabricBy"], `pods claim the RDMA interfaces of ${machineType}; use "claim", or remove fabricBy`);
  if (byClaim(fabricBy) && rdma.profile === "vpc-falcon")
    addIssue(["fabricBy"], `GKE has DRANET on nodes with GPUs, and ${machineType} has none; remove fabricBy`);
};

const gpuByRule: GkeRule = (args, addIssue) => {
  const { gpuBy, gpuDriver, gpus, machineType } = args;
  const type = machineTypeOf(args);
  if (gpuBy !== undefined && gpus === undefined && type && !type.accelerator)
    addIssue(["gpuBy"], `${machineType} has no GPUs; remove gpuBy`);
  if (byClaim(gpuBy) && gpuDriver !== undefined && gpuDriver !== GkeNodePoolGpuDriver.None)
    addIssue(["gpuDriver"], "GKE installs no driver where pods claim GPUs; install one by hand, and remove gpuDriver");
};

const bareMetalRule: GkeRule = (args, addIssue) => {
  const { capacity, machineType } = args;
  if (machineTypeOf(args)?.bareMetal && capacity !== GkeNodePoolCapacity.Reservation)
    addIssue(
      ["capacity"],
      `${machineType} comes from a reservation only; use "reservation", with its sub-block in reservationName`,
    );
};

/** Rules on devices that pods claim, and on machines whose devices they have to. */
export const claimRules = [fabricByRule, gpuByRule, bareMetalRule];
