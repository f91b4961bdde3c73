import { MiniClusterArch } from "../../minicluster/args";
import { NodePoolAcceleratorKind } from "../args";
import { EksNodePoolOs } from "./args";

type Row = Record<NodePoolAcceleratorKind | "none", string | undefined>;

/**
 * The EKS AMI type of each operating system, architecture and accelerator (Amazon EKS API reference, CreateNodegroup,
 * amiType). What is undefined does not exist.
 */
const amiTypes: Record<EksNodePoolOs, Record<MiniClusterArch, Row>> = {
  [EksNodePoolOs.Al2023]: {
    [MiniClusterArch.Amd64]: {
      none: "AL2023_x86_64_STANDARD",
      [NodePoolAcceleratorKind.Nvidia]: "AL2023_x86_64_NVIDIA",
      [NodePoolAcceleratorKind.Neuron]: "AL2023_x86_64_NEURON",
      [NodePoolAcceleratorKind.Amd]: undefined,
    },
    [MiniClusterArch.Arm64]: {
      none: "AL2023_ARM_64_STANDARD",
      [NodePoolAcceleratorKind.Nvidia]: "AL2023_ARM_64_NVIDIA",
      [NodePoolAcceleratorKind.Neuron]: undefined,
      [NodePoolAcceleratorKind.Amd]: undefined,
    },
  },
  [EksNodePoolOs.Bottlerocket]: {
    [MiniClusterArch.Amd64]: {
      none: "BOTTLEROCKET_x86_64",
      [NodePoolAcceleratorKind.Nvidia]: "BOTTLEROCKET_x86_64_NVIDIA",
      [NodePoolAcceleratorKind.Neuron]: undefined,
      [NodePoolAcceleratorKind.Amd]: undefined,
    },
    [MiniClusterArch.Arm64]: {
      none: "BOTTLEROCKET_ARM_64",
      [NodePoolAcceleratorKind.Nvidia]: "BOTTLEROCKET_ARM_64_NVIDIA",
      [NodePoolAcceleratorKind.Neuron]: undefined,
      [NodePoolAcceleratorKind.Amd]: undefined,
    },
  },
};

/** The AMI type for nodes, if AWS has one. */
export const amiTypeOf = (os: EksNodePoolOs, arch: MiniClusterArch, accelerator: NodePoolAcceleratorKind | undefined) =>
  amiTypes[os][arch][accelerator ?? "none"];

/** The disk that holds images and pods: Bottlerocket keeps its own system on another one. */
export const dataDevice: Record<EksNodePoolOs, string> = {
  [EksNodePoolOs.Al2023]: "/dev/xvda",
  [EksNodePoolOs.Bottlerocket]: "/dev/xvdb",
};
