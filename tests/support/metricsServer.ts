import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import type { MovesSpec } from "../../provider/bursting/parse/moves";
import { programTexts } from "../../provider/core/programs";
import { leadProgram } from "../../provider/minicluster/register/leadProgram";
import { zipOf } from "../../provider/shared/zip";
import { freePorts } from "../sandbox/controlPlane/ports";
import { waitFor } from "../sandbox/waiting";

/** A Flux instance, for the stand-in of Flux's Python bindings (`fluxPython`). */
export interface Instance {
  hosts: string[];
  /** Cores and GPUs of each host, or of each by its rank. */
  cores: number | number[];
  gpus: number | number[];
  /** Ranks. */
  online: number[];
  /** Ranks, those of which a reason or a time matters with both. */
  drained: (number | { rank: number; reason: string; at: number })[];
  /** Cores that jobs have, by rank. */
  allocated: Record<number, number>;
  /** Jobs that have not ended, as `flux.job.JobInfo` has them. */
  jobs: {
    id: string;
    state: string;
    queue?: string;
    /** Clusters that its constraint leaves. Default: that of its queue. */
    on?: string[];
    /** Ranks that it has. */
    ranks?: string;
    priority?: number;
    /** Default: a running job. */
    resources?: object[];
    /** What its constraint is (RFC 31). Default: that of `on`. */
    constraints?: object;
    /** Whether its user has chosen its queue. */
    chosen?: boolean;
    /** Unix times of its submission and its start, and its limit in seconds. */
    t_submit?: number;
    t_run?: number;
    duration?: number;
    /** Its whole jobspec, and the resources that it has (RFC 20). */
    jobspec?: object;
    R?: object;
    /** Events that a program has added. */
    events?: { name: string; context: Record<string, unknown> }[];
  }[];
  config: { queues?: Record<string, { stopped?: boolean }>; ingest?: { frobnicator: { plugins: string[] } } };
  /** Unix time. Default: that of this machine. */
  now?: number;
  /** Events of the journal that a program finds, and those that come then. */
  history?: JournalEvent[];
  journal?: JournalEvent[];
  /** Requests that fail or come late, by their topics. */
  faults?: Record<string, { errno?: number; seconds?: number }>;
  /** Ranks that the configuration excludes. */
  exclude?: number[];
  /** Whether the only queue is stopped. */
  stopped?: boolean;
  /** GPUs that jobs have, by rank. Default: those that belong to their cores. */
  allocatedGpus?: Record<number, number>;
  /** Ranks that have a property. */
  properties?: Record<string, number[]>;
  /** Answer of `job-list.job-stats`. */
  stats: JobStats & { queues: (JobStats & { name: string })[] };
}

/** An event of the journal of the job manager. */
export interface JournalEvent {
  job: number;
  name: string;
  timestamp: number;
  context?: object;
  jobspec?: object;
  R?: object;
}

/** Counts of jobs, as Flux has them. */
export interface JobStats {
  job_states: Record<string, number>;
  successful: number;
  failed: number;
  canceled: number;
  timeout: number;
  inactive_purged: number;
}

/** Counts of an instance without a job, but for those that are given. */
export const someStats = ({ job_states = {}, ...counts }: Partial<JobStats> = {}): JobStats => ({
  job_states: { depend: 0, priority: 0, sched: 0, run: 0, cleanup: 0, inactive: 0, total: 0, ...job_states },
  successful: 0,
  failed: 0,
  canceled: 0,
  timeout: 0,
  inactive_purged: 0,
  ...counts,
});

/** An instance of hosts with 4 cores each, without a job. */
export const idleInstance = (...hosts: string[]): Instance => ({
  hosts,
  cores: 4,
  gpus: 0,
  online: [...hosts.keys()],
  drained: [],
  allocated: {},
  jobs: [],
  config: {},
  stats: { ...someStats(), queues: [] },
});

/** The environment in which a Python program finds the stand-in of Flux's bindings, and it the instance in a file. */
export const besideFlux = (instanceFile: string) => ({
  ...process.env,
  PYTHONPATH: path.join(__dirname, "fluxPython"),
  FLUX_STAND_IN: instanceFile,
  FLUX_URI: `local://${instanceFile}.socket`,
});

/** The program of the lead broker's pod, as it runs. */
export interface MetricsServer {
  /** Folder of its files. */
  directory: string;
  process: ChildProcess;
  setInstance: (instance: Instance) => void;
  /** The state of the instance, which programs change. */
  instance: () => Instance;
  /** Sets the file with the size, as the ConfigMap of the scripts has it. */
  setSize: (size: number) => void;
  get: (path: string) => Promise<Answer>;
  /** Decisions of agents, as the console reads them. */
  decisions: () => { said: { cluster: string; text: string; state?: object }[] };
  /** Address of the demand of the queue. */
  demandUrl: string;
  metricsUrl: string;
  /** Sends a request as an agent with the key does. */
  ask: (path: string, method?: "GET" | "POST") => Promise<Answer>;
  /** A header of a signed request. */
  signed: (path: string, method: "GET" | "POST", number: number, token: string) => { authorization: string };
  /** Its standard error. */
  said: () => string;
}

