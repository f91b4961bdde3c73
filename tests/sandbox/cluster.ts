import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

import { clusterBinaries } from "./build/binaries";
import { nextKubernetesModule } from "./build/modules";
import * as commands from "./controlPlane/commands";
import { kubeconfig, writeAuditPolicy, writeCredentials } from "./controlPlane/credentials";
import { Kube } from "./kube";
import { createNodes, type NodeShape } from "./nodes/simulated";
import { freePorts } from "./controlPlane/ports";
import {
  makeNetwork,
  type RealNode,
  type RealNodeOptions,
  type RealNodes,
  startRealNodes,
  writeKubeletClient,
} from "./real";
import { startJanitor, startProcess, type SupervisedProcess } from "./controlPlane/processes";
import { waitFor } from "./waiting";

/** Options of a cluster. */
export interface ClusterOptions {
  /** Simulated nodes to begin with. Default: 8. */
  nodes?: number;
  /** What they look like. Default: cpu 96, memory 384Gi, pods 110, amd64, two zones. */
  nodeShape?: NodeShape;
  /**
   * Real nodes, on which pods run. With them there are no simulated ones unless `nodes` says how many. Default: none.
   */
  real?: RealNodeOptions;
  /** Jobs are ganged by Kubernetes itself, behind its gates, in this version of the API. Default: they are not. */
  gangs?: commands.GangVersion;
  /** Groups and versions that the API server does not serve, such as "resource.k8s.io/v1". Default: none. */
  withoutApis?: string[];
  /** Records the requests made with `auditedKubeconfigPath`. Default: false. */
  audit?: boolean;
}

/** A running Kubernetes control plane with its nodes. */
export interface Cluster {
  kubeconfigPath: string;
  /** Of an administrator whose requests are in the log, with `audit`. */
  auditedKubeconfigPath: string;
  /** A file with one JSON object in each line. Without `audit` it is empty text. */
  auditLog: string;
  server: string;
  token: string;
  /** JSON requests to the API server as administrator. */
  api: Kube;
  /** Adds simulated nodes, waits until they can be used, and returns their names. */
  addNodes: (count: number, shape?: NodeShape) => Promise<string[]>;
  /** The nodes on which pods run. */
  realNodes: RealNode[];
  /** Holds all that goes with the cluster. */
  directory: string;
  /** Starts a process that ends with the cluster. */
  startProcess: (name: string, command: string[]) => void;
  /** Waits for `work`, and fails if a process that it may depend on ends before. */
  failEarly: <T>(work: Promise<T>) => Promise<T>;
  /** Kills only the API server; the data stays. */
  pauseApiServer: () => Promise<void>;
  /** Starts the API server again on the same port, with new controllers, and waits until it is ready. */
  resumeApiServer: () => Promise<void>;
  /** Restarts the controllers with these rates, which are "raised" to begin with. */
  useRates: (rates: commands.RatesName) => Promise<void>;
  /** Ends every process and removes the data. */
  stop: () => Promise<void>;
}

