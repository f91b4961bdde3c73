import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";

/** One Go module under `modules/`, the packages built from it, and the executables that result. */
export interface GoModule {
  /** Folder under `modules/`. */
  name: string;
  packages: string[];
  /** Executable names as `go build -o <directory>/` chooses them. */
  executables: string[];
  /** Variables set at link time: without them clients and the automation API cannot parse the versions. */
  linkVariables: Record<string, string>;
}

/** The Pulumi version that the `pulumi` module builds, and the oldest one that is taken from PATH. */
export const pulumiVersion = "3.220.0";

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
    packages: ["kube-apiserver", "kube-controller-manager", "kube-scheduler"].map((c) => `k8s.io/kubernetes/cmd/${c}`),
    executables: ["kube-apiserver", "kube-controller-manager", "kube-scheduler"],
    linkVariables: {
      "k8s.io/component-base/version.gitVersion": "v1.36.3",
      "k8s.io/component-base/version.gitMajor": "1",
      "k8s.io/component-base/version.gitMinor": "36",
    },
  },
} satisfies Record<string, GoModule>;

/** Folder that holds `go.mod` and `go.sum` of a module. */
export function moduleDirectory(module: GoModule): string {
  return path.join(__dirname, "modules", module.name);
}

/** The `go build` arguments that come before `-o` and the packages. */
export function buildFlags(module: GoModule): string[] {
  const variables = Object.entries(module.linkVariables).map(([name, value]) => `-X ${name}=${value}`);
  return ["-trimpath", "-ldflags", ["-s", "-w", ...variables].join(" ")];
}

/** Changes when the dependencies, the flags or the platform change, so an old build is never taken for a new one. */
export function moduleKey(module: GoModule): string {
  const hash = createHash("sha256");
  for (const file of ["go.mod", "go.sum"]) hash.update(fs.readFileSync(path.join(moduleDirectory(module), file)));
  hash.update(JSON.stringify([buildFlags(module), module.packages, process.platform, process.arch]));
  return hash.digest("hex").slice(0, 16);
}
