import { type Rule, ruleOn } from "../../shared/rules";
import { brokerPodsRules, fluxRules } from "./clusterRules";
import { containerRules, volumesRule } from "./containerRules";
import type { BrokerPodsFields } from "./fields";
import { podTemplateRules, templateMountsRule } from "./podTemplateRules";
import { localDiskRules } from "../pool/parse/localDiskRules";
import { poolRules } from "../pool/parse/rules";
import { restrictedRules } from "./restricted";
import { serviceRules } from "./serviceRules";

/** The rules on the pods of every cluster, with the lead broker or without. */
export const podsRules: Rule<BrokerPodsFields>[] = [
  ...poolRules,
  ...localDiskRules,
  ...brokerPodsRules,
  ...fluxRules,
  ...restrictedRules,
  ...containerRules,
  ...serviceRules,
  ...podTemplateRules,
];

const rule = ruleOn<BrokerPodsFields>();

/**
 * The rules on the volumes beside the Flux volume. A cluster that joins gets the directory of the Flux volume from the lead
 * broker's cluster.
 */
export const fluxVolumeRules: Rule<BrokerPodsFields>[] = [
  rule(["flux.container.mountPath", "containers[].volumes[]"], (fields, addIssue) =>
    volumesRule(fields, fields.flux.container.mountPath, addIssue),
  ),
  rule(["flux.container.mountPath", "podTemplate"], (fields, addIssue) =>
    templateMountsRule(fields, fields.flux.container.mountPath, addIssue),
  ),
];
