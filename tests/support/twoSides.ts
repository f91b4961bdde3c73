import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { waitForDefaultServiceAccount } from "../sandbox/cluster";
import { type Cloud, type CloudStack, type CloudStackOptions, withCloudStack } from "./clouds";
import { leftIn } from "./clusters";
import type { Kube } from "../sandbox/kube";
import { exampleProgram } from "./programs";
import { sharedCluster } from "./sandboxHooks";

/** Names of the contexts of both clusters, in the kubeconfig of the test. */
export const contexts = { home: "home", cloud: "cloud" };

/** An example over the cluster of the run, its home, and one in a cloud. */
export interface TwoSides extends CloudStack {
  home: Kube;
  cloud: Kube;
}

/**
 * Runs a test with an example over two clusters, in one namespace of both, and checks that destroy leaves nothing in
 * either.
 */
export async function withBothSides(
  cloud: Cloud,
  example: string,
  body: (it: TwoSides) => Promise<void>,
  options: CloudStackOptions & { namespace: string },
): Promise<void> {
  const { kube: home, kubeconfigPath } = sharedCluster();
  const { namespace } = options;
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-contexts-"));
  const merged = path.join(directory, "kubeconfig.yaml");
  fs.writeFileSync(merged, mergeKubeconfigs({ home: kubeconfigPath, cloud: cloud.cluster.kubeconfigPath }));
  await home.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  await waitForDefaultServiceAccount(home, namespace);
  const withMerged = { ...cloud, cluster: { ...cloud.cluster, kubeconfigPath: merged } };
  try {
    await withCloudStack(
      withMerged,
      () => exampleProgram(example),
      (stack) => body({ ...stack, home, cloud: cloud.kube }),
      options,
    );
    assert.deepEqual([await leftIn(namespace, home), await leftIn(namespace, cloud.kube)], [[], []]);
  } finally {
    await home.delete({ apiVersion: "v1", kind: "Namespace", name: namespace });
    fs.rmSync(directory, { recursive: true });
  }
}

interface Kubeconfig {
  clusters: [{ cluster: object }];
  users: [{ user: object }];
}

/** One kubeconfig of two, with a context for each; that of home is the current one. */
function mergeKubeconfigs(files: Record<keyof typeof contexts, string>): string {
  const all = Object.entries(files).map(([side, file]) => {
    const { clusters, users } = JSON.parse(fs.readFileSync(file, "utf8")) as Kubeconfig;
    return { name: contexts[side as keyof typeof contexts], cluster: clusters[0].cluster, user: users[0].user };
  });
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": contexts.home,
    clusters: all.map(({ name, cluster }) => ({ name, cluster })),
    users: all.map(({ name, user }) => ({ name, user })),
    contexts: all.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
  });
}
