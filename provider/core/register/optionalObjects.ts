import * as pulumi from "@pulumi/pulumi";
import { infinibandClass } from "../../clouds/nodes/parse/scheduling";
import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import { DaemonSet } from "@pulumi/kubernetes/apps/v1/daemonSet";
import { ConfigMap } from "@pulumi/kubernetes/core/v1/configMap";
import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1/networkPolicy";
import { PodDisruptionBudget } from "@pulumi/kubernetes/policy/v1/podDisruptionBudget";
import { ResourceClaimTemplate } from "@pulumi/kubernetes/resource/v1/resourceClaimTemplate";
import { requireApi } from "../../diagnostics/optionalApis";
import { mergeHooks } from "../../diagnostics/hooks";
import { waitingFor } from "../../shared/children";
import { MiniClusterResize } from "../args";
import type { Manifests } from "../objects";
import { computeDomainApi, requireDeviceClasses } from "../pool/diagnostics";
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
 * Registers the ConfigMap with the programs that run beside Flux. The archives are marked as secret although they contain no
 * secret, so that a preview shows one word instead of their base64. In rendered YAML they are not marked, because the Kubernetes
 * provider warns of secrets in files.
 */
export const registerPrograms = (
  { name, spec, features, manifests: { programs } }: Cluster,
  options: UniqueOptions,
): pulumi.Resource[] =>
  programs
    ? [
        new ConfigMap(`${name}-programs`, spec.resize === MiniClusterResize.Manifest ? programs : hidden(programs), {
          ...options,
          hooks: mergeHooks(
            options.hooks,
            ...features.flatMap((feature) => feature.hooksOnPrograms?.(name, spec, options.parent) ?? []),
          ),
        }),
      ]
    : [];

const hidden = (programs: NonNullable<Manifests["programs"]>) => ({
  ...programs,
  binaryData: pulumi.secret(programs.binaryData),
});

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

/** Registers the DaemonSet that pulls the images. It follows the pool, and waits for a pod on each node. */
export function registerPrepull(
  { name, spec, manifests: { prepull } }: JobOfBrokers,
  options: ObjectOptions,
): pulumi.Resource[] {
  if (!prepull) return [];
  const customTimeouts = waitingFor(spec.waitTimeoutSeconds, options);
  return [new DaemonSet(`${name}-prepull`, prepull, { ...options, customTimeouts })];
}
