import { miniClusterRules } from "../brokers/parse/clusterRules";
import { miniCluster, type MiniClusterFields } from "../brokers/parse/fields";
import { nativeGangRules } from "../brokers/parse/gangRules";
import { volumesRule } from "../brokers/parse/containerRules";
import { podsRules } from "../brokers/parse/podsRules";
import { countRule, podCountFields } from "../brokers/parse/pool/rules";
import { autoscaleRules, followRules, metricsRules, requeueRules } from "../brokers/parse/programRules";
import { templateMountsRule } from "../brokers/parse/podTemplateRules";
import {
  leadServiceFields,
  ownServicesOfLead,
  sidecarServiceFields,
  sidecarServiceRule,
} from "../brokers/parse/serviceRules";
import { maxSizeFields, maxSizeOf, sizeOf } from "../brokers/parse/sizes";
import { type MiniClusterSpec, settleMiniCluster } from "../brokers/parse/spec";
import { operatorBurstingRules } from "../bursting/parse/operatorRules";
import { burstingRules } from "../bursting/parse/rules";
import { parseArgs, type ResultCheck, ruleOn, rules } from "../shared/rules";
import type { MiniClusterArgs } from "./args";

const rule = ruleOn<MiniClusterFields>();

const poolSizeRule = rule([...podCountFields, ...maxSizeFields, "suspend"], (fields, addIssue) => {
  const key = fields.maxSize === undefined ? "size" : "maxSize";
  const counts = { size: sizeOf(fields), maxSize: maxSizeOf(fields), isSuspended: fields.suspend === true };
  countRule(fields, { ...counts, largest: { path: [key], named: key, lower: `lower ${key}` } }, addIssue);
});

const fluxVolumeRules = [
  rule(["flux.container.mountPath", "containers[].volumes[]"], (fields, addIssue) =>
    volumesRule(fields, fields.flux.container.mountPath, addIssue),
  ),
  rule(["flux.container.mountPath", "podTemplate"], (fields, addIssue) =>
    templateMountsRule(fields, fields.flux.container.mountPath, addIssue),
  ),
];

const sidecarRule = rule([...sidecarServiceFields, ...leadServiceFields], (fields, addIssue) =>
  sidecarServiceRule(fields, ownServicesOfLead(fields), addIssue),
);

/** The arguments of a MiniCluster, checked and settled. */
export const miniClusterSchema = miniCluster
  .check(
    rules<MiniClusterFields>(
      poolSizeRule,
      ...miniClusterRules,
      ...followRules,
      ...autoscaleRules,
      ...metricsRules,
      ...requeueRules,
      ...nativeGangRules,
      ...podsRules,
      ...fluxVolumeRules,
      ...operatorBurstingRules,
      ...burstingRules,
      sidecarRule,
    ),
  )
  .transform(settleMiniCluster);

/** The spec of a MiniCluster, or one error that names every problem of its arguments, those of a check included. */
export const parseMiniClusterArgs = (
  resourceName: string,
  args: MiniClusterArgs,
  check?: ResultCheck<MiniClusterSpec>,
): MiniClusterSpec => parseArgs(miniClusterSchema, "MiniCluster", resourceName, args, check);
