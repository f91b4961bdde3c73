import type { MiniClusterArgs, NodePoolScheduling } from "../../provider";
import { renderCurveCertificate } from "../../provider/brokers/parse/certificate";

/** The certificate of nobody, from a key of which everybody sees that it is no secret. */
export const standInCertificate = renderCurveCertificate("stand-in", Buffer.alloc(32, 5));

/** What a pool says of itself, with every property that there is. */
export const aWholePool: NodePoolScheduling = {
  ...{ pool: "hpc", nodeSelector: { "minicluster/pool": "hpc" }, nodes: 4, maxNodes: 8, zones: ["us-east-1a"] },
  taints: [
    { key: "nvidia.com/gpu", value: "true", effect: "NoSchedule" },
    { key: "kubernetes.io/arch", value: "arm64", effect: "NoSchedule" },
  ],
  node: {
    ...{ arch: "arm64", vcpus: 144, cores: 144, memoryMib: 983_040, gpus: 4, gpuModel: "GB200" },
    ...{ fabric: "efa", fabricInterfaces: 4 },
  },
  resources: { "nvidia.com/gpu": "4", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "5120Mi" },
  ...{ environment: { FI_PROVIDER: "efa" }, annotations: { "example.com/networks": "[]" } },
  ...{ hostPaths: { "/opt/driver": "/home/driver" }, lockMemory: true, staticCpu: false },
  gpusPerContainer: 4,
  claims: [{ name: "rdma", deviceClass: "mrdma.google.com", count: 1 }],
  ...{ claimSets: 4, matchAttributes: ["resource.kubernetes.io/pcieRoot"], computeDomain: true },
};

/** Arguments in which every property is given that does not exclude another, so that a test can walk through them. */
export const everything: MiniClusterArgs = {
  ...{ name: "demo", namespace: "hpc", size: 2, minSize: 1, maxSize: 4, tasks: 2 },
  ...{ interactive: false, deadlineSeconds: 60, backoffLimit: 1, shareProcessNamespace: true, suspend: false },
  ...{ cleanup: true, retryCommand: true, podSecurity: "baseline", archive: { path: "/claim/state.tgz" } },
  ...{ wait: "ready", waitTimeoutSeconds: 60, drainTimeoutSeconds: 60, resize: "patch" },
  jobLabels: { team: "a" },
  flux: {
    container: {
      ...{ image: "view", name: "view", mountPath: "/flux", workingDir: "/w", pythonPath: "/p" },
      resources: { limits: { cpu: "1" }, requests: { cpu: "1" } },
      ...{ imagePullSecret: "pull", pullAlways: true, disable: false, imageVolume: false },
      securityContext: { runAsUser: 0 },
    },
    ...{ arch: "arm64", submitCommand: "flux submit", optionFlags: "-c 1", wrap: "strace", connectTimeout: "5s" },
    ...{ topology: "kary:0", disableSocket: true, noWaitSocket: true, completeWorkers: true, logLevel: 7 },
    ...{ minimalService: true, curveCert: standInCertificate, mungeSecret: "munge", environment: { A: "a" } },
    scheduler: { simple: false, queuePolicy: "easy", matchPolicy: "first" },
    bursting: { clusters: [{ name: "burst", size: 2 }] },
  },
  containers: [
    {
      ...{ image: "main", name: "main", command: "x", workingDir: "/w", runFlux: true, launcher: false },
      ...{ batch: true, batchRaw: true, logs: "/claim/logs", noWrapEntrypoint: false },
      ...{ imagePullSecret: "pull", imagePullPolicy: "Always", ports: [80] },
      environment: { A: "a" },
      secrets: { B: { name: "s", key: "k" } },
      resources: { limits: { cpu: "1" }, requests: { cpu: "1" } },
      securityContext: {
        ...{ privileged: false, allowPrivilegeEscalation: false, runAsUser: 1, runAsGroup: 1, runAsNonRoot: true },
        ...{ readOnlyRootFilesystem: true, procMount: "Default" },
        capabilities: { add: ["SYS_NICE"], drop: ["ALL"] },
        seccompProfile: { type: "Localhost", localhostProfile: "a" },
        appArmorProfile: { type: "Localhost", localhostProfile: "a" },
        seLinuxOptions: { level: "l", role: "r", type: "t", user: "u" },
      },
      lifeCycle: { postStartExec: "a", preStopExec: "b" },
      commands: { prefix: "time", init: "a", pre: "b", post: "c", brokerPre: "d", workerPre: "e" },
      volumes: {
        host: { path: "/host", hostPath: "/x", readOnly: true },
        config: { path: "/config", configMapName: "c", items: { a: "b" } },
        claim: { path: "/claim", claimName: "c" },
        secret: { path: "/secret", secretName: "s" },
        empty: { path: "/empty", emptyDir: true, emptyDirMedium: "Memory", emptyDirSizeLimit: "1Gi" },
        csi: { path: "/csi", csiDriver: "d", csiDriverAttributes: { a: "b" } },
      },
    },
    {
      ...{ image: "side", name: "side", pullAlways: true, ports: [81], serviceName: "side-service" },
      commands: { script: "x", servicePre: "y" },
    },
    { image: "bare", name: "bare", command: "x", noWrapEntrypoint: true },
  ],
  services: [
    {
      ...{ image: "store", name: "store", command: "x", workingDir: "/w", imagePullSecret: "pull", ports: [6379] },
      ...{ environment: { A: "a" }, secrets: { B: { name: "s", key: "k" } }, noWrapEntrypoint: false },
      ...{ resources: { limits: { cpu: "1" } }, securityContext: { runAsUser: 1 }, lifeCycle: { preStopExec: "a" } },
      ...{ commands: { servicePre: "y" }, volumes: { claim: { path: "/claim", claimName: "c" } } },
    },
  ],
  pod: {
    ...{ annotations: { a: "b" }, labels: { a: "b" }, nodeSelector: { a: "b" }, nodeAffinity: { a: ["b"] } },
    ...{ restartPolicy: "Never", serviceAccountName: "s", automountServiceAccountToken: true },
    ...{ runtimeClassName: "r", schedulerName: "s", dnsPolicy: "Default", hostIPC: true, hostPID: false },
    tolerations: [{ key: "a", operator: "Equal", value: "b", effect: "NoSchedule" }],
    resources: { limits: { cpu: "8" }, requests: { cpu: "8" } },
    securityContext: {
      ...{ fsGroup: 1, fsGroupChangePolicy: "Always", runAsUser: 1, runAsGroup: 1, runAsNonRoot: true },
      ...{ supplementalGroups: [1], supplementalGroupsPolicy: "Merge" },
      sysctls: [{ name: "a", value: "b" }],
      seccompProfile: { type: "Localhost", localhostProfile: "a" },
      appArmorProfile: { type: "Localhost", localhostProfile: "a" },
      seLinuxOptions: { level: "l", role: "r", type: "t", user: "u" },
      seLinuxChangePolicy: "Recursive",
    },
  },
  podTemplate: {
    metadata: { labels: { env: "x" }, annotations: { c: "d" } },
    spec: {
      containers: [
        {
          ...{ name: "main", env: [{ name: "D", value: "d" }], ports: [{ containerPort: 80, name: "http" }] },
          volumeMounts: [{ name: "extra", mountPath: "/extra" }],
        },
        { name: "further", image: "further" },
      ],
      initContainers: [{ name: "side", resources: { limits: { cpu: "2" } } }],
      tolerations: [{ operator: "Exists" }],
      volumes: [{ name: "extra", emptyDir: {} }],
    },
  },
  ...{ pool: aWholePool, disruptionBudget: true, prepull: true },
  network: { headlessName: "hosts", affinity: "preferred" },
  logging: { quiet: true, strict: false, debug: true, zeromq: true, timed: true },
};

