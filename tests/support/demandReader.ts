import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { constraintOf, resourcesOf } from "./jobShapes";
import { withModules } from "./pythonPrograms";
import { besideFlux, type Instance, someStats } from "./metricsServer";

/** A job: its options of flux submit, the reason why it waits, or its ranks. */
export interface Job {
  words?: string;
  ranks?: string;
  /** Clusters that its constraint allows. */
  on?: string[];
  queue?: string;
  priority?: number;
  resources?: object[];
}

export interface Part {
  allocated: number;
  needed: number;
  running: number;
  drained: number;
  unusable: number;
  reason: string;
  closedFrom: number;
  leaving: number;
  pending: { id: string; hosts: number; never: boolean }[];
}

/** A cluster, and its maximum number of hosts: undefined for its present size, which is 2. */
export interface Cluster {
  name: string;
  hosts: number;
  cores: number;
  gpus: number;
  max: number | null;
}

export const home: Cluster = { name: "home", hosts: 4, cores: 2, gpus: 0, max: 4 };
export const cloud: Cluster = { name: "cloud", hosts: 4, cores: 4, gpus: 0, max: 4 };
export const needs = (words: string): Job => ({ words });

const ranksOf = (text = "") => {
  const [first, last = first] = text.split("-").map(Number);
  return text === "" ? [] : Array.from({ length: last! - first! + 1 }, (_, place) => first! + place);
};

/** The instance of these clusters with these jobs. */
export function instanceOf(clusters: Cluster[], jobs: Job[], changes: Partial<Instance> = {}): Instance {
  const hosts = clusters.flatMap(({ name, hosts: count, cores, gpus }) =>
    Array.from({ length: count }, (_, place) => ({ host: `${name}-${place}`, cores, gpus })),
  );
  return {
    hosts: hosts.map(({ host }) => host),
    cores: hosts.map(({ cores }) => cores),
    gpus: hosts.map(({ gpus }) => gpus),
    online: hosts.map((_, rank) => rank),
    drained: [],
    allocated: Object.fromEntries(
      jobs.flatMap(({ ranks }) => ranksOf(ranks)).map((rank) => [rank, hosts[rank]?.cores ?? 0]),
    ),
    jobs: jobs.map(({ words = "-n1", ranks, ...job }, place) => ({
      id: `f${place}`,
      state: ranks === undefined ? "SCHED" : "RUN",
      ...(ranks !== undefined && { ranks }),
      resources: resourcesOf(words),
      ...(constraintOf(words) && { constraints: constraintOf(words) }),
      ...job,
    })),
    config: {},
    stats: { ...someStats(), queues: [] },
    ...changes,
  };
}

const reader = path.join(__dirname, "demandReader.py");

/** Hooks of a suite that reads the demand by the real program, and ways to read it. */
export function withDemandReader() {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "demand-"));
  const file = (name: string) => path.join(directory, name);
  after(() => fs.rmSync(directory, { recursive: true }));

  /** The demand of each cluster, at each of these states of the instance. */
  function readAll(clusters: Cluster[], instances: Instance[], size = 0): Record<string, Part>[] {
    const known = clusters.map(({ name, hosts, max }) => [name, hosts, max]);
    const env = besideFlux(file("instance.json"));
    const text = execFileSync("python3", ["-B", reader], {
      cwd: directory,
      env: { ...env, PYTHONPATH: withModules.PYTHONPATH },
      encoding: "utf8",
      input: JSON.stringify([known, size, instances]),
      stdio: ["pipe", "pipe", "ignore"],
    });
    return JSON.parse(text) as Record<string, Part>[];
  }

  /** The demand of each cluster by these jobs. */
  const demandsOf = (jobs: Job[], clusters = [home, cloud], changes: Partial<Instance> = {}) =>
    readAll(clusters, [instanceOf(clusters, jobs, changes)])[0]!;

  /** The size that the only cluster needs. */
  const neededFor = (jobs: Job[], cluster = home, changes: Partial<Instance> = {}) =>
    demandsOf(jobs, [cluster], changes)[cluster.name]?.needed;
  return { file, readAll, demandsOf, neededFor };
}
