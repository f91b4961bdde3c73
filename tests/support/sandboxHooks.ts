import { randomBytes } from "node:crypto";

import { buildEverything } from "../sandbox/build/binaries";
import { type Cluster, startCluster, waitForDefaultServiceAccount } from "../sandbox/cluster";
import { engineSetup } from "./engineSetup";
import { Kube } from "../sandbox/kube";
import { removeRoots } from "./scripts/root";
import { shareVault } from "./vault";

/** Kubeconfig of the run's cluster, for mocha's workers. A run that starts with it leaves the cluster running. */
const variable = "MINICLUSTER_SANDBOX_KUBECONFIG";

let cluster: Cluster | undefined;

/** Starts the cluster of the run, and finds or builds the engine; mocha calls it once, also with `--parallel`. */
export async function mochaGlobalSetup(): Promise<void> {
  if (!process.env[variable]) await buildEverything();
  await Promise.all([engineSetup(), shareVault()]);
  if (process.env[variable]) return;
  cluster = await startCluster();
  process.env[variable] = cluster.kubeconfigPath;
}

/** Stops the cluster of the run. */
export async function mochaGlobalTeardown(): Promise<void> {
  if (!cluster) return;
  await cluster.stop();
  cluster = undefined;
  Reflect.deleteProperty(process.env, variable);
}

/** The cluster that all test files of a run share. */
export interface SharedCluster {
  kubeconfigPath: string;
  kube: Kube;
  /** Makes a namespace no other test has, ready for pods; it is deleted after the tests of the file. */
  newNamespace: (labels?: Record<string, string>) => Promise<string>;
}

let shared: SharedCluster | undefined;
const namespaces = new Set<string>();

/** The cluster of the run, from any test or hook. */
export function sharedCluster(): SharedCluster {
  const kubeconfigPath = process.env[variable];
  if (!kubeconfigPath) throw new Error("no shared cluster: run mocha with --require tests/support/sandboxHooks.ts");
  if (shared?.kubeconfigPath !== kubeconfigPath) {
    const kube = Kube.fromKubeconfig(kubeconfigPath);
    const newNamespaceToDelete = async (labels?: Record<string, string>) => {
      const name = await newNamespace(kube, labels);
      namespaces.add(name);
      return name;
    };
    shared = { kubeconfigPath, kube, newNamespace: newNamespaceToDelete };
  }
  return shared;
}

/** A cluster of a test file's own, to be used like the shared one. Its namespaces go with it. */
export const ownCluster = ({ kubeconfigPath, api }: Cluster): SharedCluster => ({
  kubeconfigPath,
  kube: api,
  newNamespace: (labels) => newNamespace(api, labels),
});

/** The cluster of the run, if there is one: the unit tests run without one as well, and then skip what needs it. */
export function clusterIfAny(): SharedCluster | undefined {
  try {
    return sharedCluster();
  } catch {
    return undefined;
  }
}

async function newNamespace(kube: Kube, labels: Record<string, string> = {}): Promise<string> {
  const name = `test-${randomBytes(4).toString("hex")}`;
  await kube.create({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
  await waitForDefaultServiceAccount(kube, name);
  return name;
}

/** Mocha's root hooks: they remove the files and namespaces of the tests in a file. */
export const mochaHooks = {
  async afterAll(): Promise<void> {
    removeRoots();
    if (namespaces.size === 0) return;
    const { kube } = sharedCluster();
    await Promise.all([...namespaces].map((name) => kube.delete({ apiVersion: "v1", kind: "Namespace", name })));
    namespaces.clear();
  },
};
