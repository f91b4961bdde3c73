import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

import { cacheDirectory } from "./build/cacheDirectory";

/** An Indexed Job with one container, in the `default` namespace unless the override says otherwise. */
export function anIndexedJob(name: string, pods: number, podLabels: Record<string, string> = {}, spec: object = {}) {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, namespace: "default" },
    spec: {
      completionMode: "Indexed",
      completions: pods,
      parallelism: pods,
      backoffLimit: 0,
      template: {
        metadata: { labels: podLabels },
        spec: {
          restartPolicy: "Never",
          initContainers: [{ name: "view", image: "view" }],
          containers: [{ name: "main", image: "main" }],
        },
      },
      ...spec,
    },
  };
}

/** Command lines of the processes that belong to the cluster with this kubeconfig. */
export function processesOf(kubeconfigPath: string): string[] {
  const directory = path.basename(path.dirname(kubeconfigPath));
  const all = execFileSync("ps", ["-A", "-ww", "-o", "args="], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return all.split("\n").filter((line) => line.includes(directory));
}

/** A cache directory that shares what is built, but not the user's own sandbox. */
export function borrowedCache(): string {
  const borrowed = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-cache-"));
  const own = /^(keeper\.|build\.lock)/;
  for (const entry of fs.readdirSync(cacheDirectory()).filter((name) => !own.test(name))) {
    fs.symlinkSync(path.join(cacheDirectory(), entry), path.join(borrowed, entry));
  }
  return borrowed;
}
