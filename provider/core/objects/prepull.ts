import type * as pulumi from "@pulumi/pulumi";
import { isDeferred } from "../../shared/deferred";
import { withoutEmpty } from "../../shared/objects";
import { MiniClusterWait } from "../args";
import { hasStartScript } from "../flux/configFiles";

import { prepullName } from "../parse/names";
import { copiesView, type MiniClusterSpec } from "../parse/spec";
import {
  type Container,
  type DaemonSetManifest,
  metadata,
  type PodSpec,
  type PodTemplate,
  type Volume,
} from "./manifest";
import { linuxSelector } from "./pods";

/**
 * The DaemonSet that pulls the images of the brokers' pods to every node that the pods may run on, including nodes that join later.
 * It depends on the template alone, so no resize touches it.
 */
export function buildPrepull(spec: MiniClusterSpec, template: PodTemplate): DaemonSetManifest | undefined {
  if (!spec.prepull) return undefined;
  const matchLabels = { "minicluster/prepull": spec.name };
  const skipAwait = spec.wait === MiniClusterWait.None ? { "pulumi.com/skipAwait": "true" } : {};
  return {
    metadata: metadata(spec, prepullName(spec), skipAwait),
    spec: {
      selector: { matchLabels },
      // A new image is pulled on all nodes at once: no workload needs these pods.
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "100%" } },
      template: {
        // Not the label of the Job, by which the brokers' Service and a network policy select their pods.
        metadata: withoutEmpty({
          labels: { ...spec.pod.labels, ...matchLabels },
          annotations: spec.servicesPod.annotations,
        }),
        spec: prepullPod(spec, template.spec as PodSpec),
      },
    },
  };
}

// Uses only bash, which every image here has, and ends immediately on the signal that ends the pod.
const untilTerminated = "trap 'exit 0' TERM INT; while :; do read -r -t 3600 _ <> <(:) || :; done";

/**
 * A pod that can run on the same nodes as the pods of the Job, and uses their images. It uses the image of the main container for
 * its whole life, so that the kubelet removes other images first from a full disk. It has no runtime class, which may select
 * other nodes.
 */
function prepullPod(spec: MiniClusterSpec, pod: PodSpec): PodSpec {
  const { nodeAffinity } = (pod.affinity ?? {}) as { nodeAffinity?: object };
  const [main, ...rest] = runnable(spec, pod);
  const isNew = ({ image }: Container, index: number) =>
    image !== main?.image && rest.findIndex((other) => other.image === image) === index;
  return withoutEmpty<PodSpec>({
    // The user's template may select nodes by an output.
    nodeSelector: isDeferred(pod.nodeSelector)
      ? pod.nodeSelector
      : { ...linuxSelector, ...(pod.nodeSelector as Record<string, pulumi.Input<string>> | undefined) },
    tolerations: pod.tolerations,
    affinity: withoutEmpty({ nodeAffinity }),
    imagePullSecrets: pod.imagePullSecrets,
    serviceAccountName: pod.serviceAccountName,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: pod.securityContext,
    terminationGracePeriodSeconds: 1,
    initContainers: rest.filter(isNew).map((container) => idle(container, "exit 0")),
    containers: main ? [idle(main, untilTerminated)] : [],
    // The kubelet pulls these for a pod, whether a container mounts them or not.
    volumes: ((pod.volumes ?? []) as Volume[]).filter(({ image }) => image !== undefined),
  });
}

/** The containers whose images contain bash, the container of the brokers first. */
function runnable(spec: MiniClusterSpec, { containers, initContainers = [] }: PodSpec): Container[] {
  const known = [
    spec.main.name,
    ...(copiesView(spec.flux) ? [spec.flux.container.name] : []),
    ...spec.sidecars.filter(hasStartScript).map(({ name }) => name),
  ];
  const all = [...(containers as Container[]), ...(initContainers as Container[])];
  return known.flatMap((name) => all.find((container) => container.name === name) ?? []);
}

const idle = ({ name, image, imagePullPolicy }: Container, script: string): Container => ({
  name,
  image,
  imagePullPolicy,
  command: ["bash", "-c", script],
  // A quota on limits admits no container without them.
  resources: { requests: { cpu: "1m", memory: "8Mi" }, limits: { cpu: "100m", memory: "64Mi" } },
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
});
