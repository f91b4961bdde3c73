import type { Rule } from "../../shared/rules";
import { brokerPodsRules, fluxRules } from "./clusterRules";
import { containerRules } from "./containerRules";
import type { BrokerPodsFields } from "./fields";
import { podTemplateRules } from "./podTemplateRules";
import { localDiskRules, poolRules } from "./pool/rules";
import { restrictedRules } from "./restricted";
import { serviceRules } from "./serviceRules";

/** The rules that hold for the pods of every cluster, whether it has the lead broker or joins one. */
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
