import type * as pulumi from "@pulumi/pulumi";
import { MiniClusterArch } from "../../clouds/nodes/args";
import { hashKnown } from "../../shared/deferred";
import { isPlainObject, withoutEmpty } from "../../shared/objects";
import { MiniClusterWait } from "../args";

import {
  certificateHashAnnotation,
  configHashAnnotation,
  environmentHashAnnotation,
  objectLabels,
  templateLabels,
  servicesName,
  servicesSelector,
} from "../parse/names";
import { isRestricted, restrictContainer } from "../parse/restricted";
import { copiesView, drains, type MiniClusterSpec } from "../parse/spec";
import { strategicMerge } from "../parse/strategicMerge";
import { awayFromWorkers, buildAffinity } from "./affinity";
import { buildMainContainer, buildServiceContainer, buildSidecar, buildViewContainer } from "./containers";
import { podClaims } from "../pool/objects/deviceClaims";
import {
  type Container,
  metadata,
  type PodManifest,
  type PodSpec,
  type PodTemplate,
  type Toleration,
} from "./manifest";
import { buildServiceVolumes, buildVolumes } from "./volumes";

/**
 * Values of the pods that are known only later. Most are hashes of values that a running pod cannot read again: a change restarts
 * the pods.
 */
export interface PodValues {
  /** Hash of the certificate. */
  certificate?: pulumi.Input<string>;
  /** Hash of the variables that are known only later. */
  environment?: pulumi.Input<string>;
  /** `address:port` of a lead broker that runs elsewhere. */
  leadEndpoint?: pulumi.Input<string>;
}

/** The pods of the Job, with what the user merges over them: a function of `maxSize`, never of `size`. */
export function buildPodTemplate(
  spec: MiniClusterSpec,
  files: Record<string, string>,
  { certificate, environment, leadEndpoint }: PodValues = {},
): PodTemplate {
  const template: PodTemplate = {
    metadata: {
      labels: { ...templateLabels(spec), ...spec.pod.labels },
      annotations: {
        ...spec.pod.annotations,
        ...spec.additions.podAnnotations,
        [configHashAnnotation]: hashKnown(files),
        ...(certificate && { [certificateHashAnnotation]: certificate }),
        ...(environment && { [environmentHashAnnotation]: environment }),
      },
    },
    spec: buildPodSpec(spec, leadEndpoint),
  };
  if (!spec.podTemplate) return template;
  const merged = strategicMerge(template, spec.podTemplate);
  return isRestricted(spec) ? restrictContainers(merged) : merged;
}

/**
 * Pod template whose containers, including the containers of the user's template, have by default the security context that a
 * restricted pod needs.
 */
function restrictContainers(template: PodTemplate): PodTemplate {
  const { containers, initContainers } = template.spec as { containers: Container[]; initContainers?: Container[] };
  const beneath = restrictContainer({ allowPrivilegeEscalation: false });
  const restrict = (list: Container[] = []) =>
    list.map(({ name, securityContext = {} }) => ({
      name,
      securityContext: isPlainObject(securityContext) ? { ...beneath, ...securityContext } : securityContext,
    }));
  const spec = withoutEmpty({ initContainers: restrict(initContainers), containers: restrict(containers) });
  return strategicMerge(template, { spec });
}

