import type { Obj } from "../rpc/values";
import { getPath, nameOf, namespaceOf, objectsAt, stringAt } from "./objects";
import type { Readiness } from "./readiness";

/**
 * A pod is ready when it is scheduled, initialised, and ready or over. One that has failed is waited for like any
 * other. The first step that is not done is what is missing, except that the plugin only shows why a pod is not
 * scheduled while it waits, and leaves it out of the error.
 */
export function podReadiness(pod: Obj): Readiness {
  const condition = (type: string) =>
    objectsAt(pod, "status", "conditions").find((item) => stringAt(item, "type") === type);
  const isTrue = (type: string) => stringAt(condition(type) ?? {}, "status") === "True";
  if (!isTrue("PodScheduled")) return { ready: false };
  if (!isTrue("Initialized")) return { ready: false, missing: missing(pod, condition("Initialized")) };
  const ready = condition("Ready");
  const isOver = ready !== undefined && stringAt(pod, "status", "phase") === "Succeeded";
  if (isOver || isTrue("Ready")) return { ready: true };
  return { ready: false, missing: missing(pod, ready) };
}

function missing(pod: Obj, condition: Obj | undefined): string[] {
  if (!condition) return [];
  const message = stringAt(condition, "message");
  const problems = objectsAt(pod, "status", "containerStatuses").flatMap(containerProblems);
  if (problems.length === 0 && message === "") return [];
  const said = stringAt(condition, "reason") === "" ? "" : message;
  return [`[Pod ${qualifiedName(pod)}]: ${said}${problems.join("\n")}`];
}

function qualifiedName(pod: Obj): string {
  const namespace = namespaceOf(pod);
  return namespace === "" || namespace === "default" ? nameOf(pod) : `${namespace}/${nameOf(pod)}`;
}

function containerProblems(status: Obj): string[] {
  if (status.ready === true) return [];
  return [...waitingProblem(status), ...endProblem(status), ...lastEndProblem(status)];
}

function waitingProblem(status: Obj): string[] {
  const reason = stringAt(status, "state", "waiting", "reason");
  if (getPath(status, ["state", "waiting"]) === undefined || reason === "ContainerCreating") return [];
  return [`[${reason}] ${stringAt(status, "state", "waiting", "message")}`];
}

function endProblem(status: Obj): string[] {
  const { reason, message, exitCode } = endOf(status, "state");
  if (reason === "") return [];
  return [
    message === "" ? `container "${nameIn(status)}" completed with exit code ${exitCode}` : `[${reason}] ${message}`,
  ];
}

function lastEndProblem(status: Obj): string[] {
  const { reason, message, exitCode, finishedAt } = endOf(status, "lastState");
  if (exitCode === "") return [];
  const line = `container "${nameIn(status)}" terminated at ${finishedAt} (${reason}: exit code ${exitCode})`;
  return [line, ...(message === "" ? [] : [message])];
}

const nameIn = (status: Obj) => stringAt(status, "name");

function endOf(status: Obj, state: "state" | "lastState") {
  const exitCode = getPath(status, [state, "terminated", "exitCode"]);
  const [reason = "", message = "", finishedAt = ""] = ["reason", "message", "finishedAt"].map((key) =>
    stringAt(status, state, "terminated", key),
  );
  return { reason, message, finishedAt, exitCode: typeof exitCode === "number" ? String(exitCode) : "" };
}
