import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "pulumi-minicluster";

// `pulumi config set size 8` and `pulumi up` grow the cluster in place, up to maxSize.
const lab = new MiniCluster("lab", {
  size: new pulumi.Config().requireNumber("size"),
  maxSize: 8,
  container: { image: "ubuntu:noble" },
});

export const shell = lab.connectCommand;
