import * as pulumi from "@pulumi/pulumi";
import { infinibandClass } from "../../clouds/nodes/parse/scheduling";
import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import { DaemonSet } from "@pulumi/kubernetes/apps/v1/daemonSet";
import { ConfigMap } from "@pulumi/kubernetes/core/v1/configMap";
import { PersistentVolumeClaim } from "@pulumi/kubernetes/core/v1/persistentVolumeClaim";
import { PersistentVolumeClaimPatch } from "@pulumi/kubernetes/core/v1/persistentVolumeClaimPatch";
import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1/networkPolicy";
import { PodDisruptionBudget } from "@pulumi/kubernetes/policy/v1/podDisruptionBudget";
import { ResourceClaimTemplate } from "@pulumi/kubernetes/resource/v1/resourceClaimTemplate";
import { PodGroup as AlphaPodGroup } from "@pulumi/kubernetes/scheduling/v1alpha2/podGroup";
import { PodGroup as BetaPodGroup } from "@pulumi/kubernetes/scheduling/v1beta1/podGroup";
import { type OptionalApi, requireApi } from "../../diagnostics/optionalApis";
import { mergeHooks } from "../../diagnostics/hooks";
import { waitingFor } from "../../shared/children";
import { MiniClusterGangVersion, MiniClusterResize } from "../args";
import { computeDomainApi, requireDeviceClasses } from "../diagnostics/deviceClaims";
import { podGroupHooks } from "../diagnostics/gang";
import { placeHooks } from "../diagnostics/place";
import type { JobManifests } from "../objects";
import type { Cluster, JobOfBrokers, ObjectOptions, UniqueOptions } from "./options";

/** Registers the Secret with the variables of the environment that are secrets. */
export const registerEnvironment = (
  { name, manifests: { environment } }: JobOfBrokers,
  options: ObjectOptions,
): pulumi.Resource[] => (environment ? [new Secret(`${name}-environment`, environment, options)] : []);

export const registerNetworkPolicy = (
  { name, manifests: { networkPolicy } }: Cluster,
  options: ObjectOptions,
): pulumi.Resource[] => (networkPolicy ? [new NetworkPolicy(name, networkPolicy, options)] : []);

export const registerBudget = (
  { name, manifests: { disruptionBudget } }: JobOfBrokers,
  options: ObjectOptions,
): pulumi.Resource[] => (disruptionBudget ? [new PodDisruptionBudget(name, disruptionBudget, options)] : []);

/**
 * Registers the ConfigMap with the programs that run beside Flux. Nothing in the archives is secret: as secrets they have one word in a
 * preview, which their base64 would fill. Rendered to a file they are no secrets, about which the Kubernetes provider would warn.
 */
export const registerPrograms = (
  { name, spec, manifests: { programs } }: JobOfBrokers,
  options: UniqueOptions,
): pulumi.Resource[] =>
  programs
    ? [
        new ConfigMap(`${name}-programs`, spec.resize === MiniClusterResize.Manifest ? programs : hidden(programs), {
          ...options,
          hooks: mergeHooks(options.hooks, placeHooks(name, spec, options.parent)),
        }),
      ]
    : [];

const hidden = (programs: NonNullable<JobManifests["programs"]>) => ({
  ...programs,
  binaryData: pulumi.secret(programs.binaryData),
});

/**
 * Registers the claim of the volume with the state of the instance. A patch creates it, or continues with that of a former cluster,
 * and nothing deletes it.
 */
export function registerStateClaim(
  { name, spec, manifests: { stateClaim } }: Cluster,
  options: ObjectOptions,
): pulumi.Resource[] {
  if (!stateClaim) return [];
  // A patch cannot be rendered to a file.
  const Claim = spec.resize === MiniClusterResize.Manifest ? PersistentVolumeClaim : PersistentVolumeClaimPatch;
  return [new Claim(`${name}-state`, stateClaim, { ...options, retainOnDelete: true })];
}

/** Registers the claim templates for the pods. Their drivers are installed separately. */
export function registerClaims(
  { name, spec, manifests: { claimTemplate, computeDomain } }: JobOfBrokers,
  options: UniqueOptions,
): pulumi.Resource[] {
  const { parent } = options;
  // The pool creates the class of InfiniBand itself.
  const { pool: poolName = "", claims = [] } = spec.pool ?? {};
  const classes = claims.map(({ deviceClass }) => deviceClass).filter((each) => each !== infinibandClass(poolName));
  return [
    ...(claimTemplate
      ? [
          new ResourceClaimTemplate(`${name}-devices`, claimTemplate, {
            ...options,
            hooks: mergeHooks(options.hooks, requireDeviceClasses(`minicluster:${name}:devices`, parent, classes)),
          }),
        ]
      : []),
    ...(computeDomain
      ? [
          new CustomResource(`${name}-domain`, computeDomain, {
            ...options,
            hooks: mergeHooks(options.hooks, requireApi(`minicluster:${name}:domain`, parent, computeDomainApi)),
          }),
        ]
      : []),
  ];
}

const podGroups = {
  [MiniClusterGangVersion.V1alpha2]: AlphaPodGroup,
  [MiniClusterGangVersion.V1beta1]: BetaPodGroup,
};

/** Registers the PodGroup of the pods, which comes before them. */
export function registerPodGroup(
  { name, spec: { podGroup }, manifests }: JobOfBrokers,
  options: UniqueOptions,
): pulumi.Resource[] {
  if (!podGroup || !manifests.podGroup) return [];
  const PodGroup = podGroups[podGroup.version];
  const hooks = mergeHooks(options.hooks, podGroupHooks(name, podGroup, options.parent));
  // A PodGroup with pods cannot be deleted: the former one is deleted after its Job.
  return [new PodGroup(`${name}-gang`, manifests.podGroup, { ...options, hooks, deleteBeforeReplace: false })];
}

const podMonitors: OptionalApi = {
  groupVersion: "monitoring.coreos.com/v1",
  remedy: "install the Prometheus Operator with its CRDs first, or remove metrics.podMonitor",
};

/** Registers what lets Prometheus scrape the metrics of a cluster. */
export function registerMetrics({ name, manifests: { metrics } }: JobOfBrokers, options: UniqueOptions): void {
  if (!metrics) return;
  const own = `${name}-metrics`;
  const { networkPolicy, podMonitor } = metrics;
  if (podMonitor)
    new CustomResource(own, podMonitor, {
      ...options,
      hooks: mergeHooks(options.hooks, requireApi(`minicluster:${name}:metrics`, options.parent, podMonitors)),
    });
  if (networkPolicy) new NetworkPolicy(own, networkPolicy, options);
}

/** Registers the DaemonSet that pulls the images. It follows the pool, and waits for a pod on each node. */
export function registerPrepull(
  { name, spec, manifests: { prepull } }: JobOfBrokers,
  options: ObjectOptions,
): pulumi.Resource[] {
  if (!prepull) return [];
  const customTimeouts = waitingFor(spec.waitTimeoutSeconds, options);
  return [new DaemonSet(`${name}-prepull`, prepull, { ...options, customTimeouts })];
}
