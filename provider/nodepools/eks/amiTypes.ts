import { MiniClusterArch } from "../../minicluster/args";
import { AcceleratorKind } from "../args";
import { EksNodePoolOs } from "./args";

type Row = Record<AcceleratorKind | "none", string | undefined>;

/**
 * The EKS AMI type of each operating system, architecture and accelerator (Amazon EKS API reference, CreateNodegroup,
 * amiType). What is undefined does not exist.
 */
const amiTypes: Record<EksNodePoolOs, Record<MiniClusterArch, Row>> = {
  [EksNodePoolOs.Al2023]: {
    [MiniClusterArch.Amd64]: {
      none: "AL2023_x86_64_STANDARD",
      [AcceleratorKind.Nvidia]: "AL2023_x86_64_NVIDIA",
      [AcceleratorKind.Neuron]: "AL2023_x86_64_NEURON",
      [AcceleratorKind.Amd]: undefined,
    },
    [MiniClusterArch.Arm64]: {
      none: "AL2023_ARM_64_STANDARD",
      [AcceleratorKind.Nvidia]: "AL2023_ARM_64_NVIDIA",
      [AcceleratorKind.Neuron]: undefined,
      [AcceleratorKind.Amd]: undefined,
    },
  },
  [EksNodePoolOs.Bottlerocket]: {
    [MiniClusterArch.Amd64]: {
      none: "BOTTLEROCKET_x86_64",
      [AcceleratorKind.Nvidia]: "BOTTLEROCKET_x86_64_NVIDIA",
      [AcceleratorKind.Neuron]: undefined,
      [AcceleratorKind.Amd]: undefined,
    },
    [MiniClusterArch.Arm64]: {
      none: "BOTTLEROCKET_ARM_64",
      [AcceleratorKind.Nvidia]: "BOTTLEROCKET_ARM_64_NVIDIA",
      [AcceleratorKind.Neuron]: undefined,
      [AcceleratorKind.Amd]: undefined,
    },
  },
};

/** The AMI type for nodes, if AWS has one. */
export const amiTypeOf = (os: EksNodePoolOs, arch: MiniClusterArch, accelerator: AcceleratorKind | undefined) =>
  amiTypes[os][arch][accelerator ?? "none"];

/** The disk that holds images and pods: Bottlerocket keeps its own system on another one. */
export const dataDevice: Record<EksNodePoolOs, string> = {
  [EksNodePoolOs.Al2023]: "/dev/xvda",
  [EksNodePoolOs.Bottlerocket]: "/dev/xvdb",
};
