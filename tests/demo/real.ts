import * as pulumi from "@pulumi/pulumi";
import { MiniCluster, MiniClusterAffinity } from "../../provider";
import type { Cluster } from "../sandbox/cluster";
import { imageNames } from "../sandbox/real";
import { runInContainer } from "../sandbox/real/containers";
import { Kube } from "../sandbox/kube";

/** The cluster of examples/lammps with images that the sandbox's nodes have, and without a command. */
export function realProgram(): Promise<Record<string, unknown>> {
  const config = new pulumi.Config();
  new MiniCluster("lammps", {
    size: config.getNumber("size") ?? 4,
    maxSize: 8,
    // There are fewer nodes than pods.
    network: { affinity: MiniClusterAffinity.Preferred },
    flux: { container: { image: imageNames.view } },
    container: { image: imageNames.base },
  });
  return Promise.resolve({});
}

/** Runs a command on all hosts of the instance, and returns its output. */
export async function askHosts({ kubeconfigPath, realNodes }: Cluster, size: number): Promise<string> {
  const pods = await Kube.fromKubeconfig(kubeconfigPath).podsOfJob("default", "lammps");
  const lead = pods.find(({ completionIndex, ready }) => completionIndex === 0 && ready)?.pod;
  const { containerStatuses = [] } = (lead?.["status"] ?? {}) as { containerStatuses?: { containerID: string }[] };
  const id = containerStatuses[0]?.containerID ?? "";
  const [first] = realNodes.flatMap((node) => node.processesOf(id));
  if (!first) throw new Error("the lead broker is not running");
  const command = `. /etc/minicluster/config/flux-view.sh; flux proxy "$fluxsocket" flux run -N ${size} hostname`;
  const output = await runInContainer(first, ["bash", "-c", command]);
  return `$ flux run -N ${size} hostname\n${output.trim().split("\n").sort().join("\n")}`;
}
