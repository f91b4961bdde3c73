import { Pod } from "@pulumi/kubernetes/core/v1/pod";
import { Service } from "@pulumi/kubernetes/core/v1/service";
import * as pulumi from "@pulumi/pulumi";
import { mergeHooks } from "../../diagnostics/hooks";
import { waitingFor } from "../../shared/children";
import type { Judgement } from "../diagnostics/admission/dryRun";
import { rejectOtherNamespace, tellNamespace, warnOfMissingNamespace } from "../diagnostics/namespace";
import type { Creations } from "../diagnostics/replacement";
import type { ServiceManifest } from "../objects/manifest";
import { configHashAnnotation, environmentHashAnnotation } from "../parse/names";
import type { Cluster, JobOfBrokers, ObjectOptions, UniqueOptions } from "./options";
import type { GivenPlace } from "./place";

/** Registers the headless service of the brokers. */
export const registerHeadlessService = (
  { name, spec, manifests }: Cluster,
  options: UniqueOptions,
  {
    namespace,
    fromProvider,
    dependsOn,
    isRejected,
    creations,
  }: GivenPlace & Pick<Judgement, "isRejected"> & { creations: Creations },
) =>
  new Service(name, isRejected ? judged(manifests.service, isRejected) : manifests.service, {
    ...options,
    hooks: mergeHooks(
      options.hooks,
      creations.hookOnService(),
      fromProvider
        ? tellNamespace(name, fromProvider, options.parent)
        : rejectOtherNamespace(name, spec, options.parent, namespace),
      warnOfMissingNamespace(name, spec, { parent: options.parent, ...(dependsOn && { dependsOn }) }),
    ),
  });

/**
 * The manifest of the first object once the verdict of the API server is known. An update that must not begin changes the object,
 * so that its hook stops the engine: an object that is replaced has no hook before it is deleted.
 */
const judged = ({ metadata, ...manifest }: ServiceManifest, isRejected: Promise<boolean>): ServiceManifest => ({
  ...manifest,
  metadata: pulumi
    .all([metadata ?? {}, isRejected])
    .apply(([own, rejects]) => (rejects ? Object.assign({}, own, { annotations: rejected }) : own)),
});

const rejected = { "minicluster/rejected": "true" };

/** Registers the services in front of the sidecars. */
export const registerSidecarServices = ({ name, manifests }: JobOfBrokers, options: UniqueOptions): Service[] =>
  Object.entries(manifests.sidecarServices ?? {}).map(
    ([container, manifest]) => new Service(`${name}-sidecar-${container}`, manifest, options),
  );

/** Registers the pod of the services and the service in front of it. The pod is Ready before the brokers start. */
export function registerServices(
  { name, spec, manifests: { servicesPod, servicesService } }: JobOfBrokers,
  options: ObjectOptions,
): pulumi.Resource[] {
  if (!servicesPod || !servicesService) return [];
  const pod = new Pod(`${name}-services`, servicesPod, {
    ...options,
    customTimeouts: waitingFor(spec.waitTimeoutSeconds, options),
    // It repeats the images, which may be secrets.
    additionalSecretOutputs: ["status"],
    // Kubernetes does not restart the containers of a pod when a file that they have read changes.
    replaceOnChanges: [configHashAnnotation, environmentHashAnnotation].map((key) => `metadata.annotations["${key}"]`),
  });
  const front = { ...options, dependsOn: [pod] };
  return [pod, new Service(`${name}-services`, servicesService, front)];
}
