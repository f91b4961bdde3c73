import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { BurstCluster, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();
const namespace = config.get("namespace");
const size = config.getNumber("size") ?? 0;

// Two Kubernetes clusters need two providers. Settings that are not set are from the current context.
const kubeconfig = config.get("cloudKubeconfig") || undefined;
const context = config.get("cloudContext") || undefined;
if (!kubeconfig && !context)
  throw new pulumi.RunError("the cluster in the cloud is not configured; set cloudContext or cloudKubeconfig");
const here = new k8s.Provider("home", { context: config.get("homeContext") || undefined });
const there = new k8s.Provider("cloud", { kubeconfig, context });

// The cluster of the lead broker. Its configuration has the 8 hosts in the cloud from the start, so that it does not
// change when they join.
const home = new MiniCluster(
  "home",
  {
    namespace,
    size: 2,
    maxSize: 4,
    container: { image: "ubuntu:noble" },
    bursting: {
      clusters: [{ name: "cloud", maxSize: 8, cores: config.requireNumber("cores") }],
      expose: { nodePort: { address: config.require("nodeAddress") } },
    },
  },
  { provider: here },
);

// With size 0, its objects exist, but no pod.
const cloud = new BurstCluster(
  "cloud",
  { root: home.burst, namespace, size, container: { image: "ubuntu:noble" } },
  { provider: there },
);

export const hosts = home.hostlist;
// Opens a shell in the instance. The command contains the context of the cluster at home.
export const connect = home.connectCommand;
// Each cluster has a queue, and a job runs in the cluster of its queue. Without --queue, it runs at home.
export const submit = `flux submit --queue=cloud -N ${Math.max(1, size)} hostname`;
export const diagnose = { home: home.diagnoseCommand, cloud: cloud.diagnoseCommand };
