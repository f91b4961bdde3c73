import { leftStatus } from "../../provider/core/flux/statuses";
import { imageNames } from "../sandbox/real";

/**
 * A Job with the policies of a MiniCluster's, whose pods run a piece of bash and end at once on SIGTERM.
 */
export function bareJob(size: number, script: string) {
  const command = ["bash", "-c", `trap 'exit ${leftStatus}' TERM; ${script}`];
  const left = { containerName: "main", operator: "In", values: [leftStatus] };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "demo" },
    spec: {
      completionMode: "Indexed",
      completions: size,
      parallelism: size,
      backoffLimitPerIndex: 6,
      podReplacementPolicy: "Failed",
      successPolicy: { rules: [{ succeededIndexes: "0" }] },
      podFailurePolicy: { rules: [{ action: "Ignore", onExitCodes: left }] },
      template: {
        spec: { restartPolicy: "Never", containers: [{ name: "main", image: imageNames.base, command }] },
      },
    },
  };
}
