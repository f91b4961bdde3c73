import { type AddIssue, prefixPath, type Rule } from "../../shared/rules";
import { MiniClusterNetworkPolicy, MiniClusterPullPolicy, MiniClusterRestartPolicy, MiniClusterWait } from "../args";
import { launchMode, runsFlux } from "./container";
import { environmentRule, outputRule } from "./containerRules";
import type { BrokerPodsFields, MiniClusterFields } from "./fields";
import { queueRules } from "./gangRules";
import { maxHostnameLength, podHostname, servicesName } from "./names";
import { ownLabel, reservedKeys } from "./pod";
import { maxSizeOf, sizeOf } from "./sizes";

/** The rules on the size, the end and the suspension of a MiniCluster. */
export const miniClusterRules: Rule<MiniClusterFields>[] = [
  (fields, addIssue) => {
    const { maxSize, minSize, autoscale } = fields;
    const size = sizeOf(fields);
    if (autoscale) return;
    if (maxSize !== undefined && size > maxSize)
      addIssue(["size"], `size ${size} is above maxSize ${maxSize}; raise maxSize or lower size`);
    if (minSize !== undefined && minSize > size)
      addIssue(["minSize"], `minSize ${minSize} is above size ${size}; lower minSize or raise size`);
  },
  (fields, addIssue) => nameRule(fields, maxSizeOf(fields), addIssue),
  (fields, addIssue) => {
    if (fields.wait === MiniClusterWait.Complete && neverCompletes(fields))
      addIssue(["wait"], 'a cluster without a command never completes; wait for "ready" or "none"');
  },
  ({ retryCommand, pod }, addIssue) => {
    if (!retryCommand && pod.restartPolicy === MiniClusterRestartPolicy.OnFailure)
      addIssue(
        ["retryCommand"],
        'Kubernetes restarts every failed container of a pod with restartPolicy "OnFailure"; set pod.restartPolicy: "Never"',
      );
  },
  ({ suspend, gang }, addIssue) => {
    if (suspend !== undefined && gang.queueName !== undefined)
      addIssue(["suspend"], "Kueue suspends and resumes the Jobs of its queues; remove suspend or gang.queueName");
  },
];

/** True for a cluster without a command, which is interactive, and for one whose lead broker runs elsewhere. */
function neverCompletes({ interactive, flux, containers }: MiniClusterFields): boolean {
  if (flux.bursting?.leadBroker !== undefined) return true;
  return containers
    .filter((container) => runsFlux(container, containers))
    .some((container) => launchMode(interactive, container) === "interactive");
}

/** The rule that the host names of the last pod and of the services fit in a DNS label. */
export function nameRule({ name, services, network }: BrokerPodsFields, hosts: number, addIssue: AddIssue): void {
  if (services.length > 0 && network.headlessName === servicesName({ name }))
    addIssue(["network", "headlessName"], "conflicts with the Service created for services; choose another name");
  const names = [podHostname({ name }, hosts - 1), ...(services.length > 0 ? [servicesName({ name })] : [])];
  const longest = names.reduce((one, other) => (other.length > one.length ? other : one));
  const excess = longest.length - maxHostnameLength;
  if (excess > 0)
    addIssue(
      ["name"],
      `the host name ${longest} has ${longest.length} characters, ${maxHostnameLength} are allowed; ` +
        `shorten name by ${excess}`,
    );
}

/** The rules on a cluster as a whole, whether it has the lead broker or joins one. */
export const brokerPodsRules: Rule<BrokerPodsFields>[] = [
  // The service takes the cluster's name, and Kubernetes wants more of a service than of a Job.
  ({ name, network }, addIssue) => {
    if (/^\d/.test(name) && network.headlessName === undefined)
      addIssue(
        ["name"],
        `"${name}" starts with a digit, a service's name cannot; rename it or set network.headlessName`,
      );
  },
  ({ gang, pod }, addIssue) => {
    if (gang.schedulerName !== undefined && gang.queueName !== undefined)
      addIssue(["gang"], "queueName and schedulerName exclude each other; keep one of them");
    if (gang.schedulerName !== undefined && pod.schedulerName !== undefined)
      addIssue(["gang", "schedulerName"], "pod.schedulerName is also set; keep one of them");
  },
  ...queueRules,
  ({ shareProcessNamespace, pod }, addIssue) => {
    if (shareProcessNamespace && pod.hostPID === true)
      addIssue(["shareProcessNamespace"], "pod.hostPID shows every process of the node already; keep one of them");
  },
  ({ prepull, containers }, addIssue) => {
    const isNever = containers.some(
      (container) => runsFlux(container, containers) && container.imagePullPolicy === MiniClusterPullPolicy.Never,
    );
    if (prepull && isNever)
      addIssue(["prepull"], 'the pull policy of the container that runs Flux is "Never"; remove one of them');
  },
  ({ jobLabels }, addIssue) => {
    for (const key of reservedKeys(jobLabels)) addIssue(["jobLabels", key], ownLabel);
  },
  ({ pod }, addIssue) => {
    for (const key of reservedKeys(pod.labels)) addIssue(["pod", "labels", key], ownLabel);
    for (const key of reservedKeys(pod.annotations)) addIssue(["pod", "annotations", key], ownLabel);
  },
];

/** The rules between the settings of the brokers. */
export const fluxRules: Rule<BrokerPodsFields>[] = [
  ({ flux: { environment } }, addIssue) => environmentRule({ environment }, prefixPath(addIssue, "flux")),
  ({ flux: { environment } }, addIssue) => outputRule({ environment }, prefixPath(addIssue, "flux")),
  ({ flux: { topology, minimalService } }, addIssue) => {
    if (minimalService && !isFlat(topology))
      addIssue(
        ["flux", "topology"],
        'only the lead broker has an address with minimalService; use "kary:0" or leave it out',
      );
  },
  ({ flux: { container } }, addIssue) => {
    if (container.disable && container.imageVolume)
      addIssue(["flux", "container", "imageVolume"], "disable brings no view to mount; remove one of them");
  },
  ({ flux: { scheduler } }, addIssue) => {
    if (scheduler.simple && scheduler.matchPolicy !== undefined)
      addIssue(["flux", "scheduler", "matchPolicy"], "the simple scheduler has no match policy; remove one of them");
  },
  ({ flux: { brokerConfig, scheduler } }, addIssue) => {
    if (brokerConfig === undefined) return;
    for (const policy of ["queuePolicy", "matchPolicy"] as const)
      if (scheduler[policy] !== undefined)
        addIssue(["flux", "scheduler", policy], "brokerConfig is the whole configuration; set the policy there");
  },
];

/** True for a tree in which the lead broker is the parent of all. */
export const isFlat = (topology: string | undefined) => topology === undefined || topology === "kary:0";

/** Message for a tree that is not flat, where brokers of another cluster are to join. */
export const flatForBursting = 'brokers of another cluster reach only the lead broker; use "kary:0" or leave it out';

/** The rule against a network policy on a cluster that others join: it lets in the pods of one cluster alone. */
export const policyRule: Rule<BrokerPodsFields> = ({ network }, addIssue) => {
  if (network.policy !== MiniClusterNetworkPolicy.None)
    addIssue(
      ["network", "policy"],
      "shuts out the brokers of the clusters that join; remove it, and write a policy that names them",
    );
};
