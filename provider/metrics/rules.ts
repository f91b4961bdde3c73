import { MiniClusterNetworkPolicy } from "../core/args";
import type { BrokerPodsFields } from "../core/parse/fields";
import { ownLabel, reservedKeys } from "../core/parse/pod";
import { ownPortRule } from "../core/parse/portRules";
import { prefixPath, type Rule, ruleOn } from "../shared/rules";
import type { MetricsSpec } from "./fields";

interface MetricsFields extends BrokerPodsFields {
  metrics?: MetricsSpec;
}

const rule = ruleOn<MetricsFields>();

/** Message for metrics of a cluster whose lead broker runs elsewhere. */
export const metricsOfLead = "are set for the whole instance, in the cluster with the lead broker; set them there";

/** The rules on the port at which the lead broker's pod serves metrics, and on its clients. */
export const metricsRules: Rule<MetricsFields>[] = [
  rule(["metrics.port"], ({ metrics }, addIssue) => ownPortRule("metrics", metrics?.port, addIssue)),
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
