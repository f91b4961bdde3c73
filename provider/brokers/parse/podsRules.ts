import type { Rule } from "../../shared/rules";
import { brokerPodsRules, fluxRules } from "./clusterRules";
import { containerRules, volumesRule } from "./containerRules";
import type { BrokerPodsFields } from "./fields";
import { podTemplateRule } from "./podTemplateRules";
import { poolRules } from "./pool/rules";
import { restrictedRules } from "./restricted";
import { serviceRules } from "./serviceRules";

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
