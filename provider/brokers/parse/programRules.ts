import { forEachItem, prefixPath, type Rule, where } from "../../shared/rules";
import { MiniClusterNetworkPolicy, MiniClusterResize } from "../args";
import { launchMode, runsFlux } from "./container";
import type { BrokerPodsFields, MiniClusterFields } from "./fields";
import { brokerPort, demandPort } from "./names";
import { ownLabel, reservedKeys } from "./pod";

/** The fields of a cluster whose size may follow the queue, whether it has the lead broker or joins one. */
interface FollowFields extends Pick<BrokerPodsFields, "resize"> {
  size?: number;
  autoscale?: { min: number; max?: number };
}

/** The rules on every cluster whose size follows the queue. */
export const followRules: Rule<FollowFields>[] = where(
  ({ autoscale }) => autoscale,
  ({ min, max }, addIssue) => {
    if (max !== undefined && min > max)
      addIssue(["autoscale", "min"], `min ${min} is above max ${max}; lower min or raise max`);
  },
  (_, addIssue, { size }) => {
    if (size !== undefined) addIssue(["size"], "is set by autoscale, between its min and max; remove one of them");
  },
  (_, addIssue, { resize }) => {
    if (resize === MiniClusterResize.Manifest)
      addIssue(
        ["resize"],
        'the agent resizes the live Job, which a manifest would undo; use "patch" or remove autoscale',
      );
  },
);

/** The rules on a cluster with the lead broker whose size follows its queue. */
export const autoscaleRules: Rule<MiniClusterFields>[] = where(
  ({ autoscale }) => autoscale,
  ({ max }, addIssue, { maxSize }) => {
    if (maxSize !== undefined && max > maxSize)
      addIssue(["autoscale", "max"], `max ${max} is above maxSize ${maxSize}; raise maxSize or lower max`);
  },
  (_, addIssue, { minSize }) => {
    if (minSize !== undefined) addIssue(["minSize"], "is autoscale.min, which is the quorum; remove it");
  },
  (_, addIssue, { interactive, containers }) => {
    const isWide = containers
      .filter((container) => runsFlux(container, containers))
      .some((container) => ["submit", "batch"].includes(launchMode(interactive, container)));
    if (isWide)
      addIssue(
        ["autoscale"],
        "the submitted command requests the hosts once, when it starts; set launcher: true on its container, " +
          "interactive: true, or size",
      );
  },
  (_, addIssue, { flux }) => {
    if (flux.bursting !== undefined)
      addIssue(["autoscale"], "the operator's form of bursting does not assign the hosts to clusters; use bursting");
  },
  (_, addIssue, { flux }) => {
    if (flux.minimalService)
      addIssue(
        ["flux", "minimalService"],
        "leads to the brokers' port alone, and autoscale needs another one; remove it",
      );
  },
);

/** Message for metrics of a cluster whose lead broker runs elsewhere. */
export const metricsOfLead = "are those of the whole instance, from the cluster with the lead broker; set it there";

/** The rules on the ports at which the lead broker's pod serves metrics and what its queue needs, and on who may ask. */
export const metricsRules: Rule<MiniClusterFields>[] = [
  ({ metrics }, addIssue) => {
    if (metrics?.port === brokerPort)
      addIssue(["metrics", "port"], `${brokerPort} is the port of the brokers; choose another port`);
    if (metrics?.port === demandPort)
      addIssue(["metrics", "port"], `${demandPort} is the port that agents ask; choose another port`);
  },
  ({ metrics, autoscale, bursting, containers }, addIssue) => {
    const own = new Map<number, string>();
    if (bursting?.expose.demand) own.set(demandPort, "bursting.expose.demand");
    if (autoscale) own.set(demandPort, "autoscale");
    if (metrics) own.set(metrics.port, "metrics");
    forEachItem(containers, ({ ports }, index) =>
      forEachItem(ports, (port, place) => {
        const holder = own.get(port);
        if (holder !== undefined)
          addIssue(
            ["containers", index, "ports", place],
            `${port} is the port of ${holder}, in the same pod; choose another port`,
          );
      }),
    );
  },
  ({ metrics, flux }, addIssue) => {
    if (metrics && flux.bursting?.leadBroker !== undefined) addIssue(["metrics"], metricsOfLead);
  },
  ({ metrics, network }, addIssue) => {
    if (metrics?.fromNamespace !== undefined && network.policy !== MiniClusterNetworkPolicy.Pods)
      addIssue(["metrics", "fromNamespace"], 'requires network.policy "pods", without which every pod may ask; add it');
  },
  ({ metrics }, addIssue) => {
    const at = prefixPath(addIssue, "metrics", "podMonitor", "labels");
    for (const key of reservedKeys(metrics?.podMonitor?.labels ?? {})) at([key], ownLabel);
  },
];
