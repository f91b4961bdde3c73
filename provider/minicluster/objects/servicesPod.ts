import type * as pulumi from "@pulumi/pulumi";
import { hashKnown } from "../../shared/deferred";
import { withoutEmpty } from "../../shared/objects";
import { MiniClusterWait } from "../args";
import {
  configHashAnnotation,
  environmentHashAnnotation,
  objectLabels,
  servicesName,
  servicesSelector,
} from "../names";
import type { MiniClusterSpec } from "../parse/spec";
import { buildServiceContainer } from "./containers";
import { metadata, type PodManifest, type PodSpec } from "./manifest";
import { commonPodSpec, pullSecrets } from "./podTemplate";
import { buildServiceVolumes } from "./volumes";

/** The pod of the services, if there are any: one for the whole cluster, whatever its size. */
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
      // By the label of the Job the brokers' service knows the pod, too, and gives it its host name.
      labels: { ...objectLabels(spec), ...spec.pod.labels, ...servicesSelector(spec) },
    },
    spec: withoutEmpty<PodSpec>({
      ...commonPodSpec(spec),
      hostname: servicesName(spec),
      // The cluster counts on its services for as long as it lives.
      restartPolicy: "Always",
      nodeSelector: spec.servicesPod.nodeSelector,
      tolerations: spec.servicesPod.tolerations,
      imagePullSecrets: pullSecrets(spec.services),
      containers: spec.services.map((container) => buildServiceContainer(spec, container)),
      volumes: buildServiceVolumes(spec),
    }),
  };
}
