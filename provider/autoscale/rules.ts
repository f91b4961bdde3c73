import { MiniClusterResize } from "../core/args";
import { launchFields, launchModes } from "../core/parse/container";
import type { BrokerPodsFields } from "../core/parse/fields";
import { largestSizeRule, type MaxSizeFields } from "../core/parse/sizes";
import { type Rule, ruleOn } from "../shared/rules";

/** The fields of a cluster with `autoscale`, with the lead broker or without. */
interface AutoscaledFields extends Pick<BrokerPodsFields, "resize" | "pool"> {
  size?: number;
  autoscale?: { min: number; max?: number; budget?: object };
}

const jobRule = ruleOn<AutoscaledFields>();

/** The rules on every cluster with `autoscale`. */
export const autoscaledRules: Rule<AutoscaledFields>[] = [
  jobRule(["autoscale.min", "autoscale.max"], ({ autoscale }, addIssue) => {
    const { min = 0, max } = autoscale ?? {};
    if (max !== undefined && min > max)
      addIssue(["autoscale", "min"], `min ${min} is above max ${max}; lower min or raise max`);
  }),
  jobRule(["autoscale?", "size"], ({ autoscale, size }, addIssue) => {
    if (autoscale && size !== undefined)
      addIssue(["size"], "is set by autoscale, between its min and max; remove one of them");
  }),
  jobRule(["autoscale.budget", "pool"], ({ autoscale, pool }, addIssue) => {
    if (!autoscale?.budget || pool?.pricePerHour !== undefined) return;
    const missing = pool ? `the price of pool ${pool.pool}` : "a pool with a price";
    addIssue(["autoscale", "budget"], `requires ${missing}; add it, or remove budget`);
  }),
  jobRule(["autoscale?", "resize"], ({ autoscale, resize }, addIssue) => {
    if (autoscale && resize === MiniClusterResize.Manifest)
      addIssue(
        ["resize"],
        'the agent resizes the live Job, which YAML in files would undo; remove autoscale, or use "patch"',
      );
  }),
];

/** The fields that the rules read in a cluster with the lead broker. */
interface AutoscaleFields extends BrokerPodsFields, MaxSizeFields {
  minSize?: number;
  interactive: boolean;
}

const rule = ruleOn<AutoscaleFields>();

/** The rules on a cluster with the lead broker and `autoscale`. */
export const autoscaleRules: Rule<AutoscaleFields>[] = [
  largestSizeRule,
  rule(["autoscale?", "minSize"], ({ autoscale, minSize }, addIssue) => {
    if (autoscale && minSize !== undefined) addIssue(["minSize"], "is autoscale.min, which is the quorum; remove it");
  }),
  rule(["autoscale?", ...launchFields], (fields, addIssue) => {
    const isWide = launchModes(fields).some((mode) => mode === "submit" || mode === "batch");
    if (fields.autoscale && isWide)
      addIssue(
        ["autoscale"],
        "the submitted command requests the hosts once, when it starts; remove it, set launcher: true on its " +
          "container, or set size",
      );
  }),
  rule(["autoscale?", "flux.bursting?"], ({ autoscale, flux }, addIssue) => {
    if (autoscale && flux.bursting !== undefined)
      addIssue(["autoscale"], "the operator's form of bursting does not assign the hosts to clusters; use bursting");
  }),
  rule(["autoscale?", "flux.minimalService"], ({ autoscale, flux }, addIssue) => {
    if (autoscale && flux.minimalService)
      addIssue(
        ["flux", "minimalService"],
        "forwards only to the brokers' port, and autoscale needs another one; remove it",
      );
  }),
];
