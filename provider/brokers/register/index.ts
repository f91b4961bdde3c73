import { Job } from "@pulumi/kubernetes/batch/v1/job";
import { JobPatch } from "@pulumi/kubernetes/batch/v1/jobPatch";
import { ConfigMap } from "@pulumi/kubernetes/core/v1/configMap";
import { ConfigMapPatch } from "@pulumi/kubernetes/core/v1/configMapPatch";
import { Pod } from "@pulumi/kubernetes/core/v1/pod";
import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import { Service } from "@pulumi/kubernetes/core/v1/service";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1/networkPolicy";
import { PodDisruptionBudget } from "@pulumi/kubernetes/policy/v1/podDisruptionBudget";
import * as pulumi from "@pulumi/pulumi";
import { lookAtCluster } from "../../shared/apiServer";
import { type Inputs, mergeHooks, numberAt, remarkAfterUpdate, remarkOnUpdate } from "../../shared/changes";
import { type ChildOptions, secretWith, waitingFor } from "../../shared/children";
import { resourcesBehind, whenKnown } from "../../shared/deferred";
import { isPlainObject } from "../../shared/objects";
import { MiniClusterResize } from "../args";
import type { Manifests } from "../objects";
import { objectsOf } from "../objects/identities";
import { leadServiceReplaceOnChanges } from "../objects/network";
import {
  certificateHashAnnotation,
  configHashAnnotation,
  elasticAnnotation,
  environmentHashAnnotation,
  maxRunTimeLabel,
  queueLabel,
  sizeKey,
} from "../parse/names";
import { isResizedByPatch, type MiniClusterSpec, sizeFollowsQueue, suspendsAtZero } from "../parse/spec";
import { registerAgent } from "./agent";
import { leavingRemarks, resizeRemarks, stillLeavingRemarks } from "./capacity";
import { Growth } from "./growth";
import { endedRemarks, replacementRemarks, scriptRemarks, SizeFirst, uidOf } from "./jobChange";
import { type GangRemarks, gangRemarks, registerPodGroup } from "./nativeGang";
import { registerClaims, registerMetrics, registerPrepull } from "./optional";
import { refuseRenderedPatches, rejectDuplicateName, remarkOnPlace } from "./place";
import { remarkOnWait, reportWhileWaiting } from "./waiting";

/** The resources of a cluster that its outputs come from. */
export interface Registered {
  secret: Secret;
  service: Service;
  job: Job;
  /** Resource whose readiness `up` waits for: the Job, or the patch that sets its size. */
  waiting: Job | JobPatch;
  /** The service that leads to the lead broker from outside, if the cluster has one. */
  lead?: Service;
}

/** Owner of a cluster's objects, and the resources that come before them. */
interface RegisterOptions extends ChildOptions {
  /** What the cluster was told to come after. */
  dependsOn?: pulumi.ComponentResourceOptions["dependsOn"];
  /** Cluster to join, which comes before all objects: if they fail, that cluster is already as it is to be. */
  root?: unknown;
  /** The pool, whose nodes come before the pods. */
  pool: unknown;
}

/** Options of the resized resources. */
interface ResizeOptions extends pulumi.CustomResourceOptions {
  parent: pulumi.Resource;
  gang: GangRemarks;
  growth: Growth;
}

/** The ConfigMap of a cluster with the patch of its size, and those of them that all other objects come after. */
interface Config {
  all: pulumi.Resource[];
  needed: pulumi.Input<pulumi.Resource[]>;
}

/**
 * Registers the objects of a cluster: what the pods need before the Job, the nodes of their pool included, and the size
 * after it.
 */
