import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster, readMiniClusterManifestFile } from "pulumi-minicluster";

// A minicluster.yaml as it is: `new MiniClusterManifest("cluster", { file: "minicluster.yaml" })` would do. Read as arguments,
// it can be changed before it is used: here the namespace and the size come from the stack's configuration.
const config = new pulumi.Config();

const clusters = readMiniClusterManifestFile(path.join(__dirname, "minicluster.yaml")).map(
  ({ name, args }) =>
    new MiniCluster(name, {
      ...args,
      namespace: config.get("namespace") ?? args.namespace,
      size: config.getNumber("size") ?? args.size,
    }),
);

export const logs = clusters.map(({ logsCommand }) => logsCommand);
