import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { BurstCluster, type BurstClusterArgs, MiniCluster, type MiniClusterArgs } from "../../provider";
import type { Cloud } from "./clouds";
import { leftIn } from "./clusters";
import { createStack, type TestStack } from "./engine";
import type { JobPod, Kube } from "../sandbox/kube";
import { waitFor } from "../sandbox/waiting";
import { sharedCluster } from "./sandboxHooks";

/** The cluster "home" with the lead broker, in one Kubernetes cluster. */
export const homeArgs = (args: Partial<MiniClusterArgs> = {}): MiniClusterArgs => ({
  size: 2,
  maxSize: 4,
  waitTimeoutSeconds: 60,
  containers: [{ image: "ubuntu:noble", command: "sleep 600" }],
  bursting: { clusters: [{ name: "cloud", size: 0, maxSize: 8 }], expose: { nodePort: { address: "203.0.113.7" } } },
  ...args,
});

/** The cluster "cloud" that joins it, in another. */
export const cloudArgs = (args: Partial<BurstClusterArgs> = {}) => ({
  waitTimeoutSeconds: 60,
  containers: [{ image: "ubuntu:noble" }],
  ...args,
});

/** The parts of a program: the cluster at home, and, by default, one that joins it. */
export interface Burst {
  home?: Partial<MiniClusterArgs>;
  cloud?: Partial<BurstClusterArgs> | undefined;
}

/** One side, from its API server. */
export interface Side {
  kube: Kube;
  namespace: string;
  pods: () => Promise<JobPod[]>;
  /** Acts as a cloud: gives each load balancer an address. */
  giveAddress: (service: string, ingress: { ip?: string; hostname?: string }) => Promise<void>;
  /** All remains of a cluster there. */
  left: () => Promise<string[]>;
}

/** A stack over two Kubernetes clusters. */
export interface BurstUnderTest {
  stack: TestStack;
  home: Side;
  cloud: Side;
  /** Replaces the program from the next operation on. */
  change: (burst: Burst) => void;
}

/** A program with both sides, each in a separate Kubernetes cluster. */
export function burstProgram(
  { home = {}, cloud }: Burst,
  { namespace, cloudKubeconfig }: { namespace: string; cloudKubeconfig: string },
) {
  return (): object => {
    const root = new MiniCluster("home", homeArgs({ namespace, ...home }));
    const provider = new k8s.Provider("far", { kubeconfig: cloudKubeconfig });
    if (cloud) joinedBy(root.burst, { namespace, ...cloud }, provider);
    return { burst: root.burst };
  };
}

const joinedBy = (root: BurstClusterArgs["root"], args: Partial<BurstClusterArgs>, provider: pulumi.ProviderResource) =>
  new BurstCluster("cloud", { root, ...cloudArgs(args) }, { provider });

/** Options of a test with two clusters. */
interface BurstOptions {
  /** Default: the components themselves, in this process. */
  makeProgram?: typeof burstProgram;
  /** Directories of further provider plugins, by name. */
  plugins?: Record<string, string>;
}

/** Runs a test with a stack over the cluster of the run and another one. Destroy has to leave nothing in either. */
export async function withBurst(
  cloud: Cloud,
  burst: Burst,
  body: (it: BurstUnderTest) => Promise<void>,
  { makeProgram = burstProgram, plugins }: BurstOptions = {},
): Promise<void> {
  const { kubeconfigPath, newNamespace, kube } = sharedCluster();
  const namespace = await newNamespace();
  await cloud.kube.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const program = (changed: Burst) =>
    makeProgram(changed, { namespace, cloudKubeconfig: cloud.cluster.kubeconfigPath });
  const stack = await createStack({ program: program(burst), kubeconfigPath, plugins });
  const side = (of: Kube, name: string): Side => ({
    kube: of,
    namespace,
    pods: () => of.podsOfJob(namespace, name),
    giveAddress: async (service, ingress) => {
      const ref = { apiVersion: "v1", kind: "Service", name: service, namespace };
      await waitFor(`the service ${service}`, () => of.find(ref), 60_000);
      await of.patch(ref, { status: { loadBalancer: { ingress: [ingress] } } }, { subresource: "status" });
    },
    left: () => leftIn(namespace, of),
  });
  const sides = { home: side(kube, "home"), cloud: side(cloud.kube, "cloud") };
  try {
    await body({ stack, ...sides, change: (changed) => (stack.program = program(changed)) });
  } finally {
    await stack.destroy();
    assert.deepEqual([await sides.home.left(), await sides.cloud.left()], [[], []]);
    stack.dispose();
  }
}
