import type { MiniClusterArgs, MiniClusterContainerArgs, NodePoolNode, NodePoolScheduling } from "../../provider";
import { parseMiniClusterArgs } from "../../provider/minicluster/spec";

/** Arguments of a small cluster, with everything that a test does not care about. */
export function aMiniClusterArgs(args: Partial<MiniClusterArgs> = {}): MiniClusterArgs {
  return { name: "demo", containers: [aContainer()], ...args };
}

/** A container that runs Flux. */
export function aContainer(args: Partial<MiniClusterContainerArgs> = {}): MiniClusterContainerArgs {
  return { image: "ubuntu:noble", command: "echo hello world", ...args };
}

/** What a pool of plain machines says of itself, with what a test cares about. */
export function aPool(pool: Partial<NodePoolScheduling> = {}, node: Partial<NodePoolNode> = {}): NodePoolScheduling {
  return {
    ...{ pool: "hpc", nodeSelector: { "minicluster/pool": "hpc" } },
    node: { arch: "amd64", vcpus: 96, cores: 48, memoryMiB: 393_216, ...node },
    ...pool,
  };
}

/** What a pool of machines with eight GPUs and EFA says of itself. */
export const aGpuPool = (pool: Partial<NodePoolScheduling> = {}, node: Partial<NodePoolNode> = {}) =>
  aPool(
    { resources: { "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "5120Mi" }, ...pool },
    { gpus: 8, fabric: "efa", fabricInterfaces: 4, ...node },
  );

/** The spec of such a cluster. */
export const aMiniCluster = (args: Partial<MiniClusterArgs> = {}) =>
  parseMiniClusterArgs("demo", aMiniClusterArgs(args));
