import * as path from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import { hashKnown } from "../../shared/deferred";
import { withoutEmpty } from "../../shared/objects";
import { MiniClusterWait } from "../args";
import { ownDemandEndpoint } from "../flux/hosts";
import { programArchive, type ProgramName, programsVersion, programTexts } from "../flux/programs";
import type { ConsoleSpec } from "../parse/console";
import {
  agentSelector,
  autoscaleName,
  configHashAnnotation,
  demandPort,
  maxAnnotation,
  objectLabels,
  programsAnnotation,
  programsName,
  volumeNames,
} from "../parse/names";
import {
  agentFile,
  agentSettingsFile,
  consoleSettingsFile,
  demandVariable,
  leadSettingsFile,
  programsDirectory,
  sharedPaths,
} from "../parse/paths";
import { hostPrices, placeOf } from "../parse/place";
import { agentUser } from "../parse/restricted";
import { followersOfQueue, hasGroups, jobsOf, type LeadSpec, type MiniClusterSpec, servesDemand } from "../parse/spec";
import { buildDemandSecret } from "./config";
import { type DeploymentManifest, isCreated, metadata, type PodSpec } from "./manifest";
import { awayFromWorkers } from "./affinity";
import { archSelector, archTolerations, linuxSelector, pullSecrets } from "./pods";
import { agentVolume } from "./volumes";

/** Seconds between two readings of the queue. */
const interval = 5;

/** The ConfigMap with the programs that run beside Flux, if any does. */
export function buildPrograms(spec: MiniClusterSpec) {
  const serves =
    spec.role === "lead" &&
    ([spec.metrics, spec.requeue, spec.storage, spec.bursting?.place].some(isGiven) || servesDemand(spec));
  const settings: Partial<Record<ProgramName, [file: string, text: string]>> = {
    ...(serves && { lead: leadSettings(spec) }),
    ...(spec.role === "lead" && spec.console && { console: consoleSettings(spec, spec.console) }),
    ...(followersOfQueue(spec).length > 0 && { agent: agentSettings(spec) }),
  };
  const names = Object.keys(settings) as ProgramName[];
  if (names.length === 0) return undefined;
  const archives = names.map((name) => [`${name}.pyz`, programArchive(name).toString("base64")]);
  return {
    metadata: metadata(spec, programsName(spec), { [programsAnnotation]: programsVersion(names) }),
    data: Object.fromEntries(Object.values(settings)),
    binaryData: Object.fromEntries(archives) as Record<string, string>,
  };
}

const isGiven = (value: unknown) => value !== undefined;

/** Settings of the program of the lead broker's pod: it serves the demand of the queue and the metrics, and requeues and moves jobs, each if enabled. */
function leadSettings(spec: LeadSpec): [file: string, text: string] {
  const { instance, metrics, requeue, storage } = spec;
  const most = new Map(jobsOf(spec).map(({ name, autoscale }) => [name, autoscale?.max]));
  const [home, ...others] = instance.clusters.map(({ name, hosts }) => ({ name, hosts, max: most.get(name) ?? hosts }));
  const clusters = [{ ...home, ...(isFixed(spec) && { max: null }) }, ...others];
  const prices = hostPrices(spec);
  const isPriced = Object.keys(prices).length > 0;
  const place = placeOf(spec);
  const ports = { demandPort: servesDemand(spec) ? demandPort : null, metricsPort: metrics?.port ?? null };
  const settings = {
    clusters,
    ...ports,
    ...(requeue && { requeue }),
    ...(storage && { stored: true }),
    ...(place && { place }),
    ...(isPriced && { prices }),
  };
  return [path.basename(leadSettingsFile), json(settings)];
}

/** True if the user sets the size of the lead broker's cluster. */
const isFixed = (spec: LeadSpec) => spec.autoscale === undefined && !hasGroups(spec);

/** Settings of the program of the REST API and the web page. Its users are in a Secret. */
function consoleSettings(spec: LeadSpec, { port, keep }: ConsoleSpec): [file: string, text: string] {
  const clusters = spec.instance.clusters.map(({ name, hosts }) => ({ name, hosts }));
  const prices = hostPrices(spec);
  const settings = {
    name: spec.name,
    port,
    clusters,
    ...(Object.keys(prices).length > 0 && { prices }),
    fixed: isFixed(spec),
    ...(keep !== undefined && { keep }),
  };
  return [path.basename(consoleSettingsFile), json(settings)];
}

/** Settings of the agent. */
function agentSettings(spec: MiniClusterSpec): [file: string, text: string] {
  const common = { namespace: spec.namespace, intervalSeconds: interval };
  const jobs = followersOfQueue(spec).map(
    ({ name, suspendsAtZero, autoscale: { budget, image: _, ...pace }, pool }) => ({
      name,
      ...pace,
      suspendsAtZero,
      ...(budget && { budget: { ...budget, pricePerHour: pool?.pricePerHour } }),
    }),
  );
  const [first] = jobs;
  const settings = hasGroups(spec) ? { ...common, jobs } : { ...first, ...common };
  return [path.basename(agentSettingsFile), json(settings)];
}

const json = (value: object) => `${JSON.stringify(value)}\n`;

/** File that the agent creates when it has read the Job and a demand. */
const readyFile = "/tmp/ready";

/** Volume of that file. */
const scratch = "tmp";

/** Values of the agent that are known only later. */
export interface AgentValues {
  certificate: pulumi.Output<string>;
  /** `address:port` of the lead broker's pod elsewhere, at which it serves the demand of the queue. */
  demandEndpoint?: pulumi.Output<string>;
}

/**
 * The agent that sets the size of a cluster, or of its groups, to what the queue needs, and its only right, to get and patch these
 * Jobs. No other program of a cluster has rights. The agent runs no code of the user's.
 */
export function buildAgent(spec: MiniClusterSpec, values: AgentValues) {
  const followers = followersOfQueue(spec);
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
 * The agent's pod of the present template is Ready. The provider's own readiness of a Deployment that is recreated ends when the
 * old pod has gone. Parentheses: the provider's parser refuses three terms in a row.
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
            [configHashAnnotation]: hashKnown([programTexts("agent"), agentSettings(spec)]),
          },
        },
        spec: agentPod(spec, demandEndpoint ?? ownDemandEndpoint(spec)),
      },
    },
  };
}

/** The largest sizes that the agent sets. */
const largestSizes = (spec: MiniClusterSpec) =>
  followersOfQueue(spec)
    .map(({ name, autoscale: { max } }) => (hasGroups(spec) ? `${name}: ${max}` : String(max)))
    .join(", ");

function agentPod(spec: MiniClusterSpec, endpoint: pulumi.Input<string>): PodSpec {
  const { main, flux, servicesPod } = spec;
  const { view } = sharedPaths({ mountPath: "/opt" });
  const { image, imagePullPolicy, imagePullSecret } = flux.container.disable ? main : flux.container;
  const own = followersOfQueue(spec).flatMap(({ autoscale }) => autoscale.image ?? [])[0];
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
          // A file from another container of this pod says nothing about this one.
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