export function registerManifests(
  name: string,
  spec: MiniClusterSpec,
  manifests: Manifests,
  { parent, dependsOn, customTimeouts, root, pool }: RegisterOptions,
): Registered {
  const joined = resourcesBehind(root, ...(isPlainObject(root) ? Object.values(root) : []));
  // The names are fixed, so an object has to go before its successor can come.
  const options = { parent, customTimeouts, deleteBeforeReplace: true, dependsOn: joined };
  const secret = new Secret(`${name}-curve`, manifests.secret, options);
  const first = { ...options, hooks: rejectDuplicateName(name, spec, parent, objectsOf(manifests)) };
  const service = new Service(name, manifests.service, {
    ...options,
    hooks: mergeHooks(first.hooks, remarkOnPlace(name, spec, { parent, ...(dependsOn && { dependsOn }) })),
  });
  const sidecars = Object.entries(manifests.sidecarServices ?? {}).map(
    ([container, manifest]) => new Service(`${name}-sidecar-${container}`, manifest, first),
  );
  const environment = manifests.environment ? [new Secret(`${name}-environment`, manifests.environment, first)] : [];
  const policy = manifests.networkPolicy ? [new NetworkPolicy(name, manifests.networkPolicy, first)] : [];
  const budget = manifests.disruptionBudget ? [new PodDisruptionBudget(name, manifests.disruptionBudget, first)] : [];
  const claims = registerClaims(name, spec, manifests, options);
  const programs = manifests.programs ? [new ConfigMap(`${name}-programs`, manifests.programs, first)] : [];
  const group = registerPodGroup(name, spec, manifests, options);
  registerMetrics(name, manifests, first);
  const gang = gangRemarks(spec, () => lookAtCluster(parent));
  const growth = new Growth(name, spec, parent, manifests.jobScale.metadata.annotations);
  const config = registerConfig(name, spec, manifests, { ...first, gang, growth });
  const after = (...resources: pulumi.Input<pulumi.Resource[]>[]) =>
    pulumi.all([joined, ...resources]).apply((lists) => lists.flat());
  const services = registerServices(name, spec, manifests, { ...first, dependsOn: after(environment, config.needed) });
  const prepull = registerPrepull(name, spec, manifests, { ...first, dependsOn: after(resourcesBehind(pool)) });
  const others = [sidecars, policy, budget, claims, group, environment, programs, services];
  const before = [secret, service, ...others.flat()];
  const { job, waiting } = registerJob(name, spec, manifests, {
    ...options,
    gang,
    growth,
    dependsOn: after(before, config.needed, prepull, resourcesBehind(pool)),
  });
  registerAgent(name, spec, manifests, { ...first, waiting, programs });
  const lead = manifests.leadService
    ? new Service(`${name}-lead`, manifests.leadService, {
        ...first,
        replaceOnChanges: leadServiceReplaceOnChanges,
      })
    : undefined;
  reportWhileWaiting(spec, parent, {
    ...(waiting === job ? { begun: [...before, ...config.all] } : { begun: [job], job }),
    ended: waiting,
  });
  return { secret, service, job, waiting, ...(lead && { lead }) };
}

/** The pod of the services and the service in front of it. The pod is Ready before the brokers come. */
function registerServices(
  name: string,
  { waitTimeoutSeconds }: MiniClusterSpec,
  { servicesPod, servicesService }: Manifests,
  options: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  if (!servicesPod || !servicesService) return [];
  const pod = new Pod(`${name}-services`, servicesPod, {
    ...options,
    customTimeouts: waitingFor(waitTimeoutSeconds, options),
    // It repeats the images, which may be secrets.
    additionalSecretOutputs: ["status"],
    // Nothing restarts the containers of a pod when what they have read changes.
    replaceOnChanges: [configHashAnnotation, environmentHashAnnotation].map((key) => `metadata.annotations["${key}"]`),
  });
  const front = { ...options, dependsOn: [pod] };
  return [pod, new Service(`${name}-services`, servicesService, front)];
}

function registerConfig(
  name: string,
  spec: MiniClusterSpec,
  { configMap, configScale }: Manifests,
  { gang, growth, ...options }: ResizeOptions,
): Config {
  const byPatch = spec.resize === MiniClusterResize.Patch;
  const config = new ConfigMap(`${name}-entrypoint`, configMap, {
    ...options,
    ...(byPatch && { ignoreChanges: [`data.${sizeKey}`] }),
  });
  if (!byPatch) return { all: [config], needed: [config] };
  const size = new ConfigMapPatch(`${name}-entrypoint-size`, configScale, {
    ...patchOptions(options, config),
    dependsOn: growth.beforeConfig().apply((more) => [config, ...more]),
    hooks: hooksOnConfigSize(name, spec, gang, options.parent),
  });
  return { all: [config, size], needed: growth.afterConfig(config, size) };
}

/**
 * Hooks that refuse a patch that would be rendered, and a resize that the API server will refuse for the Job, and that name the reason
 * where another version of this package replaces the Job.
 */
function hooksOnConfigSize(name: string, spec: MiniClusterSpec, gang: GangRemarks, parent: pulumi.Resource) {
  const refused = remarkOnUpdate(`minicluster:${name}:configSize`, parent, async (before, after) => {
    const sizes = [before, after].map(({ data }) => (isPlainObject(data) ? String(data[sizeKey]) : undefined));
    return [...scriptRemarks(spec, before, after), ...(await gang(sizes))];
  });
  return mergeHooks(refuseRenderedPatches(name, parent), refused);
}

