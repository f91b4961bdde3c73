import { z } from "zod";
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
  properties,
  serviceName,
} from "../shared/checks";
import { inputPropertiesError, inputProblems } from "../shared/errors";
import { isPlainObject } from "../shared/objects";
import {
  MiniClusterAffinity,
  MiniClusterArch,
  type MiniClusterArgs,
  MiniClusterNetworkPolicy,
  MiniClusterPodSecurity,
  MiniClusterResize,
  MiniClusterWait,
} from "./args";
import { bursting } from "./parse/burst/bursting";
import { burstName } from "./parse/burst/operatorRules";
import { container } from "./parse/container";
import { runsFlux } from "./parse/containerRules";
import { defaultViews, flux } from "./parse/flux";
import { settleInstance } from "./parse/instance";
import { pod } from "./parse/pod";
import { podTemplate } from "./parse/podTemplate";
import { bindPod, bindPool } from "./parse/pool/bind";
import { poolRules } from "./parse/pool/rules";
import { pool, poolOf } from "./parse/pool/scheduling";
import { restrictContainer, restrictPod } from "./parse/restricted";
import { checkRules } from "./parse/rules";
import type { AddIssue } from "../shared/rules";

// Above this Kubernetes does not track the indexes of a Job exactly.
const maxPods = 100_000;

// As in the Flux Operator: a lead broker that is not there yet is looked for again soon.
const defaultConnectTimeout = "5s";

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

const fields = object({
  name: dnsLabel,
  namespace: dnsLabel.default("default"),
  size: integer(1, maxPods).default(1),
  minSize: integer(1, maxPods).optional(),
  maxSize: integer(1, maxPods).optional(),
  tasks: integer(0, 2 ** 31 - 1).default(1),
  interactive: flag.default(false),
  // About a year, as in the Flux Operator.
  deadlineSeconds: integer(1, Number.MAX_SAFE_INTEGER).default(31_500_000),
  backoffLimit: integer(0, 2 ** 31 - 1).default(6),
  jobLabels: labels.default({}),
  shareProcessNamespace: flag.default(false),
  cleanup: flag.default(false),
  suspend: flag.optional(),
  wait: choice(MiniClusterWait).default(MiniClusterWait.Ready),
  waitTimeoutSeconds: integer(1, 2 ** 31 - 1).default(600),
  resize: choice(MiniClusterResize).default(MiniClusterResize.Patch),
  flux: flux.prefault({}),
  bursting: bursting.optional(),
  containers: list(container).refine((containers) => containers.length > 0, {
    error: "a cluster needs at least one container; add one",
  }),
  services: list(container).default([]),
  pool: pool.optional(),
  disruptionBudget: flag.optional(),
  archive: archive.optional(),
  gang: gang.prefault({}),
  podSecurity: choice(MiniClusterPodSecurity).default(MiniClusterPodSecurity.Baseline),
  podTemplate: podTemplate.optional(),
  pod: pod.prefault({}),
  network: network.prefault({}),
  logging: logging.prefault({}),
});

// A program parses a handful of clusters: to compile the schema first would take longer than to read it.
const onceOnly = { jitless: true };

// The rules between properties join in even where single properties are wrong, so that one run shows every problem.
const schema = z.custom<z.input<typeof fields>>().transform((given, context) => {
  const addIssue: AddIssue = (path, message) => context.addIssue({ code: "custom", path, message, input: given });
  const home = poolOf(properties(given));
  const args = home ? bindPool(given, home) : given;
  if (home) poolRules(args, home, addIssue);
  checkRules(properties(args), addIssue);
  const parsed = fields.safeParse(args, onceOnly);
  if (parsed.success) return resolve(parsed.data);
  context.issues.push(...(parsed.error.issues as z.core.$ZodRawIssue[]));
  return z.NEVER;
});

/** Arguments of a cluster, to be checked. Errors name the property path; nothing is thrown. */
export const miniClusterSchema = schema;

/** Arguments of which every one is checked and every default is set: all that the builders know. */
export type MiniClusterSpec = z.output<typeof schema>;

/** A container whose name is settled. */
export type ContainerSpec = MiniClusterSpec["main"];

