import * as aws from "@pulumi/aws";
import * as awsx from "@pulumi/awsx";
import * as eks from "@pulumi/eks";
import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, EksSharedStorage, kubernetesProvider, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();
const zones = config.requireObject<string[]>("zones");
const max = config.getNumber("max") ?? 8;
// The largest `max`: up to this size, `max` can be changed in place; without maxSize, a change restarts the brokers.
const maxSize = 16;

// A machine with EFA gets no public address: the nodes are in private subnets, and reach the internet through a NAT gateway.
const vpc = new awsx.ec2.Vpc("flux", {
  availabilityZoneNames: zones,
  enableDnsHostnames: true,
  natGateways: { strategy: "Single" },
});

const cluster = new eks.Cluster("flux", {
  vpcId: vpc.vpcId,
  publicSubnetIds: vpc.publicSubnetIds,
  privateSubnetIds: vpc.privateSubnetIds,
  authenticationMode: "API",
  skipDefaultNodeGroup: true,
});
const clusterName = cluster.eksCluster.name;

/** An IAM role for a service of AWS, with policies of AWS. */
function role(name: string, service: string, actions: string[], policies: string[]) {
  const assumeRolePolicy = JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: { Service: service }, Action: actions }],
  });
  const made = new aws.iam.Role(name, { assumeRolePolicy });
  const attachments = policies.map(
    (policy) =>
      new aws.iam.RolePolicyAttachment(`${name}-${policy}`, {
        role: made.name,
        policyArn: `arn:aws:iam::aws:policy/${policy}`,
      }),
  );
  return { made, attachments };
}

const nodes = role(
  "nodes",
  "ec2.amazonaws.com",
  ["sts:AssumeRole"],
  ["AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryReadOnly"],
);

// Nodes for the system pods, the Cluster Autoscaler and the lead broker. Graviton, as for the workers, so that all pods
// can use one image.
const system = new aws.eks.NodeGroup(
  "system",
  {
    clusterName,
    nodeRoleArn: nodes.made.arn,
    subnetIds: vpc.privateSubnetIds,
    instanceTypes: ["m7g.large"],
    amiType: "AL2023_ARM_64_STANDARD",
    scalingConfig: { minSize: 2, desiredSize: 2, maxSize: 2 },
  },
  { dependsOn: nodes.attachments },
);

// The permissions of the Cluster Autoscaler; README.md describes its installation.
const scaler = role("cluster-autoscaler", "pods.eks.amazonaws.com", ["sts:AssumeRole", "sts:TagSession"], []);
new aws.iam.RolePolicy("cluster-autoscaler", {
  role: scaler.made.name,
  policy: JSON.stringify({
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Action: ["autoscaling:Describe*", "ec2:Describe*", "ec2:GetInstanceTypesFromInstanceRequirements"],
        Resource: "*",
      },
      {
        Effect: "Allow",
        Action: ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"],
        Resource: "*",
        Condition: { StringEquals: { "aws:ResourceTag/k8s.io/cluster-autoscaler/enabled": "true" } },
      },
      { Effect: "Allow", Action: "eks:DescribeNodegroup", Resource: "*" },
    ],
  }),
});
new aws.eks.PodIdentityAssociation("cluster-autoscaler", {
  clusterName,
  namespace: "kube-system",
  serviceAccount: "cluster-autoscaler",
  roleArn: scaler.made.arn,
});
new aws.eks.Addon("pod-identity", { clusterName, addonName: "eks-pod-identity-agent" }, { dependsOn: [system] });

// Graviton3E, 64 cores in each node, with EFA: one zone, a placement group, and the EFA device plugin.
const pool = new EksNodePool(
  "hpc7g",
  {
    cluster,
    nodeRoleArn: nodes.made.arn,
    subnetIds: vpc.privateSubnetIds,
    zones: zones.slice(0, 1),
    machineTypes: ["hpc7g.16xlarge"],
    fabric: "efa",
    maxSize,
    price: { perHour: 1.6832 },
  },
  { dependsOn: nodes.attachments },
);

// In the zone of the nodes. It is deleted with the stack, with its data.
const storage = new EksSharedStorage(
  "data",
  {
    kind: "fsxLustre",
    cluster,
    subnetIds: vpc.privateSubnetIds,
    pool: pool.scheduling,
    capacityGib: 1200,
    installDriver: true,
    retainOnDelete: false,
  },
  { dependsOn: [system] },
);

// When idle, only the lead broker runs. The queue determines the pods of the workers, and the pods determine the nodes.
const lammps = new MiniCluster(
  "lammps",
  {
    lead: { nodeSelector: { "eks.amazonaws.com/nodegroup": system.nodeGroupName } },
    autoscale: { min: 0, max, idleSeconds: 600 },
    maxSize,
    // A terminating pod waits for its jobs to end, for at most an hour. Its node is removed after the pod.
    drainTimeoutSeconds: 3600,
    pool: pool.scheduling,
    // A machine must start first.
    waitTimeoutSeconds: 1800,
    flux: { arch: "arm64", container: { image: "ghcr.io/converged-computing/flux-view-ubuntu:arm-jammy" } },
    container: {
      image: "ghcr.io/rse-ops/lammps-arm:ubuntu-jammy",
      volumes: { data: { path: "/data", claimName: storage.claimName } },
    },
  },
  { provider: kubernetesProvider(cluster) },
);

export const eksCluster = clusterName;
export const capacity = pool.capacity;
export const fileSystem = storage.fileSystemId;
export const size = lammps.size;
export const connect = lammps.connectCommand;
export const diagnose = lammps.diagnoseCommand;
