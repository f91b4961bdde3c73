import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// The cluster grows for pending jobs, and removes hosts that have been idle for five minutes.
const elastic = new MiniCluster("autoscale", {
  namespace: config.get("namespace"),
  autoscale: { min: 1, max: config.getNumber("max") ?? 4, idleSeconds: 300 },
  // The largest `max`: up to this size, `max` can be changed in place; without maxSize, a change restarts the brokers.
  maxSize: 16,
  // A terminating pod waits for its jobs to end, for at most ten minutes.
  drainTimeoutSeconds: 600,
  container: { image: "rockylinux:9" },
  flux: { container: { image: "ghcr.io/converged-computing/flux-view-rocky:tag-9" } },
});

export const connect = elastic.connectCommand;
export const top = elastic.topCommand;
