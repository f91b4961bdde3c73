/** Signal that a job receives before one of its hosts is lost. */
export const MiniClusterRequeueSignal = {
  /** SIGUSR1. */
  Usr1: "USR1",
  /** SIGUSR2. */
  Usr2: "USR2",
  /** SIGTERM. */
  Term: "TERM",
  /** SIGINT. */
  Int: "INT",
  /** SIGHUP. */
  Hup: "HUP",
} as const;
export type MiniClusterRequeueSignal = (typeof MiniClusterRequeueSignal)[keyof typeof MiniClusterRequeueSignal];

/**
 * Resubmission of jobs that have lost a host. A job opts in with the attribute `requeue` (`flux submit --setattr=requeue`),
 * which can have its own values (`--setattr=requeue.restarts=5`).
 */
export interface MiniClusterRequeueArgs {
  /** Maximum number of resubmissions of a job. From 0 to 1000. Default: 3. */
  restarts?: number;
  /**
   * Signal that a job receives when the pod of one of its hosts is about to terminate. If the job then ends with a status other
   * than 0, it is submitted again. Default: "USR1".
   */
  signal?: MiniClusterRequeueSignal;
  /**
   * Seconds from the signal until the job is stopped. From 0 to 86400, and at most `drainTimeoutSeconds`. Default: 20, or
   * `drainTimeoutSeconds` if that is less.
   */
  graceSeconds?: number;
}

/** Argument of a cluster that submits lost jobs again. */
export interface RequeueArgs {
  /**
   * Resubmission of jobs that have lost a host, such as a spot machine, if they opt in. Requires a version of Flux with the job
   * manager's journal in Python (0.68). Not supported if the lead broker runs in another cluster. Default: none.
   */
  requeue?: MiniClusterRequeueArgs;
}
