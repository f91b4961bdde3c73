import { type JudgedJob, judgementOf, trialsOfJob, verdictsOn } from "../../provider/core/diagnostics/admission/dryRun";
import { send } from "../../provider/diagnostics/apiServer";
import { connectionFor } from "../../provider/diagnostics/connection/kubeconfig";
import { buildFeatures, clusterParser } from "../../provider/minicluster/cluster";
import { aMiniClusterArgs } from "./fixtures";
import type { LooseArgs } from "./problems";

/** The verdict of an API server on the objects of a cluster: lines of the error, other messages with their severity. */
export async function judgedLines(kubeconfig: string, jobs: JudgedJob[]): Promise<string[]> {
  const connection = connectionFor({ kubeconfig });
  if (!connection) throw new Error("the kubeconfig has no cluster");
  const judged = await verdictsOn(jobs.flatMap(trialsOfJob), (path, object) => send(connection, path, object));
  return judgementOf("demo", judged).flatMap(({ severity, message }) =>
    severity === "error" ? message.split("\n  ").slice(1) : [`${severity} ${message}`],
  );
}

/** The same for the arguments of a cluster in a namespace. */
export function judgedArgs(kubeconfig: string, namespace: string, args: LooseArgs): Promise<string[]> {
  const all = aMiniClusterArgs({ ...(args as object), namespace });
  const { jobs } = clusterParser.parse("demo", all);
  return judgedLines(
    kubeconfig,
    jobs.map((job) => ({ ...job, build: buildFeatures })),
  );
}
