import * as pulumi from "@pulumi/pulumi";
import { given, leaf, nonEmptyText } from "../../shared/checks";
import { isDeferred } from "../../shared/deferred";
import { type Rule, ruleOn } from "../../shared/rules";
import type { AksCluster, EksCluster, GkeCluster, PulumiEksCluster } from "./args";

/** True for the component of `@pulumi/eks`. */
export const isPulumiEks = (cluster: object): cluster is PulumiEksCluster => "kubeconfigJson" in cluster;

/** True for the resource of an AKS cluster. */
export const isAks = (cluster: object): cluster is AksCluster => "nodeResourceGroup" in cluster;

/** True for the resource of a GKE cluster. */
export const isGke = (cluster: object): cluster is GkeCluster => "masterAuth" in cluster;

const isEks = (cluster: object): cluster is EksCluster => isPulumiEks(cluster) || "certificateAuthority" in cluster;

/** Field of the resource of a Kubernetes cluster; `rule` completes the sentence "must be …". */
const clusterOf = <T>(isKind: (cluster: object) => cluster is T & object, rule: string) =>
  given<T>(
    (value) => pulumi.Resource.isInstance(value) && isKind(value),
    ({ input }) => (isDeferred(input) ? `must be ${rule}, not an output` : `must be ${rule}`),
  ).optional();

/** Fields of the Kubernetes cluster of a pool on each cloud. */
export const clusterFields = {
  eks: clusterOf<EksCluster>(isEks, "a Cluster of @pulumi/eks or of @pulumi/aws/eks"),
  gke: clusterOf<GkeCluster>(isGke, "a Cluster of @pulumi/gcp/container"),
  aks: clusterOf<AksCluster>(isAks, "a ManagedCluster of @pulumi/azure-native/containerservice"),
};

/** A name of the Kubernetes cluster, which its resource may have instead. */
export const nameField = leaf(nonEmptyText).optional();

/** The names of a Kubernetes cluster, and its resource. */
interface Place {
  cluster?: object;
  clusterName?: pulumi.Input<string>;
  location?: pulumi.Input<string>;
  project?: pulumi.Input<string>;
  resourceGroupName?: pulumi.Input<string>;
}
type PlaceName = Exclude<keyof Place, "cluster">;

/** The rule that a pool has either these names or the resource that has them. */
export const placeRule = <N extends PlaceName>(names: readonly N[], optional: readonly PlaceName[] = []): Rule<Place> =>
  ruleOn<Place>()(["cluster?", ...names, ...optional], (place: Place, addIssue) => {
    for (const name of [...names, ...optional])
      if (place.cluster !== undefined && place[name] !== undefined)
        addIssue([name], `is an output of cluster; remove ${name}, or cluster`);
      else if (place.cluster === undefined && place[name] === undefined && !optional.includes(name))
        addIssue([name], "is required; must be a string that is not empty, or set cluster");
  });

/** The names of an EKS cluster. */
export const eksPlace = ({ cluster, clusterName = "" }: Pick<Place, "clusterName"> & { cluster?: EksCluster }) =>
  cluster ? { clusterName: isPulumiEks(cluster) ? cluster.eksCluster.name : cluster.name } : { clusterName };

/** The names of a GKE cluster. */
export function gkePlace({
  cluster,
  clusterName = "",
  location = "",
  project,
}: Pick<Place, "clusterName" | "location" | "project"> & { cluster?: GkeCluster }) {
  if (!cluster) return { clusterName, location, project };
  return { clusterName: cluster.name, location: cluster.location, project: cluster.project };
}

/** The names of an AKS cluster. The resource group is a part of its id, and not an output. */
export const aksPlace = ({
  cluster,
  clusterName = "",
  resourceGroupName = "",
}: Pick<Place, "clusterName" | "resourceGroupName"> & { cluster?: AksCluster }) =>
  cluster
    ? { clusterName: cluster.name, resourceGroupName: resourceGroupOf(cluster) }
    : { clusterName, resourceGroupName };

/** The resource group in the id of an AKS cluster. */
export const resourceGroupOf = ({ id }: AksCluster): pulumi.Output<string> =>
  id.apply((text) => /\/resourceGroups\/([^/]+)/i.exec(text)?.[1] ?? "");
