import type { z } from "zod";
import { choice, integer, object } from "../../shared/checks";
import { type Rule, ruleOn } from "../../shared/rules";
import { MiniClusterRequeueSignal } from "../args";
import { drainTimeoutOf, type MiniClusterFields } from "./fields";

/** Jobs that are submitted again after they have lost a host. */
export const requeue = object({
  restarts: integer(0, 1000).default(3),
  signal: choice(MiniClusterRequeueSignal).default(MiniClusterRequeueSignal.Usr1),
  graceSeconds: integer(0, 86_400).default(20),
});

/** Parsed policy of jobs that have lost a host. */
export type RequeueSpec = z.output<typeof requeue>;

const rule = ruleOn<MiniClusterFields>();

/** The rules on jobs that are submitted again. */
export const requeueRules: Rule<MiniClusterFields>[] = [
  rule(["requeue?", "flux.bursting.leadBroker?"], ({ requeue, flux }, addIssue) => {
    if (requeue && flux.bursting?.leadBroker !== undefined)
      addIssue(["requeue"], "the lead broker's cluster submits the jobs again; set it there");
  }),
  rule(["requeue.graceSeconds", "drainTimeoutSeconds", "podTemplate"], ({ requeue, ...fields }, addIssue) => {
    if (!requeue) return;
    const drain = drainTimeoutOf(fields);
    if (requeue.graceSeconds > drain)
      addIssue(
        ["requeue", "graceSeconds"],
        `${requeue.graceSeconds} s is longer than drainTimeoutSeconds (${drain}), after which the pod ends its jobs; lower it or ` +
          "raise drainTimeoutSeconds",
      );
  }),
];
