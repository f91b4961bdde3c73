import * as pulumi from "@pulumi/pulumi";
import { MiniCluster, MiniClusterAffinity, type MiniClusterArgs } from "../../provider";
import type { Cluster } from "../sandbox/cluster";
import { imageNames } from "../sandbox/real";
import { runInContainer } from "../sandbox/real/containers";
import { Kube } from "../sandbox/kube";

/** The first program of docs/start.md, with its size from the configuration. */
export const labProgram = (changes: MiniClusterArgs = {}) => {
  return (): Record<string, unknown> => {
    const lab = new MiniCluster("lab", {
      size: new pulumi.Config().getNumber("size") ?? 4,
      maxSize: 8,
      container: { image: "ubuntu:noble" },
      ...changes,
    });
    return { shell: lab.connectCommand };
  };
};

/** Images that the real nodes of the sandbox have, of which there are fewer than pods. */
export const realImages: MiniClusterArgs = {
  network: { affinity: MiniClusterAffinity.Preferred },
  flux: { container: { image: imageNames.view } },
  container: { image: imageNames.base },
};

/** Runs a command as in the shell of the output `shell`, and returns it with what it prints. */
export async function askInstance({ kubeconfigPath, realNodes }: Cluster, command: string): Promise<string> {
  const pods = await Kube.fromKubeconfig(kubeconfigPath).podsOfJob("default", "lab");
  const lead = pods.find(({ completionIndex, ready }) => completionIndex === 0 && ready)?.pod;
  const { containerStatuses = [] } = (lead?.["status"] ?? {}) as { containerStatuses?: { containerID: string }[] };
  const id = containerStatuses[0]?.containerID ?? "";
  const [first] = realNodes.flatMap((node) => node.processesOf(id));
  if (!first) throw new Error("the lead broker is not running");
  const script = `. /etc/minicluster/config/flux-view.sh; flux proxy "$fluxsocket" ${command}`;
  const lines = (await runInContainer(first, ["bash", "-c", script])).trimEnd().split("\n");
  // The hosts answer in any order.
  return [`$ ${command}`, ...(command.endsWith("hostname") ? lines.sort() : lines)].join("\n");
}
