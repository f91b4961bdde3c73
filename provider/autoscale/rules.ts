import { type AddIssue, type Rule, forEachItem, prefixPath, ruleOn } from "../shared/rules";
import { MiniClusterNetworkPolicy, MiniClusterResize } from "../core/args";
import { derivedServiceProblems, serviceNameFields } from "../core/parse/clusterRules";
import { consoleLists, consoleUsers } from "../console/fields";
import { launchFields, launchModes } from "../core/parse/container";
import type { MiniClusterFields } from "../minicluster/parse/fields";
import { type BrokerPodsFields, drainFields, drainTimeoutOf } from "../core/parse/fields";
import { brokerPort, consoleName, demandPort } from "../core/parse/names";
import { ownLabel, reservedKeys } from "../core/parse/pod";
import { largestSizeRule } from "../core/parse/sizes";

/** The fields of a cluster with `autoscale`, whether it has the lead broker or joins one. */
interface FollowFields extends Pick<BrokerPodsFields, "resize" | "pool"> {
  size?: number;
  autoscale?: { min: number; max?: number; budget?: object };
}

const followRule = ruleOn<FollowFields>();

/** The rules on every cluster with `autoscale`. */
export const followRules: Rule<FollowFields>[] = [
  followRule(["autoscale.min", "autoscale.max"], ({ autoscale }, addIssue) => {
    const { min = 0, max } = autoscale ?? {};
    if (max !== undefined && min > max)
      addIssue(["autoscale", "min"], `min ${min} is above max ${max}; lower min or raise max`);
  }),
  followRule(["autoscale?", "size"], ({ autoscale, size }, addIssue) => {
    if (autoscale && size !== undefined)
      addIssue(["size"], "is set by autoscale, between its min and max; remove one of them");
  }),
  followRule(["autoscale.budget", "pool"], ({ autoscale, pool }, addIssue) => {
    if (!autoscale?.budget || pool?.pricePerHour !== undefined) return;
    const missing = pool ? `pricePerHour of pool ${pool.pool}` : "a pool with pricePerHour";
    addIssue(["autoscale", "budget"], `requires ${missing}; add it, or remove budget`);
  }),
  followRule(["autoscale?", "resize"], ({ autoscale, resize }, addIssue) => {
    if (autoscale && resize === MiniClusterResize.Manifest)
      addIssue(
        ["resize"],
        'the agent resizes the live Job, which a manifest would undo; use "patch" or remove autoscale',
      );
  }),
];

const rule = ruleOn<MiniClusterFields>();

/** The rules on a cluster with the lead broker and `autoscale`. */
export const autoscaleRules: Rule<MiniClusterFields>[] = [
  largestSizeRule,
  rule(["autoscale?", "minSize"], ({ autoscale, minSize }, addIssue) => {
    if (autoscale && minSize !== undefined) addIssue(["minSize"], "is autoscale.min, which is the quorum; remove it");
  }),
  rule(["autoscale?", ...launchFields], (fields, addIssue) => {
    const isWide = launchModes(fields).some((mode) => mode === "submit" || mode === "batch");
    if (fields.autoscale && isWide)
      addIssue(
        ["autoscale"],
        "the submitted command requests the hosts once, when it starts; set launcher: true on its container, " +
          "interactive: true, or size",
      );
  }),
  rule(["autoscale?", "flux.bursting?"], ({ autoscale, flux }, addIssue) => {
    if (autoscale && flux.bursting !== undefined)
      addIssue(["autoscale"], "the operator's form of bursting does not assign the hosts to clusters; use bursting");
  }),
  rule(["autoscale?", "flux.minimalService"], ({ autoscale, flux }, addIssue) => {
    if (autoscale && flux.minimalService)
      addIssue(
        ["flux", "minimalService"],
        "forwards only to the brokers' port, and autoscale needs another one; remove it",
      );
  }),
];

/** Message for metrics of a cluster whose lead broker runs elsewhere. */
export const metricsOfLead = "are set for the whole instance, in the cluster with the lead broker; set them there";

/** The rule on the ports of a container in the lead broker's pod, given the present use of each port. */
export function takenPortsRule(ports: (number | undefined)[], holders: Map<number, string>, addIssue: AddIssue): void {
  forEachItem(ports, (port, index) => {
    const holder = holders.get(port);
    if (holder !== undefined)
      addIssue(["ports", index], `${port} is the port of ${holder}, in the same pod; choose another port`);
  });
}

/** The rule on a port of the lead broker's pod that an argument chooses. */
function ownPortRule(argument: "metrics" | "console", port: number | undefined, addIssue: AddIssue): void {
  if (port === brokerPort)
    addIssue([argument, "port"], `${brokerPort} is the port of the brokers; choose another port`);
  if (port === demandPort)
    addIssue([argument, "port"], `${demandPort} is the port that serves the demand; choose another port`);
}

