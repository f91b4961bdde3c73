import type * as pulumi from "@pulumi/pulumi";
import type { MachineType } from "../../../machines";
import { toml } from "../../../../shared/toml";
import {
  NodePoolAcceleratorKind,
  type NodePoolDevicesBy,
  NodePoolLocalDisks,
  type NodePoolTaint,
  MiniClusterArch,
} from "../../../nodes/args";
import { byClaim } from "../../../nodes/parse/scheduling";
import { EksNodePoolOs } from "../args";
import { type EksPoolFields, hasEfa } from "./fields";
import { lustreScript } from "./lustre";

/**
 * Operating system of the nodes, by default Bottlerocket for EFA without accelerators: its sources define how many huge
 * pages it reserves. Every image of Amazon Linux includes the EFA software of the host since v20260505
 * (amazon-eks-ami).
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

/** Device of the disk for images and pods: Bottlerocket keeps its system on another disk. */
export const dataDevice: Record<EksNodePoolOs, string> = {
  [EksNodePoolOs.Al2023]: "/dev/xvda",
  [EksNodePoolOs.Bottlerocket]: "/dev/xvdb",
};

/** Setup of the nodes in addition to the setup of their image. */
export interface NodeSetup {
  os: EksNodePoolOs;
  staticCpu: boolean;
  fastImagePull: boolean;
  gpuBy?: NodePoolDevicesBy;
  localDisks?: NodePoolLocalDisks;
  /** Indices of the EFA devices that Lustre uses. */
  lustreDevices?: number[];
}

/** The EKS cluster that a node joins without the join settings of EKS, and settings of the node. */
export interface Joining {
  name: string;
  endpoint: string;
  /** Certificate authority, in base64. */
  authority: string;
  /** Addresses of Services. */
  cidr: string;
  labels: Record<string, string>;
  taints: pulumi.Unwrap<NodePoolTaint>[];
}

/** User data from other sources than the pool. */
export interface OwnUserData {
  /** The user data of the arguments, in the format of the operating system. */
  own?: string;
  /** Only for a custom image: EKS adds the join settings for its own images. */
  joining?: Joining;
}

/** Throughput of a disk for parallel image pulls, in MiB/s: with less, AWS has measured longer pulls. */
export const fastPullMibps = 600;

const boundary = "==MINICLUSTER==";

/** User data that sets up the nodes, if they need any. EKS adds the settings with which a node joins its cluster. */
export function renderUserData(setup: NodeSetup, { own, joining }: OwnUserData = {}): string | undefined {
  if (setup.os === EksNodePoolOs.Bottlerocket) {
    const settings = [...bottlerocketSettings(setup, joining), ...(own === undefined ? [] : [own])];
    return settings.length > 0 ? settings.join("\n") : undefined;
  }
  const spec = nodeConfigSpec(setup, joining);
  const { lustreDevices: devices = [] } = setup;
  const parts = [
    ...(own === undefined ? [] : [{ type: isShellScript(own) ? scriptType : nodeConfigType, body: own }]),
    ...(devices.length === 0 ? [] : [{ type: scriptType, body: lustreScript(devices) }]),
    ...(spec === "" ? [] : [{ type: nodeConfigType, body: `${nodeConfig}${spec}` }]),
  ];
  return parts.length > 0 ? multipart(parts) : undefined;
}

const isShellScript = (text: string) => text.startsWith("#!");

const scriptType = "text/x-shellscript";

const nodeConfigType = "application/node.eks.aws";

const multipart = (parts: { type: string; body: string }[]) =>
  [
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    ...parts.flatMap(({ type, body }) => [`--${boundary}`, `Content-Type: ${type}`, "", body.replace(/\n?$/, "")]),
    `--${boundary}--`,
    "",
  ].join("\n");

