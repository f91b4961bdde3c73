import type { GkeNodePoolArgs } from "../../../../provider";
import { parseGkeNodePoolArgs } from "../../../../provider/nodepools/gke/parse";
import { problemsOfParse } from "../../../support/problems";

/** Arguments of a small pool, with everything that a test does not care about. */
export function aGkePoolArgs(args: Partial<GkeNodePoolArgs> = {}): GkeNodePoolArgs {
  const required = { clusterName: "flux", location: "us-central1", machineType: "n4-standard-16" };
  const sizing = args.size ?? args.autoscale ?? args.pairedWith;
  return { ...required, ...(sizing === undefined && { size: 2 }), zones: ["us-central1-a"], ...args };
}

/** Networks for RDMA, with the names that the Cluster Toolkit gives them. */
export const rdmaNetworks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    network: "vpc-rdma",
    subnetwork: `subnet-${index}`,
    name: `rdma-${index}`,
  }));

/** Arguments of a pool with RoCE between its GPUs. */
export const aRocePoolArgs = (args: Partial<GkeNodePoolArgs> = {}): GkeNodePoolArgs =>
  aGkePoolArgs({
    machineType: "a3-ultragpu-8g",
    fabric: "rdma",
    gvnicNetwork: { network: "vpc-gvnic", subnetwork: "subnet-gvnic" },
    rdmaNetworks: rdmaNetworks(8),
    ...args,
  });

/** Arguments of a pool with Falcon between its CPUs. */
export const aFalconPoolArgs = (args: Partial<GkeNodePoolArgs> = {}): GkeNodePoolArgs =>
  aGkePoolArgs({ machineType: "h4d-highmem-192-lssd", fabric: "rdma", rdmaNetworks: rdmaNetworks(1), ...args });

/** The spec of a pool. */
export const aGkePool = (args: Partial<GkeNodePoolArgs> = {}) => parseGkeNodePoolArgs("hpc", aGkePoolArgs(args));

/** Everything that is wrong with some arguments. */
export const gkeProblemsOf = (args: unknown) =>
  problemsOfParse(() => parseGkeNodePoolArgs("hpc", args as GkeNodePoolArgs));

/** A machine type that the tables do not have. */
export const x1 = {
  machineType: "x1-standard-8",
  hardware: { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 1024 },
} as const;
