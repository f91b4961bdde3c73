import { properties } from "../../shared/checks";
import type { AddIssue } from "../../shared/rules";
import type { MiniClusterArgs, MiniClusterBurstingArgs, MiniClusterContainerArgs } from "../args";
import { maxHostnameLength, podHostname, queueLabel, servicesName } from "../names";
import { operatorBurstRules } from "./burst/operatorRules";
import { burstingRules } from "./burst/rules";
import { containerRules, environmentRules, outputRules, runsFlux } from "./containerRules";
import { podTemplateRules } from "./podTemplateRules";
import { ownLabel, reservedKeys } from "./reserved";
import { restrictedRules } from "./restricted";
import { serviceRules } from "./serviceRules";
import { sidecarServiceRules } from "./sidecarServiceRules";

/**
 * The rules that join several properties. They run on whatever was given, so that they report together with every single
 * property that is wrong; each one therefore looks only at values of the right type, and leaves the others to the schema.
 */
export function checkRules(args: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  sizeRules(args, addIssue);
  nameRules(args, addIssue);
  headlessNameRules(args, addIssue);
  waitRules(args, addIssue);
  gangRules(args, addIssue);
  processRules(args, addIssue);
  fluxRules(args, addIssue);
  operatorBurstRules(args, addIssue);
  burstingRules(args, addIssue);
  reservedLabels(args, addIssue);
  restrictedRules(args, addIssue);
  podTemplateRules(args, addIssue);
  const { containers, services }: { containers?: MiniClusterContainerArgs[]; services?: MiniClusterContainerArgs[] } =
    args;
  if (Array.isArray(containers)) {
    containerRules(containers.map(properties), args, addIssue);
    sidecarServiceRules(containers.map(properties), args, addIssue);
  }
  if (Array.isArray(services)) serviceRules(services.map(properties), args, addIssue);
}

function sizeRules(args: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  const { size = 1, minSize, maxSize } = args;
  if (!isNumber(size)) return;
  if (isNumber(maxSize) && size > maxSize)
    addIssue(["size"], `size ${size} is above maxSize ${maxSize}; raise maxSize or lower size`);
  if (isNumber(minSize) && minSize > size)
    addIssue(["minSize"], `minSize ${minSize} is above size ${size}; lower minSize or raise size`);
}

function nameRules(args: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  const { name, size, maxSize, services, network } = args;
  const hosts = maxSize ?? size ?? 1;
  if (typeof name !== "string" || !isNumber(hosts)) return;
  const hasServices = Array.isArray(services) && services.length > 0;
  if (hasServices && properties(network).headlessName === servicesName({ name }))
    addIssue(["network", "headlessName"], "is the name of the services' own service; choose another name");
  const names = [podHostname({ name }, hosts - 1), ...(hasServices ? [servicesName({ name })] : [])];
  const longest = names.reduce((one, other) => (other.length > one.length ? other : one));
  const excess = longest.length - maxHostnameLength;
  if (excess > 0)
    addIssue(
      ["name"],
      `the host name ${longest} has ${longest.length} characters, ${maxHostnameLength} are allowed; ` +
        `shorten name by ${excess}`,
    );
}

/** The service takes the cluster's name, and Kubernetes wants more of a service than of a Job. */
function headlessNameRules({ name, network }: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  if (typeof name === "string" && /^\d/.test(name) && properties(network).headlessName === undefined)
    addIssue(["name"], `"${name}" starts with a digit, a service's name cannot; rename it or set network.headlessName`);
}

function waitRules(args: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  if (args.wait === "complete" && neverCompletes(args))
    addIssue(["wait"], 'a cluster without a command of its own never completes; wait for "ready" or "none"');
}

/** A cluster without a command is interactive, and one whose lead broker runs elsewhere has none to run. */
function neverCompletes({ interactive, containers, flux }: Partial<MiniClusterArgs>): boolean {
  if (interactive === true || properties(properties(flux).bursting).leadBroker !== undefined) return true;
  if (!Array.isArray(containers)) return false;
  const isBlank = (text: unknown) => text === undefined || (typeof text === "string" && text.trim() === "");
  return containers
    .map(properties)
    .filter((container, _, all) => runsFlux(container, all))
    .some(({ command, commands }) => isBlank(command) && isBlank(properties(commands).script));
}

function gangRules({ gang, pod, suspend, jobLabels }: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  const { schedulerName, queueName } = properties(gang);
  if (schedulerName !== undefined && queueName !== undefined)
    addIssue(["gang"], "Kueue and a scheduler of its own both hold the pods back; keep queueName or schedulerName");
  if (schedulerName !== undefined && properties(pod).schedulerName !== undefined)
    addIssue(["gang", "schedulerName"], "pod.schedulerName says the same thing; keep one of them");
  if (queueName === undefined) return;
  if (queueName === "") addIssue(["gang", "queueName"], "needs the name of a queue; leave it out for none");
  if (suspend !== undefined)
    addIssue(["suspend"], "Kueue suspends and resumes the Jobs of its queues; remove suspend or gang.queueName");
  if (properties(jobLabels)[queueLabel] !== undefined)
    addIssue(["jobLabels", queueLabel], "is set by gang.queueName; keep one of them");
}

/** Kubernetes knows one place for the processes of a pod. */
function processRules({ shareProcessNamespace, pod }: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  if (shareProcessNamespace === true && properties(pod).hostPID === true)
    addIssue(["shareProcessNamespace"], "pod.hostPID shows every process of the node already; keep one of them");
}

/** The rules between the settings of the brokers. */
function fluxRules({ flux }: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  const { minimalService, topology, brokerConfig, scheduler, bursting, container, environment } = properties(flux);
  environmentRules({ environment }, (path, message) => addIssue(["flux", ...path], message));
  outputRules({ environment }, (path, message) => addIssue(["flux", ...path], message));
  const isFlat = typeof topology !== "string" || topology === "kary:0";
  if (!isFlat && minimalService === true)
    addIssue(
      ["flux", "topology"],
      'only the lead broker has an address with minimalService; use "kary:0" or leave it out',
    );
  if (!isFlat && isBursting(bursting))
    addIssue(
      ["flux", "topology"],
      'brokers of another cluster reach only the lead broker; use "kary:0" or leave it out',
    );
  const { disable, imageVolume } = properties(container);
  if (disable === true && imageVolume === true)
    addIssue(["flux", "container", "imageVolume"], "there is no view with disable; remove one of them");
  if (brokerConfig === undefined) return;
  if (properties(scheduler).queuePolicy !== undefined)
    addIssue(["flux", "scheduler", "queuePolicy"], "brokerConfig is the whole configuration; set the policy there");
  if (isBursting(bursting))
    addIssue(["flux", "bursting"], "brokerConfig is the whole configuration; name the hosts there");
}

/** Whether brokers of other clusters are spoken of. */
function isBursting(bursting: MiniClusterBurstingArgs | undefined): boolean {
  const { leadBroker, hostlist, clusters = [] } = properties(bursting);
  return leadBroker !== undefined || hostlist !== undefined || (Array.isArray(clusters) && clusters.length > 0);
}

function reservedLabels({ jobLabels, pod }: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  for (const key of reservedKeys(jobLabels)) addIssue(["jobLabels", key], ownLabel);
  const { labels, annotations } = properties(pod);
  for (const key of reservedKeys(labels)) addIssue(["pod", "labels", key], ownLabel);
  for (const key of reservedKeys(annotations)) addIssue(["pod", "annotations", key], ownLabel);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}
