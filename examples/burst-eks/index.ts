import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { BurstCluster, EksNodePool, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();
const namespace = config.get("namespace");
const size = config.getNumber("size") ?? 0;
const maxSize = 16;

// Two Kubernetes clusters, so two providers; that of AWS is the default one.
const here = new k8s.Provider("home", { context: config.get("homeContext") || undefined });
const eks = new k8s.Provider("eks", { context: config.require("eksContext") });

// No node until the burst needs one: a cluster autoscaler brings them and takes them away again.
const pool = new EksNodePool(
  "hpc7g",
  {
    clusterName: config.require("clusterName"),
    nodeRoleArn: config.require("nodeRoleArn"),
    subnetIds: config.requireObject<string[]>("subnetIds"),
    zones: [config.require("zone")],
    machineTypes: ["hpc7g.16xlarge"],
    fabric: "efa",
    autoscale: { max: maxSize },
  },
  { provider: eks },
);

// Pods at home may well be on x86: each side brings the Flux view for its own architecture.
const home = new MiniCluster(
  "home",
  {
    namespace,
    size: 2,
    interactive: true,
    containers: [{ image: "ubuntu:noble" }],
    bursting: {
      // From the pool Flux knows 64 cores of each host and the properties hpc7g, arm64 and efa before there is a node.
      clusters: [{ name: "cloud", maxSize, pool: pool.scheduling }],
      // Something that is there already (a VPN, a load balancer, a forwarded port) leads to port 8050 of the lead broker. Where
      // EKS reaches the nodes themselves, nodePort: { address } is all it takes.
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
    // Machines have to start first.
    waitTimeoutSeconds: 1800,
    // Bring an image for ARM with your application and a libfabric that has EFA.
    containers: [
      {
        image: "ubuntu:noble",
        commands: { init: "apt-get update -qq && apt-get install -qq --yes libfabric-bin >/dev/null" },
      },
    ],
  },
  { provider: eks },
);

export const capacity = pool.capacity;
// A shell in the instance; of the cluster at home, whichever is the current one.
export const connect = home.connectCommand;
// The queue keeps a job in EKS, where MPI has EFA and finds no x86.
export const submit = `flux submit --queue=cloud -N ${Math.max(1, size)} fi_info --provider=efa`;
export const diagnose = { home: home.diagnoseCommand, cloud: cloud.diagnoseCommand };
