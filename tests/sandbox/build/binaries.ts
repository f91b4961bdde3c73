import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";

import { withBuildLock } from "./lock";
import { cacheDirectory } from "./cacheDirectory";
import { buildModule, sourceDirectory } from "./goBuild";
import {
  definitionModules,
  type GoModule,
  goModules,
  kubernetesPluginModule,
  kubernetesPluginVersion,
  moduleKey,
  pulumiVersion,
} from "./modules";
import { type RealPlugin, realPlugin, sdkVersion } from "./realPlugins";

/** Paths of the executables a cluster is made of. */
export interface ClusterBinaries {
  etcd: string;
  apiServer: string;
  controllerManager: string;
  scheduler: string;
  kwok: string;
}

/** Executables of the control plane, built on first use. */
export async function clusterBinaries(kubernetes: GoModule = goModules.kubernetes): Promise<ClusterBinaries> {
  await buildMissing([goModules.etcd, goModules.kwok, kubernetes]);
  return {
    etcd: executable(goModules.etcd, "server"),
    apiServer: executable(kubernetes, "kube-apiserver"),
    controllerManager: executable(kubernetes, "kube-controller-manager"),
    scheduler: executable(kubernetes, "kube-scheduler"),
    kwok: executable(goModules.kwok, "kwok"),
  };
}

/** The Pulumi CLI: the one on PATH if it is recent enough, or one that is built on first use. */
export async function pulumiBinary(): Promise<{ path: string; version: string }> {
  const installed = findOnPath("pulumi");
  const version = installed && (await versionOf(installed));
  if (installed && version && isRecentEnough(version)) return { path: installed, version };
  await buildMissing([goModules.pulumi]);
  return { path: executable(goModules.pulumi, "pulumi"), version: pulumiVersion };
}

/**
 * Pulumi's Kubernetes plugin: the one that is installed, or that the engine installs, or one that is built on first
 * use.
 */
export async function kubernetesPlugin(pulumi: string): Promise<RealPlugin> {
  const installed = await realPlugin(pulumi, "kubernetes");
  if (installed) return installed;
  announcePlugin(pulumi);
  await buildMissing([kubernetesPluginModule]);
  const path = buildDirectory(kubernetesPluginModule);
  return { path, version: `${kubernetesPluginVersion} from its Go module` };
}

/** Says before the first build of the plugin what it takes, and how to avoid it. */
function announcePlugin(pulumi: string): void {
  if (isBuilt(kubernetesPluginModule)) return;
  const version = sdkVersion("kubernetes");
  report(
    "Pulumi's Kubernetes plugin is not installed, and the engine cannot download it. It is built from its Go module, " +
      "once, which takes about 10 minutes on two cores. To avoid that, stop this, and put a " +
      `pulumi-resource-kubernetes ${version} or newer on PATH, or run where the network allows it: ` +
      `${pulumi} plugin install resource kubernetes ${version}`,
  );
}

/** Builds every executable of a run that is not there yet: the engine, its Kubernetes plugin, and the control plane. */
export async function buildEverything(): Promise<void> {
  const pulumi = await pulumiBinary();
  const { etcd, kwok, kubernetes } = goModules;
  // Whether the plugin can be downloaded, only the engine can say.
  if (await realPlugin(pulumi.path, "kubernetes")) return buildMissing([etcd, kwok, kubernetes]);
  announcePlugin(pulumi.path);
  return buildMissing([etcd, kwok, kubernetes, kubernetesPluginModule]);
}

/** Karpenter's custom resource definitions as YAML, as its own module carries them. */
export async function karpenterDefinitions(): Promise<string> {
  await buildMissing([definitionModules.karpenter]);
  const { stdout } = await promisify(execFile)(executable(definitionModules.karpenter, "karpenter"));
  return stdout;
}

const nvidiaDriver = "sigs.k8s.io/dra-driver-nvidia-gpu";

/** The definition of ComputeDomain as YAML, as the module of NVIDIA's DRA driver carries it. */
export async function computeDomainDefinition(): Promise<string> {
  const sources = await sourceDirectory({ name: "nvidia" }, nvidiaDriver);
  const charts = path.join(sources, "deployments/helm/dra-driver-nvidia-gpu");
  return fs.promises.readFile(path.join(charts, "crds/resource.nvidia.com_computedomains.yaml"), "utf8");
}

/** Builds those of the modules that are not there yet, one process at a time. */
export async function buildMissing(modules: GoModule[]): Promise<void> {
  if (modules.every(isBuilt)) return;
  await withBuildLock(path.join(cacheDirectory(), "build.lock"), report, async () => {
    // Checked again: another process may have built them meanwhile.
    const missing = modules.filter((module) => !isBuilt(module));
    if (missing.length > 0)
      report(`building into ${cacheDirectory()}, once; engine and control plane take about 10 minutes on two cores`);
    for (const [index, module] of missing.entries()) {
      await withProgress(`building ${module.name}, part ${index + 1} of ${missing.length}`, () =>
        buildModule(module, buildDirectory(module)),
      );
    }
  });
}

/** Reports the current step, and repeats the report every 15 seconds. */
export async function withProgress(what: string, work: () => Promise<void>): Promise<void> {
  const started = Date.now();
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
  report(what);
  const ticker = setInterval(() => report(`${what}: ${elapsed()}`), 15_000);
  try {
    await work();
    report(`${what}: done in ${elapsed()}`);
  } finally {
    clearInterval(ticker);
  }
}

/** A line of progress. */
export function report(line: string): void {
  process.stderr.write(`sandbox: ${line}\n`);
}

function buildDirectory(module: GoModule): string {
  return path.join(cacheDirectory(), "bin", `${module.name}-${moduleKey(module)}`);
}

/** Path of an executable of a module. */
export function executable(module: GoModule, name: string): string {
  return path.join(buildDirectory(module), name);
}

/** Whether all executables of a module are there. */
export function isBuilt(module: GoModule): boolean {
  fs.mkdirSync(path.join(cacheDirectory(), "bin"), { recursive: true });
  return module.executables.every((name) => fs.existsSync(executable(module, name)));
}

/** Absolute path of an executable on PATH, if there is one. */
export function findOnPath(name: string): string | undefined {
  const candidates = (process.env.PATH ?? "").split(path.delimiter).map((directory) => path.resolve(directory, name));
  return candidates.find((candidate) => {
    try {
      fs.accessSync(candidate, fs.constants.X_OK);
      return fs.statSync(candidate).isFile();
    } catch {
      return false;
    }
  });
}

async function versionOf(pulumi: string): Promise<string | undefined> {
  try {
    const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const { stdout } = await promisify(execFile)(pulumi, ["version"], { env, timeout: 20_000 });
    return /^v?(\d+\.\d+\.\d+)/.exec(stdout.trim())?.[1];
  } catch {
    return undefined; // An executable that cannot say its version is not one to run tests with.
  }
}

function isRecentEnough(version: string): boolean {
  return version.localeCompare(pulumiVersion, "en", { numeric: true }) >= 0;
}
