import type * as pulumi from "@pulumi/pulumi";
import type { Read } from "../diagnostics/apiServer";
import { beforeCreate, mergeHooks } from "../diagnostics/hooks";
import { requireApi } from "../diagnostics/optionalApis";
import type { ResizeDiagnostics } from "../core/diagnostics/featureDiagnostics";
import type { JobReader } from "../core/diagnostics/pods";
import { printable } from "../shared/printable";
import { MiniClusterGangVersion } from "./args";
import { gangOf, type PodGroupSpec } from "./spec";
import type { MiniClusterSpec } from "../core/parse/spec";

// Kubernetes 1.36 with the gate WorkloadWithJob (KEP 5547) makes a gang of every Indexed Job that starts with several pods,
// and rejects a change of its parallelism. It finds the gang among the PodGroups of the namespace, and so does this file.

interface PodGroup {
  metadata: { ownerReferences?: { kind: string; name: string; controller?: boolean }[] };
  spec: { schedulingPolicy?: { gang?: object } };
}

/** Part of the API server's error on such a change. */
const rejection = "cannot change parallelism for a Job referencing gang-scheduled PodGroup";

/** The reason why an operation has failed, if it resized a Job that Kubernetes runs as a gang. */
export const explainGangRejection = (spec: MiniClusterSpec, errors: string[]): string | undefined =>
  errors.some((error) => error.includes(rejection)) ? gangMessage(spec) : undefined;

/**
 * Errors on a resize that the API server will reject, because Kubernetes runs the Job as a gang. One resize patches several
 * resources, and the API server is read once for all of them.
 */
export function gangDiagnostics(spec: MiniClusterSpec, connect: () => Promise<Read | undefined>): ResizeDiagnostics {
  let answer: Promise<boolean> | undefined;
  return async ([old, changed]) => {
    if (old === undefined || changed === undefined || old === changed) return [];
    answer ??= isGang(spec, connect);
    return (await answer) ? [{ severity: "error", message: gangMessage(spec) }] : [];
  };
}

async function isGang(spec: MiniClusterSpec, connect: () => Promise<Read | undefined>): Promise<boolean> {
  const groups = await podGroups(spec, connect).catch(() => []);
  return groups.some(
    (group) =>
      group.spec.schedulingPolicy?.gang !== undefined &&
      group.metadata.ownerReferences?.some(
        ({ kind, name, controller }) => kind === "Job" && name === spec.name && controller === true,
      ),
  );
}

/** PodGroups of the namespace. Most servers do not serve the kind, and respond with status 404. */
async function podGroups(
  { namespace }: MiniClusterSpec,
  connect: () => Promise<Read | undefined>,
): Promise<PodGroup[]> {
  const read = await connect();
  const path = `/apis/scheduling.k8s.io/v1alpha2/namespaces/${namespace}/podgroups`;
  return read ? ((await read(path)) as { items: PodGroup[] }).items : [];
}

const gangMessage = ({ namespace, name }: MiniClusterSpec) =>
  `Kubernetes runs the Job ${namespace}/${name} as a gang (a PodGroup, which it creates if its alpha gate WorkloadWithJob is enabled) ` +
  'and rejects another size; let each resize replace the Job (resize: "manifest"), name a PodGroup without a gang ' +
  "(podTemplate.spec.schedulingGroup), or disable the gate";

const remedy =
  'gang.native needs it: version "v1beta1" requires Kubernetes 1.37 with the gate GenericWorkload, "v1alpha2" requires 1.36 with ' +
  "the gates GenericWorkload and GangScheduling; enable them with that version of the API, choose the other version, or remove " +
  "gang.native";

/**
 * Hooks on the PodGroup of `gang.native`: an error if the Kubernetes cluster does not have the API, and a notice with the effect
 * of a gang.
 */
export const podGroupHooks = (name: string, podGroup: PodGroupSpec, parent: pulumi.Resource) =>
  mergeHooks(
    requireApi(`minicluster:${name}:gang`, parent, { groupVersion: `scheduling.k8s.io/${podGroup.version}`, remedy }),
    beforeCreate(`minicluster:${name}:gangMeaning`, parent, () => [{ severity: "info", message: meaning(podGroup) }]),
  );

const meaning = ({ version, minCount }: PodGroupSpec) =>
  `the pods are a gang: Kubernetes schedules them only once ${minCount} of them fit at the same time` +
  (version === MiniClusterGangVersion.V1alpha2 ? ", and each resize replaces the Job" : "");

/** The fields of Kueue's Workload, one for a Job or for a resize of it, that show why it has not been admitted. */
interface Workload {
  status?: { conditions?: { type: string; status: string; message?: string }[] };
}

const group = "/apis/kueue.x-k8s.io";

/** Label of a Job's Workloads with the Job's unique identifier. */
const workloadLabel = "kueue.x-k8s.io/job-uid";

/** Reasons why Kueue has not admitted a Job or its new size, one sentence each. */
export async function readQueueProblems({ read, uid }: JobReader, spec: MiniClusterSpec): Promise<string[]> {
  if (!gangOf(spec)?.isQueued) return [];
  const workloads = async () => {
    const { preferredVersion } = (await read(group)) as { preferredVersion: { version: string } };
    const selector = encodeURIComponent(`${workloadLabel}=${uid}`);
    const path = `${group}/${preferredVersion.version}/namespaces/${spec.namespace}/workloads?labelSelector=${selector}`;
    return ((await read(path)) as { items: Workload[] }).items;
  };
  // The Kubernetes cluster may have no Kueue, and the user no permission to read Workloads.
  return (await workloads().catch(() => [])).flatMap(quotaProblem);
}

function quotaProblem({ status }: Workload): string[] {
  const of = (type: string) => status?.conditions?.find((condition) => condition.type === type);
  const reserved = of("QuotaReserved");
  if (of("Finished")?.status === "True" || reserved?.status !== "False") return [];
  return [`Kueue has not admitted it: ${printable(reserved.message ?? "no quota is reserved")}`];
}