/** Starts a cluster, whose processes never outlive this one. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const binaries = await clusterBinaries(options.gangs === "v1beta1" ? nextKubernetesModule : undefined);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-sandbox-"));
  const id = `mc-${path.basename(directory).slice(-6)}`;
  const janitor = startJanitor({ directory, bridge: options.real && id });
  const processes = new Processes(directory);
  let realNodes: RealNodes | undefined;
  const stop = async () => {
    await realNodes?.stop();
    await processes.stopAll();
    await janitor.clean();
  };
  try {
    const [etcd, etcdPeer, apiServer] = (await freePorts(3)) as [number, number, number];
    const credentials = writeCredentials(directory);
    const kubeconfigPath = path.join(directory, "kubeconfig.yaml");
    const ports = { etcd, etcdPeer, apiServer };
    const real = options.real && {
      lostAfter: 40,
      evictAfter: 300,
      ...options.real,
      client: await writeKubeletClient(directory),
      network: await makeNetwork(id),
    };
    const { gangs, withoutApis } = options;
    const audit = options.audit ? writeAuditPolicy(directory) : undefined;
    const layout = { binaries, directory, credentials, kubeconfigPath, ports, real, gangs, withoutApis, audit };
    const cluster = await bringUp(layout, processes, stop, options);
    if (options.real && real) {
      const { api, server } = cluster;
      const surroundings = {
        directory,
        kubeconfigPath,
        api,
        server,
        network: real.network,
        onEnd: (what: string, log: string) => processes.mourn(what, log),
      };
      realNodes = await processes.failEarly(startRealNodes(surroundings, options.real));
      cluster.realNodes = realNodes.nodes;
    }
    return cluster;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function bringUp(
  layout: commands.ClusterLayout,
  processes: Processes,
  stop: () => Promise<void>,
  options: ClusterOptions,
): Promise<Cluster> {
  const server = `https://127.0.0.1:${layout.ports.apiServer}`;
  const token = layout.credentials.token;
  processes.start("etcd", commands.etcdCommand(layout));
  const startApiServer = async () => {
    processes.start("kube-apiserver", commands.apiServerCommand(layout));
    await processes.failEarly(waitUntilReady(server, token));
  };
  await startApiServer();
  const ca = fs.readFileSync(path.join(commands.certificateDirectory(layout.directory), "apiserver.crt"), "utf8");
  const auditedKubeconfigPath = path.join(layout.directory, "audited-kubeconfig.yaml");
  fs.writeFileSync(layout.kubeconfigPath, kubeconfig(server, token, ca), { mode: 0o600 });
  fs.writeFileSync(auditedKubeconfigPath, kubeconfig(server, layout.credentials.auditedToken, ca), { mode: 0o600 });
  const simulated = options.nodes ?? (options.real ? 0 : 8);
  // Only real nodes that are missing at the start stay missing.
  const simulates = simulated > 0 || !options.real;
  let controllers = controllerCommands(layout, simulates, "raised");
  const restart = async (names: string[], between = () => Promise.resolve()) => {
    await Promise.all(names.map((name) => processes.stop(name)));
    await between();
    for (const name of names) processes.start(name, controllers.get(name) ?? []);
  };
  await restart([...controllers.keys()]);
  const api = new Kube({ server, token, ca });
  const counts = new Map<string, number>();
  const addNodes = (count: number, shape: NodeShape = options.nodeShape ?? {}) => {
    if (!controllers.has("kwok")) throw new Error("this cluster was started without simulated nodes; ask for some");
    const prefix = shape.namePrefix ?? "node";
    const first = counts.get(prefix) ?? 0;
    counts.set(prefix, first + count);
    return createNodes(api, first, count, shape);
  };
  const begun = simulated > 0 ? addNodes(simulated) : undefined;
  await processes.failEarly(Promise.all([begun, waitForDefaultServiceAccount(api)]));
  return {
    kubeconfigPath: layout.kubeconfigPath,
    auditedKubeconfigPath,
    auditLog: layout.audit?.log ?? "",
    server,
    token,
    api,
    addNodes,
    realNodes: [],
    directory: layout.directory,
    startProcess: (name, command) => processes.start(name, command),
    failEarly: (work) => processes.failEarly(work),
    pauseApiServer: () => processes.stop("kube-apiserver"),
    resumeApiServer: async () => {
      // Their watches back off the longer the API server is away, up to half a minute after its return; new ones do
      // not.
      await restart([...controllers.keys()], startApiServer);
    },
    useRates: async (rates) => {
      controllers = controllerCommands(layout, simulates, rates);
      // The nodes stay as they are.
      await restart([...controllers.keys()].filter((name) => name !== "kwok"));
    },
    stop: async () => {
      api.close();
      await stop();
    },
  };
}

/** The controllers and the scheduler, which keep their state in the API server and can be restarted at any time. */
function controllerCommands(
  layout: commands.ClusterLayout,
  simulates: boolean,
  rates: commands.RatesName,
): Map<string, string[]> {
  return new Map([
    ["kube-controller-manager", commands.controllerManagerCommand(layout, rates)],
    ["kube-scheduler", commands.schedulerCommand(layout, rates)],
    ...(simulates ? [["kwok", commands.kwokCommand(layout)] as const] : []),
  ]);
}

async function waitUntilReady(server: string, token: string): Promise<void> {
  const api = new Kube({ server, token });
  try {
    await waitFor("the API server to become ready", () => api.text("/readyz"), 60_000);
  } finally {
    api.close();
  }
}

/** Pods are refused in a namespace until the controllers have given it this account. */
export async function waitForDefaultServiceAccount(api: Kube, namespace = "default"): Promise<void> {
  const account = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
  await waitFor(`the default service account of namespace ${namespace}`, () => api.request("GET", account), 30_000);
}

/** The processes of one cluster by name. */
class Processes {
  private readonly running = new Map<string, SupervisedProcess>();
  private fail: (error: Error) => void = () => undefined;

  constructor(private readonly directory: string) {}

  start(name: string, command: string[]): void {
    const started = startProcess(name, command, path.join(this.directory, `${name}.log`));
    this.running.set(name, started);
    void started.exited.then((log) => {
      if (this.running.get(name) === started) this.mourn(name, log); // Else it was stopped on purpose.
    });
  }

  /** Fails pending waits when a component has ended unexpectedly. */
  mourn(name: string, log: string): void {
    const error = new Error(`the sandbox's ${name} ended by itself; its last words:\n${log}`);
    process.stderr.write(`${error.message}\n`);
    this.fail(error);
  }

  /** Waits for `work`, and fails if a process that it may depend on ends before. */
  async failEarly<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, new Promise<never>((_, reject) => (this.fail = reject))]);
  }

  async stop(name: string): Promise<void> {
    const process = this.running.get(name);
    this.running.delete(name);
    await process?.stop();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.running.keys()].map((name) => this.stop(name)));
  }
}
