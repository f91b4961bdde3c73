import { createHmac } from "node:crypto";
import * as path from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import { MiniClusterWait } from "../core/args";
import contract from "../core/contract.json";
import { ownLeadHost } from "../core/flux/hosts";
import { awayFromWorkers } from "../core/objects/affinity";
import {
  type DeploymentManifest,
  isCreated,
  metadata,
  type PodSpec,
  type SecretManifest,
  type Volume,
} from "../core/objects/manifest";
import { archSelector, archTolerations, linuxSelector, pullSecrets } from "../core/objects/pods";
import { configHashAnnotation, demandPort, objectLabels, programsName, volumeNames } from "../core/parse/names";
import { programsDirectory, sharedPaths } from "../core/parse/paths";
import { type Program, programTexts } from "../core/programs";
import { agentUser } from "../core/parse/restricted";
import { hasGroups, type MiniClusterSpec } from "../core/parse/spec";
import { hashKnown } from "../shared/deferred";
import { withoutEmpty } from "../shared/objects";
import {
  agentFile,
  agentSelector,
  agentSettingsFile,
  autoscaleName,
  demandKeyFile,
  demandVariable,
  maxAnnotation,
} from "./names";
import { autoscaledJobs, largestSizes } from "./spec";

/** Seconds between two readings of the queue. */
const interval = 5;

/** The program of the agent's pod. It needs only Python's standard library. */
export const agentProgram: Program = { name: "agent", main: "autoscale.programs.agent" };

/** Settings of the agent. */
export function agentSettings(spec: MiniClusterSpec): object {
  const common = { namespace: spec.namespace, intervalSeconds: interval };
  const jobs = autoscaledJobs(spec).map(({ name, suspendsAtZero, autoscale: { budget, image: _, ...pace }, pool }) => ({
    name,
    ...pace,
    suspendsAtZero,
    ...(budget && { budget: { ...budget, pricePerHour: pool?.pricePerHour } }),
  }));
  const [first] = jobs;
  return hasGroups(spec) ? { ...common, jobs } : { ...first, ...common };
}

/** File that the agent creates when it has read the Job and a demand. */
const readyFile = contract.files.agentReady;

/** Volume of the file `readyFile`. */
const scratch = "tmp";

/** Values of the agent that are known only later. */
export interface AgentValues {
  certificate: pulumi.Output<string>;
  /** `address:port` at which the lead broker's pod serves the demand of the queue, if it runs elsewhere. */
  demandEndpoint?: pulumi.Output<string>;
}

/** The objects of the agent. */
export type AgentManifests = NonNullable<ReturnType<typeof buildAgent>>;

/**
 * The agent that sets the size of a cluster, or of its groups, to what the queue needs, and its only permission, to get and patch
 * these Jobs. No other program of a cluster has permissions. The agent runs no code of the user.
 */
