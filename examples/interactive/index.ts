import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// Without a command, the brokers keep running, and users submit jobs by a shell, a web page or a REST API. A sidecar
// prints the queue.
const interactive = new MiniCluster("interactive", {
  namespace: config.get("namespace"),
  size: config.getNumber("size") ?? 2,
  maxSize: 4,
  interactive: true,
  console: { users: ["ann"], admins: ["root"] },
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
export const open = interactive.consoleCommand;
export const tokens = interactive.consoleTokens;
export const hosts = interactive.hostlist;
