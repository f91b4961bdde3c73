import * as path from "node:path";

import type { ClusterBinaries } from "../build/binaries";
import type { CredentialFiles } from "./credentials";
import type { Network } from "../real/network";
import type { KubeletClient } from "../real/settings";

/** Versions of Kubernetes' API of gangs: the one of the Kubernetes that all tests run on, and the one of the next. */
export type GangVersion = "v1alpha2" | "v1beta1";

/** Parameters of the command lines of the control plane. */
export interface ClusterLayout {
  binaries: ClusterBinaries;
  directory: string;
  credentials: CredentialFiles;
  kubeconfigPath: string;
  ports: { etcd: number; etcdPeer: number; apiServer: number };
  /**
   * For real nodes: the certificate for their kubelets, their network, and the seconds after which a node that says
   * nothing is lost, and its pods with it.
   */
  real?: { client: KubeletClient; network: Network; lostAfter: number; evictAfter: number };
  /** Version of the API of gangs, in a cluster that makes them. */
  gangs?: GangVersion;
  /** Groups and versions that the API server does not serve, as an older one would not. */
  withoutApis?: string[];
  /** For an audit: what is written down, and where. */
  audit?: { policy: string; log: string };
}

const controllers = [
  "job-controller",
  "daemonset-controller",
  "deployment-controller",
  "replicaset-controller",
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
  "resourcequota-controller",
  "persistentvolume-binder-controller",
  // The API server puts their finalizers on every volume and claim, which without them could never be deleted.
  "persistentvolumeclaim-protection-controller",
  "persistentvolume-protection-controller",
  // Makes the device claims of a pod, and deletes them after it.
  "resourceclaim-controller",
];

/** Rates of a part of the control plane: requests per second, burst, and parallel objects. */
export interface PartRates {
  qps: number;
  burst: number;
  /** Objects that are worked on at a time, by controller. */
  concurrentSyncs?: Record<string, number>;
}

/**
 * Rates of the controllers. Tests start hundreds of pods at once, and Kubernetes' default rates would dominate their
 * time; a user's cluster has the default rates, unless its cloud raises them.
 */
export const controllerRates = {
  raised: {
    controllerManager: { qps: 2000, burst: 4000, concurrentSyncs: { job: 50, gc: 50, namespace: 20 } },
    scheduler: { qps: 2000, burst: 4000 },
  },
  default: {
    controllerManager: { qps: 20, burst: 30, concurrentSyncs: { job: 5, gc: 20, namespace: 10 } },
    scheduler: { qps: 50, burst: 100 },
  },
} satisfies Record<string, { controllerManager: PartRates; scheduler: PartRates }>;

/** The rates of the controllers. */
export type RatesName = keyof typeof controllerRates;

const rateFlags = ({ qps, burst, concurrentSyncs = {} }: PartRates) => [
  `--kube-api-qps=${qps}`,
  `--kube-api-burst=${burst}`,
  ...Object.entries(concurrentSyncs).map(([name, count]) => `--concurrent-${name}-syncs=${count}`),
];

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

/** Gates of Kubernetes' own gangs (KEP 5547): off by default. */
const gangGates = ({ gangs }: ClusterLayout) => {
  const gates = ["GenericWorkload", "WorkloadWithJob", ...(gangs === "v1alpha2" ? ["GangScheduling"] : [])];
  return gangs ? [`--feature-gates=${gates.map((gate) => `${gate}=true`).join(",")}`] : [];
};

/** The API server with the default admission plugins and RBAC, like a user's cluster. */
export function apiServerCommand(layout: ClusterLayout): string[] {
  const { binaries, directory, credentials, ports, real, gangs, withoutApis = [], audit } = layout;
  return [
    binaries.apiServer,
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    `--secure-port=${ports.apiServer}`,
    "--bind-address=127.0.0.1",
    // The endpoints of the `kubernetes` service refuse a loopback address. Pods on real nodes reach it without them.
    "--endpoint-reconciler-type=none",
    `--cert-dir=${certificateDirectory(directory)}`,
    `--token-auth-file=${credentials.tokenFile}`,
    "--authorization-mode=RBAC",
    "--service-account-issuer=https://minicluster-sandbox.invalid",
    `--service-account-key-file=${credentials.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${credentials.serviceAccountKey}`,
    // The certificate of the API server has the first address.
    `--service-cluster-ip-range=${real?.network.services ?? "10.0.0.0/16"}`,
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
      : // A simulated node is Ready from the start.
        ["--disable-admission-plugins=TaintNodesByCondition"]),
    ...(gangs ? [...gangGates(layout), `--runtime-config=scheduling.k8s.io/${gangs}=true`] : []),
    ...withoutApis.map((api) => `--runtime-config=${api}=false`),
    ...(audit ? [`--audit-policy-file=${audit.policy}`, `--audit-log-path=${audit.log}`] : []),
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
export function controllerManagerCommand(layout: ClusterLayout, rates: RatesName): string[] {
  const { binaries, directory, credentials, kubeconfigPath, real, gangs } = layout;
  return [
    binaries.controllerManager,
    `--kubeconfig=${kubeconfigPath}`,
    // The gangs have a finalizer of this controller.
    `--controllers=${[...controllers, ...(gangs ? ["podgroup-protection-controller"] : [])].join(",")}`,
    `--service-account-private-key-file=${credentials.serviceAccountKey}`,
    `--root-ca-file=${path.join(certificateDirectory(directory), "apiserver.crt")}`,
    "--leader-elect=false",
    "--secure-port=0",
    // A claim made before its volume is bound at the next look; the default of 15 seconds would be the test's time.
    "--pvclaimbinder-sync-period=1s",
    // Simulated nodes must not be given up while a test keeps the API server down.
    `--node-monitor-grace-period=${real ? `${real.lostAfter}s` : "24h"}`,
    "--node-monitor-period=1s",
    ...gangGates(layout),
    ...rateFlags(controllerRates[rates].controllerManager),
    "--v=0",
  ];
}

/** The scheduler with its default plugins. */
export function schedulerCommand(layout: ClusterLayout, rates: RatesName): string[] {
  const { binaries, kubeconfigPath } = layout;
  return [
    binaries.scheduler,
    `--kubeconfig=${kubeconfigPath}`,
    "--leader-elect=false",
    "--secure-port=0",
    "--authentication-skip-lookup",
    ...gangGates(layout),
    ...rateFlags(controllerRates[rates].scheduler),
    "--v=0",
  ];
}

/** The label of simulated nodes. */
export const simulatedLabel = "sandbox.minicluster/simulated";

/** The address of all of them. */
export const nodeAddress = "10.32.0.1";

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
    `--node-ip=${nodeAddress}`,
    "--v=WARN",
  ];
}
