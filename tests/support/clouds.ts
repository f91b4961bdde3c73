import assert from "node:assert/strict";
import { type Cluster, type ClusterOptions, startCluster } from "../sandbox/cluster";
import { cloudPlugins } from "../sandbox/standIns/cloud";
import { nodeShapeOf } from "./cloudNodes";
import { readable } from "./clusters";
import { createStack, type OperationResult, type Program, type TestStack } from "./engine";
import { Kube } from "../sandbox/kube";
import { type RunningPlugin, runPlugin } from "./plugin";

/** A cluster in a cloud: without a node, until a pool has some. */
export interface Cloud {
  cluster: Cluster;
  kube: Kube;
}

/** Starts a Kubernetes cluster, by default without nodes. */
export async function startCloud(options: ClusterOptions = {}): Promise<Cloud> {
  const cluster = await startCluster({ nodes: 0, ...options });
  return { cluster, kube: Kube.fromKubeconfig(cluster.kubeconfigPath) };
}

/** Hooks of a suite with a separate cluster, available in its tests. */
export function cloudOfSuite(options: ClusterOptions = {}): Cloud {
  const cloud = {} as Cloud;
  before(async () => void Object.assign(cloud, await startCloud(options)));
  after(() => cloud.cluster.stop());
  return cloud;
}

/** A stack whose cloud providers are recording stand-ins, in a separate namespace. */
export interface CloudStack {
  stack: TestStack;
  namespace: string;
  /** Acts as a cloud when the pool of a preview grows: adds the requested nodes. */
  addNodes: (preview: OperationResult, count: number) => Promise<string[]>;
}

/** Options of a stack in a cloud. */
export interface CloudStackOptions {
  config?: Record<string, string>;
  /** Directories of further provider plugins, by name. */
  plugins?: Record<string, string>;
  /** Default: a name that no other test has. */
  namespace?: string;
  /** Whether the stack's settings of the provider let the program read the API server. Default: false. */
  reads?: boolean;
}

/** Runs a test with a stack in a cloud, destroys the stack, and checks that nothing remains. */
export async function withCloudStack(
  { cluster, kube }: Cloud,
  program: (namespace: string) => Program,
  body: (cloud: CloudStack) => Promise<void>,
  { config = {}, plugins = {}, namespace = `cloud-${(namespaces += 1)}`, reads }: CloudStackOptions = {},
): Promise<void> {
  await kube.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const stack = await createStack({
    program: program(namespace),
    kubeconfigPath: cluster.kubeconfigPath,
    config: { namespace, ...readable(cluster.kubeconfigPath, reads), ...config },
    plugins,
    running: await runningClouds(),
    // Part of what a golden shows.
    stackName: "dev",
  });
  const nodes: string[] = [];
  try {
    const addNodes = async (preview: OperationResult, count: number) => {
      const added = await cluster.addNodes(count, nodeShapeOf(preview));
      nodes.push(...added);
      return added;
    };
    await body({ stack, namespace, addNodes });
  } finally {
    await stack.destroy();
    assert.deepEqual(await left(kube, namespace), []);
    await Promise.all(nodes.map((name) => kube.delete({ apiVersion: "v1", kind: "Node", name })));
    stack.dispose();
  }
}

let namespaces = 0;

let clouds: Promise<RunningPlugin[]> | undefined;

/** The stand-ins of the clouds' plugins, which run for all stacks in a cloud of this process. */
export const runningClouds = () => (clouds ??= runClouds());

/** Runs the stand-ins of the clouds' plugins, to which engines may attach. */
export async function runClouds(): Promise<RunningPlugin[]> {
  const directories = Object.entries(await cloudPlugins());
  return Promise.all(directories.map(([name, directory]) => runPlugin(name, directory)));
}

/** The remains of a stack in its namespace and in that of the device plugins. */
async function left(kube: Kube, namespace: string): Promise<string[]> {
  const kinds = [
    ["batch/v1", "Job", namespace],
    ["v1", "Pod", namespace],
    ["v1", "Service", namespace],
    ["v1", "Secret", namespace],
    ["policy/v1", "PodDisruptionBudget", namespace],
    ["apps/v1", "DaemonSet", "kube-system"],
  ] as const;
  const lists = await Promise.all(
    kinds.map(([apiVersion, kind, home]) => kube.list({ apiVersion, kind, namespace: home })),
  );
  return lists.flat().map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}
