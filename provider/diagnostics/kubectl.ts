import * as pulumi from "@pulumi/pulumi";
import { choiceOf, providerSettings } from "./apiServer";
import { type ClusterChoice, isKubeconfigFile } from "./connection/kubeconfig";
import { quoteWord } from "../shared/quote";

/**
 * Variable for the path of the kubeconfig, in commands for a Kubernetes cluster whose provider has a kubeconfig as
 * text.
 */
const fileVariable = "MINICLUSTER_KUBECONFIG";

/** The start of all commands for the Kubernetes cluster of a component: kubectl with the settings of its provider. */
export function kubectlOf(component: pulumi.Resource): Promise<string> {
  return providerSettings(component).then(
    (settings) => kubectlFor(choiceOf(settings)),
    // Without the settings, kubectl uses its current context.
    () => "kubectl",
  );
}

/** kubectl with the options that select the Kubernetes cluster of a provider, unless kubectl selects it by default. */
export function kubectlFor({ kubeconfig, context, cluster }: ClusterChoice): string {
  const options = [
    ...(kubeconfig === undefined ? [] : fileOption(kubeconfig)),
    ...(context === undefined ? [] : [`--context ${quoteWord(context)}`]),
    ...(cluster === undefined ? [] : [`--cluster ${quoteWord(cluster)}`]),
  ];
  return ["kubectl", ...options].join(" ");
}

function fileOption(kubeconfig: string): string[] {
  // By default, the SDK sets this variable as the kubeconfig of an explicit provider.
  if (kubeconfig === process.env["KUBECONFIG"]) return [];
  // The text may contain credentials. Without the variable, the shell stops and prints the remedy.
  if (!isKubeconfigFile(kubeconfig))
    return [
      `--kubeconfig "\${${fileVariable}:?save the kubeconfig of the Kubernetes provider to a file and set its path}"`,
    ];
  const [, home = "", file = ""] = /^(~\/)?(.*)$/s.exec(kubeconfig) ?? [];
  return [`--kubeconfig ${home}${quoteWord(file)}`];
}
