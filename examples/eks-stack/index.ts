import { Role } from "@pulumi/aws/iam";
import { Vpc } from "@pulumi/awsx/ec2";
import { Cluster } from "@pulumi/eks";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, EksSharedStorage, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();
const zone = config.get("zone") ?? "us-east-1a";
const max = config.getNumber("max") ?? 8;

// One NAT gateway for three zones: images are pulled through it.
const vpc = new Vpc("flux", { natGateways: { strategy: "Single" }, enableDnsHostnames: true });

// What every node of EKS may do.
const nodeRole = new Role("nodes", {
  assumeRolePolicy: JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" }, Action: "sts:AssumeRole" }],
  }),
  managedPolicyArns: ["AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryPullOnly"].map(
    (policy) => `arn:aws:iam::aws:policy/${policy}`,
  ),
});

// The default node group has the lead broker and the parts of Kubernetes. It is Graviton, as the workers are.
const eks = new Cluster("flux", {
  name: "flux",
  authenticationMode: "API",
  vpcId: vpc.vpcId,
  publicSubnetIds: vpc.publicSubnetIds,
  privateSubnetIds: vpc.privateSubnetIds,
  nodeAssociatePublicIpAddress: false,
  instanceRole: nodeRole,
  nodeGroupOptions: { instanceType: "m7g.large", amiType: "AL2023_ARM_64_STANDARD", minSize: 1, maxSize: 2 },
});

const provider = new k8s.Provider("eks", { kubeconfig: eks.kubeconfigJson });

// Graviton3E with EFA, in one zone and one placement group: no node while the queue is empty.
const pool = new EksNodePool(
  "hpc7g",
  {
    clusterName: eks.eksCluster.name,
    nodeRoleArn: nodeRole.arn,
    subnetIds: vpc.privateSubnetIds,
    zones: [zone],
    machineTypes: ["hpc7g.16xlarge"],
    fabric: "efa",
    autoscale: { min: 0, max },
    pricePerHour: 1.68,
  },
  { provider },
);

const storage = new EksSharedStorage(
  "data",
  {
    kind: "fsxLustre",
    clusterName: eks.eksCluster.name,
    subnetIds: vpc.privateSubnetIds,
    pool: pool.scheduling,
    capacityGib: 1200,
    installDriver: true,
    // `pulumi destroy` removes it with all that is in it.
    retainOnDelete: false,
  },
  { provider },
);

// At rest it is the lead broker alone, on the default node group. A job in the queue starts hosts, and these start nodes.
const lammps = new MiniCluster(
  "lammps",
  {
    interactive: true,
    lead: { nodeSelector: { "kubernetes.io/arch": "arm64" } },
    flux: { arch: "arm64" },
    autoscale: { min: 0, max, idleSeconds: 600 },
    pool: pool.scheduling,
    waitTimeoutSeconds: 1800,
    containers: [
      { image: config.require("image"), volumes: { data: { path: "/data", claimName: storage.claimName } } },
    ],
  },
  { provider },
);

export const kubeconfig = pulumi.secret(eks.kubeconfigJson);
export const capacity = pool.capacity;
export const connect = lammps.connectCommand;
export const top = lammps.topCommand;
export const diagnose = lammps.diagnoseCommand;
