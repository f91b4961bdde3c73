import type {
  AksKarpenterNodePoolArgs,
  AksNodePoolArgs,
  EksNodePoolArgs,
  GkeNodePoolArgs,
  KarpenterNodePoolArgs,
} from "../../../../provider";
import { parseAksKarpenterNodePoolArgs } from "../../../../provider/clouds/aks/karpenter/parse";
import { parseAksNodePoolArgs } from "../../../../provider/clouds/aks/nodes/parse";
import { parseKarpenterNodePoolArgs } from "../../../../provider/clouds/eks/karpenter/parse";
import { parseEksNodePoolArgs } from "../../../../provider/clouds/eks/nodes/parse";
import { parseGkeNodePoolArgs } from "../../../../provider/clouds/gke/nodes/parse";
import type { InputProblem } from "../../../../provider/shared/errors";
import { problemsOfParse } from "../../../support/problems";

// Of each kind of pool: arguments of a small one, with everything that a test does not care about, its spec, and all
// that is wrong with some arguments.

type Eks = Partial<EksNodePoolArgs>;
type Karpenter = Partial<KarpenterNodePoolArgs>;
type Gke = Partial<GkeNodePoolArgs>;
type Aks = Partial<AksNodePoolArgs>;
type AksKarpenter = Partial<AksKarpenterNodePoolArgs>;

/** Two nodes, unless the arguments set another number. */
const sized = ({ size, maxSize }: Eks | Gke | Aks) => (size ?? maxSize) === undefined && { size: 2 };

export function anEksPoolArgs(args: Eks = {}): EksNodePoolArgs {
  const place = { clusterName: "flux", nodeRoleArn: "arn:aws:iam::1:role/nodes", subnetIds: ["subnet-a", "subnet-b"] };
  return { ...place, machineTypes: ["m7i.large"], ...sized(args), ...args };
}

const ofEfa = (type: string) => ({ machineTypes: [type], fabric: "efa" as const, zones: ["us-east-1a"] });

export const anEfaPoolArgs = (machineType: string, args: Eks = {}): EksNodePoolArgs =>
  anEksPoolArgs({ ...ofEfa(machineType), ...args });
export const anEksPool = (args: Eks = {}) => parseEksNodePoolArgs("hpc", anEksPoolArgs(args));
export const eksProblemsOf = (args: unknown) =>
  problemsOfParse(() => parseEksNodePoolArgs("hpc", args as EksNodePoolArgs));

/** An instance type that the tables do not have. */
export const m99 = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 32_768 } as const;

export const efaArgs = ({ machineTypes: [type] = ["p5.48xlarge"], ...args }: Eks = {}) =>
  anEfaPoolArgs(type ?? "", args);
export const blockArgs = (args: Eks) => efaArgs({ capacityType: "capacityBlock", reservationId: "cr-1", ...args });

export function aKarpenterPoolArgs(args: Karpenter = {}): KarpenterNodePoolArgs {
  const place = { nodeRoleName: "nodes", subnetIds: ["subnet-0a"], securityGroupIds: ["sg-0c"] };
  const sizes = "maxSize" in args ? {} : { size: 2, maxSize: 4 };
  return { ...place, machineTypes: ["m7i.large"], ...sizes, ...args };
}

export const aKarpenterEfaArgs = (machineType: string, args: Karpenter = {}) =>
  aKarpenterPoolArgs({ ...ofEfa(machineType), ...args });
export const aKarpenterPool = (args: Karpenter = {}) => parseKarpenterNodePoolArgs("hpc", aKarpenterPoolArgs(args));
export const aKarpenterEfaPool = (machineType: string, args: Karpenter = {}) =>
  aKarpenterPool(aKarpenterEfaArgs(machineType, args));
export const karpenterProblemsOf = (args: unknown) =>
  problemsOfParse(() => parseKarpenterNodePoolArgs("hpc", args as KarpenterNodePoolArgs));

export const karpenterEfaArgs = ({ machineTypes: [type] = ["p5.48xlarge"], ...args }: Karpenter) =>
  aKarpenterEfaArgs(type ?? "", args);

export function aGkePoolArgs(args: Gke = {}): GkeNodePoolArgs {
  const place = { clusterName: "flux", location: "us-central1", zones: ["us-central1-a"] };
  return { ...place, machineType: "n4-standard-16", ...sized(args), ...args };
}

