import { PodGroup as AlphaPodGroup } from "@pulumi/kubernetes/scheduling/v1alpha2/podGroup";
import { PodGroup as BetaPodGroup } from "@pulumi/kubernetes/scheduling/v1beta1/podGroup";
import type * as pulumi from "@pulumi/pulumi";
import { mergeHooks, remarkOnCreate } from "../../shared/changes";
import { type OptionalApi, refuseMissingApi } from "../../shared/missing";
import { MiniClusterGangVersion } from "../args";
import type { Manifests } from "../objects";
import type { PodGroupSpec } from "../parse/nativeGang";
import type { MiniClusterSpec } from "../parse/spec";

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
