import * as path from "node:path";

import type { NodeBinaries } from "./binaries";
import { imageNames } from "./images";
import type { Network } from "./network";

/** All that the configuration of one node is made from. */
export interface NodeLayout {
  name: string;
  /** Where the node keeps everything. */
  directory: string;
  binaries: NodeBinaries;
  network: Network;
  cniConfig: string;
  kubeconfigPath: string;
  port: number;
  labels: Record<string, string>;
  /** Certificate of the one client that the kubelet listens to. */
  client: string;
  /** Images to be imported. */
  archives: string[];
}

export const socketOf = ({ directory }: NodeLayout) => path.join(directory, "containerd.sock");

/** Files of the kubelet, the volumes of its pods among them. */
export const kubeletRoot = ({ directory }: NodeLayout) => path.join(directory, "kubelet");

/** Files of the API server's certificate for the kubelets. */
export interface KubeletClient {
  certificate: string;
  key: string;
}

export const kubeletClient = (directory: string): KubeletClient => ({
  certificate: path.join(directory, "kubelet-client.crt"),
  key: path.join(directory, "kubelet-client.key"),
});

/** Configuration of containerd (TOML). */
export function containerdConfig(layout: NodeLayout): string {
  const { directory, binaries, cniConfig } = layout;
  const text = (value: string) => JSON.stringify(value);
  const runtime = "plugins.'io.containerd.cri.v1.runtime'";
  return [
    "version = 3",
    `root = ${text(path.join(directory, "containerd"))}`,
    `state = ${text(path.join(directory, "state"))}`,
    "disabled_plugins = ['io.containerd.nri.v1.nri', 'io.containerd.snapshotter.v1.blockfile', " +
      "'io.containerd.snapshotter.v1.btrfs', 'io.containerd.snapshotter.v1.devmapper', " +
      "'io.containerd.snapshotter.v1.erofs', 'io.containerd.snapshotter.v1.zfs', " +
      "'io.containerd.tracing.processor.v1.otlp']",
    "[grpc]",
    `address = ${text(socketOf(layout))}`,
    "[plugins.'io.containerd.cri.v1.images'.pinned_images]",
    `sandbox = ${text(imageNames.pause)}`,
    `[${runtime}]`,
    // Without CAP_SYS_RESOURCE containerd cannot lower oom_score_adj.
    "restrict_oom_score_adj = true",
    `[${runtime}.cni]`,
    `bin_dirs = [${text(binaries.cniDirectory)}]`,
    `conf_dir = ${text(cniConfig)}`,
    `[${runtime}.containerd.runtimes.runc]`,
    "runtime_type = 'io.containerd.runc.v2'",
    `[${runtime}.containerd.runtimes.runc.options]`,
    `BinaryName = ${text(binaries.runc)}`,
    "SystemdCgroup = false",
    "",
  ].join("\n");
}

/** Configuration of the kubelet. Kubernetes reads JSON as well. */
export function kubeletConfig(layout: NodeLayout): string {
  const { directory, network, port, client } = layout;
  const never = "0%";
  const config = {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address: network.address,
    port,
    healthzPort: 0,
    authentication: { anonymous: { enabled: false }, webhook: { enabled: false }, x509: { clientCAFile: client } },
    authorization: { mode: "AlwaysAllow" },
    registerNode: true,
    containerRuntimeEndpoint: `unix://${socketOf(layout)}`,
    podLogsDir: path.join(directory, "logs"),
    clusterDNS: [network.address],
    clusterDomain: "cluster.local",
    resolvConf: path.join(directory, "resolv.conf"),
    failCgroupV1: false,
    failSwapOn: false,
    cgroupDriver: "cgroupfs",
    cgroupsPerQOS: false,
    enforceNodeAllocatable: [],
    makeIPTablesUtilChains: false,
    oomScoreAdj: 0,
    // The disk of the machine is not the sandbox's, however full it is.
    evictionHard: {
      "memory.available": never,
      "nodefs.available": never,
      "nodefs.inodesFree": never,
      "imagefs.available": never,
      "imagefs.inodesFree": never,
    },
    imageGCHighThresholdPercent: 100,
    nodeStatusUpdateFrequency: "2s",
    nodeLeaseDurationSeconds: 10,
    syncFrequency: "10s",
  };
  return JSON.stringify(config, undefined, 2);
}

/** Command line of the kubelet. */
export function kubeletCommand(layout: NodeLayout): string[] {
  const { binaries, directory, name, kubeconfigPath, network, labels } = layout;
  const given = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return [
    binaries.kubelet,
    `--config=${path.join(directory, "kubelet.json")}`,
    `--kubeconfig=${kubeconfigPath}`,
    `--root-dir=${kubeletRoot(layout)}`,
    `--cert-dir=${path.join(directory, "certificates")}`,
    `--hostname-override=${name}`,
    `--node-ip=${network.address}`,
    ...(given.length > 0 ? [`--node-labels=${given.join(",")}`] : []),
    "--v=0",
  ];
}
