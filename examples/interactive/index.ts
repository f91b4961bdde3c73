import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// No command: the brokers stay up, and people connect and submit what they like. A sidecar watches the queue.
const interactive = new MiniCluster("interactive", {
  namespace: config.get("namespace"),
  size: config.getNumber("size") ?? 2,
  maxSize: 4,
  interactive: true,
  containers: [
    { image: "rockylinux:9", name: "shell", runFlux: true },
    {
      image: "rockylinux:9",
      name: "queue",
      command: "while true; do flux proxy $fluxsocket flux jobs -a; sleep 60; done",
    },
  ],
  flux: { container: { image: "ghcr.io/converged-computing/flux-view-rocky:tag-9" } },
});

export const connect = interactive.connectCommand;
export const hosts = interactive.hostlist;
