import { writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { Study, StudyBetter } from "pulumi-minicluster";

const config = new pulumi.Config();

const study = new Study("scaling", {
  cluster: {
    namespace: config.get("namespace"),
    container: {
      image: "ghcr.io/converged-computing/metric-lammps:latest",
      workingDir: "/opt/lammps/examples/reaxff/HNS",
    },
  },
  // `pulumi config set --path 'sizes[3]' 8` and `pulumi up` run the new size, and nothing else.
  sizes: config.getObject<number[]>("sizes") ?? [1, 2, 4],
  repeats: 3,
  apps: {
    lammps: {
      command: "lmp -v x 2 -v y 2 -v z 2 -in in.reaxc.hns -nocite",
      figure: { pattern: "Loop time of ([0-9.]+)", unit: "s", better: StudyBetter.Lower },
    },
  },
});

// Writes the plot to a file in this directory when there are results.
study.plot.apply((svg) => writeFileSync("scaling.svg", svg));

export const table = study.table;
export const csv = study.csv;
export const failed = study.failed;
export const nodeHours = study.nodeHours;