export function buildAgent(spec: MiniClusterSpec, values: AgentValues) {
  const followers = autoscaledJobs(spec);
  if (followers.length === 0) return undefined;
  const name = autoscaleName(spec);
  const named = metadata(spec, name);
  return {
    account: { metadata: named, automountServiceAccountToken: false },
    role: {
      metadata: named,
      rules: [
        {
          apiGroups: ["batch"],
          resources: ["jobs"],
          resourceNames: followers.map((job) => job.name),
          verbs: ["get", "patch"],
        },
      ],
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

/**
 * True if `up` waits until the agent is Ready. The agent becomes Ready with the lead broker, which may not run yet if `up` does not
 * wait for it.
 */
export const waitsForAgent = ({ wait }: MiniClusterSpec) =>
  wait === MiniClusterWait.Ready || wait === MiniClusterWait.Settled;

/**
 * The agent's pod of the present template is Ready. The provider's default condition for a recreated Deployment is met when the
 * old pod has terminated. Parentheses: the provider's parser refuses three terms in a row.
 */
const newPodIsReady = "jsonpath={$[?(@.updatedReplicas == 1 && @.readyReplicas == 1) && !@.unavailableReplicas]}";

function deployment(spec: MiniClusterSpec, { demandEndpoint }: AgentValues): DeploymentManifest {
  const name = autoscaleName(spec);
  const matchLabels = agentSelector(spec);
  return {
    metadata: metadata(spec, name, {
      [maxAnnotation]: largestSizes(spec),
      "pulumi.com/waitFor": waitsForAgent(spec) ? newPodIsReady : isCreated,
    }),
    spec: {
      replicas: 1,
      // Two agents would resize against each other.
      strategy: { type: "Recreate" },
      selector: { matchLabels },
      template: {
        // By the label of the Job, a network policy allows it to connect to the lead broker's pod.
        metadata: {
          labels: { ...objectLabels(spec), ...spec.pod.labels, ...matchLabels },
          annotations: {
            ...spec.servicesPod.annotations,
            [configHashAnnotation]: hashKnown([programTexts(agentProgram), agentSettings(spec)]),
          },
        },
        spec: agentPod(spec, demandEndpoint ?? `${ownLeadHost(spec)}:${demandPort}`),
      },
    },
  };
}

function agentPod(spec: MiniClusterSpec, endpoint: pulumi.Input<string>): PodSpec {
  const { main, flux, servicesPod } = spec;
  const { view } = sharedPaths({ mountPath: "/opt" });
  const { image, imagePullPolicy, imagePullSecret } = flux.container.disable ? main : flux.container;
  const own = autoscaledJobs(spec).flatMap(({ autoscale }) => autoscale.image ?? [])[0];
  return withoutEmpty<PodSpec>({
    serviceAccountName: autoscaleName(spec),
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 1,
    nodeSelector: { ...linuxSelector, ...archSelector(flux.arch), ...servicesPod.nodeSelector },
    tolerations: [...archTolerations(flux.arch), ...servicesPod.tolerations],
    affinity: awayFromWorkers(spec),
    imagePullSecrets: pullSecrets([{ imagePullSecret }]),
    securityContext: {
      runAsNonRoot: true,
      // It needs no access to the files of its image.
      ...agentUser(spec, spec.pod.securityContext),
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name: "agent",
        image: own ?? image,
        imagePullPolicy,
        command: [
          own === undefined ? "bash" : "sh",
          "-c",
          // A former container of this pod may have created the file.
          `rm -f ${readyFile}; ${own === undefined ? `PATH=$PATH:${view}/bin exec flux python` : "exec python3"} ` +
            `${agentFile} ${agentSettingsFile} ` +
            `"http://$${demandVariable}/demand${hasGroups(spec) ? "" : `/${spec.name}`}"`,
        ],
        env: [{ name: demandVariable, value: endpoint }],
        // A quota on limits admits no container without them.
        resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { cpu: "1", memory: "256Mi" } },
        // Ready once it has read the Job and a demand; it stays Ready while it cannot reach them.
        startupProbe: { exec: { command: ["test", "-e", readyFile] }, periodSeconds: 1, failureThreshold: 86_400 },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        volumeMounts: [
          { name: volumeNames.programs, mountPath: programsDirectory, readOnly: true },
          { name: scratch, mountPath: path.dirname(readyFile) },
        ],
      },
    ],
    volumes: [agentVolume(spec), { name: scratch, emptyDir: { sizeLimit: "1Mi" } }],
  });
}

/**
 * The Secret with the key by which the agent and the lead broker's pod authenticate each other. The key is derived from the
 * certificate, which both sides have, and gives no access to an instance.
 */
function buildDemandSecret(spec: MiniClusterSpec, certificate: pulumi.Output<string>): SecretManifest {
  const key = certificate.apply((text) =>
    createHmac("sha256", text).update(contract.labels.demandKey).digest("base64"),
  );
  return { metadata: metadata(spec, autoscaleName(spec)), type: "Opaque", data: { [demandKeyFile]: key } };
}

/** Volume of the agent: its program, and the key. */
const agentVolume = (spec: MiniClusterSpec): Volume => ({
  name: volumeNames.programs,
  projected: { sources: [{ configMap: { name: programsName(spec) } }, { secret: { name: autoscaleName(spec) } }] },
});
