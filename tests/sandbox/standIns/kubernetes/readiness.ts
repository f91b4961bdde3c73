import type { Obj } from "../rpc/values";
import { apiVersionOf, getPath, kindOf, objectsAt, stringAt } from "./objects";
import { podReadiness } from "./podReadiness";

/** The plugin's own readiness of a live object, without a condition of the user. */
export interface Readiness {
  ready: boolean;
  /** Set when waiting longer makes no sense. */
  failure?: string;
  /** What it lacks, for the error of a timeout. */
  missing?: string[];
}

const numberAt = (object: Obj, ...path: string[]) => {
  const value = getPath(object, path);
  return typeof value === "number" ? value : 0;
};

const hasCondition = (object: Obj, type: string) =>
  objectsAt(object, "status", "conditions").some(
    (condition) => stringAt(condition, "type") === type && stringAt(condition, "status") === "True",
  );

const isObserved = (object: Obj) =>
  numberAt(object, "status", "observedGeneration") >= numberAt(object, "metadata", "generation");

/** A Job is ready when it is complete, which an interactive cluster never is. */
function job(object: Obj): Readiness {
  const failed = objectsAt(object, "status", "conditions").find(
    (condition) => stringAt(condition, "type") === "Failed" && stringAt(condition, "status") === "True",
  );
  const reason = failed ? stringAt(failed, "reason") : "";
  if (failed && ["BackoffLimitExceeded", "DeadlineExceeded"].includes(reason))
    return { ready: false, failure: `[${reason}] ${stringAt(failed, "message")}` };
  return { ready: stringAt(object, "status", "startTime") !== "" && hasCondition(object, "Complete") };
}

const deployment = (object: Obj) => ({
  ready:
    isObserved(object) &&
    (isRecreated(object)
      ? numberAt(object, "status", "replicas") === numberAt(object, "status", "updatedReplicas")
      : hasCondition(object, "Available") &&
        numberAt(object, "status", "updatedReplicas") >= numberAt(object, "spec", "replicas")),
});

/** A later revision is ready as soon as the pods of the earlier one have gone: its ReplicaSet still has no replica. */
const isRecreated = (object: Obj) =>
  stringAt(object, "spec", "strategy", "type") === "Recreate" &&
  Number(stringAt(object, "metadata", "annotations", "deployment.kubernetes.io/revision")) > 1;

const statefulSet = (object: Obj) => ({
  ready: isObserved(object) && numberAt(object, "status", "readyReplicas") >= numberAt(object, "spec", "replicas"),
});

const daemonSet = (object: Obj) => ({
  ready:
    isObserved(object) &&
    numberAt(object, "status", "numberReady") >= numberAt(object, "status", "desiredNumberScheduled"),
});

const checks: Record<string, (object: Obj) => Readiness> = {
  "batch/v1/Job": job,
  "apps/v1/Deployment": deployment,
  "apps/v1/StatefulSet": statefulSet,
  "apps/v1/DaemonSet": daemonSet,
  "v1/Pod": podReadiness,
};

/** The default check for this kind of object, or undefined when there is nothing to wait for. */
export function readinessCheck(live: Obj): ((object: Obj) => Readiness) | undefined {
  return checks[`${apiVersionOf(live)}/${kindOf(live)}`];
}
