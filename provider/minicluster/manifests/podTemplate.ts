import type * as pulumi from "@pulumi/pulumi";
import { hashKnown } from "../../shared/hash";
import { withoutEmpty } from "../../shared/objects";
import { MiniClusterArch } from "../args";
import { configHashAnnotation, environmentHashAnnotation, objectLabels } from "../names";
import type { MiniClusterSpec } from "../spec";
import { buildAffinity } from "./affinity";
import { buildMainContainer, buildSidecar, buildViewContainer } from "./containers";
import type { PodSpec, PodTemplate, Toleration } from "./types";
import { buildVolumes } from "./volumes";

/** The pods of the Job: a function of `maxSize`, never of `size`. */
export function buildPodTemplate(
  spec: MiniClusterSpec,
  files: Record<string, string>,
  environmentHash?: pulumi.Input<string>,
): PodTemplate {
  return {
    metadata: {
      labels: { ...objectLabels(spec), ...spec.pod.labels },
      annotations: {
        ...spec.pod.annotations,
        [configHashAnnotation]: hashKnown(files),
        ...(environmentHash && { [environmentHashAnnotation]: environmentHash }),
      },
    },
    spec: buildPodSpec(spec),
  };
}

function buildPodSpec(spec: MiniClusterSpec): PodSpec {
  const { pod, flux, sidecars, network } = spec;
  const view = flux.container.disable ? [] : [buildViewContainer(spec)];
  return withoutEmpty<PodSpec>({
    subdomain: network.headlessName,
    restartPolicy: pod.restartPolicy,
    securityContext: pod.securityContext,
    serviceAccountName: pod.serviceAccountName,
    automountServiceAccountToken: pod.automountServiceAccountToken,
    // One variable for every service of the namespace would slow down the start of each process.
    enableServiceLinks: false,
    shareProcessNamespace: spec.shareProcessNamespace,
    runtimeClassName: pod.runtimeClassName,
    schedulerName: pod.schedulerName,
    dnsPolicy: pod.dnsPolicy,
    hostIPC: pod.hostIPC,
    hostPID: pod.hostPID,
    resources: pod.resources,
    nodeSelector: { ...(flux.arch && { [archLabel]: flux.arch }), ...pod.nodeSelector },
    tolerations: [...archTolerations(flux.arch), ...pod.tolerations],
    affinity: buildAffinity(spec),
    imagePullSecrets: pullSecrets(spec),
    initContainers: [...view, ...sidecars.map((container) => buildSidecar(spec, container))],
    containers: [buildMainContainer(spec)],
    volumes: buildVolumes(spec),
  });
}

const archLabel = "kubernetes.io/arch";

/** The taint that GKE puts on ARM nodes, so that x86 images do not come there by accident. */
function archTolerations(arch: MiniClusterArch | undefined): Toleration[] {
  if (arch !== MiniClusterArch.Arm64) return [];
  return [{ key: archLabel, operator: "Equal", value: arch, effect: "NoSchedule" }];
}

function pullSecrets({ flux, main, sidecars }: MiniClusterSpec) {
  const secrets = [flux.container, main, ...sidecars].flatMap(({ imagePullSecret }) => imagePullSecret ?? []);
  return [...new Set(secrets)].map((name) => ({ name }));
}
