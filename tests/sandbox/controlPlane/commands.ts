import * as path from "node:path";

import type { ClusterBinaries } from "../build/binaries";
import type { CredentialFiles } from "./credentials";
import type { KubeletClient } from "../real/settings";

/** All that the command lines of the control plane are made from. */
export interface ClusterLayout {
  binaries: ClusterBinaries;
  directory: string;
  credentials: CredentialFiles;
  kubeconfigPath: string;
  ports: { etcd: number; etcdPeer: number; apiServer: number };
  /**
   * For real nodes: the certificate for their kubelets, and the seconds after which a node that says nothing is lost, and its
   * pods with it.
   */
  real?: { client: KubeletClient; lostAfter: number; evictAfter: number };
}

const controllers = [
  "job-controller",
  "daemonset-controller",
  "garbage-collector-controller",
  "namespace-controller",
  "endpointslice-controller",
  // Deprecated in Kubernetes, but the real plugin watches Endpoints while it waits for a Service.
  "endpoints-controller",
  "serviceaccount-controller",
  "serviceaccount-token-controller",
  "root-ca-certificate-publisher-controller",
  "ttl-after-finished-controller",
  "pod-garbage-collector-controller",
  "node-lifecycle-controller",
  "taint-eviction-controller",
  "disruption-controller",
  "persistentvolume-binder-controller",
  // The API server puts their finalizers on every volume and claim, which without them could never be deleted.
  "persistentvolumeclaim-protection-controller",
  "persistentvolume-protection-controller",
];

// Tests start hundreds of pods at once; the defaults (20 to 50 requests per second) would be what they measure.
const clientLimits = ["--kube-api-qps=2000", "--kube-api-burst=4000"];

/** etcd on loopback, without syncing to disk: the data lives as long as the cluster. */
export function etcdCommand({ binaries, directory, ports }: ClusterLayout): string[] {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.etcdPeer}`;
  return [
    binaries.etcd,
    `--data-dir=${path.join(directory, "etcd")}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    "--unsafe-no-fsync",
    "--log-level=error",
  ];
}

/** The API server with the default admission plugins and RBAC, as a user's cluster has them. */
export function apiServerCommand({ binaries, directory, credentials, ports, real }: ClusterLayout): string[] {
  return [
    binaries.apiServer,
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    `--secure-port=${ports.apiServer}`,
    "--bind-address=127.0.0.1",
    // No pod ever connects to the `kubernetes` service, and it refuses a loopback address.
    "--endpoint-reconciler-type=none",
    `--cert-dir=${certificateDirectory(directory)}`,
    `--token-auth-file=${credentials.tokenFile}`,
    "--authorization-mode=RBAC",
    "--service-account-issuer=https://minicluster-sandbox.invalid",
    `--service-account-key-file=${credentials.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${credentials.serviceAccountKey}`,
    "--service-cluster-ip-range=10.0.0.0/16",
    "--allow-privileged",
    // For the logs of real nodes: their names are in no DNS.
    ...(real
      ? [
          "--kubelet-preferred-address-types=InternalIP",
          `--kubelet-client-certificate=${real.client.certificate}`,
          `--kubelet-client-key=${real.client.key}`,
          `--default-not-ready-toleration-seconds=${real.evictAfter}`,
          `--default-unreachable-toleration-seconds=${real.evictAfter}`,
        ]
      : []),
    "--enable-priority-and-fairness=false",
    "--max-requests-inflight=0",
    "--max-mutating-requests-inflight=0",
    "--v=0",
  ];
}

/** Where the API server writes the certificate it makes for itself. */
export function certificateDirectory(directory: string): string {
  return path.join(directory, "certificates");
}

/** Only the controllers that a MiniCluster and its namespace need. */
export function controllerManagerCommand({
  binaries,
  directory,
  credentials,
  kubeconfigPath,
  real,
}: ClusterLayout): string[] {
  return [
    binaries.controllerManager,
    `--kubeconfig=${kubeconfigPath}`,
    `--controllers=${controllers.join(",")}`,
    `--service-account-private-key-file=${credentials.serviceAccountKey}`,
    `--root-ca-file=${path.join(certificateDirectory(directory), "apiserver.crt")}`,
    "--leader-elect=false",
    "--secure-port=0",
    "--concurrent-job-syncs=50",
    "--concurrent-gc-syncs=50",
    "--concurrent-namespace-syncs=20",
    // A claim made before its volume is bound at the next look; the default of 15 seconds would be the test's time.
    "--pvclaimbinder-sync-period=1s",
    // Simulated nodes must not be given up while a test keeps the API server down.
    `--node-monitor-grace-period=${real ? `${real.lostAfter}s` : "24h"}`,
    "--node-monitor-period=1s",
    ...clientLimits,
    "--v=0",
  ];
}

/** The scheduler with its default plugins. */
export function schedulerCommand({ binaries, kubeconfigPath }: ClusterLayout): string[] {
  return [
    binaries.scheduler,
    `--kubeconfig=${kubeconfigPath}`,
    "--leader-elect=false",
    "--secure-port=0",
    "--authentication-skip-lookup",
    ...clientLimits,
    "--v=0",
  ];
}

/** What tells simulated nodes from real ones. */
export const simulatedLabel = "sandbox.minicluster/simulated";

/** kwok: plays the kubelet of every node, by the stages in `nodes/kwok.yaml`. */
export function kwokCommand({ binaries, kubeconfigPath, real }: ClusterLayout): string[] {
  return [
    binaries.kwok,
    `--kubeconfig=${kubeconfigPath}`,
    `--config=${path.join(__dirname, "../nodes/kwok.yaml")}`,
    // Real nodes are not its own.
    ...(real ? [`--manage-nodes-with-label-selector=${simulatedLabel}=`] : ["--manage-all-nodes=true"]),
    // The node monitor never expires a node here, so renewing hundreds of leases would be wasted work.
    "--node-lease-duration-seconds=0",
    "--cidr=10.64.0.0/10",
    "--node-ip=10.32.0.1",
    "--v=WARN",
  ];
}
