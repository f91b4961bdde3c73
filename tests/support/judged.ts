import { type JudgedJob, judgementOf, trialsOfJob, verdictsOn } from "../../provider/core/diagnostics/admission/dryRun";
import { jobsOf } from "../../provider/core/parse/spec";
import { send } from "../../provider/diagnostics/apiServer";
import { connectionFor } from "../../provider/diagnostics/connection/kubeconfig";
import { originsInJobs, parseMiniClusterArgs } from "../../provider/minicluster/parse";
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
  const origins = originsInJobs(all);
  const jobs = jobsOf(parseMiniClusterArgs("demo", all));
  return judgedLines(
    kubeconfig,
    jobs.map((spec, job) => ({ spec, originOf: (path) => origins(job, path) })),
  );
}
