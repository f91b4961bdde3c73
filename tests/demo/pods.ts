import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Kube, type KubeObject } from "../sandbox/kube";

/** A pod of the cluster, as the demo shows it. */
export interface ShownPod {
  rank: number;
  name: string;
  uid: string;
  node: string;
  ready: boolean;
}

/** Lists the pods of a Job. */
export type ListPods = (namespace: string, job: string) => Promise<ShownPod[]>;

/** For the sandbox, which needs no kubectl. */
export function podsBySandbox(kubeconfigPath: string): ListPods {
  const kube = Kube.fromKubeconfig(kubeconfigPath);
  return async (namespace, job) => (await kube.podsOfJob(namespace, job)).map(({ pod }) => pod).flatMap(shown);
}

/** For the current context, with any login. */
export const podsByKubectl: ListPods = async (namespace, job) => {
  const query = ["get", "pod", "--namespace", namespace, "--selector", `job-name=${job}`, "--output", "json"];
  const { stdout } = await promisify(execFile)("kubectl", query, { maxBuffer: 2 ** 26 });
  return (JSON.parse(stdout) as { items: KubeObject[] }).items.flatMap(shown).sort((a, b) => a.rank - b.rank);
};

/** A terminating pod is not shown. */
function shown(object: KubeObject): ShownPod[] {
  const { metadata, spec, status } = object as unknown as {
    metadata: { name: string; uid: string; deletionTimestamp?: string; annotations: Record<string, string> };
    spec: { nodeName?: string };
    status: { conditions?: { type: string; status: string }[] };
  };
  if (metadata.deletionTimestamp) return [];
  const rank = Number(metadata.annotations["batch.kubernetes.io/job-completion-index"]);
  const ready = (status.conditions ?? []).some(
    (condition) => condition.type === "Ready" && condition.status === "True",
  );
  return [{ rank, name: metadata.name, uid: metadata.uid, node: spec.nodeName ?? "none yet", ready }];
}

/** The pods as a table. */
export function podTable(pods: ShownPod[]): string {
  const rows = pods.map(({ rank, name, uid, node, ready }) => [String(rank), name, node, ready ? "yes" : "no", uid]);
  return table([["RANK", "POD", "NODE", "READY", "UID"], ...rows]);
}

/** Rows in columns. */
export function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ")}`.trimEnd()).join("\n");
}
