import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

import type { RealCluster } from "./clusters";
import { lab } from "./lab";

const storageClassName = "on-this-machine";

/** A small lead broker with a claim for its state, on a volume of this machine. */
export const storedLead = { resources: { requests: { cpu: "100m" } }, storage: { size: "1Gi", storageClassName } };

/** Runs a test with such a volume, which each node of this machine has. */
export async function withVolume<T>(body: (directory: string) => Promise<T>): Promise<T> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "state-"));
  const name = path.basename(directory).toLowerCase();
  const { api } = lab();
  await api.request("POST", "/api/v1/persistentvolumes", {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      storageClassName,
      hostPath: { path: directory },
    },
  });
  try {
    return await body(directory);
  } finally {
    await api.request("DELETE", `/api/v1/persistentvolumes/${name}`);
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

/** Destroys a cluster, and the claim that it leaves. */
export async function destroyed({ namespace, stack }: Pick<RealCluster, "namespace" | "stack">): Promise<void> {
  await stack.destroy();
  await lab().api.request("DELETE", `/api/v1/namespaces/${namespace}/persistentvolumeclaims/demo-state`);
}
