import type { MiniClusterArgs } from "../../provider";

/** Clusters as people want them, for the tests that look at whole manifests. */
export const scenarios = {
  /** The LAMMPS example of the Flux Operator. */
  lammps: {
    name: "flux-sample",
    size: 4,
    tasks: 2,
    logging: { quiet: true },
    pod: { labels: { selector: "lammps" } },
    containers: [
      {
        image: "ghcr.io/converged-computing/metric-lammps:latest",
        workingDir: "/opt/lammps/examples/reaxff/HNS",
        command: "lmp -v x 2 -v y 2 -v z 2 -in in.reaxc.hns -nocite",
      },
    ],
  },
  /** A cluster to work in, with a service of the user's own beside every broker. */
  interactiveSidecar: {
    name: "workbench",
    namespace: "people",
    size: 2,
    interactive: true,
    containers: [
      { image: "ubuntu:noble", runFlux: true },
      {
        name: "queue",
        image: "redis:7",
        command: "redis-server --port 6380",
        ports: [6380],
        environment: { MODE: "cluster" },
        secrets: { PASSWORD: { name: "queue-login", key: "password" } },
        commands: { servicePre: "echo the broker is up" },
      },
    ],
  },
  /** Simulations on GPUs, with an image that brings Flux itself, shared data and much shared memory. */
  gpuVolumes: {
    name: "simulation",
    size: 2,
    tasks: 16,
    flux: { container: { disable: true }, scheduler: { queuePolicy: "easy" }, optionFlags: "-g 1" },
    pod: { restartPolicy: "Never", tolerations: [{ key: "nvidia.com/gpu", operator: "Exists" }] },
    containers: [
      {
        image: "example.com/simulation:1.0",
        command: "./run.sh | tee /data/out/$FLUX_JOB_ID.log",
        imagePullSecret: "registry",
        resources: { limits: { cpu: "32", memory: "256Gi", "nvidia.com/gpu": "8" } },
        volumes: {
          data: { path: "/data", claimName: "simulation-data" },
          settings: { path: "/etc/simulation", configMapName: "settings", items: { "a.ini": "simulation.ini" } },
          memory: { emptyDir: true, emptyDirMedium: "Memory", emptyDirSizeLimit: "64Gi" },
        },
      },
    ],
  },
  /** A workflow on ARM nodes that starts small and may grow. */
  armElastic: {
    name: "elastic",
    size: 2,
    minSize: 1,
    maxSize: 64,
    jobLabels: { team: "weather" },
    flux: { arch: "arm64", topology: "kary:2", connectTimeout: "10s" },
    network: { affinity: "preferred", headlessName: "elastic-hosts" },
    containers: [
      {
        image: "example.com/workflow:arm64",
        launcher: true,
        command: "nextflow run main.nf",
        commands: { pre: "export NXF_EXECUTOR=flux", brokerPre: "mkdir -p work", workerPre: "sleep 1" },
      },
    ],
  },
} satisfies Record<string, MiniClusterArgs>;