function buildPodSpec(spec: MiniClusterSpec, leadEndpoint: pulumi.Input<string> | undefined): PodSpec {
  const { pod, flux, main, sidecars, additions } = spec;
  const view = copiesView(flux) ? [buildViewContainer(spec)] : [];
  return withoutEmpty<PodSpec>({
    ...commonPodSpec(spec),
    restartPolicy: pod.restartPolicy,
    // The remainder after the drain is Kubernetes' default.
    terminationGracePeriodSeconds: drains(spec) ? spec.drainTimeoutSeconds + defaultGraceSeconds : undefined,
    shareProcessNamespace: spec.shareProcessNamespace,
    schedulerName: pod.schedulerName,
    ...additions.podSpec,
    hostIPC: pod.hostIPC,
    hostPID: pod.hostPID,
    resources: pod.resources,
    resourceClaims: podClaims(spec),
    nodeSelector: { ...archSelector(flux.arch), ...pod.nodeSelector },
    tolerations: [...archTolerations(flux.arch), ...pod.tolerations],
    affinity: buildAffinity(spec),
    imagePullSecrets: pullSecrets([flux.container, main, ...sidecars]),
    initContainers: [...view, ...sidecars.map((container) => buildSidecar(spec, container))],
    containers: [buildMainContainer(spec, leadEndpoint)],
    volumes: buildVolumes(spec),
  });
}

/** The pod of the services, if there are any: one for the whole cluster at any size. */
export function buildServicesPod(
  spec: MiniClusterSpec,
  files: Record<string, string>,
  environmentHash?: pulumi.Input<string>,
): PodManifest | undefined {
  if (spec.services.length === 0) return undefined;
  return {
    metadata: {
      ...metadata(spec, servicesName(spec), {
        ...spec.servicesPod.annotations,
        ...(spec.wait === MiniClusterWait.None && { "pulumi.com/skipAwait": "true" }),
        [configHashAnnotation]: hashKnown(files),
        ...(environmentHash && { [environmentHashAnnotation]: environmentHash }),
      }),
      // By the label of the Job the brokers' service also selects this pod, and gives it its host name.
      labels: { ...objectLabels(spec), ...spec.pod.labels, ...servicesSelector(spec) },
    },
    spec: withoutEmpty<PodSpec>({
      ...commonPodSpec(spec),
      hostname: servicesName(spec),
      // The cluster needs its services for its whole life.
      restartPolicy: "Always",
      nodeSelector: spec.servicesPod.nodeSelector,
      tolerations: spec.servicesPod.tolerations,
      affinity: awayFromWorkers(spec),
      imagePullSecrets: pullSecrets(spec.services),
      containers: spec.services.map((container) => buildServiceContainer(spec, container)),
      volumes: buildServiceVolumes(spec),
    }),
  };
}

/** Fields that the brokers' pods and the pod of the services share. */
function commonPodSpec({ pod, network }: MiniClusterSpec) {
  return {
    subdomain: network.headlessName,
    securityContext: pod.securityContext,
    serviceAccountName: pod.serviceAccountName,
    automountServiceAccountToken: pod.automountServiceAccountToken,
    // A variable for every Service of the namespace would slow down the start of each process.
    enableServiceLinks: false,
    runtimeClassName: pod.runtimeClassName,
    dnsPolicy: pod.dnsPolicy,
  };
}

/** Seconds that Kubernetes gives a pod to end by default. */
const defaultGraceSeconds = 30;

const archLabel = "kubernetes.io/arch";

/** Label of the nodes with Linux, for pods that select nodes by nothing else: a cluster may have nodes with Windows. */
export const linuxSelector = { "kubernetes.io/os": "linux" };

/** Node selector for the architecture of the Flux view. */
export const archSelector = (arch: MiniClusterArch | undefined): Record<string, string> =>
  arch ? { [archLabel]: arch } : {};

/** The taint that GKE puts on ARM nodes, which keeps x86 images off them. */
export function archTolerations(arch: MiniClusterArch | undefined): Toleration[] {
  if (arch !== MiniClusterArch.Arm64) return [];
  return [{ key: archLabel, operator: "Equal", value: arch, effect: "NoSchedule" }];
}

/** The Secrets that pull the images of some containers, each once. */
export function pullSecrets(containers: { imagePullSecret?: pulumi.Input<string> }[]) {
  const secrets = containers.flatMap(({ imagePullSecret }) => imagePullSecret ?? []);
  return [...new Set(secrets)].map((name) => ({ name }));
}
