import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";

/** One Go module under `modules/`, the packages built from it, and the executables that result. */
export interface GoModule {
  name: string;
  /** Folder under `modules/`. Default: the name. */
  folder?: string;
  packages: string[];
  /** Executable names as `go build -o <directory>/` chooses them. */
  executables: string[];
  /** Variables set at link time: without them clients and the automation API cannot parse the versions. */
  linkVariables: Record<string, string>;
  /** For what links with libraries of the system. Default: without cgo. */
  cgo?: boolean;
  tags?: string[];
  /** Files of a module, by its path, which the executables read beside them. */
  files?: { module: string; paths: string[] };
}

/** The Pulumi version that the `pulumi` module builds, and the oldest one that is taken from PATH. */
export const pulumiVersion = "3.220.0";

const kubernetesVersion = {
  "k8s.io/component-base/version.gitVersion": "v1.36.3",
  "k8s.io/component-base/version.gitMajor": "1",
  "k8s.io/component-base/version.gitMinor": "36",
};

const kubernetesPackages = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"];

/** In build order: the part that is quickest to fail first, the longest one last. */
export const goModules = {
  etcd: { name: "etcd", packages: ["go.etcd.io/etcd/server/v3"], executables: ["server"], linkVariables: {} },
  kwok: { name: "kwok", packages: ["sigs.k8s.io/kwok/cmd/kwok"], executables: ["kwok"], linkVariables: {} },
  pulumi: {
    name: "pulumi",
    packages: ["github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"],
    executables: ["pulumi"],
    linkVariables: { "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": `v${pulumiVersion}` },
  },
  kubernetes: {
    name: "kubernetes",
    packages: kubernetesPackages.map((name) => `k8s.io/kubernetes/cmd/${name}`),
    executables: kubernetesPackages,
    linkVariables: kubernetesVersion,
  },
} satisfies Record<string, GoModule>;

/** Components of real nodes, and the programs in their pods. */
export const nodeModules = {
  pods: {
    name: "pods",
    packages: ["./pause", "./flux", "./certificate"],
    executables: ["pause", "flux", "certificate"],
    linkVariables: {},
  },
  runc: {
    name: "runc",
    packages: ["github.com/opencontainers/runc"],
    executables: ["runc"],
    linkVariables: {},
    cgo: true,
    tags: ["seccomp"],
  },
  cni: {
    name: "cni",
    packages: ["main/bridge", "main/loopback", "ipam/host-local"].map(
      (plugin) => `github.com/containernetworking/plugins/plugins/${plugin}`,
    ),
    executables: ["bridge", "loopback", "host-local"],
    linkVariables: {},
  },
  containerd: {
    name: "containerd",
    packages: ["containerd", "containerd-shim-runc-v2", "ctr"].map(
      (c) => `github.com/containerd/containerd/v2/cmd/${c}`,
    ),
    executables: ["containerd", "containerd-shim-runc-v2", "ctr"],
    linkVariables: {},
  },
  coredns: { name: "coredns", packages: ["."], executables: ["coredns"], linkVariables: {} },
  // Of the control plane's module, but a separate build: a machine without real nodes does not need it.
  kubelet: {
    name: "kubelet",
    folder: "kubernetes",
    packages: ["k8s.io/kubernetes/cmd/kubelet"],
    executables: ["kubelet"],
    linkVariables: kubernetesVersion,
  },
} satisfies Record<string, GoModule>;

/** The version that the plugin from the module reports. */
export const kubernetesPluginVersion = "4.34.2";

const kubernetesProvider = "github.com/pulumi/pulumi-kubernetes/provider/v4";

/** Pulumi's Kubernetes plugin, for machines on which the engine cannot install it. */
export const kubernetesPluginModule: GoModule = {
  name: "kubernetes-plugin",
  packages: ["."],
  executables: ["pulumi-resource-kubernetes"],
  linkVariables: { [`${kubernetesProvider}/pkg/version.Version`]: kubernetesPluginVersion },
  files: { module: kubernetesProvider, paths: ["cmd/pulumi-resource-kubernetes/schema.json"] },
};

/** What the engine runs programs in YAML by. */
export const yamlModule: GoModule = {
  name: "pulumi-yaml",
  packages: ["github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"],
  executables: ["pulumi-language-yaml"],
  linkVariables: {},
};

/** For the pages whose commands are run. */
export const kubectlModule: GoModule = {
  name: "kubectl",
  packages: ["."],
  executables: ["kubectl"],
  linkVariables: kubernetesVersion,
};

/** A device plugin of real nodes: it is built with the first test that has devices. */
export const devicePluginModule: GoModule = {
  name: "device-plugin",
  packages: ["."],
  executables: ["device-plugin"],
  linkVariables: {},
};

/** Kinds of objects that a cluster has after their installation. */
export const definitionModules = {
  karpenter: { name: "karpenter", packages: ["."], executables: ["karpenter"], linkVariables: {} },
} satisfies Record<string, GoModule>;

/** The next Kubernetes, for tests of features that this one lacks: built if MINICLUSTER_NEXT_KUBERNETES is set. */
export const nextKubernetesModule: GoModule = {
  ...goModules.kubernetes,
  name: "kubernetes-next",
  linkVariables: {
    "k8s.io/component-base/version.gitVersion": "v1.37.1",
    "k8s.io/component-base/version.gitMajor": "1",
    "k8s.io/component-base/version.gitMinor": "37",
  },
};

/** Kueue, for the tests that queue clusters: it is built with the first of them. */
export const kueueModule: GoModule = {
  name: "kueue",
  packages: ["sigs.k8s.io/kueue/cmd/kueue"],
  executables: ["kueue"],
  linkVariables: {},
};

/** Prometheus' parsers and its engine, for the tests of metrics. */
export const prometheusModule: GoModule = {
  name: "prometheus",
  packages: ["."],
  executables: ["prometheus"],
  linkVariables: {},
};

/** The Prometheus Operator's definitions of its kinds: sources alone, of which nothing is built. */
export const monitorsModule: GoModule = { name: "monitors", packages: [], executables: [], linkVariables: {} };

/** Folder that holds `go.mod` and `go.sum` of a module. */
export function moduleDirectory({ name, folder = name }: Pick<GoModule, "name" | "folder">): string {
  return path.join(__dirname, "../modules", folder);
}

/** The `go build` arguments that come before `-o` and the packages. */
export function buildFlags(module: GoModule): string[] {
  const variables = Object.entries(module.linkVariables).map(([name, value]) => `-X ${name}=${value}`);
  const tags = module.tags ? ["-tags", module.tags.join(",")] : [];
  return ["-trimpath", ...tags, "-ldflags", ["-s", "-w", ...variables].join(" ")];
}

/** Changes when the dependencies, the flags or the platform change, so an old build is never taken for a new one. */
export function moduleKey(module: GoModule): string {
  const hash = createHash("sha256");
  const directory = moduleDirectory(module);
  const ours = fs.readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".go"));
  for (const file of ["go.mod", "go.sum", ...ours.sort()]) hash.update(fs.readFileSync(path.join(directory, file)));
  hash.update(JSON.stringify([buildFlags(module), module.packages, process.platform, process.arch]));
  return hash.digest("hex").slice(0, 16);
}
