import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import * as pulumi from "@pulumi/pulumi";
import { readerOf } from "../../diagnostics/apiServer";
import type { ChildOptions } from "../../shared/children";
import { resourcesBehind } from "../../shared/deferred";
import { isPlainObject } from "../../shared/objects";
import { mergeHooks } from "../../diagnostics/hooks";
import { judgedByApiServer } from "../diagnostics/admission/dryRun";
import { rejectDuplicateName } from "../diagnostics/duplicateName";
import type { ResizeDiagnostics } from "../diagnostics/featureDiagnostics";
import { Creations } from "../diagnostics/replacement";
import { reportWhileWaiting, warnOfLostPods } from "../diagnostics/waiting";
import { buildJobManifests, buildManifests, type LateValues } from "../objects";
import { coreObjects, identityOf, programsOf } from "../objects/identities";
import type { MiniClusterSpec } from "../parse/spec";
import { registerConfig } from "./config";
import { Growth } from "./growth";
import { registerJob } from "./job";
import {
  registerBudget,
  registerClaims,
  registerEnvironment,
  registerNetworkPolicy,
  registerPrepull,
  registerPrograms,
} from "./optionalObjects";
import { type BuiltFeature, builderOf, type Feature, type Registered } from "./feature";
import type { JobOfBrokers, UniqueOptions } from "./options";
import type { GivenPlace } from "./place";
import { registerHeadlessService, registerServices, registerSidecarServices } from "./services";

/** A Job of a cluster to register. */
export interface JobToRegister {
  /** The stem of its resource names. */
  name: string;
  spec: MiniClusterSpec;
  /** The pool, whose nodes exist before the pods. */
  pool: unknown;
  /** The argument of the cluster behind each path of the arguments of the Job. */
  sourcePathOf: (path: PropertyKey[]) => PropertyKey[];
}

/** Owner of a cluster's objects, and the resources that precede them. */
interface RegisterOptions extends ChildOptions {
  place: GivenPlace;
  /** Cluster to join, which is updated before all objects: if they fail, it is already up to date. */
  root?: unknown;
  features: readonly Feature[];
  /** Values that are only known later. */
  late: LateValues;
}

/** A Job with its objects, and with its features. */
interface BuiltJob extends JobOfBrokers {
  features: readonly Feature[];
  pool: unknown;
  built: BuiltFeature[];
}

/**
 * Registers the objects of a cluster: the objects that all its Jobs share, each Job with its size, and the objects that need the
 * Jobs. The first Job has the lead broker. Jobs of workers start beside it.
 */
export function registerCluster(
  [first, ...groups]: [JobToRegister, ...JobToRegister[]],
  { parent, place, customTimeouts, root, features, late }: RegisterOptions,
): Registered {
  const build = builderOf(features);
  const judged = [first, ...groups].map(({ spec, sourcePathOf }) => ({ spec, sourcePathOf, build }));
  const { hooks, sizeHooks, isRejected } = judgedByApiServer(first.name, judged, { parent, ...place });
  const joined = resourcesBehind(root, ...(isPlainObject(root) ? Object.values(root) : []));
  // The names are fixed, so an object is deleted before its replacement is created.
  const common = { parent, customTimeouts, deleteBeforeReplace: true, hooks };
  const built = build(first.spec, late);
  const cluster = { ...first, features, built, manifests: buildManifests(first.spec, late, programsOf(built)) };
  const workers = groups.map((group) => ({
    ...group,
    features,
    built: build(group.spec, late),
    manifests: buildJobManifests(group.spec, late),
  }));
  // The other objects depend on the first object, which is created after the API server has accepted all of them.
  const creations = new Creations(first.name, [cluster, ...workers], parent);
  const service = registerHeadlessService(cluster, uniqueOptions(cluster, { ...common, dependsOn: joined }), {
    ...place,
    ...(isRejected && { isRejected }),
    creations,
  });
  const before = joined.apply((resources) => [...resources, service]);
  const options = { ...common, dependsOn: before };
  const unique = uniqueOptions(cluster, options);

  const secret = new Secret(`${cluster.name}-curve`, cluster.manifests.secret, unique);
  const policy = registerNetworkPolicy(cluster, unique);
  const programs = registerPrograms(cluster, unique);
  const shared = [secret, service, ...policy];
  const brokers = registerBrokers(cluster, unique, { before, creations, sizeHooks, shared: [...shared, ...programs] });
  const others = workers.map((group) =>
    registerBrokers(group, uniqueOptions(group, options), {
      before,
      creations,
      sizeHooks,
      shared: [...shared, ...brokers.services],
    }),
  );
  const waiting = [brokers, ...others].map((each) => each.waiting);
  const last = built.map((feature) => feature.registerLast?.(cluster, unique, { waiting, programs }));
  const warned = Promise.all([...last, ...[brokers, ...others].map(({ lost }) => lost)]).then(() => undefined);
  return { secret, service, job: brokers.job, waiting: brokers.waiting, warned, features: built };
}

