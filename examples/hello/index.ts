import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "pulumi-minicluster";

// The smallest MiniCluster: one pod, one broker, one command.
const hello = new MiniCluster("hello", {
  namespace: new pulumi.Config().get("namespace"),
  container: { image: "ubuntu:noble", command: "echo hello world" },
});

export const logs = hello.logsCommand;
