import { type BrokerPodsFields, drainFields, drainTimeoutOf } from "../core/parse/fields";
import { type Rule, ruleOn } from "../shared/rules";
import type { RequeueFields } from "./fields";

interface Fields extends BrokerPodsFields {
  requeue?: RequeueFields;
}

const rule = ruleOn<Fields>();

/** The rules on jobs that are submitted again. */
export const requeueRules: Rule<Fields>[] = [
  rule(["requeue?", "flux.bursting.leadBroker?"], ({ requeue, flux }, addIssue) => {
    if (requeue && flux.bursting?.leadBroker !== undefined)
      addIssue(["requeue"], "is a setting of the lead broker, which runs in another cluster; set it there");
  }),
  rule(["requeue.graceSeconds", ...drainFields], ({ requeue, ...fields }, addIssue) => {
    const { graceSeconds } = requeue ?? {};
    const drain = drainTimeoutOf(fields);
    if (graceSeconds !== undefined && graceSeconds > drain)
      addIssue(
        ["requeue", "graceSeconds"],
        `${graceSeconds} s is longer than drainTimeoutSeconds (${drain}), after which the pod ends its jobs; lower it or ` +
          "raise drainTimeoutSeconds",
      );
  }),
];