const uniqueOptions = <T extends UniqueOptions>({ name, spec, manifests, built }: BuiltJob, options: T) => ({
  ...options,
  hooks: mergeHooks(
    rejectDuplicateName(
      name,
      spec,
      options.parent,
      [...coreObjects(manifests), ...built.flatMap(({ objects }) => objects)].map(identityOf),
    ),
    options.hooks,
  ),
});

interface Needed {
  /** The cluster to join, and the first object. */
  before: pulumi.Output<pulumi.Resource[]>;
  creations: Creations;
  /** Hooks of the patch of the size. */
  sizeHooks: pulumi.ResourceHookBinding;
  /** Objects that the Job shares with other Jobs of the cluster. */
  shared: pulumi.Resource[];
}

/** Registers a Job of brokers: the objects that its pods need, after the nodes of their pool, and the size after the Job. */
function registerBrokers(cluster: BuiltJob, unique: UniqueOptions, { before, creations, sizeHooks, shared }: Needed) {
  const { spec, features, pool, built } = cluster;
  const { parent } = unique;
  const nodes = resourcesBehind(pool);
  const after = (...resources: pulumi.Input<pulumi.Resource[]>[]) =>
    pulumi.all([before, ...resources]).apply((lists) => lists.flat());
  const resize = { onResize: resizeDiagnostics(spec, features, parent), growth: new Growth(cluster, parent) };

  const ofFeatures = built.flatMap((feature) => feature.registerFirst?.(cluster, unique) ?? []);
  const sidecars = registerSidecarServices(cluster, unique);
  const environment = registerEnvironment(cluster, unique);
  const budget = registerBudget(cluster, unique);
  const claims = registerClaims(cluster, unique);
  const config = registerConfig(cluster, { ...unique, ...resize });
  const services = registerServices(cluster, { ...unique, dependsOn: after(environment, config.needed) });
  const prepull = registerPrepull(cluster, { ...unique, dependsOn: after(nodes) });
  const own = [shared, ofFeatures, sidecars, budget, claims, environment, services].flat();
  const jobAfter = after(own, config.needed, prepull, nodes);
  const { job, waiting, uid } = registerJob(cluster, {
    ...unique,
    ...resize,
    creations,
    sizeHooks,
    dependsOn: jobAfter,
  });

  reportWhileWaiting(spec, parent, {
    begun: waiting === job ? [...own, ...config.all] : [job],
    ended: waiting,
    uid,
    features,
  });
  return { job, waiting, services, lost: warnOfLostPods(spec, parent, job) };
}

/** Errors of features on a resize that the API server will reject. */
function resizeDiagnostics(
  spec: MiniClusterSpec,
  features: readonly Feature[],
  parent: pulumi.Resource,
): ResizeDiagnostics {
  const all = features.flatMap((feature) => feature.onResize?.(spec, () => readerOf(parent)) ?? []);
  return async (sizes) => (await Promise.all(all.map((diagnose) => diagnose(sizes)))).flat();
}
