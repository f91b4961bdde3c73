import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { givenProviders, isKubernetes } from "../../../shared/children";
import { fromOptionalPackage } from "../../../shared/optionalPackage";
import type { AksCluster, EksCluster, GkeCluster } from "../args";
import { buildKubeconfig, eksLogin, gkeLogin } from "../objects";
import { isAks, isGke, isPulumiEks } from "../parse";

type Cluster = EksCluster | GkeCluster | AksCluster;

const providers = new WeakMap<Cluster, Provider>();

/**
 * The Kubernetes provider of a Kubernetes cluster that the program creates: the same one for every call, below the resource of the
 * cluster. Its kubeconfig gets a token by `aws` on EKS and by `gke-gcloud-auth-plugin` on GKE, which must be installed, and is the user's
 * on AKS.
 */
export function kubernetesProvider(cluster: Cluster): Provider {
  const known = providers.get(cluster);
  if (known) return known;
  // The SDK does not declare the name of a resource.
  const { __name: name = "kubernetes" } = cluster as { __name?: string };
  const made = new Provider(name, { kubeconfig: pulumi.secret(kubeconfigOf(cluster)) }, { parent: cluster });
  providers.set(cluster, made);
  return made;
}

/** Options of a component with the provider of its Kubernetes cluster, unless they have another one. */
export function withProviderOf(
  cluster: Cluster | undefined,
  opts: pulumi.ComponentResourceOptions = {},
): pulumi.ComponentResourceOptions {
  const given = givenProviders(opts);
  if (!cluster || given.some(isKubernetes)) return opts;
  return { ...opts, providers: [...given, kubernetesProvider(cluster)] };
}

function kubeconfigOf(cluster: Cluster): pulumi.Output<string> {
  if (isPulumiEks(cluster)) return cluster.kubeconfigJson;
  if (isAks(cluster)) return aks().aksKubeconfig(cluster);
  if (isGke(cluster))
    return pulumi
      .all([cluster.endpoint, cluster.masterAuth.clusterCaCertificate])
      .apply(([host, authority]) => buildKubeconfig(`https://${host}`, authority, gkeLogin));
  const { name, arn, endpoint, certificateAuthority } = cluster;
  return pulumi
    .all([endpoint, certificateAuthority.data, name, arn])
    .apply(([server, authority, ...names]) => buildKubeconfig(server, authority, eksLogin(...names)));
}

// Only programs that use a cloud load its SDK.
const aks = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  fromOptionalPackage("@pulumi/azure-native", () => require("./aks") as typeof import("./aks"));
