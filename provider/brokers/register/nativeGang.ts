import type * as pulumi from "@pulumi/pulumi";
import { PodGroup as AlphaPodGroup } from "@pulumi/kubernetes/scheduling/v1alpha2/podGroup";
import { PodGroup as BetaPodGroup } from "@pulumi/kubernetes/scheduling/v1beta1/podGroup";
import type { Read } from "../../shared/apiServer";
import { mergeHooks, type Remark, remarkOnCreate } from "../../shared/changes";
import { type OptionalApi, refuseMissingApi } from "../../shared/missing";
import type { MiniClusterSpec } from "../parse/spec";
import { MiniClusterGangVersion } from "../args";
import type { Manifests } from "../objects";
import type { PodGroupSpec } from "../parse/gangRules";

// Kubernetes 1.36 with the gate WorkloadWithJob (KEP 5547) makes a gang of every Indexed Job that starts with several pods,
// and refuses to change its parallelism. It looks for the gang among the PodGroups of the namespace, and so does this.

interface PodGroup {
  metadata: { ownerReferences?: { kind: string; name: string; controller?: boolean }[] };
  spec: { schedulingPolicy?: { gang?: object } };
}

/** Words of the API server, from which it makes its answer to such a change. */
const refusal = "cannot change parallelism for a Job referencing gang-scheduled PodGroup";

/** The reason why an operation has failed, if it is a resize of a gang of Kubernetes' own. */
export const explainGangRefusal = (spec: MiniClusterSpec, errors: string[]): string | undefined =>
  errors.some((error) => error.includes(refusal)) ? gangMessage(spec) : undefined;

/** Remarks on a resize from a size to another one. */
export type GangRemarks = (sizes: (number | string | undefined)[]) => Promise<Remark[]>;

/**
 * Remarks on a resize that the API server will refuse, because Kubernetes has made a gang of the Job. Several resources are
 * patched for one resize, and the API server is asked once.
 */
export function gangRemarks(spec: MiniClusterSpec, look: () => Promise<Read | undefined>): GangRemarks {
  let answer: Promise<boolean> | undefined;
  return async ([old, changed]) => {
    if (old === undefined || changed === undefined || old === changed) return [];
    answer ??= isGang(spec, look);
    return (await answer) ? [{ severity: "error", text: gangMessage(spec) }] : [];
  };
}

async function isGang(spec: MiniClusterSpec, look: () => Promise<Read | undefined>): Promise<boolean> {
  const groups = await podGroups(spec, look).catch(() => []);
  return groups.some(
    (group) =>
      group.spec.schedulingPolicy?.gang !== undefined &&
      group.metadata.ownerReferences?.some(
        ({ kind, name, controller }) => kind === "Job" && name === spec.name && controller === true,
      ),
  );
}

/** PodGroups of the namespace. Most servers have none, and answer that there is no such thing. */
async function podGroups({ namespace }: MiniClusterSpec, look: () => Promise<Read | undefined>): Promise<PodGroup[]> {
  const read = await look();
  const path = `/apis/scheduling.k8s.io/v1alpha2/namespaces/${namespace}/podgroups`;
  return read ? ((await read(path)) as { items: PodGroup[] }).items : [];
}

const gangMessage = ({ namespace, name }: MiniClusterSpec) =>
  `Kubernetes runs the Job ${namespace}/${name} as a gang (a PodGroup, which it makes by itself where its alpha gate ` +
  'WorkloadWithJob is on) and refuses another size; let a new size replace the Job (resize: "manifest"), name a PodGroup ' +
  "without a gang (podTemplate.spec.schedulingGroup), or have the gate turned off";

const kinds = {
  [MiniClusterGangVersion.V1alpha2]: AlphaPodGroup,
  [MiniClusterGangVersion.V1beta1]: BetaPodGroup,
};

const remedy =
  'gang.native needs it: version "v1beta1" is of Kubernetes 1.37 with the gate GenericWorkload, "v1alpha2" of 1.36 with the gates ' +
  "GenericWorkload and GangScheduling; have them turned on, with that version of the API, or choose the other version, or remove " +
  "gang.native";

/** Registers the gang of the pods, which comes before them. */
export function registerPodGroup(
  name: string,
  { podGroup }: MiniClusterSpec,
  manifests: Manifests,
  options: pulumi.CustomResourceOptions & { parent: pulumi.Resource },
): pulumi.Resource[] {
  if (!podGroup || !manifests.podGroup) return [];
  const PodGroup = kinds[podGroup.version];
  const api: OptionalApi = { groupVersion: `scheduling.k8s.io/${podGroup.version}`, remedy };
  const refused = refuseMissingApi(`minicluster:${name}:gang`, options.parent, api);
  const meant = remarkOnCreate(`minicluster:${name}:gangMeaning`, options.parent, [
    { severity: "info", text: meaning(podGroup) },
  ]);
  const hooks = mergeHooks(refused, meant);
  // A gang that has pods cannot go: the one of before goes after its Job.
  return [new PodGroup(`${name}-gang`, manifests.podGroup, { ...options, hooks, deleteBeforeReplace: false })];
}

const meaning = ({ version, minCount }: PodGroupSpec) =>
  `the pods are a gang: none is placed on a node before ${minCount} of them have room at once` +
  (version === MiniClusterGangVersion.V1alpha2 ? ", and each resize replaces the Job" : "");
