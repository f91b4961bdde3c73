import { forEachItem, prefixPath, type Rule } from "../../shared/rules";
import { MiniClusterNetworkPolicy } from "../args";
import { brokerPort, demandPort } from "../names";
import type { MiniClusterFields } from "./fields";
import { ownLabel, reservedKeys } from "./reserved";

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
