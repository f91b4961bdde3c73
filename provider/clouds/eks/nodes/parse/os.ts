import type { MachineType } from "../../../machines";
import { NodePoolAcceleratorKind, type NodePoolDevicesBy, MiniClusterArch } from "../../../nodes/args";
import { byClaim } from "../../../nodes/parse/scheduling";
import { EksNodePoolOs } from "../args";
import { type EksPoolFields, hasEfa } from "./fields";

/**
 * Operating system of the nodes, by default Bottlerocket for EFA without accelerators: its sources say how many huge pages it sets
 * aside. Amazon Linux has the host's part of EFA in every image since v20260505 (amazon-eks-ami).
 */
export function osOf(args: Pick<EksPoolFields, "os" | "fabric">, { accelerator }: Pick<MachineType, "accelerator">) {
  return args.os ?? (hasEfa(args) && !accelerator ? EksNodePoolOs.Bottlerocket : EksNodePoolOs.Al2023);
}

type Row = Record<NodePoolAcceleratorKind | "none", string | undefined>;

/**
 * The EKS AMI type of each operating system, architecture and accelerator (Amazon EKS API reference, CreateNodegroup,
 * amiType); undefined where AWS has none.
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

/** The AMI type of nodes, if AWS has one. */
export const amiTypeOf = (os: EksNodePoolOs, arch: MiniClusterArch, accelerator: NodePoolAcceleratorKind | undefined) =>
  amiTypes[os][arch][accelerator ?? "none"];

/** Device of the disk for images and pods: Bottlerocket keeps its own system on another one. */
export const dataDevice: Record<EksNodePoolOs, string> = {
  [EksNodePoolOs.Al2023]: "/dev/xvda",
  [EksNodePoolOs.Bottlerocket]: "/dev/xvdb",
};

/** Setup of the nodes beyond what their image does. */
export interface NodeSetup {
  os: EksNodePoolOs;
  staticCpu: boolean;
  fastImagePull: boolean;
  gpuBy?: NodePoolDevicesBy;
}

/** Throughput of a disk that images are pulled to in parallel, in MiB/s: with less, AWS has seen longer pulls. */
export const fastPullMibps = 600;

const boundary = "==MINICLUSTER==";

/** User data that sets up the nodes, if there is anything to set up. EKS adds what joins a node to its cluster. */
export function renderUserData({ os, staticCpu, fastImagePull, gpuBy }: NodeSetup): string | undefined {
  if (os === EksNodePoolOs.Al2023) {
    const spec = [...(fastImagePull ? [fastPullGate] : []), ...(staticCpu ? [staticCpuConfig] : [])];
    return spec.length > 0 ? multipart("application/node.eks.aws", `${nodeConfig}${spec.join("")}`) : undefined;
  }
  const settings = [
    ...(staticCpu ? [staticCpuSettings] : []),
    ...(fastImagePull ? [fastPullSettings] : []),
    ...(byClaim(gpuBy) ? [withoutPluginSettings] : []),
  ];
  return settings.length > 0 ? settings.join("\n") : undefined;
}

const multipart = (type: string, body: string) =>
  [
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    `--${boundary}`,
    `Content-Type: ${type}`,
    "",
    `${body}--${boundary}--`,
    "",
  ].join("\n");

// NodeConfig of the nodeadm API, and parts of its spec.
const nodeConfig = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
`;

const fastPullGate = `  featureGates:
    FastImagePull: true
`;

const staticCpuConfig = `  kubelet:
    config:
      cpuManagerPolicy: static
`;

const staticCpuSettings = `[settings.kubernetes]
cpu-manager-policy = "static"
`;

const fastPullSettings = `[settings.container-runtime]
snapshotter = "soci"

[settings.container-runtime-plugins.soci-snapshotter]
pull-mode = "parallel-pull-unpack"
`;

// The plugin of the image and a DRA driver would each give away the same GPUs. Bottlerocket 1.63.0 or later.
const withoutPluginSettings = `[settings.kubelet-device-plugins.nvidia]
enabled = false
`;
