import type { Job } from "@pulumi/kubernetes/batch/v1/job";
import type { JobPatch } from "@pulumi/kubernetes/batch/v1/jobPatch";
import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import type { Service } from "@pulumi/kubernetes/core/v1/service";
import * as pulumi from "@pulumi/pulumi";
import { readerOf } from "../../diagnostics/apiServer";
import type { ChildOptions } from "../../shared/children";
import { resourcesBehind } from "../../shared/deferred";
import { isPlainObject } from "../../shared/objects";
import { mergeHooks } from "../../diagnostics/hooks";
import { judgedByApiServer } from "../diagnostics/admission/dryRun";
import { rejectDuplicateName } from "../diagnostics/duplicateName";
import { gangDiagnostics } from "../../gang/diagnostics";
import { reportWhileWaiting, warnOfLostPods } from "../diagnostics/waiting";
import { identityOf, objectsOf } from "../objects/identities";
import { registerAgent } from "../../autoscale/register";
import { registerConsole } from "../../console/register";
import { registerConfig } from "./config";
import { Growth } from "./growth";
import { registerJob } from "./job";
import {
  registerBudget,
  registerClaims,
  registerEnvironment,
  registerMetrics,
  registerNetworkPolicy,
  registerPodGroup,
  registerPrepull,
  registerPrograms,
  registerStateClaim,
} from "./optionalObjects";
import type { Cluster, JobOfBrokers, UniqueOptions } from "./options";
import {
  type GivenPlace,
  registerHeadlessService,
  registerLeadService,
  registerServices,
  registerSidecarServices,
} from "./services";

/** The resources of a cluster that its outputs are read from. */
export interface Registered {
  secret: Secret;
  service: Service;
  job: Job;
  /** Resource whose readiness `up` waits for: the Job, or the patch that sets its size. */
  waiting: Job | JobPatch;
  /** The Service by which the lead broker is reached from outside, if the cluster has one. */
  lead?: Service;
  /** Resolves when all warnings are logged. The program has to run until then. */
  warned: Promise<void>;
}

/** A group of workers to register, with its pool, whose nodes precede its pods. */
interface Group extends JobOfBrokers {
  pool: unknown;
}

/** Owner of a cluster's objects, and the resources that precede them. */
interface RegisterOptions extends ChildOptions {
  given: GivenPlace;
  /** Cluster to join, which precedes all objects: if they fail, that cluster is already up to date. */
  root?: unknown;
  /** The pool, whose nodes precede the pods. */
  pool: unknown;
  /** Groups of workers. They start beside the lead broker. */
  groups?: Group[];
  /** The argument behind a path of a Job of the cluster, by the place of the Job. Default: the path. */
  originOf?: (job: number, path: PropertyKey[]) => PropertyKey[];
}

/** Registers the objects of a cluster: those that all its Jobs share, each Job with its size, and the objects that need the Jobs. */
export function registerManifests(
  cluster: Cluster,
  { parent, given, customTimeouts, root, pool, groups = [], originOf = (_, path) => path }: RegisterOptions,
): Registered {
  const jobs = [cluster, ...groups].map(({ spec }, job) => ({ spec, originOf: originOf.bind(undefined, job) }));
  const { hooks, isRejected } = judgedByApiServer(cluster.name, jobs, parent);
  const joined = resourcesBehind(root, ...(isPlainObject(root) ? Object.values(root) : []));
  // The names are fixed, so an object is deleted before its replacement is created.
  const common = { parent, customTimeouts, deleteBeforeReplace: true, hooks };
  // The other objects follow the first one, which is registered when the API server accepts all of them.
  const service = registerHeadlessService(cluster, uniqueOptions(cluster, { ...common, dependsOn: joined }), {
    ...given,
    ...(isRejected && { isRejected }),
  });
  const first = joined.apply((resources) => [...resources, service]);
  const options = { ...common, dependsOn: first };
  const unique = uniqueOptions(cluster, options);

  const secret = new Secret(`${cluster.name}-curve`, cluster.manifests.secret, unique);
  const policy = registerNetworkPolicy(cluster, unique);
  const programs = registerPrograms(cluster, unique);
  registerMetrics(cluster, unique);
  registerConsole(cluster, unique);
  const shared = [secret, service, ...policy];
  const claim = registerStateClaim(cluster, unique);
  const { job, waiting, services, lost } = registerBrokers(cluster, unique, {
    options,
    first,
    pool,
    shared: [...shared, ...programs, ...claim],
  });
  const workers = groups.map((group) =>
    registerBrokers(group, uniqueOptions(group, options), {
      options,
      first,
      pool: group.pool,
      shared: [...shared, ...services],
    }),
  );
  const agent = registerAgent(cluster, {
    ...unique,
    waiting: [waiting, ...workers.map((each) => each.waiting)],
    programs,
  });
  const lead = registerLeadService(cluster, unique);
  const warned = Promise.all([agent, lost, ...workers.map((each) => each.lost)]).then(() => undefined);
  return { secret, service, job, waiting, warned, ...(lead && { lead }) };
}

const uniqueOptions = <T extends UniqueOptions>({ name, spec, manifests }: JobOfBrokers, options: T) => ({
  ...options,
  hooks: mergeHooks(
    rejectDuplicateName(name, spec, options.parent, objectsOf(spec, manifests).map(identityOf)),
    options.hooks,
  ),
});

interface Needed {
  /** The same without the hook on duplicate names. */
  options: UniqueOptions;
  /** The cluster to join, and the first object. */
  first: pulumi.Output<pulumi.Resource[]>;
  /** The pool, whose nodes precede the pods. */
  pool: unknown;
  /** What the Job shares with others of the cluster. */
  shared: pulumi.Resource[];
}

/** Registers a Job of brokers: the objects that its pods need, the nodes of their pool included, and the size after the Job. */
function registerBrokers(cluster: JobOfBrokers, unique: UniqueOptions, { options, first, pool, shared }: Needed) {
  const { spec } = cluster;
  const { parent } = options;
  const nodes = resourcesBehind(pool);
  const after = (...resources: pulumi.Input<pulumi.Resource[]>[]) =>
    pulumi.all([first, ...resources]).apply((lists) => lists.flat());
  const resize = { gang: gangDiagnostics(spec, () => readerOf(parent)), growth: new Growth(cluster, parent) };

  const sidecars = registerSidecarServices(cluster, unique);
  const environment = registerEnvironment(cluster, unique);
  const budget = registerBudget(cluster, unique);
  const claims = registerClaims(cluster, options);
  const group = registerPodGroup(cluster, options);
  const config = registerConfig(cluster, { ...unique, ...resize });
  const services = registerServices(cluster, { ...unique, dependsOn: after(environment, config.needed) });
  const prepull = registerPrepull(cluster, { ...unique, dependsOn: after(nodes) });
  const before = [shared, sidecars, budget, claims, group, environment, services].flat();
  const jobAfter = after(before, config.needed, prepull, nodes);
  const { job, waiting, uid } = registerJob(cluster, { ...options, ...resize, dependsOn: jobAfter });

  reportWhileWaiting(spec, parent, {
    begun: waiting === job ? [...before, ...config.all] : [job],
    ended: waiting,
    uid,
  });
  return { job, waiting, services, lost: warnOfLostPods(spec, parent, job) };
}