/** Annotations of the pods that are made from secrets and reveal nothing of them. */
const hashAnnotations = [certificateHashAnnotation, environmentHashAnnotation];

function registerJob(
  name: string,
  spec: MiniClusterSpec,
  { job: manifest, jobScale }: Manifests,
  { gang, growth, ...options }: ResizeOptions,
) {
  const customTimeouts = waitingFor(spec.waitTimeoutSeconds, options);
  const byPatch = isResizedByPatch(spec);
  const { parent } = options;
  const order = new SizeFirst(name, spec);
  const job = new Job(name, manifest, {
    ...options,
    customTimeouts,
    replaceOnChanges: fixedForKueue,
    ...(byPatch
      ? {
          ignoreChanges: patchedFields(spec),
          hooks: mergeHooks(hooksOnJob(name, order, parent), growth.hookOnJob(parent)),
        }
      : {
          hooks: remarkOnWait(name, spec, parent),
          ...(sizeFollowsQueue(spec) && { ignoreChanges: patchedFields(spec) }),
        }),
  });
  if (!byPatch) return { job, waiting: job };
  const patch = new JobPatch(`${name}-size`, jobScale, {
    ...patchOptions(options, job),
    ...order.optionsOfPatch(job),
    customTimeouts,
    hooks: { ...hooksOnSize(name, spec, { job, order, gang, parent }), ...remarkOnWait(name, spec, parent, job) },
    transforms: secretWith({ metadata: manifest.metadata, spec: manifest.spec.template }, hashAnnotations),
  });
  void whenKnown(patch.urn).then(order.reached);
  growth.follow(patch);
  return { job, waiting: patch };
}

/** Fields that the patch of the size sets, and that a change of the Job itself must leave alone. */
const patchedFields = (spec: MiniClusterSpec) => [
  "spec.completions",
  "spec.parallelism",
  ...(suspendsAtZero(spec) ? ["spec.suspend"] : []),
];

/** Values that Kueue lets nobody change while the Job runs. */
const fixedForKueue = [
  `metadata.annotations["${elasticAnnotation}"]`,
  ...[queueLabel, maxRunTimeLabel].map((key) => `metadata.labels["${key}"]`),
];

function hooksOnJob(name: string, order: SizeFirst, component: pulumi.Resource) {
  return remarkOnUpdate(`minicluster:${name}:job`, component, (_before, _after, seen) => order.beforeJob(seen));
}

/** Hooks that log what a resize takes from the pool or gives back to it, and refuse a resize of a Job that has ended. */
function hooksOnSize(
  name: string,
  spec: MiniClusterSpec,
  { job, order, gang, parent }: { job: Job; order: SizeFirst; gang: GangRemarks; parent: pulumi.Resource },
) {
  const remarkOnEnded = async (before: Inputs, after: Inputs, seen: Inputs) => {
    const remarks = endedRemarks(spec, { before, after, seen }, "error");
    // One that is made anew has not ended. Only where the Job has ended is it sure to be there by now.
    return remarks.length > 0 && (await whenKnown(job.metadata.uid)) === uidOf(seen) ? remarks : [];
  };
  return {
    ...remarkOnUpdate(`minicluster:${name}:size`, parent, async (before, after, seen) => {
      order.reached();
      const counts = [before, after].map((inputs) => numberAt(inputs, "spec", "parallelism"));
      return [
        ...replacementRemarks(spec, before, after),
        ...resizeRemarks(spec, before, after),
        ...leavingRemarks(spec, before, after),
        ...(await gang(counts)),
        ...(await remarkOnEnded(before, after, seen)),
      ];
    }),
    // The state may not know yet that the Job has ended.
    ...remarkAfterUpdate(`minicluster:${name}:resized`, parent, (before, after, seen) => [
      ...endedRemarks(spec, { before, after, seen }, "warning"),
      ...stillLeavingRemarks(spec, before, after, seen),
    ]),
  };
}

/**
 * Options of a patch, which is deleted with its object and only with it. A patch that is deleted alone gives its fields
 * back, and Kubernetes would set the counts of a running Job to 1: such a patch is only removed from the state, and its
 * object keeps the size.
 */
function patchOptions(
  { parent, customTimeouts }: pulumi.CustomResourceOptions,
  patched: pulumi.Resource,
): pulumi.CustomResourceOptions {
  return { parent, customTimeouts, dependsOn: [patched], deletedWith: patched, retainOnDelete: true };
}
