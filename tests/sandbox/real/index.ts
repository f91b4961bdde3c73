import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";

import type { Kube } from "../kube";
import { startForwarder } from "../forwarder";
import { freePorts } from "../controlPlane/ports";
import { startProcess, type SupervisedProcess } from "../controlPlane/processes";
import { waitFor } from "../waiting";
import { type NodeBinaries, nodeBinaries } from "./binaries";
import { imageArchives } from "./images";
import { dnsConfig, type Network, writeNetworkConfig } from "./network";
import { RealNode } from "./node";
import { realNodesObstacle } from "./obstacle";
import { type KubeletClient, kubeletClient } from "./settings";

export { imageNames, viewVariable } from "./images";
export { makeNetwork } from "./network";
export { RealNode } from "./node";
export { realNodesObstacle } from "./obstacle";

/** How real nodes start. */
export interface RealNodeOptions {
  /** Default: 4. Their names are real-0, real-1 and so on. */
  count?: number;
  /** Seconds without a heartbeat after which a node counts as lost. Default: 40, as in most clusters. */
  lostAfter?: number;
  /** Seconds that pods stay on a lost node, unless they say otherwise. Default: 300, as in most clusters. */
  evictAfter?: number;
}

/** What real nodes need from the cluster that they join. */
export interface Surroundings {
  /** Holds all that they write. */
  directory: string;
  kubeconfigPath: string;
  api: Kube;
  /** Address of the API server. */
  server: string;
  network: Network;
  onEnd: (what: string, log: string) => void;
}

/** Nodes that are up, with their DNS. */
export interface RealNodes {
  nodes: RealNode[];
  stop: () => Promise<void>;
}

/** Builds what real nodes need, so that their start takes seconds. Throws where none can run. */
export async function prepareRealNodes(): Promise<NodeBinaries> {
  const obstacle = realNodesObstacle();
  if (obstacle) throw new Error(obstacle);
  const binaries = await nodeBinaries();
  await imageArchives(binaries);
  return binaries;
}

/** Makes the certificate of the kubelets for the API server: pods and users of the machine also reach their ports. */
export async function writeKubeletClient(directory: string): Promise<KubeletClient> {
  const { certificate: program } = await prepareRealNodes();
  const client = kubeletClient(directory);
  await promisify(execFile)(program, [client.certificate, client.key]);
  return client;
}

/** Starts nodes and waits until pods can run on them. */
export async function startRealNodes(surroundings: Surroundings, { count = 4 }: RealNodeOptions): Promise<RealNodes> {
  const { directory, kubeconfigPath, api, server, network, onEnd } = surroundings;
  const binaries = await nodeBinaries();
  const archives = await imageArchives(binaries);
  const way = await startWayToApiServer(server, network);
  const client = kubeletClient(directory).certificate;
  const cniConfig = writeNetworkConfig(directory, network);
  const dns = startDns(directory, binaries.coredns, dnsConfig(network, kubeconfigPath), onEnd);
  const ports = await freePorts(count, network.address);
  const nodes = ports.map((port, index) => {
    const name = `real-${index}`;
    const labels = { "topology.kubernetes.io/zone": `zone-${"ab"[index % 2]}` };
    const own = { name, directory: path.join(directory, name), port, labels };
    return new RealNode({ ...own, binaries, network, cniConfig, kubeconfigPath, archives, client }, onEnd);
  });
  const stop = async () => {
    await Promise.all([dns.stop(), way.stop(), ...nodes.map((node) => node.stop())]);
  };
  try {
    await Promise.all(nodes.map((node) => node.start()));
    await Promise.all(nodes.map((node) => waitUntilReady(api, node.name)));
    return { nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What a kube-proxy is for the service "kubernetes": the API server listens on this machine's loopback alone. */
function startWayToApiServer(server: string, { apiAddress }: Network) {
  const { hostname, port } = new URL(server);
  return startForwarder({ address: apiAddress, port: 443 }, { address: hostname, port: Number(port) });
}

function startDns(
  directory: string,
  coredns: string,
  config: string,
  onEnd: Surroundings["onEnd"],
): { stop: () => Promise<void> } {
  const file = path.join(directory, "Corefile");
  fs.writeFileSync(file, config);
  let running: SupervisedProcess | undefined = startProcess("coredns", [coredns, "-conf", file], `${file}.log`);
  const started = running;
  void started.exited.then((log) => running && onEnd("DNS", log));
  return {
    stop: async () => {
      running = undefined;
      await started.stop();
    },
  };
}

/** Waits until the scheduler may use a node. */
export async function waitUntilReady(api: Kube, name: string): Promise<void> {
  const isReady = async () => {
    const { status, spec } = await api.request("GET", `/api/v1/nodes/${name}`);
    const { conditions = [] } = status as { conditions?: { type: string; status: string }[] };
    const { taints = [] } = spec as { taints?: { key: string }[] };
    const isKept = taints.some(({ key }) => key.startsWith("node.kubernetes.io/"));
    return !isKept && conditions.some((condition) => condition.type === "Ready" && condition.status === "True");
  };
  await waitFor(`node ${name} to become ready`, isReady, 60_000, 200);
}
