import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import {
  AksKarpenterNodePool,
  AksNodePool,
  EksNodePool,
  type EksNodePoolArgs,
  GkeNodePool,
  KarpenterNodePool,
  MiniCluster,
} from "../../provider";
import {
  aGkePoolArgs,
  aKarpenterEfaArgs,
  aKarpenterPoolArgs,
  aksArgs,
  anAksKarpenterPoolArgs,
  anEfaPoolArgs,
  anEksPoolArgs,
  aRocePoolArgs,
  hb as hbArgs,
} from "../unit/clouds/nodes/fixtures";
import { aMiniClusterArgs } from "./fixtures";
import { mockEngine, type MockOptions, type Registration, valueOf } from "./mocks";

/** AWS's answers on the cluster, and on subnets whose zone is the end of their name. */
export const answers: MockOptions["answers"] = {
  "aws:eks/getCluster:getCluster": () => ({ vpcConfig: { clusterSecurityGroupId: "sg-cluster", vpcId: "vpc-1" } }),
  "aws:ec2/getSubnet:getSubnet": ({ id }) => ({
    id,
    availabilityZone: `us-east-1${String(id).at(-1)}`,
    mapPublicIpOnLaunch: String(id).startsWith("subnet-public"),
  }),
};

type Pool = AksKarpenterNodePool | AksNodePool | EksNodePool | GkeNodePool | KarpenterNodePool;
export type Make = (options?: pulumi.ComponentResourceOptions) => Pool;

// The pools of each kind, from the arguments that a test sets.
export const eks =
  (args: object = {}): Make =>
  (options) =>
    new EksNodePool("hpc", anEksPoolArgs(args), options);
export const efa = ({ machineTypes = ["p5.48xlarge"], ...args }: Partial<EksNodePoolArgs> = {}) =>
  eks(anEfaPoolArgs(machineTypes[0] ?? "", args));
export const karpenter =
  (args: object = {}, all = aKarpenterPoolArgs(args)): Make =>
  (options) =>
    new KarpenterNodePool("hpc", all, options);
export const karpenterEfa = (args: object = {}) => karpenter({}, aKarpenterEfaArgs("p5.48xlarge", args));
export const gke =
  (args: object = {}, all = aGkePoolArgs(args)): Make =>
  (options) =>
    new GkeNodePool("hpc", all, options);
export const roce = (args: object = {}) => gke({}, aRocePoolArgs(args));
export const aks =
  (args: object = {}): Make =>
  (options) =>
    new AksNodePool("hpc", aksArgs(args), options);
export const aksKarpenter =
  (args: object = {}): Make =>
  (options) =>
    new AksKarpenterNodePool("hpc", anAksKarpenterPoolArgs(args), options);
export const hb = (args: object = {}) => aks({ ...hbArgs, ...args });

/** Everything that is registered for a pool, and for a cluster of two on it on request. */
export async function register(
  make: Make,
  options: MockOptions & pulumi.ComponentResourceOptions = {},
  withCluster = false,
) {
  const { preview, state, answers: others, ...own } = options;
  const seen = await mockEngine({ answers: { ...answers, ...others }, preview, state });
  const pool = make(own);
  const cluster = withCluster && new MiniCluster("demo", aMiniClusterArgs({ size: 2, pool: pool.scheduling }));
  const outputs = Object.values(pool).filter((value) => pulumi.Output.isInstance(value));
  await valueOf(pulumi.all([...outputs, ...(cluster ? [cluster.jobName, cluster.urn] : [])]));
  const find = (id: string) => seen.find((each) => each.id === id) ?? assert.fail(`${id}: ${ids(seen).join(", ")}`);
  return { seen, pool, find, inputsOf: <T>(id: string) => find(id).inputs as T };
}

export const ids = (seen: Registration[]) => seen.map(({ id }) => id).sort();
