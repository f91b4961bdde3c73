import { burstingRules } from "../../bursting/rules";
import { parseArgs, type ResultCheck, type Rule, rules } from "../../shared/rules";
import type { MiniClusterArgs } from "../args";
import { autoscaleRules, followRules, metricsRules } from "./programRules";
import { brokerPodsRules, fluxRules, miniClusterRules } from "./clusterRules";
import { containerRules, volumesRule } from "./containerRules";
import { type BrokerPodsFields, maxSizeOf, miniCluster, type MiniClusterFields, sizeOf } from "./fields";
import { nativeGangRules } from "./gangRules";
import { operatorBurstingRules } from "./operatorBurstingRules";
import { podTemplateRule } from "./podTemplateRules";
import { countRule, poolRules } from "./pool/rules";
import { restrictedRules } from "./restricted";
import { ownServicesOfLead, serviceRules, sidecarServiceRule } from "./serviceRules";
import { type MiniClusterSpec, settleMiniCluster } from "./spec";

/** The rules that hold for the pods of every cluster, whether it has the lead broker or joins one. */
export const podsRules: Rule<BrokerPodsFields>[] = [
  ...poolRules,
  ...brokerPodsRules,
  ...fluxRules,
  ...restrictedRules,
  ...containerRules,
  ...serviceRules,
];

/** The rules that hold where every container mounts the Flux volume, at a path that has to be known. */
export const fluxVolumeRules = <T extends BrokerPodsFields>(mountPathOf: (fields: T) => string): Rule<T>[] => [
  (fields, addIssue) => volumesRule(fields, mountPathOf(fields), addIssue),
  (fields, addIssue) => podTemplateRule(fields, () => mountPathOf(fields), addIssue),
];

const poolSizeRule: Rule<MiniClusterFields> = (fields, addIssue) => {
  const key = fields.maxSize === undefined ? "size" : "maxSize";
  const counts = { size: sizeOf(fields), maxSize: maxSizeOf(fields), isSuspended: fields.suspend === true };
  countRule(fields, { ...counts, largest: { path: [key], named: key, lower: `lower ${key}` } }, addIssue);
};

/** The arguments of a MiniCluster, checked and settled. */
export const miniClusterSchema = miniCluster
  .check(
    rules<MiniClusterFields>(
      poolSizeRule,
      ...miniClusterRules,
      ...followRules,
      ...autoscaleRules,
      ...metricsRules,
      ...nativeGangRules,
      ...podsRules,
      ...fluxVolumeRules<MiniClusterFields>(({ flux }) => flux.container.mountPath),
      ...operatorBurstingRules,
      ...burstingRules,
      (fields, addIssue) => sidecarServiceRule(fields, ownServicesOfLead(fields), addIssue),
    ),
  )
  .transform(settleMiniCluster);

/** The spec of a MiniCluster, or one error that names every problem of its arguments, those of a check included. */
export const parseMiniClusterArgs = (
  resourceName: string,
  args: MiniClusterArgs,
  check?: ResultCheck<MiniClusterSpec>,
): MiniClusterSpec => parseArgs(miniClusterSchema, "MiniCluster", resourceName, args, check);