/** The spec of a MiniCluster, or one error that names every problem of its arguments. */
export function parseMiniClusterArgs(resourceName: string, args: MiniClusterArgs): MiniClusterSpec {
  const named = () => ({ ...args, name: args.name ?? resourceName }) satisfies z.input<typeof fields>;
  const parsed = schema.safeParse(isPlainObject(args) ? named() : args, onceOnly);
  if (!parsed.success) throw inputPropertiesError(`MiniCluster ${resourceName}`, inputProblems(parsed.error));
  return parsed.data;
}

/** Settles what depends on several arguments: who runs Flux, how, and under which names. */
function resolve({ containers, ...args }: z.output<typeof fields>) {
  const { name, network, flux, podSecurity } = args;
  const maxSize = args.maxSize ?? args.size;
  const secured = securedBy(podSecurity);
  const named = (one: z.output<typeof container>) => ({ ...secured(one), name: one.name ?? name });
  const [main, ...sidecars] = [...containers]
    .sort((one, other) => Number(runsFlux(other, containers)) - Number(runsFlux(one, containers)))
    .map(named);
  if (!main) throw new Error("the schema lets no cluster through that has no container");
  const { securityContext, nodeSelector, tolerations, annotations } = args.pod;
  const isRestricted = podSecurity === MiniClusterPodSecurity.Restricted;
  const ownPod = { ...args.pod, securityContext: isRestricted ? restrictPod(securityContext) : securityContext };
  const bursts = burstClusters(flux.bursting.clusters, maxSize);
  const isFlat = flux.minimalService || args.bursting !== undefined || isJoined(flux.bursting);
  const ownFlux = { ...flux, bursting: { ...flux.bursting, clusters: bursts } };
  return {
    ...args,
    main,
    sidecars,
    services: args.services.map(named),
    mode: launchMode(args.interactive, main),
    disruptionBudget: args.disruptionBudget ?? args.pool !== undefined,
    maxSize,
    instance: settleInstance({ ...args, maxSize, flux: ownFlux }, main),
    // A cluster of its own rests by `suspend`; only one that joins another may be of size 0.
    suspendAtZero: false,
    // Kueue sets the field itself.
    suspend: args.gang.queueName === undefined ? (args.suspend ?? false) : undefined,
    pod: args.pool ? bindPod(ownPod, args.pool) : ownPod,
    // The services run where the user says, and not on the nodes of the pool.
    servicesPod: { nodeSelector, tolerations, annotations },
    network: { ...network, headlessName: network.headlessName ?? name },
    flux: {
      ...ownFlux,
      // What the user's own configuration says of it is his word.
      connectTimeout: flux.connectTimeout ?? (flux.brokerConfig ? "" : defaultConnectTimeout),
      topology: flux.topology ?? (isFlat ? "kary:0" : undefined),
      container: {
        ...secured(flux.container),
        image: flux.container.image ?? defaultViews[flux.arch ?? MiniClusterArch.Amd64],
      },
    },
  };
}

/** Gives a container the security context that its pod has to pass with. */
function securedBy(level: MiniClusterPodSecurity) {
  return <T extends { securityContext: object }>(one: T): T =>
    level === MiniClusterPodSecurity.Restricted
      ? { ...one, securityContext: restrictContainer(one.securityContext) }
      : one;
}

const burstClusters = (clusters: { name?: string; size?: number }[], maxSize: number) =>
  clusters.map(({ name, size = maxSize }, index) => ({ name: burstName(name, index), size }));

/** Whether brokers of other clusters belong to the instance: they reach the lead broker alone, so it is the parent of all. */
const isJoined = ({ leadBroker, hostlist, clusters }: z.output<typeof flux>["bursting"]) =>
  leadBroker !== undefined || hostlist !== undefined || clusters.length > 0;

/** How the lead broker starts: with a submitted command, a batch job or a launcher, or with nothing, to be connected to. */
function launchMode(interactive: boolean, main: z.output<typeof container>) {
  const hasCommand = main.command?.trim() || main.commands.script?.trim();
  if (interactive || !hasCommand) return "interactive";
  if (main.batch) return "batch";
  return main.launcher ? "launcher" : "submit";
}
