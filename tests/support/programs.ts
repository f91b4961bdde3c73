import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster, type MiniClusterArgs } from "../../provider";

/** A program with one MiniCluster called "demo" that exports all its outputs. The arguments may come from resources. */
export function clusterProgram(
  args: MiniClusterArgs | (() => MiniClusterArgs),
  opts?: pulumi.ComponentResourceOptions,
) {
  return () => {
    const { jobName, namespace, serviceName, secretName, leadHost, hostlist, size, maxSize, ...commands } =
      new MiniCluster("demo", typeof args === "function" ? args() : args, opts);
    const { connectCommand, topCommand, logsCommand, diagnoseCommand } = commands;
    return {
      jobName,
      namespace,
      serviceName,
      secretName,
      leadHost,
      hostlist,
      size,
      maxSize,
      connectCommand,
      topCommand,
      logsCommand,
      diagnoseCommand,
    };
  };
}

/** An example as it lies in its folder, run again at each operation. */
export function exampleProgram(name: string): () => Record<string, unknown> {
  const file = path.resolve(__dirname, "../../examples", name, "index.ts");
  return () => {
    Reflect.deleteProperty(require.cache, file);
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    return require(file) as Record<string, unknown>;
  };
}
