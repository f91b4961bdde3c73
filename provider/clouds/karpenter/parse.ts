import { integer, leaf } from "../../shared/checks";
import { type Rule, ruleOn } from "../../shared/rules";

/** Seconds after which Karpenter removes an empty node. */
export const emptyForSeconds = leaf(integer(0, 86_400)).default(300);

const rule = ruleOn<{ minSize?: number; labels: Record<string, unknown> }>();

const minRule = rule(["minSize"], ({ minSize = 0 }, addIssue) => {
  if (minSize > 0) addIssue(["minSize"], `must be 0, not ${minSize}: Karpenter keeps no nodes without pods; remove it`);
});

/** Rules on a pool of any cloud; the CRDs of the cloud reserve labels of some domains. */
export const karpenterPoolRules = (reservedDomains: string[]): Rule<Parameters<typeof minRule.run>[0]>[] => [
  minRule,
  rule(["labels[]"], ({ labels }, addIssue) => {
    for (const label of Object.keys(labels)) {
      const [prefix = ""] = label.includes("/") ? label.split("/") : [];
      const domain = reservedDomains.find((each) => prefix.endsWith(each));
      if (domain) addIssue(["labels", label], `Karpenter reserves labels of ${domain}; use another prefix`);
    }
  }),
];
