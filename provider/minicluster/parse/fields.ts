import type { types } from "@pulumi/kubernetes";
import { z } from "zod";
import { bursting } from "../../bursting/fields";
import {
  absolutePath,
  choice,
  dnsLabel,
  flag,
  integer,
  labels,
  labelValue,
  leaf,
  list,
  object,
  objectName,
  serviceName,
} from "../../shared/checks";
import {
  MiniClusterAffinity,
  MiniClusterNetworkPolicy,
  MiniClusterPodSecurity,
  MiniClusterResize,
  MiniClusterWait,
} from "../args";
import { container } from "./container";
import { flux } from "./flux";
import { pod } from "./pod";
import { pool } from "./pool/fields";

// Above this Kubernetes does not track the indexes of a Job exactly.
export const maxPods = 100_000;

const network = object({
  headlessName: serviceName.optional(),
  affinity: choice(MiniClusterAffinity).default(MiniClusterAffinity.Required),
  policy: choice(MiniClusterNetworkPolicy).default(MiniClusterNetworkPolicy.None),
});

const gang = object({ schedulerName: leaf(objectName).optional(), queueName: leaf(labelValue).optional() });

const archive = object({
  path: absolutePath.refine((path) => !path.endsWith("/"), {
    error: (issue) => `${String(issue.input)} must be a file, such as "/state/archive.tar.gz"`,
  }),
});

const logging = object({
  quiet: flag.default(false),
  strict: flag.default(true),
  debug: flag.default(false),
  zeromq: flag.default(false),
  timed: flag.default(false),
});

/** Arguments of a cluster's pods, whether it has the lead broker or joins one. */
export const brokerPodsFields = {
  name: dnsLabel,
  namespace: dnsLabel.default("default"),
  // About a year, as in the Flux Operator.
  deadlineSeconds: integer(1, Number.MAX_SAFE_INTEGER).default(31_500_000),
  backoffLimit: integer(0, 2 ** 31 - 1).default(6),
  jobLabels: labels.default({}),
  shareProcessNamespace: flag.default(false),
  waitTimeoutSeconds: integer(1, 2 ** 31 - 1).default(600),
  resize: choice(MiniClusterResize).default(MiniClusterResize.Patch),
  containers: list(container).refine((containers) => containers.length > 0, {
    error: "a cluster needs at least one container; add one",
  }),
  services: list(container).default([]),
  pool: pool.optional(),
  disruptionBudget: flag.optional(),
  gang: gang.prefault({}),
  podSecurity: choice(MiniClusterPodSecurity).default(MiniClusterPodSecurity.Baseline),
  // Its rules look into it (podTemplateRules.ts); the API server judges the rest.
  podTemplate: z.custom<types.input.core.v1.PodTemplateSpecPatch>().optional(),
  pod: pod.prefault({}),
  network: network.prefault({}),
  logging: logging.prefault({}),
  flux: flux.prefault({}),
};

/** Parsed arguments of a cluster's pods. */
export type BrokerPodsFields = z.output<ReturnType<typeof object<typeof brokerPodsFields>>>;

/** Arguments of a MiniCluster, field by field. */
export const miniClusterFields = {
  ...brokerPodsFields,
  size: integer(1, maxPods).default(1),
  minSize: integer(1, maxPods).optional(),
  maxSize: integer(1, maxPods).optional(),
  tasks: integer(0, 2 ** 31 - 1).default(1),
  interactive: flag.default(false),
  cleanup: flag.default(false),
  suspend: flag.optional(),
  bursting: bursting.optional(),
  archive: archive.optional(),
  wait: choice(MiniClusterWait).default(MiniClusterWait.Ready),
};

export const miniCluster = object(miniClusterFields);

/** Parsed arguments of a MiniCluster. */
export type MiniClusterFields = z.output<typeof miniCluster>;

/** Hosts that the Flux instance knows of a MiniCluster. */
export const maxSizeOf = ({ size, maxSize = size }: Pick<MiniClusterFields, "size" | "maxSize">) => maxSize;
