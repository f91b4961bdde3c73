import type { z } from "zod";
import { choice, integer, object } from "../shared/checks";
import { MiniClusterRequeueSignal } from "./args";

/** Jobs that are submitted again after they have lost a host. */
export const requeue = object({
  restarts: integer(0, 1000).default(3),
  signal: choice(MiniClusterRequeueSignal).default(MiniClusterRequeueSignal.Usr1),
  graceSeconds: integer(0, 86_400).optional(),
});

/** Parsed arguments of jobs that are submitted again. */
export type RequeueFields = z.output<typeof requeue>;

/** Policy of jobs that have lost a host. */
export type RequeueSpec = Required<RequeueFields>;

const defaultGrace = 20;

/** The policy with its defaults, within the drain of a pod. */
export const buildRequeueSpec = (policy: RequeueFields, drainSeconds: number): RequeueSpec => ({
  ...policy,
  graceSeconds: policy.graceSeconds ?? Math.min(defaultGrace, drainSeconds),
});
