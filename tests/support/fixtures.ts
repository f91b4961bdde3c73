import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../provider";
import { parseMiniClusterArgs } from "../../provider/minicluster/spec";

/** Arguments of a small cluster, with everything that a test does not care about. */
export function aMiniClusterArgs(args: Partial<MiniClusterArgs> = {}): MiniClusterArgs {
  return { name: "demo", containers: [aContainer()], ...args };
}

/** A container that runs Flux. */
export function aContainer(args: Partial<MiniClusterContainerArgs> = {}): MiniClusterContainerArgs {
  return { image: "ubuntu:noble", command: "echo hello world", ...args };
}

/** The spec of such a cluster. */
export const aMiniCluster = (args: Partial<MiniClusterArgs> = {}) =>
  parseMiniClusterArgs("demo", aMiniClusterArgs(args));
