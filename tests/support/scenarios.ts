import type { MiniClusterArgs } from "../../provider";
import { renderCurveCertificate } from "../../provider/brokers/parse/certificate";

/** A certificate of the user's own, from a key of which everybody sees that it is no secret. */
const ownCertificate = renderCurveCertificate("site", Buffer.alloc(32, 9));

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
        serviceName: "queue",
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
  /** Training on nodes with eight GPUs and EFA, which come and go with the pods, beside a collector of figures. */
  gpuPool: {
    name: "training",
    size: 2,
    maxSize: 4,
    tasks: 8,
    flux: { optionFlags: "-g 1 --requires=h100" },
    pool: {
      pool: "p5",
      nodeSelector: { "minicluster/pool": "p5" },
      taints: [
        { key: "nvidia.com/gpu", value: "true", effect: "NoSchedule" },
        { key: "team", effect: "NoExecute" },
      ],
      node: {
        ...{ arch: "amd64", vcpus: 192, cores: 96, memoryMib: 2_097_152, gpus: 8, gpuModel: "H100" },
        ...{ fabric: "efa", fabricInterfaces: 32 },
      },
      maxNodes: 4,
      resources: { "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "32", "hugepages-2Mi": "5120Mi" },
      environment: { FI_PROVIDER: "efa", FI_EFA_FORK_SAFE: "1" },
      lockMemory: true,
    },
    containers: [
      { name: "figures", image: "example.com/collector:2", resources: { requests: { cpu: "2", memory: "4Gi" } } },
      {
        image: "example.com/training:1.0",
        runFlux: true,
        command: "python train.py",
        environment: { FI_EFA_FORK_SAFE: "0" },
        volumes: { data: { path: "/data", claimName: "training-data" } },
      },
    ],
  },
  /** A solver on ARM nodes of a fixed number whose kubelet gives whole cores. */
  armPool: {
    name: "solver",
    size: 3,
    tasks: 120,
    disruptionBudget: false,
    flux: { container: { resources: { limits: { cpu: "1", memory: "1Gi" } } } },
    pool: {
      pool: "axion",
      nodeSelector: { "minicluster/pool": "axion" },
      taints: [{ key: "kubernetes.io/arch", value: "arm64", effect: "NoSchedule" }],
      node: { arch: "arm64", vcpus: 72, cores: 72, memoryMib: 589_824, fabric: "tier1", fabricInterfaces: 1 },
      nodes: 3,
      staticCpu: true,
    },
    containers: [
      { image: "example.com/solver:arm64", command: "solve", resources: { limits: { cpu: "40", memory: "500Gi" } } },
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
  /** Many runs of one program as a single batch job, with their output on a shared volume. */
  batchEnsemble: {
    name: "ensemble",
    size: 4,
    tasks: 4,
    flux: { optionFlags: '--job-name "the ensemble" -t 2h' },
    containers: [
      {
        image: "example.com/weather:2.1",
        batch: true,
        logs: "/data/logs",
        command: [
          "# The members of the ensemble.",
          "-n 2 member --seed 1 --out /data/1.nc",
          "-n 2 member --seed 2 --out /data/2.nc",
          "",
          'member --seed 3 --note "it\'s the last" \\',
          "  | gzip > /data/3.nc.gz",
        ].join("\n"),
        volumes: { data: { path: "/data", claimName: "weather" } },
      },
    ],
  },
  /** A cluster with a web server in front of its results and a cache, in a pod of their own. */
  webService: {
    name: "portal",
    size: 2,
    pod: { labels: { app: "portal" } },
    containers: [{ image: "example.com/solver:1", command: "solve --cache portal-services:6379" }],
    services: [
      {
        name: "web",
        image: "nginx:1.27",
        ports: [80, 443],
        environment: { NGINX_HOST: "portal.example.com" },
        secrets: { TOKEN: { name: "portal-token", key: "token" } },
        lifeCycle: { preStopExec: "nginx -s quit && sleep 5" },
        volumes: {
          site: { path: "/etc/nginx/conf.d", configMapName: "portal-site", items: { "site.conf": "default.conf" } },
        },
      },
      {
        name: "cache",
        image: "redis:7",
        ports: [6379],
        command: "redis-server --port 6379 --save ''",
        commands: { servicePre: "ulimit -n 65536", post: "echo the cache has ended" },
      },
    ],
  },
  /** A site with its own broker configuration, certificate and munge key, and one address for the lead broker. */
  customConfig: {
    name: "site",
    namespace: "hpc",
    size: 2,
    maxSize: 8,
    interactive: true,
    network: { headlessName: "site-flux" },
    flux: {
      minimalService: true,
      connectTimeout: "",
      mungeSecret: "site-munge",
      curveCert: ownCertificate,
      environment: { FLUX_MODULE_PATH_PREPEND: "/opt/site/flux modules", SITE: "it's ours" },
      brokerConfig: [
        "# Flux at our site.",
        "[access]",
        "allow-guest-user = true",
        "",
        "[bootstrap]",
        'curve_cert = "/run/site/curve.cert"',
        "default_port = 8050",
        'default_bind = "tcp://eth0:%p"',
        "hosts = [",
        '  { host = "site-0", connect = "tcp://site-flux.hpc.svc.cluster.local:8050" },',
        '  { host = "site-[1-7]" },',
        "]",
        "",
        "[resource]",
        'path = "/run/site/R"',
        "",
        "[queues.debug]",
      ].join("\n"),
    },
    containers: [{ image: "example.com/site:3", environment: { LANG: "C.UTF-8" } }],
  },
  /**
   * A cluster of which nobody is root, that talks to nobody else and keeps its state, with Flux from an image volume.
   */
  restrictedArchive: {
    name: "vault",
    size: 2,
    interactive: true,
    podSecurity: "restricted",
    network: { policy: "pods" },
    archive: { path: "/state/vault.tar.gz" },
    flux: { container: { imageVolume: true } },
    containers: [{ image: "example.com/vault:1", volumes: { state: { path: "/state", claimName: "vault-state" } } }],
    podTemplate: {
      metadata: { annotations: { "example.com/owner": "security" } },
      spec: {
        priorityClassName: "steady",
        terminationGracePeriodSeconds: 120,
        containers: [
          {
            name: "vault",
            env: [{ name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
            volumeMounts: [{ name: "scratch", mountPath: "/scratch" }],
          },
        ],
        volumes: [{ name: "scratch", emptyDir: { sizeLimit: "1Gi" } }],
      },
    },
  },
} satisfies Record<string, MiniClusterArgs>;
