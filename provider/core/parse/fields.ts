import type { types } from "@pulumi/kubernetes";
import { z } from "zod";
import { pool } from "../../clouds/nodes/parse/pool";
import {
  annotations,
  choice,
  dnsLabel,
  domainName,
  expected,
  flag,
  integer,
  labels,
  list,
  object,
  plainValue,
  properties,
  serviceName,
} from "../../shared/checks";
import { MiniClusterAffinity, MiniClusterNetworkPolicy, MiniClusterPodSecurity, MiniClusterResize } from "../args";
import { container } from "./container";
import { flux } from "./flux";
import { pod } from "./pod";

const network = object({
  headlessName: serviceName.optional(),
  affinity: choice(MiniClusterAffinity).default(MiniClusterAffinity.Required),
  policy: choice(MiniClusterNetworkPolicy).default(MiniClusterNetworkPolicy.None),
  clusterDomain: domainName.default("cluster.local"),
});

const logging = object({
  quiet: flag.default(false),
  strict: flag.default(true),
  debug: flag.default(false),
  zeromq: flag.default(false),
  timed: flag.default(false),
});

const lateNamespace =
  "must be a name, known before anything is created; this is an output, and the brokers' host names are derived from the namespace: " +
  "set its name as a string, and the Namespace itself in the option dependsOn (depends_on in Python)";

/** Arguments of the pods of a cluster, with the lead broker or without. */
export const brokerPodsFields = {
  name: dnsLabel,
  namespace: plainValue(dnsLabel, lateNamespace).default("default"),
  // The Job controller counts nanoseconds with 64 bits. A first patch of the Job sets the deadline, so there is always one.
  deadlineSeconds: integer(1, 9_223_372_036).default(3_153_600_000),
  backoffLimit: integer(0, 2 ** 31 - 1).default(6),
  jobLabels: labels.default({}),
  jobAnnotations: annotations.default({}),
  shareProcessNamespace: flag.default(false),
  waitTimeoutSeconds: integer(1, 2 ** 31 - 1).default(600),
  drainTimeoutSeconds: integer(0, 86_400).optional(),
  resize: choice(MiniClusterResize).default(MiniClusterResize.Patch),
  container: z.never({ error: "cannot be set with containers; keep one of them" }).optional(),
  containers: z
    .array(container, {
      error: ({ input }) =>
        input === undefined
          ? "is required; a cluster has one container, or several in containers"
          : expected("a list")({ input }),
    })
    .refine((containers) => containers.length > 0, {
      error: "a cluster needs at least one container; add one",
    }),
  services: list(container).default([]),
  pool: pool.optional(),
  disruptionBudget: flag.optional(),
  prepull: flag.default(false),
  podSecurity: choice(MiniClusterPodSecurity).default(MiniClusterPodSecurity.Baseline),
  // The rules in podTemplateRules.ts check it; the API server checks the pods after the merge.
  podTemplate: z.custom<types.input.core.v1.PodTemplateSpecPatch>().optional(),
  pod: pod.prefault({}),
  network: network.prefault({}),
  logging: logging.prefault({}),
  flux: flux.prefault({}),
};

/** Parsed arguments of a cluster's pods. */
export type BrokerPodsFields = z.output<ReturnType<typeof object<typeof brokerPodsFields>>>;

/** Default seconds of the drain. */
const defaultDrain = 30;

/** Seconds that a broker needs to end after the drain. A broker that hangs is killed after 5 s. */
const endOfBroker = 10;

/**
 * Seconds of a long notice that the default drain does not use: until the pod receives the notice, and for its end after the
 * drain.
 */
const spareOfNotice = 30;

/** Longest drain, in seconds, that ends before the cloud reclaims the node, `noticeSeconds` after the notice. */
export const drainWithin = (noticeSeconds: number) => Math.max(0, noticeSeconds - endOfBroker);

/** Grace period of a pod (`terminationGracePeriodSeconds`), if the user's template sets it. */
export function givenGrace({ podTemplate }: Pick<BrokerPodsFields, "podTemplate">): number | undefined {
  const { terminationGracePeriodSeconds: grace } = properties(
    properties(podTemplate).spec as { terminationGracePeriodSeconds?: unknown } | undefined,
  );
  return typeof grace === "number" ? grace : undefined;
}

/** Fields that `drainTimeoutOf` reads. */
export const drainFields = ["podTemplate", "drainTimeoutSeconds", "pool"] as const;

/**
 * Seconds that the jobs of a terminating pod have to end. Default: 30 within the grace period of the pod, and on spot nodes most
 * of the notice.
 */
export function drainTimeoutOf(fields: Pick<BrokerPodsFields, (typeof drainFields)[number]>): number {
  const { noticeSeconds = Infinity } = fields.pool?.interruption ?? {};
  const wanted = Number.isFinite(noticeSeconds) ? Math.max(defaultDrain, noticeSeconds - spareOfNotice) : defaultDrain;
  const room = drainWithin(Math.min(givenGrace(fields) ?? Infinity, noticeSeconds));
  return fields.drainTimeoutSeconds ?? Math.min(wanted, room);
}