/** Networks for RDMA, with the names that the Cluster Toolkit gives them. */
export const rdmaNetworks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    network: "vpc-rdma",
    subnetwork: `subnet-${index}`,
    name: `rdma-${index}`,
  }));

/** Arguments of a pool with RoCE between its GPUs. */
export const aRocePoolArgs = (args: Gke = {}): GkeNodePoolArgs =>
  aGkePoolArgs({
    machineType: "a3-ultragpu-8g",
    fabric: "rdma",
    rdmaNetworks: rdmaNetworks(8),
    gvnicNetwork: { network: "vpc-gvnic", subnetwork: "subnet-gvnic" },
    ...args,
  });

export const aGkePool = (args: Gke = {}) => parseGkeNodePoolArgs("hpc", aGkePoolArgs(args));
export const gkeProblemsOf = (args: unknown) =>
  problemsOfParse(() => parseGkeNodePoolArgs("hpc", args as GkeNodePoolArgs));

/** The same with RDMA between CPUs. */
export const aFalconPoolArgs = (args: Gke = {}) =>
  aGkePoolArgs({ machineType: "h4d-highmem-192-lssd", fabric: "rdma", rdmaNetworks: rdmaNetworks(1), ...args });

/** A machine type that the tables do not have. */
export const x1GkeArgs = ({ hardware, ...args }: Omit<Gke, "hardware"> & { hardware?: Partial<Gke["hardware"]> }) => ({
  ...x1Gke,
  hardware: { ...x1Gke.hardware, ...hardware },
  ...args,
});
const x1Gke = {
  machineType: "x1-standard-8",
  hardware: { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 1024 },
} as const;

export const aksArgs = (args: Aks = {}): AksNodePoolArgs => ({
  name: "hpc",
  resourceGroupName: "group",
  clusterName: "cluster",
  machineType: "Standard_D8ds_v5",
  ...sized(args),
  ...args,
});
export const aksPool = (args: Aks = {}) => parseAksNodePoolArgs("pool", aksArgs(args));
export const aksProblems = (args: object, resourceName = "pool") =>
  problemsOfParse(() => parseAksNodePoolArgs(resourceName, args as AksNodePoolArgs));

/** A size with InfiniBand, in use. */
export const hb = { machineType: "Standard_HB120rs_v3", fabric: "infiniband" } as const;

/** A size that the table does not have. */
const x1Aks = {
  machineType: "Standard_X1",
  hardware: { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 4096 },
} as const;

export const x1AksArgs = ({ hardware, ...args }: Omit<Aks, "hardware"> & { hardware?: Partial<Aks["hardware"]> }) => ({
  ...x1Aks,
  hardware: { ...x1Aks.hardware, ...hardware },
  ...args,
});

export function anAksKarpenterPoolArgs(args: AksKarpenter = {}): AksKarpenterNodePoolArgs {
  const sizes = "maxSize" in args ? {} : { size: 2, maxSize: 4 };
  return { machineTypes: ["Standard_D16s_v6"], ...sizes, ...args };
}
export const anAksKarpenterPool = (args: AksKarpenter = {}) =>
  parseAksKarpenterNodePoolArgs("hpc", anAksKarpenterPoolArgs(args));
export const aksKarpenterProblems = (args: unknown) =>
  problemsOfParse(() => parseAksKarpenterNodePoolArgs("hpc", args as AksKarpenterNodePoolArgs));

/** Each pool, by the name of its component: arguments that it takes, and what it finds wrong with others. */
export const pools: Record<string, { args: object; problemsOf: (args: object) => InputProblem[] }> = {
  EksNodePool: { args: anEksPoolArgs(), problemsOf: eksProblemsOf },
  KarpenterNodePool: { args: aKarpenterPoolArgs(), problemsOf: karpenterProblemsOf },
  GkeNodePool: { args: aGkePoolArgs(), problemsOf: gkeProblemsOf },
  AksNodePool: { args: aksArgs(), problemsOf: aksProblems },
  AksKarpenterNodePool: { args: anAksKarpenterPoolArgs(), problemsOf: aksKarpenterProblems },
};
