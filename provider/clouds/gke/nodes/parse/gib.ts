import { MiniClusterArch, type NodePoolDevicePluginArgs } from "../../../nodes/args";
import { chosenPlugin, type DevicePlugin } from "../../../nodes/parse/devicePlugins";
import type { GkeMachineType } from "../../machines";
import { GkeNodePoolFabric } from "../args";

/** True for nodes whose pods mount gIB, Google's plugin for NCCL over RoCE. On bare metal, the image of the pods contains it. */
export const usesGib = ({ rdma, bareMetal }: GkeMachineType, { fabric }: { fabric: GkeNodePoolFabric }) =>
  fabric === GkeNodePoolFabric.Rdma && rdma?.profile === "vpc-roce" && !bareMetal;

// gpudirect-rdma/nccl-rdma-installer-a4x.yaml of container-engine-accelerators.
const arm64Image = "us-docker.pkg.dev/gce-ai-infra/gpudirect-gib/nccl-plugin-gib-arm64:v1.1.0";

/** The installer of gIB, for nodes whose pods mount it. */
export const gibInstaller = (
  machine: GkeMachineType,
  args: { fabric: GkeNodePoolFabric; gibInstaller?: NodePoolDevicePluginArgs },
): DevicePlugin[] =>
  chosenPlugin(
    "gib",
    usesGib(machine, args),
    args.gibInstaller,
    machine.arch === MiniClusterArch.Arm64 ? arm64Image : undefined,
  );
