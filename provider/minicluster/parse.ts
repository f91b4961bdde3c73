import { miniClusterRules } from "../brokers/parse/clusterRules";
import { miniCluster, type MiniClusterFields } from "../brokers/parse/fields";
import { nativeGangRules } from "../brokers/parse/gangRules";
import { podsRules, fluxVolumeRules } from "../brokers/parse/podsRules";
import { countRule } from "../brokers/parse/pool/rules";
import { autoscaleRules, followRules, metricsRules } from "../brokers/parse/programRules";
import { ownServicesOfLead, sidecarServiceRule } from "../brokers/parse/serviceRules";
import { maxSizeOf, sizeOf } from "../brokers/parse/sizes";
import { type MiniClusterSpec, settleMiniCluster } from "../brokers/parse/spec";
import { operatorBurstingRules } from "../bursting/parse/operatorRules";
import { burstingRules } from "../bursting/parse/rules";
import { parseArgs, type ResultCheck, type Rule, rules } from "../shared/rules";
import type { MiniClusterArgs } from "./args";

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
