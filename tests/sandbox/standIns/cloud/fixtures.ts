import type { Obj } from "../rpc/values";

export const nodeGroupType = "aws:eks/nodeGroup:NodeGroup";
export const launchTemplateType = "aws:ec2/launchTemplate:LaunchTemplate";
export const nodePoolType = "gcp:container/nodePool:NodePool";
export const agentPoolType = "azure-native:containerservice:AgentPool";

export const aNodeGroup = (changes: Obj = {}): Obj => ({
  clusterName: "hpc",
  nodeRoleArn: "arn:aws:iam::123456789012:role/nodes",
  scalingConfig: { desiredSize: 4, maxSize: 8, minSize: 0 },
  subnetIds: ["subnet-a1"],
  instanceTypes: ["hpc7g.16xlarge"],
  labels: { pool: "hpc" },
  ...changes,
});

export const aNodePool = (changes: Obj = {}): Obj => ({
  cluster: "hpc",
  location: "us-central1-a",
  nodeCount: 4,
  nodeConfig: { machineType: "h3-standard-88", labels: { pool: "hpc" } },
  ...changes,
});

export const anAgentPool = (changes: Obj = {}): Obj => ({
  resourceGroupName: "group",
  resourceName: "hpc",
  agentPoolName: "pool",
  count: 4,
  mode: "User",
  osDiskType: "Ephemeral",
  vmSize: "Standard_HB120rs_v3",
  ...changes,
});
