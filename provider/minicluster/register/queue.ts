import type { MiniClusterSpec } from "../parse/spec";
import type { JobToLookAt } from "./progress";

/** What Kueue has noted of a Job or of a resize of it, as far as it tells why it has not been admitted. */
interface Workload {
  status?: { conditions?: { type: string; status: string; message?: string }[] };
}

const group = "/apis/kueue.x-k8s.io";

/** Label by which Kueue marks what it notes of a Job with the Job's unique identifier. */
const jobUidLabel = "kueue.x-k8s.io/job-uid";

/** Reasons why Kueue has not admitted a Job or its new size, one sentence each. */
export async function readQueueProblems({ read, uid }: JobToLookAt, spec: MiniClusterSpec): Promise<string[]> {
  if (spec.gang.queueName === undefined) return [];
  const workloads = async () => {
    const { preferredVersion } = (await read(group)) as { preferredVersion: { version: string } };
    const selector = encodeURIComponent(`${jobUidLabel}=${uid}`);
    const path = `${group}/${preferredVersion.version}/namespaces/${spec.namespace}/workloads?labelSelector=${selector}`;
    return ((await read(path)) as { items: Workload[] }).items;
  };
  // Without Kueue nothing is admitted, and nobody holds the Job back. Not everybody may look at its notes.
  return (await workloads().catch(() => [])).flatMap(problemOf);
}

function problemOf({ status }: Workload): string[] {
  const of = (type: string) => status?.conditions?.find((condition) => condition.type === type);
  const reserved = of("QuotaReserved");
  if (of("Finished")?.status === "True" || reserved?.status !== "False") return [];
  return [`Kueue has not admitted it: ${reserved.message ?? "no quota is reserved"}`];
}
