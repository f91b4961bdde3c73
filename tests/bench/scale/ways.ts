import * as fs from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { MiniClusterAffinity, type MiniClusterArgs, type NodePoolScheduling } from "../../../provider";
import { jobsOf } from "../../../provider/core/parse/spec";
import { Kube } from "../../sandbox/kube";
import { cloudPlugins } from "../../sandbox/standIns/cloud";
import { createStack, type OperationResult } from "../../support/engine";
import { aMiniCluster, aMiniClusterArgs } from "../../support/fixtures";
import { sentFor } from "../../support/manifests";
import { remote, RemoteMiniCluster } from "../../support/remote";
import { bytesOf } from "./bytes";
import type { Ground } from "./ground";
import { poolArgs, poolName, poolScheduling } from "./pools";
import { runsOf } from "./plan";
import type { PlannedStep, Step } from "./step";

/** The clusters that a journey is about, and where they are. */
export interface Site {
  names: string[];
  namespace: string;
  antiAffinity: boolean;
  /** Groups of workers of each cluster; 0 where it has none. */
  groups: number;
  maxSize: number;
  /** Whether each cluster is on a separate pool. */
  onPools: boolean;
  /** Milliseconds after which the wait ends. */
  limitMs: number;
}

/** Creates and changes clusters. */
export interface Traveller {
  /** The preview of a step, before the measured time starts. */
  prepare: (step: PlannedStep) => Promise<Partial<Step>>;
  /** The step itself. */
  go: (step: PlannedStep) => Promise<unknown>;
  /** Figures that are available afterwards. */
  look: (step: PlannedStep) => Partial<Step>;
  end: () => void;
}

const argsOf = (site: Site, name: string, size: number): MiniClusterArgs =>
  aMiniClusterArgs({
    name,
    namespace: site.namespace,
    ...sizesOf(site, size),
    waitTimeoutSeconds: Math.ceil(site.limitMs / 1000),
    network: { affinity: site.antiAffinity ? MiniClusterAffinity.Required : MiniClusterAffinity.None },
  });

function sizesOf({ groups, maxSize }: Site, size: number): Partial<MiniClusterArgs> {
  if (groups === 0) return { size, maxSize };
  const named = Object.fromEntries(runsOf(groups).map((number) => [`group${number}`, { size, maxSize }] as const));
  return { size: undefined, interactive: true, groups: named, containers: [{ image: "ubuntu:noble" }] };
}

/** By the engine and the plugin, as a program in any language has them. */
export async function withPulumi(ground: Ground, site: Site): Promise<Traveller> {
  const { auditedKubeconfigPath } = ground.cluster;
  const plugins = { ...(site.onPools && (await cloudPlugins())), minicluster: ground.pluginDirectory };
  const program = (size: number) => () => {
    for (const name of site.names)
      new RemoteMiniCluster(name, { ...argsOf(site, name, size), ...poolFor(site, name, size) });
    return Promise.resolve({});
  };
  const stack = await createStack({ program: program(1), kubeconfigPath: auditedKubeconfigPath, plugins });
  return {
    prepare: async ({ to }) => {
      stack.program = program(to);
      const { durationMs, steps } = await ground.operate(stack, "preview");
      return { preview: durationMs, resources: countKinds(steps) };
    },
    go: () => ground.operate(stack, "up"),
    look: ({ to }) => ({ state: bytesOf(fs.readFileSync(stack.statePath, "utf8"), to) }),
    end: () => stack.dispose(),
  };
}

/** Makes the pool of a cluster that is on one. */
function poolFor({ onPools, maxSize }: Site, name: string, size: number): Pick<MiniClusterArgs, "pool"> {
  if (!onPools) return {};
  const { scheduling } = remote("EksNodePool", poolName(name), poolArgs(size, maxSize), ["scheduling"]);
  return { pool: scheduling as pulumi.Output<NodePoolScheduling> };
}

/** With the minimum of requests, one after the other. The patches of a new cluster set the same values again. */
export function withRequests(ground: Ground, site: Site): Promise<Traveller> {
  const kube = Kube.fromKubeconfig(ground.cluster.auditedKubeconfigPath);
  let requests: Request[] = [];
  return Promise.resolve({
    prepare: async ({ from, to }) => {
      const prepare = from === 0 ? creations : patches;
      requests = (await Promise.all(site.names.map((name) => prepare(kube, site, name, to)))).flat();
      return {};
    },
    go: async () => {
      for (const request of requests) await request();
    },
    look: () => ({}),
    end: () => kube.close(),
  });
}

type Request = () => Promise<unknown>;

async function creations(kube: Kube, site: Site, name: string, size: number): Promise<Request[]> {
  const spec = aMiniCluster({
    ...argsOf(site, name, size),
    ...(site.onPools && { pool: poolScheduling(name, size, site.maxSize) }),
  });
  const sent = (await Promise.all(jobsOf(spec).map(sentFor))) as Record<string, object>[];
  const inNamespace = `namespaces/${site.namespace}`;
  const bodies = sent.flatMap(({ secret, service, configMap, job }, place) => [
    // Groups share these.
    ...(place > 0
      ? []
      : [
          [`/api/v1/${inNamespace}/secrets`, { apiVersion: "v1", kind: "Secret", ...secret }] as const,
          [`/api/v1/${inNamespace}/services`, { apiVersion: "v1", kind: "Service", ...service }] as const,
        ]),
    [`/api/v1/${inNamespace}/configmaps`, { apiVersion: "v1", kind: "ConfigMap", ...configMap }] as const,
    [`/apis/batch/v1/${inNamespace}/jobs`, { apiVersion: "batch/v1", kind: "Job", ...job }] as const,
  ]);
  return bodies.map(
    ([path, body]) =>
      () =>
        kube.request("POST", path, body),
  );
}

function patches(kube: Kube, { namespace, groups }: Site, name: string, size: number): Promise<Request[]> {
  const jobs = groups === 0 ? [name] : runsOf(groups).map((number) => `${name}-group${number}`);
  const body = { spec: { completions: size, parallelism: size } };
  const patch = (job: string) => () =>
    kube.request("PATCH", `/apis/batch/v1/namespaces/${namespace}/jobs/${job}`, body, "application/merge-patch+json");
  return Promise.resolve(jobs.map(patch));
}

/** Resources by kind, without the stack and the providers, of which a program has one each. */
export function countKinds(steps: OperationResult["steps"]): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const { type } of steps) {
    if (type.startsWith("pulumi:")) continue;
    const kind = type.split(":").at(-1) as string;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}
