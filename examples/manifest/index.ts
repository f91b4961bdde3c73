import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster, readMiniClusterManifestFile } from "pulumi-minicluster";

// Reads minicluster.yaml as arguments, so that the program can change them: the namespace and the size are from the
// configuration of the stack. For an unchanged manifest, use
// `new MiniClusterManifest("cluster", { file: "minicluster.yaml" })`.
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
