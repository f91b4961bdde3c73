import { listManagedClusterUserCredentialsOutput } from "@pulumi/azure-native/containerservice/listManagedClusterUserCredentials";
import type * as pulumi from "@pulumi/pulumi";
import { userError } from "../../../shared/errors";
import type { AksCluster } from "../args";
import { resourceGroupOf } from "../parse";

/** The kubeconfig of an AKS cluster, from Azure. */
export function aksKubeconfig(cluster: AksCluster): pulumi.Output<string> {
  const names = { resourceGroupName: resourceGroupOf(cluster), resourceName: cluster.name };
  const { kubeconfigs } = listManagedClusterUserCredentialsOutput(names, { parent: cluster });
  return kubeconfigs.apply(([first]) => {
    // Without a kubeconfig, the provider would use the current context of the user.
    if (!first?.value) throw userError("Azure has no credentials of the user for the AKS cluster; set a provider");
    return Buffer.from(first.value, "base64").toString();
  });
}
