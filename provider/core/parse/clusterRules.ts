import { type AddIssue, type Rule, type Picked, prefixPath, ruleOn } from "../../shared/rules";
import { MiniClusterNetworkPolicy, MiniClusterPullPolicy } from "../args";
import { runsFlux } from "./container";
import { environmentRule, outputRule } from "./containerRules";
import type { BrokerPodsFields } from "./fields";
import { maxHostnameLength, podHostname, servicesName } from "./names";
import { ownLabel, reservedJobAnnotations, reservedKeys } from "./pod";

const podsRule = ruleOn<BrokerPodsFields>();

/** Fields that `nameRule` reads. */
export const nameFields = ["name", "services[]", "network.headlessName"] as const;

/** The rule that the host names of the last pod and of the services fit in a DNS label. */
export function nameRule(
  { name, services, network }: Picked<BrokerPodsFields, (typeof nameFields)[number]>,
  hosts: number,
  addIssue: AddIssue,
): void {
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

/** Problems of the name of a Service that is derived from the name of a cluster, beside its headless Service. */
export function derivedServiceProblems(own: string, { name, network }: ServiceNameFields): string[] {
  const { headlessName } = network;
  const excess = own.length - maxHostnameLength;
  return [
    ...(own === headlessName
      ? ["which is also the name in network.headlessName; set another network.headlessName"]
      : []),
    ...(excess > 0 ? [`and ${maxHostnameLength} characters are allowed; shorten name by ${excess}`] : []),
    // If the headless Service takes the name, its rule already rejects it.
    ...(/^\d/.test(name) && headlessName !== undefined ? [startsWithDigit] : []),
  ];
}

const startsWithDigit =
  "which starts with a digit, but the name of a Service must start with a letter; rename the cluster";

/** Fields that `derivedServiceProblems` reads. */
export const serviceNameFields = ["name", "network.headlessName"] as const;
type ServiceNameFields = Picked<BrokerPodsFields, (typeof serviceNameFields)[number]>;

/** The rules on a cluster as a whole, with the lead broker or without. */
export const brokerPodsRules: Rule<BrokerPodsFields>[] = [
  // The Service has the cluster's name, and the name of a Service has more restrictions than the name of a Job.
  podsRule(["name", "network.headlessName"], ({ name, network }, addIssue) => {
    if (/^\d/.test(name) && network.headlessName === undefined)
      addIssue(
        ["name"],
        `"${name}" starts with a digit, but the name of a Service must start with a letter; rename it or set network.headlessName`,
      );
  }),
  podsRule(["services[]", "name", "network.headlessName"], ({ services, name, network }, addIssue) => {
    // Another rule reads the headless Service, and `nameRule` reads the length.
    if (services.length > 0 && /^\d/.test(name) && network.headlessName !== undefined)
      addIssue(["services"], `needs the Service ${servicesName({ name })}, ${startsWithDigit}`);
  }),
  podsRule(["shareProcessNamespace", "pod.hostPID"], ({ shareProcessNamespace, pod }, addIssue) => {
    if (shareProcessNamespace && pod.hostPID === true)
      addIssue(
        ["shareProcessNamespace"],
        "has no effect with pod.hostPID, which shows all processes of a node; remove one",
      );
  }),
  podsRule(["prepull", "containers[].runFlux", "containers[].imagePullPolicy"], ({ prepull, containers }, addIssue) => {
    const isNever = containers.some(
      (container) =>
        container && runsFlux(container, containers) && container.imagePullPolicy === MiniClusterPullPolicy.Never,
    );
    if (prepull && isNever)
      addIssue(
        ["prepull"],
        'cannot pull the image of the container that runs Flux, whose imagePullPolicy is "Never"; remove one of them',
      );
  }),
  podsRule(["jobLabels[]"], ({ jobLabels }, addIssue) => {
    for (const key of reservedKeys(jobLabels)) addIssue(["jobLabels", key], ownLabel);
  }),
  podsRule(["jobAnnotations[]"], ({ jobAnnotations }, addIssue) => {
    for (const key of reservedJobAnnotations(jobAnnotations)) addIssue(["jobAnnotations", key], ownLabel);
  }),
  podsRule(["pod.labels[]"], ({ pod }, addIssue) => {
    for (const key of reservedKeys(pod.labels)) addIssue(["pod", "labels", key], ownLabel);
  }),
  podsRule(["pod.annotations[]"], ({ pod }, addIssue) => {
    for (const key of reservedKeys(pod.annotations)) addIssue(["pod", "annotations", key], ownLabel);
  }),
];

const policies = ["queuePolicy", "matchPolicy"] as const;
const inactiveLimits = ["inactiveNumLimit", "inactiveAgeLimit"] as const;

/** The rules between the settings of the brokers. */
export const fluxRules: Rule<BrokerPodsFields>[] = [
  podsRule(["flux.environment[]"], ({ flux: { environment } }, addIssue) => {
    environmentRule({ environment }, prefixPath(addIssue, "flux"));
    outputRule({ environment }, prefixPath(addIssue, "flux"));
  }),
  podsRule(["flux.topology", "flux.minimalService"], ({ flux: { topology, minimalService } }, addIssue) => {
    if (minimalService && !isFlat(topology))
      addIssue(
        ["flux", "topology"],
        'only the lead broker has an address with minimalService; use "kary:0" or leave it out',
      );
  }),
  podsRule(["flux.container.disable", "flux.container.imageVolume"], ({ flux: { container } }, addIssue) => {
    if (container.disable && container.imageVolume)
      addIssue(["flux", "container", "imageVolume"], "with disable there is no view to mount; remove one of them");
  }),
  podsRule(["flux.scheduler.simple", "flux.scheduler.matchPolicy"], ({ flux: { scheduler } }, addIssue) => {
    if (scheduler.simple && scheduler.matchPolicy !== undefined)
      addIssue(["flux", "scheduler", "matchPolicy"], "the simple scheduler has no match policy; remove one of them");
  }),
  ...policies.map((policy) =>
    podsRule(["flux.brokerConfig", `flux.scheduler.${policy}`], ({ flux: { brokerConfig, scheduler } }, addIssue) => {
      if (brokerConfig !== undefined && scheduler[policy] !== undefined)
        addIssue(["flux", "scheduler", policy], "brokerConfig is the whole configuration; set the policy there");
    }),
  ),
  ...inactiveLimits.map((limit) =>
    podsRule(["flux.brokerConfig", `flux.${limit}`], ({ flux }, addIssue) => {
      if (flux.brokerConfig !== undefined && flux[limit] !== undefined)
        addIssue(["flux", limit], "brokerConfig is the whole configuration; set the limit in its table job-manager");
    }),
  ),
];

/** True for a tree in which the lead broker is the parent of all. */
export const isFlat = (topology: string | undefined) => topology === undefined || topology === "kary:0";

/** Message for a tree that is not flat although brokers of another cluster join. */
export const flatForBursting =
  'brokers of another cluster can connect only to the lead broker; use "kary:0" or leave it out';

/** Rejects a network policy on a cluster that other clusters join: the policy accepts connections only from pods of one cluster. */
export function refusePolicy({ network }: Picked<BrokerPodsFields, "network.policy">, addIssue: AddIssue): void {
  if (network.policy !== MiniClusterNetworkPolicy.None)
    addIssue(
      ["network", "policy"],
      "blocks the brokers of the clusters that join; remove it, and write a policy that names them",
    );
}
