import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, EksSharedStorage, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();
const namespace = config.get("namespace");
const clusterName = config.require("clusterName");
const subnetIds = config.requireObject<string[]>("subnetIds");
const sizes = { size: config.getNumber("size") ?? 4, maxSize: 16 };

const pool = new EksNodePool("hpc7a", {
  clusterName,
  nodeRoleArn: config.require("nodeRoleArn"),
  subnetIds,
  zones: [config.require("zone")],
  machineTypes: ["hpc7a.96xlarge"],
  fabric: "efa",
  ...sizes,
});

// In the zone of the pool. `pulumi destroy` keeps it in AWS with its data, unless retainOnDelete is false.
const storage = new EksSharedStorage("data", {
  kind: "fsxLustre",
  clusterName,
  subnetIds,
  pool: pool.scheduling,
  namespace,
  capacityGib: config.getNumber("capacityGib") ?? 1200,
  throughputPerTib: 250,
});

const writers = new MiniCluster("writers", {
  namespace,
  ...sizes,
  pool: pool.scheduling,
  // One process on every node.
  container: {
    image: "ubuntu:noble",
    command: "dd if=/dev/zero of=/data/rank-$FLUX_TASK_RANK bs=1M count=1024 conv=fsync",
    volumes: { data: { path: "/data", claimName: storage.claimName } },
  },
});

export const claim = storage.claimName;
export const fileSystem = storage.fileSystemId;
export const size = writers.size;
export const logs = writers.logsCommand;
