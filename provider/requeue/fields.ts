import type { z } from "zod";
import { choice, integer, object } from "../shared/checks";
import { MiniClusterRequeueSignal } from "../core/args";

/** Jobs that are submitted again after they have lost a host. */
export const requeue = object({
  restarts: integer(0, 1000).default(3),
  signal: choice(MiniClusterRequeueSignal).default(MiniClusterRequeueSignal.Usr1),
  graceSeconds: integer(0, 86_400).optional(),
});

/** Policy of jobs that have lost a host. */
export type RequeueSpec = Required<z.output<typeof requeue>>;

const defaultGrace = 20;

/** The policy with its defaults, within the drain of a pod. */
export const settleRequeue = (policy: z.output<typeof requeue>, drainSeconds: number): RequeueSpec => ({
  ...policy,
  graceSeconds: policy.graceSeconds ?? Math.min(defaultGrace, drainSeconds),
});
