import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";

import { withBuildLock } from "./lock";
import { cacheDirectory } from "./cacheDirectory";
import { buildModule, sourceDirectory } from "./goBuild";
import { definitionModules, type GoModule, goModules, moduleKey, pulumiVersion } from "./modules";

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

/** Builds every executable that is not there yet, so a person sees one progress count for the whole of it. */
export async function buildEverything(): Promise<void> {
  const installed = findOnPath("pulumi");
  const version = installed && (await versionOf(installed));
  const needsPulumi = !version || !isRecentEnough(version);
  const { etcd, kwok, pulumi, kubernetes } = goModules;
  await buildMissing(needsPulumi ? [etcd, kwok, pulumi, kubernetes] : [etcd, kwok, kubernetes]);
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
      report(`building into ${cacheDirectory()}, once; all parts take about 10 minutes on two cores`);
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