// NodeConfig of the nodeadm API (amazon-eks-ami, nodeadm/api/v1alpha1), and parts of its spec.
const nodeConfig = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
`;

const nodeConfigSpec = ({ staticCpu, fastImagePull, localDisks }: NodeSetup, joining: Joining | undefined) =>
  [
    joining ? joiningConfig(joining) : "",
    localDisks === NodePoolLocalDisks.Raid0 ? raid0Config : "",
    fastImagePull ? fastPullGate : "",
    staticCpu || joining ? "  kubelet:\n" : "",
    staticCpu ? staticCpuConfig : "",
    joining ? kubeletFlags(joining) : "",
  ].join("");

const joiningConfig = ({ name, endpoint, authority, cidr }: Joining) => `  cluster:
    name: ${name}
    apiServerEndpoint: ${endpoint}
    certificateAuthority: ${authority}
    cidr: ${cidr}
`;

// The script setup-local-disks of the image also moves the directories of the kubelet and of containerd there.
const raid0Config = `  instance:
    localStorage:
      strategy: RAID0
`;

const fastPullGate = `  featureGates:
    FastImagePull: true
`;

const staticCpuConfig = `    config:
      cpuManagerPolicy: static
`;

const kubeletFlags = ({ labels, taints }: Joining) =>
  [
    "    flags:",
    `      - --node-labels=${Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(",")}`,
    ...(taints.length > 0 ? [`      - --register-with-taints=${taints.map(taintText).join(",")}`] : []),
    "",
  ].join("\n");

const taintText = ({ key, value = "", effect }: pulumi.Unwrap<NodePoolTaint>) => `${key}=${value}:${effect}`;

function bottlerocketSettings({ staticCpu, fastImagePull, gpuBy, localDisks }: NodeSetup, joining?: Joining): string[] {
  const settings = {
    ...((staticCpu || joining) && {
      kubernetes: { ...(staticCpu && { "cpu-manager-policy": "static" }), ...(joining && joiningSettings(joining)) },
    }),
    ...(fastImagePull && fastPullSettings),
    // The plugin of the image and a DRA driver would both allocate the same GPUs. Bottlerocket 1.63.0 or later.
    ...(byClaim(gpuBy) && { "kubelet-device-plugins": { nvidia: { enabled: false } } }),
    ...(localDisks === NodePoolLocalDisks.Raid0 && raid0Settings(fastImagePull)),
  };
  return Object.keys(settings).length === 0 ? [] : [toml().stringify({ settings })];
}

/** Settings with which a node joins its cluster, as in Karpenter's bootstrap of Bottlerocket. */
function joiningSettings({ name, endpoint, authority, labels, taints }: Joining) {
  const byKey: Record<string, string[]> = {};
  for (const { key, value = "", effect } of taints) (byKey[key] ??= []).push(`${value}:${effect}`);
  return {
    "cluster-name": name,
    "api-server": endpoint,
    "cluster-certificate": authority,
    "node-labels": labels,
    ...(taints.length > 0 && { "node-taints": byKey }),
  };
}

const fastPullSettings = {
  "container-runtime": { snapshotter: "soci" },
  "container-runtime-plugins": { "soci-snapshotter": { "pull-mode": "parallel-pull-unpack" } },
};

/**
 * Bootstrap commands of Bottlerocket 1.22.0 or later, as Karpenter writes them. SOCI keeps layers in a separate directory
 * (karpenter-provider-aws #8393), which Bottlerocket can bind since 1.44.0, like SOCI itself.
 */
function raid0Settings(fastImagePull: boolean) {
  const directories = ["/var/lib/containerd", "/var/lib/kubelet", "/var/log/pods"];
  if (fastImagePull) directories.push("/var/lib/soci-snapshotter");
  const commands = [
    ["apiclient", "ephemeral-storage", "init"],
    ["apiclient", "ephemeral-storage", "bind", "--dirs", ...directories],
  ];
  return { "bootstrap-commands": { "000-mount-instance-storage": { commands, mode: "always", essential: true } } };
}
