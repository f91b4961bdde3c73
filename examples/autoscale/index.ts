import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// People submit what they like; the cluster grows for what waits, and gives hosts back that were idle for five minutes.
const elastic = new MiniCluster("autoscale", {
  namespace: config.get("namespace"),
  interactive: true,
  autoscale: { min: 1, max: config.getNumber("max") ?? 4, idleSeconds: 300 },
  // As far as max may ever go: up to this another max is set in place, and without it the brokers would restart.
  maxSize: 16,
  // A pod that leaves lets its jobs end, for at most ten minutes.
  drainTimeoutSeconds: 600,
  containers: [{ image: "rockylinux:9" }],
  flux: { container: { image: "ghcr.io/converged-computing/flux-view-rocky:tag-9" } },
});

export const connect = elastic.connectCommand;
export const top = elastic.topCommand;