/**
 * Clusters that give, between them, every property of the arguments: what excludes something stands in one of its own.
 */
export const allClusters: Record<string, MiniClusterArgs> = {
  everything,
  "a cluster that joins another": {
    name: "burst",
    gang: { queueName: "queue", elastic: false, topology: { required: "example.com/rack" } },
    network: { policy: "pods" },
    flux: {
      bursting: {
        leadBroker: { address: "203.0.113.7", name: "demo", size: 2, port: 30_850 },
        hostlist: "demo-[0-1],burst-0",
      },
    },
    containers: [{ image: "main" }],
  },
  "a cluster that others may join by a port of its nodes": {
    name: "home",
    gang: { queueName: "queue", elastic: false, topology: { unconstrained: true } },
    containers: [{ image: "main" }],
    bursting: {
      clusters: [
        { name: "far", size: 1, maxSize: 4, properties: ["fast"], cores: 8, gpus: 1, pool: aWholePool },
        { name: "near", maxSize: 1 },
      ],
      expose: { nodePort: { address: "203.0.113.7", port: 30_850 }, demand: { port: 30_860 } },
      spanClusters: true,
    },
  },
  "a cluster that others may join by a load balancer": {
    name: "home",
    gang: { queueName: "queue", elastic: false, topology: { preferred: "example.com/rack" } },
    containers: [{ image: "main" }],
    bursting: {
      clusters: [{ name: "far", maxSize: 4 }],
      expose: {
        loadBalancer: {
          ...{ cloud: "aws", sourceRanges: ["203.0.113.0/24"], internetFacing: true, openToWorld: false },
          ...{ annotations: { a: "b" }, loadBalancerClass: "eks.amazonaws.com/nlb" },
        },
      },
    },
  },
  "a cluster that others may join by an address": {
    name: "home",
    resize: "manifest",
    gang: { native: { minCount: 1, version: "v1alpha2" } },
    containers: [{ image: "main" }],
    bursting: {
      clusters: [{ name: "far", maxSize: 4 }],
      expose: { endpoint: { address: "lead.example.com", port: 443 } },
    },
  },
  "a cluster whose size follows its queue": {
    name: "elastic",
    interactive: true,
    autoscale: { min: 1, max: 4, idleSeconds: 60, cooldownSeconds: 10, maxStep: 2 },
    network: { policy: "pods" },
    metrics: { port: 9100, fromNamespace: "monitoring", podMonitor: { labels: { release: "a" }, intervalSeconds: 30 } },
    containers: [{ image: "main" }],
  },
  "a cluster with its own configuration": {
    name: "own",
    gang: { schedulerName: "fluence" },
    flux: { brokerConfig: "[resource]\npath = '/R'\n" },
    containers: [{ image: "main" }],
  },
};
