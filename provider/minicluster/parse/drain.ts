import { properties } from "../../shared/checks";
import type { BrokerPodsFields } from "./fields";

/** Seconds of the drain where nobody says otherwise. */
const defaultDrain = 30;

/** Seconds that a broker needs to end after the drain. One that hangs is killed after 5 s. */
const endOfBroker = 10;

/** Seconds in which a pod has to end (`terminationGracePeriodSeconds`), where the user's own template says it. */
export function givenGrace({ podTemplate }: Pick<BrokerPodsFields, "podTemplate">): number | undefined {
  const { terminationGracePeriodSeconds: grace } = properties(
    properties(podTemplate).spec as { terminationGracePeriodSeconds?: unknown } | undefined,
  );
  return typeof grace === "number" ? grace : undefined;
}

/** Seconds that the jobs of a pod that leaves have to end: by default as many as the time of the pod itself has room for. */
export function drainTimeoutOf(fields: Pick<BrokerPodsFields, "podTemplate" | "drainTimeoutSeconds">): number {
  const room = (givenGrace(fields) ?? Infinity) - endOfBroker;
  return fields.drainTimeoutSeconds ?? Math.min(defaultDrain, Math.max(0, room));
}
