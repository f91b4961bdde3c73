import { MiniClusterArch } from "../../minicluster/args";
import { NodePoolAcceleratorKind } from "../args";
import type { MachineType } from "../machineType";
import { EksNodePoolOs } from "./args";
import { type EksPoolFields, hasEfa } from "./fields";

/**
 * Operating system of the nodes, by default Bottlerocket for EFA without accelerators: it has the host's part of EFA, which
 * standard Amazon Linux is not documented to have.
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
  /** Installs the host's part of EFA, which the standard Amazon Linux image is not documented to have. */
  installEfa: boolean;
}

const boundary = "==MINICLUSTER==";

/** User data that sets up the nodes, if there is anything to set up. */
export function renderUserData({ os, staticCpu, installEfa }: NodeSetup): string | undefined {
  if (os === EksNodePoolOs.Bottlerocket) return staticCpu ? bottlerocketSettings : undefined;
  const parts = [
    ...(staticCpu ? [part("application/node.eks.aws", nodeConfig)] : []),
    ...(installEfa ? [part('text/x-shellscript; charset="us-ascii"', installScript)] : []),
  ];
  if (parts.length === 0) return undefined;
  return [
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    ...parts,
    `--${boundary}--`,
    "",
  ].join("\n");
}

const part = (type: string, body: string) => `--${boundary}\nContent-Type: ${type}\n\n${body}`;

// EKS adds what joins the node to its cluster (nodeadm API, NodeConfig).
const nodeConfig = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    config:
      cpuManagerPolicy: static
`;

const bottlerocketSettings = `[settings.kubernetes]
cpu-manager-policy = "static"
`;

const installScript = `#!/bin/bash
set -euo pipefail
cd "$(mktemp -d)"
curl --fail --silent --show-error --retry 5 --remote-name https://efa-installer.amazonaws.com/aws-efa-installer-latest.tar.gz
tar -xzf aws-efa-installer-latest.tar.gz
cd aws-efa-installer
./efa_installer.sh -y --minimal
`;
