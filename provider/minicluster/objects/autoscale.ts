import type * as pulumi from "@pulumi/pulumi";
import { hashKnown } from "../../shared/deferred";
import { ownDemandEndpoint } from "../hosts";
import { autoscaleName, configHashAnnotation, objectLabels, volumeNames } from "../names";
import { agentFile, agentSettingsFile, demandVariable, programsDirectory, sharedPaths } from "../paths";
import { type FollowingSpec, type MiniClusterSpec, sizeFollowsQueue } from "../parse/spec";
import { type DeploymentManifest, metadata, type PodSpec } from "./manifest";
import { archSelector, pullSecrets } from "./pods";
import { agentPrograms } from "./configMaps";
import { buildDemandSecret } from "./secrets";
import { agentVolume } from "./volumes";

/** User of the agent, who needs no right on the files of its image. */
const user = 1000;

/** Values of the agent that are known only later. */
export interface AgentValues {
  certificate: pulumi.Output<string>;
  /** `address:port` of the lead broker's pod elsewhere, at which it tells what the queue needs. */
  demandEndpoint?: pulumi.Output<string>;
}

/**
 * The agent that sets the size of a cluster to what the queue needs, and its right, the only one of a cluster: to get and to
 * patch one Job. It runs no code of the user's.
 */
export function buildAgent(spec: MiniClusterSpec, values: AgentValues) {
  if (!sizeFollowsQueue(spec)) return undefined;
  const name = autoscaleName(spec);
  const named = metadata(spec, name);
  return {
    account: { metadata: named, automountServiceAccountToken: false },
    role: {
      metadata: named,
      rules: [{ apiGroups: ["batch"], resources: ["jobs"], resourceNames: [spec.name], verbs: ["get", "patch"] }],
    },
    binding: {
      metadata: named,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", name, namespace: spec.namespace }],
    },
    secret: buildDemandSecret(spec, values.certificate),
    deployment: deployment(spec, values),
  };
}

function deployment(spec: FollowingSpec, { demandEndpoint }: AgentValues): DeploymentManifest {
  const name = autoscaleName(spec);
  const matchLabels = { "minicluster/autoscale": spec.name };
  return {
    metadata: metadata(spec, name),
    spec: {
      replicas: 1,
      // Two agents would resize against each other.
      strategy: { type: "Recreate" },
      selector: { matchLabels },
      template: {
        // By the label of the Job a network policy lets it ask the lead broker's pod.
        metadata: {
          labels: { ...objectLabels(spec), ...matchLabels },
          annotations: { [configHashAnnotation]: hashKnown(agentPrograms(spec)) },
        },
        spec: agentPod(spec, demandEndpoint ?? ownDemandEndpoint(spec)),
      },
    },
  };
}

function agentPod(spec: MiniClusterSpec, endpoint: pulumi.Input<string>): PodSpec {
  const { main, flux, servicesPod } = spec;
  const { view } = sharedPaths({ mountPath: "/opt" });
  const { image, imagePullPolicy, imagePullSecret } = flux.container.disable ? main : flux.container;
  return {
    serviceAccountName: autoscaleName(spec),
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 1,
    nodeSelector: { ...archSelector(flux.arch), ...servicesPod.nodeSelector },
    tolerations: servicesPod.tolerations,
    imagePullSecrets: pullSecrets([{ imagePullSecret }]),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name: "agent",
        ...{ image, imagePullPolicy },
        command: [
          "bash",
          "-c",
          `PATH=$PATH:${view}/bin exec flux python ${agentFile} ${agentSettingsFile} ` +
            `"http://$${demandVariable}/demand/${spec.name}"`,
        ],
        env: [{ name: demandVariable, value: endpoint }],
        resources: { requests: { cpu: "10m", memory: "64Mi" } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        volumeMounts: [{ name: volumeNames.programs, mountPath: programsDirectory, readOnly: true }],
      },
    ],
    volumes: [agentVolume(spec)],
  };
}