interface Answer {
  status: number;
  type: string;
  text: string;
}

interface ServerOptions {
  /** Hosts of each cluster. */
  clusters?: Record<string, number>;
  hasAgent?: boolean;
  /** Prices of the nodes, by cluster. */
  prices?: Record<string, number>;
  /** How jobs move from queue to queue. */
  place?: MovesSpec;
  /** Reads Flux for each answer, where otherwise one reading answers everybody for a second. */
  isFresh?: boolean;
}

/** Runs the program of the lead broker's pod, with a stand-in of Flux, while a body runs. */
export async function withMetricsServer<T>(
  instance: Instance,
  body: (server: MetricsServer) => Promise<T>,
  { clusters, hasAgent = false, prices, place, isFresh = false }: ServerOptions = {},
): Promise<T> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "metrics-"));
  const directory = path.join(home, "metrics");
  const [stateFile, sizeFile] = [path.join(home, "instance.json"), path.join(home, "size")];
  const certificate = path.join(home, "certificate");
  const [metricsPort, demandPort] = (await freePorts(2)) as [number, number];
  const known = Object.entries(clusters ?? { demo: instance.hosts.length });
  const settings = {
    clusters: known.map(([name, hosts], place) => ({ name, hosts, max: place === 0 && !hasAgent ? null : hosts })),
    metricsPort,
    demandPort: hasAgent ? demandPort : null,
    ...(prices && { prices }),
    ...(place && { place }),
  };
  // The program may read it at any time.
  const setInstance = (state: Instance) => {
    fs.writeFileSync(`${stateFile}.new`, JSON.stringify(state));
    fs.renameSync(`${stateFile}.new`, stateFile);
  };
  const current = () => JSON.parse(fs.readFileSync(stateFile, "utf8")) as Instance;
  const setSize = (size: number) => fs.writeFileSync(sizeFile, String(size));
  fs.mkdirSync(directory);
  const texts = Object.entries(programTexts(leadProgram));
  const fresh = isFresh ? texts.map(([file, text]) => [file, text.replace(/^FRESH = .*/m, "FRESH = 0.0")]) : texts;
  const settingsFile = path.join(directory, "lead.json");
  fs.writeFileSync(path.join(directory, "lead.pyz"), zipOf(Object.fromEntries(fresh) as Record<string, string>));
  fs.writeFileSync(settingsFile, JSON.stringify(settings));
  fs.writeFileSync(certificate, "certificate");
  setInstance(instance);
  setSize(instance.online.length);
  const server = spawn("python3", ["-B", "lead.pyz", settingsFile, certificate, sizeFile], {
    cwd: directory,
    env: besideFlux(stateFile),
    stdio: ["ignore", "inherit", "pipe"],
  });
  let said = "";
  server.stderr.on("data", (text: Buffer) => (said += text.toString()));
  const fetched = async (url: string, init: RequestInit = {}) => {
    const answer = await fetch(url, init);
    return { status: answer.status, type: answer.headers.get("content-type") ?? "", text: await answer.text() };
  };
  const get = (url: string) => fetched(`http://127.0.0.1:${metricsPort}${url}`);
  const metricsUrl = `http://127.0.0.1:${metricsPort}`;
  const demandUrl = `http://127.0.0.1:${demandPort}`;
  const key = createHmac("sha256", "certificate").update("demand").digest();
  const decisions = () =>
    JSON.parse(fs.readFileSync(`${stateFile}.socket.decisions`, "utf8")) as ReturnType<MetricsServer["decisions"]>;
  const signed = (url: string, method: "GET" | "POST", number: number, token: string, session = "recorded") => {
    const nonce = `${token}.${session}.${number}`;
    const proof = createHmac("sha256", key).update(`request\n${nonce}\n${method}\n${url}`).digest("hex");
    return { authorization: `${nonce} ${proof}` };
  };
  let [number, token] = [0, ""];
  const ask = async (url: string, method: "GET" | "POST" = "GET"): Promise<Answer> => {
    const answer = await fetch(demandUrl + url, { method, headers: signed(url, method, ++number, token, "agent") });
    if (answer.status === 401 && answer.headers.get("token") !== token) {
      token = answer.headers.get("token") ?? "";
      return ask(url, method);
    }
    return { status: answer.status, type: answer.headers.get("content-type") ?? "", text: await answer.text() };
  };
  try {
    await waitFor("the program to serve", () => get("/").then(() => true), 60_000);
    const shown = { get, decisions, demandUrl, metricsUrl, ask, signed, said: () => said };
    return await body({ directory, process: server, setInstance, instance: current, setSize, ...shown });
  } finally {
    server.kill();
    fs.rmSync(home, { recursive: true });
  }
}
