import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// `pulumi config set size 8` and `pulumi up` grow the cluster in place, up to maxSize.
const lammps = new MiniCluster("lammps", {
  namespace: config.get("namespace"),
  size: config.getNumber("size") ?? 4,
  maxSize: 8,
  tasks: 2,
  logging: { quiet: true },
  pod: { labels: { selector: "lammps" } },
  container: {
    image: "ghcr.io/converged-computing/metric-lammps:latest",
    workingDir: "/opt/lammps/examples/reaxff/HNS",
    command: "lmp -v x 2 -v y 2 -v z 2 -in in.reaxc.hns -nocite",
  },
});

export const size = lammps.size;
export const logs = lammps.logsCommand;
export const connect = lammps.connectCommand;
export const diagnose = lammps.diagnoseCommand;
