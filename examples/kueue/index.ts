import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();
const namespace = config.get("namespace") ?? "default";
const apiVersion = "kueue.x-k8s.io/v1beta2";

// The quota of a team, and its queue. If an administrator has created them, only the name of the queue is needed.
const flavor = new k8s.apiextensions.CustomResource("flavor", {
  apiVersion,
  kind: "ResourceFlavor",
  metadata: { name: "hpc-nodes" },
});
const quota = new k8s.apiextensions.CustomResource("quota", {
  apiVersion,
  kind: "ClusterQueue",
  metadata: { name: "hpc-team" },
  spec: {
    namespaceSelector: {},
    resourceGroups: [
      {
        coveredResources: ["cpu", "memory"],
        flavors: [
          {
            name: flavor.metadata.name,
            resources: [
              { name: "cpu", nominalQuota: "64" },
              { name: "memory", nominalQuota: "256Gi" },
            ],
          },
        ],
      },
    ],
  },
});
const queue = new k8s.apiextensions.CustomResource("queue", {
  apiVersion,
  kind: "LocalQueue",
  metadata: { name: "hpc", namespace },
  spec: { clusterQueue: quota.metadata.name },
});

// The cluster starts when the quota has room for every pod, and is resized while it runs: 4 pods of 16 CPUs fill the
// quota.
const queued = new MiniCluster("queued", {
  namespace,
  size: config.getNumber("size") ?? 2,
  maxSize: 4,
  gang: { queueName: queue.metadata.name },
  container: { image: "rockylinux:9", resources: { requests: { cpu: "16", memory: "32Gi" } } },
  flux: { container: { image: "ghcr.io/converged-computing/flux-view-rocky:tag-9" } },
});

export const connect = queued.connectCommand;
