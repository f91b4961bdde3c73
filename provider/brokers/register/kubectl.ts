import * as pulumi from "@pulumi/pulumi";
import { choiceOf, kubernetesSettings } from "../../shared/apiServer";
import { type ClusterChoice, isKubeconfigFile } from "../../shared/kubeconfig";
import { quoteWord } from "../../shared/quote";

/** Variable with the path of the kubeconfig, in commands to a cluster whose provider has the text of one. */
const fileVariable = "MINICLUSTER_KUBECONFIG";

/** The beginning of all commands that reach the cluster of a component: kubectl, and what its Kubernetes provider was given. */
export function kubectlOf(component: pulumi.Resource): Promise<string> {
  return kubernetesSettings(component).then(
    (settings) => kubectlFor(choiceOf(settings)),
    // An engine that cannot tell leaves kubectl its own choice.
    () => "kubectl",
  );
}

/** kubectl with options for the cluster of a provider, as far as kubectl would not choose it by itself. */
export function kubectlFor({ kubeconfig, context, cluster }: ClusterChoice): string {
  const options = [
    ...(kubeconfig === undefined ? [] : fileOption(kubeconfig)),
    ...(context === undefined ? [] : [`--context ${quoteWord(context)}`]),
    ...(cluster === undefined ? [] : [`--cluster ${quoteWord(cluster)}`]),
  ];
  return ["kubectl", ...options].join(" ");
}

function fileOption(kubeconfig: string): string[] {
  // The SDK gives an explicit provider this variable by default.
  if (kubeconfig === process.env["KUBECONFIG"]) return [];
  // The text may hold credentials. Without the variable the shell stops and prints what to do.
  if (!isKubeconfigFile(kubeconfig))
    return [
      `--kubeconfig "\${${fileVariable}:?save the kubeconfig of the Kubernetes provider to a file and set its path}"`,
    ];
  const [, home = "", file = ""] = /^(~\/)?(.*)$/s.exec(kubeconfig) ?? [];
  return [`--kubeconfig ${home}${quoteWord(file)}`];
}
