import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { BurstCluster, EksNodePool, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();
const namespace = config.get("namespace");
const size = config.getNumber("size") ?? 0;
const maxSize = 16;

// Two Kubernetes clusters need two Kubernetes providers. The provider of AWS is the default provider.
const here = new k8s.Provider("home", { context: config.get("homeContext") || undefined });
const eks = new k8s.Provider("eks", { context: config.require("eksContext") });

// The pool is empty until the burst needs nodes: a cluster autoscaler adds and removes them.
const pool = new EksNodePool(
  "hpc7g",
  {
    clusterName: config.require("clusterName"),
    nodeRoleArn: config.require("nodeRoleArn"),
    subnetIds: config.requireObject<string[]>("subnetIds"),
    zones: [config.require("zone")],
    machineTypes: ["hpc7g.16xlarge"],
    fabric: "efa",
    maxSize,
  },
  { provider: eks },
);

// Pods at home may run on x86: each cluster has the Flux view for its architecture.
const home = new MiniCluster(
  "home",
  {
    namespace,
    size: 2,
    container: { image: "ubuntu:noble" },
    bursting: {
      // The pool sets the 64 cores and the properties hpc7g, arm64 and efa of each host before a node exists.
      clusters: [{ name: "cloud", maxSize, pool: pool.scheduling }],
      // An existing VPN, load balancer or forwarded port connects to port 8050 of the lead broker. If EKS can reach the
      // nodes at home, use nodePort: { address } instead.
      expose: { endpoint: { address: config.require("leadAddress"), port: config.getNumber("leadPort") } },
    },
  },
  { provider: here },
);

const cloud = new BurstCluster(
  "cloud",
  {
    root: home.burst,
    namespace,
    size,
    pool: pool.scheduling,
    // Machines must start first.
    waitTimeoutSeconds: 1800,
    // Use an image for ARM with your application and a libfabric with EFA.
    container: {
      image: "ubuntu:noble",
      commands: { init: "apt-get update -qq && apt-get install -qq --yes libfabric-bin >/dev/null" },
    },
  },
  { provider: eks },
);

export const capacity = pool.capacity;
// Opens a shell in the instance. The command contains the context of the cluster at home.
export const connect = home.connectCommand;
// The queue restricts the job to EKS, where all hosts have EFA and the same architecture.
export const submit = `flux submit --queue=cloud -N ${Math.max(1, size)} fi_info --provider=efa`;
export const diagnose = { home: home.diagnoseCommand, cloud: cloud.diagnoseCommand };