/** The rules on the ports at which the lead broker's pod serves metrics and the demand of its queue, and on their clients. */
export const metricsRules: Rule<MiniClusterFields>[] = [
  rule(["metrics.port"], ({ metrics }, addIssue) => ownPortRule("metrics", metrics?.port, addIssue)),
  rule(
    ["metrics.port", "console.port", "autoscale?", "bursting.expose.demand?", "containers[].ports[]"],
    ({ metrics, console, autoscale, bursting, containers }, addIssue) => {
      const own = new Map<number, string>();
      if (bursting?.expose.demand) own.set(demandPort, "bursting.expose.demand");
      if (autoscale) own.set(demandPort, "autoscale");
      if (metrics) own.set(metrics.port, "metrics");
      if (console) own.set(console.port, "console");
      forEachItem(containers, ({ ports }, index) =>
        takenPortsRule(ports, own, prefixPath(addIssue, "containers", index)),
      );
    },
  ),
  rule(["metrics?", "flux.bursting.leadBroker?"], ({ metrics, flux }, addIssue) => {
    if (metrics && flux.bursting?.leadBroker !== undefined) addIssue(["metrics"], metricsOfLead);
  }),
  rule(["metrics.fromNamespace", "network.policy"], ({ metrics, network }, addIssue) => {
    if (metrics?.fromNamespace !== undefined && network.policy !== MiniClusterNetworkPolicy.Pods)
      addIssue(
        ["metrics", "fromNamespace"],
        'requires network.policy "pods", without which every pod can connect; add it',
      );
  }),
  rule(["metrics.podMonitor.labels[]"], ({ metrics }, addIssue) => {
    const at = prefixPath(addIssue, "metrics", "podMonitor", "labels");
    for (const key of reservedKeys(metrics?.podMonitor?.labels ?? {})) at([key], ownLabel);
  }),
];

/** Message for a console of a cluster whose lead broker runs elsewhere. */
export const consoleOfLead = "is set for the whole instance, in the cluster with the lead broker; set it there";

/** The rules on the console: its port, and its users, each of whom is in one list. */
export const consoleRules: Rule<MiniClusterFields>[] = [
  rule(["console.port", "metrics.port"], ({ console, metrics }, addIssue) => {
    ownPortRule("console", console?.port, addIssue);
    if (console && console.port === metrics?.port)
      addIssue(["console", "port"], `${console.port} is the port of metrics; choose another port`);
  }),
  rule(["console?", ...serviceNameFields], ({ console, ...fields }, addIssue) => {
    const own = consoleName(fields);
    if (console)
      for (const problem of derivedServiceProblems(own, fields))
        addIssue(["console"], `needs the Service ${own}, ${problem}`);
  }),
  rule(["console.users", "console.viewers", "console.admins"], ({ console }, addIssue) => {
    if (!console) return;
    const taken = new Map<string, string>();
    for (const key of consoleLists)
      for (const [index, name] of console[key].entries()) {
        const holder = taken.get(name);
        if (holder !== undefined) addIssue(["console", key, index], `${name} is also in ${holder}; remove one of them`);
        taken.set(name, `console.${key}`);
      }
    if (taken.size === 0) addIssue(["console"], "requires a user: add a name to users, viewers or admins");
  }),
  rule(["console.users", "console.viewers", "console.admins", "console.tokens"], ({ console }, addIssue) => {
    const users = console && consoleUsers(console);
    for (const name of Object.keys(console?.tokens ?? {}))
      if (!users?.has(name))
        addIssue(["console", "tokens", name], "is not a user of the console; add it to users, viewers or admins");
  }),
  rule(["console?", "flux.bursting.leadBroker?"], ({ console, flux }, addIssue) => {
    if (console && flux.bursting?.leadBroker !== undefined) addIssue(["console"], consoleOfLead);
  }),
  rule(["console.fromNamespace", "network.policy"], ({ console, network }, addIssue) => {
    if (console?.fromNamespace !== undefined && network.policy !== MiniClusterNetworkPolicy.Pods)
      addIssue(
        ["console", "fromNamespace"],
        'requires network.policy "pods", without which every pod can connect; add it',
      );
  }),
];

/** The rules on jobs that are submitted again. */
export const requeueRules: Rule<MiniClusterFields>[] = [
  rule(["requeue?", "flux.bursting.leadBroker?"], ({ requeue, flux }, addIssue) => {
    if (requeue && flux.bursting?.leadBroker !== undefined)
      addIssue(["requeue"], "the lead broker's cluster submits the jobs again; set it there");
  }),
  rule(["requeue.graceSeconds", ...drainFields], ({ requeue, ...fields }, addIssue) => {
    const { graceSeconds } = requeue ?? {};
    const drain = drainTimeoutOf(fields);
    if (graceSeconds !== undefined && graceSeconds > drain)
      addIssue(
        ["requeue", "graceSeconds"],
        `${graceSeconds} s is longer than drainTimeoutSeconds (${drain}), after which the pod ends its jobs; lower it or ` +
          "raise drainTimeoutSeconds",
      );
  }),
];
