import { NodePoolDeviceAlignment, NodePoolDevicesBy } from "../../../nodes/args";
import { alignsNothing, byClaim } from "../../../nodes/parse/scheduling";
import { hasDranet, isListed, machineTypeOf, rdmaOf, withGpus } from "../../machines";
import { partitionsOf } from "../../machines/accelerated";
import { GkeNodePoolCapacityType, GkeNodePoolGpuDriver } from "../args";
import { gkeRule, typeFields } from "./fields";

const gpuDriverRule = gkeRule([...typeFields, "gpuDriver", "gpus?"], (args, addIssue) => {
  const type = machineTypeOf(args);
  if (args.gpuDriver !== undefined && args.gpus === undefined && type && !type.accelerator)
    addIssue(["gpuDriver"], `${args.machineType} has no GPUs; remove gpuDriver`);
});

const gpusRule = gkeRule([...typeFields, "gpus"], (args, addIssue) => {
  const { machineType, gpus } = args;
  const type = machineTypeOf(args);
  if (!type || !gpus) return;
  if (type.accelerator) return addIssue(["gpus"], `${machineType} has a fixed number of GPUs; remove gpus`);
  if (!type.attachable) {
    const remedy = isListed(machineType)
      ? "choose a type of N1, or a type with GPUs"
      : "set the GPUs of the type in hardware.accelerator";
    return addIssue(["gpus"], `GPUs cannot be added to ${machineType}; ${remedy}`);
  }
  const found = Object.hasOwn(type.attachable, gpus.type) ? type.attachable[gpus.type] : undefined;
  if (!found)
    return addIssue(
      ["gpus", "type"],
      `GPUs of type "${gpus.type}" cannot be added to ${machineType}; use one of ${Object.keys(type.attachable).join(", ")}`,
    );
  if (!found.counts.includes(gpus.count))
    addIssue(
      ["gpus", "count"],
      `${machineType} supports ${found.counts.join(", ")} GPUs of ${found.model}, not ${gpus.count}; use one of these numbers`,
    );
});

const partitionRule = gkeRule([...typeFields, "gpuPartition", "gpus"], (args, addIssue) => {
  const type = machineTypeOf(args);
  if (args.gpuPartition === undefined || !type) return;
  const { accelerator, acceleratorType } = withGpus(type, args.gpus);
  const sizes = Object.keys(partitionsOf(acceleratorType));
  if (sizes.includes(args.gpuPartition)) return;
  addIssue(
    ["gpuPartition"],
    sizes.length > 0
      ? `the ${accelerator?.model} of ${args.machineType} has partitions of ${sizes.join(", ")}, not ${args.gpuPartition}; use one of these`
      : `${args.machineType} has no GPUs that can be partitioned (MIG); remove gpuPartition, or choose A100, H100, H200, B200 or RTX PRO 6000`,
  );
});

const sharedGpusRule = gkeRule([...typeFields, "gpuSharing?", "gpus"], (args, addIssue) => {
  const type = machineTypeOf(args);
  if (args.gpuSharing && type && !withGpus(type, args.gpus).accelerator)
    addIssue(["gpuSharing"], `${args.machineType} has no GPUs; remove gpuSharing`);
});

/** Claimed devices belong to one pod: interfaces of a node, or whole GPUs. */
const claimedGpusRules = (["gpuPartition", "gpuSharing"] as const).map((key) =>
  gkeRule([...typeFields, "fabric", "fabricBy", "gpuBy", key], (args, addIssue) => {
    if (args[key] === undefined) return;
    if (byClaim(args.gpuBy)) addIssue([key], `pods claim whole GPUs (gpuBy "claim"); remove ${key}, or gpuBy`);
    else if (hasDranet(args))
      addIssue([key], `one pod claims the RDMA interfaces of a node of ${args.machineType}; remove ${key}, or fabric`);
  }),
);

/** Rules on the GPUs of a pool. */
export const gpuRules = [gpuDriverRule, gpusRule, partitionRule, sharedGpusRule, ...claimedGpusRules];

const fabricByRule = gkeRule([...typeFields, "fabric", "fabricBy"], (args, addIssue) => {
  const { fabricBy, machineType } = args;
  const rdma = rdmaOf(args);
  if (!rdma) return;
  if (fabricBy === NodePoolDevicesBy.Plugin && rdma.claimed)
    addIssue(["fabricBy"], `pods claim the RDMA interfaces of ${machineType}; use "claim", or remove fabricBy`);
  if (byClaim(fabricBy) && rdma.profile === "vpc-falcon")
    addIssue(
      ["fabricBy"],
      `GKE supports claims of RDMA interfaces (DRANET) only on nodes with GPUs, and ${machineType} has none; remove fabricBy`,
    );
});

const gpuByRule = gkeRule([...typeFields, "gpuBy", "gpus?"], (args, addIssue) => {
  const type = machineTypeOf(args);
  if (args.gpuBy !== undefined && args.gpus === undefined && type && !type.accelerator)
    addIssue(["gpuBy"], `${args.machineType} has no GPUs; remove gpuBy`);
});

const alignmentRule = gkeRule([...typeFields, "deviceAlignment", "fabric", "fabricBy", "gpuBy"], (args, addIssue) => {
  if (args.deviceAlignment !== undefined && !(hasDranet(args) && byClaim(args.gpuBy)))
    addIssue(["deviceAlignment"], alignsNothing);
});

// NVIDIA Network Operator, "DRA SR-IOV Driver": the GPU matches a sub-interface of the ConnectX-8 only.
const pcieRootRule = gkeRule([...typeFields, "deviceAlignment"], (args, addIssue) => {
  const { deviceAlignment, machineType } = args;
  if (deviceAlignment === NodePoolDeviceAlignment.PcieRoot && machineTypeOf(args)?.accelerator?.model === "GB300")
    addIssue(
      ["deviceAlignment"],
      `the GPUs and the interfaces of ${machineType} have no common PCIe root; use "numaNode", or remove deviceAlignment`,
    );
});

const claimedDriverRule = gkeRule(["gpuBy", "gpuDriver"], ({ gpuBy, gpuDriver }, addIssue) => {
  if (byClaim(gpuBy) && gpuDriver !== undefined && gpuDriver !== GkeNodePoolGpuDriver.None)
    addIssue(
      ["gpuDriver"],
      'GKE installs no driver if pods claim GPUs (gpuBy "claim"); remove gpuDriver, and install a driver yourself',
    );
});

const bareMetalRule = gkeRule([...typeFields, "capacityType"], (args, addIssue) => {
  const { capacityType, machineType } = args;
  // Other bare metal, which a user describes in `hardware`, may be available on demand.
  if (isListed(machineType) && machineTypeOf(args)?.bareMetal && capacityType !== GkeNodePoolCapacityType.Reservation)
    addIssue(
      ["capacityType"],
      `${machineType} is available only from a reservation; use "reservation", with its sub-block in reservationName`,
    );
});

/** Rules on devices that pods claim, and on machines that require claims. */
export const claimRules = [fabricByRule, gpuByRule, alignmentRule, pcieRootRule, claimedDriverRule, bareMetalRule];
