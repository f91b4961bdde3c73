import { miniClusterRules } from "../../core/parse/clusterRules";
import { miniCluster, type MiniClusterFields } from "./fields";
import { nativeGangRules, queuedView } from "../../gang/rules";
import { fluxVolumeRules, podsRules } from "../../core/parse/podsRules";
import { countRule, countsOf, podCountFields } from "../../core/pool/parse/rules";
import { largestPrice, priceRule } from "../../budget/price";
import { autoscaleRules, consoleRules, followRules, metricsRules, requeueRules } from "../../autoscale/rules";
import {
  leadServiceFields,
  ownServicesOfLead,
  sidecarServiceFields,
  sidecarServiceRule,
} from "../../core/parse/serviceRules";
import { maxSizeFields } from "../../core/parse/sizes";
import { jobsOf, type MiniClusterSpec, settleMiniCluster } from "../../core/parse/spec";
import { operatorBurstingRules } from "../../bursting/parse/operatorRules";
import { placeRules } from "../../bursting/parse/placeRules";
import { burstingRules } from "../../bursting/parse/rules";
import { inOrder } from "../../core/parse/order";
import { type AddIssue, onViews, once, originOf, parseArgs, type ResultCheck, ruleOn, rules } from "../../shared/rules";
import type { MiniClusterArgs } from "../args.ts";
import { leadRules, ownLeadRules, workersRules } from "../../groups/rules";
import { settleWithGroups } from "../../groups/spec";
import {
  groupViews,
  hasLead,
  ifNoSeparateLead,
  ifSeparateLead,
  leadViews,
  movedInJobs,
  pricedNodes,
  pricedPools,
} from "../../groups/jobs";

const rule = ruleOn<MiniClusterFields>();

const poolSizeRule = rule([...podCountFields, ...maxSizeFields, "suspend"], (fields, addIssue) =>
  countRule(fields, { ...countsOf(fields), isSuspended: fields.suspend === true }, addIssue),
);

const maxPriceRule = rule(
  [
    ...(["maxPricePerHour", "name", "pool", "lead", "groups", "size", "autoscale.max"] as const),
    ...(["bursting.place.clusters", "bursting.clusters.*.name", "bursting.clusters.*.maxSize"] as const),
    ...(["bursting.clusters.*.pool", "bursting.clusters.*.pricePerHour"] as const),
  ],
  (fields, addIssue) => priceRule(fields.maxPricePerHour, pricedNodes(fields), addIssue),
);

const currencyRule = rule(["pool", "lead", "groups", "bursting.clusters.*.pool"], (fields, addIssue) => {
  const pools = pricedPools(fields).filter(({ pool }) => pool?.currency !== undefined);
  const [first] = pools;
  for (const { path, pool } of pools)
    if (pool?.currency !== first?.pool?.currency)
      addIssue(
        [...path, "currency"],
        `"${pool?.currency}" is not "${first?.pool?.currency}", the currency of another pool; give all prices in one currency`,
      );
});

const sidecarRule = rule([...sidecarServiceFields, ...leadServiceFields], (fields, addIssue) =>
  sidecarServiceRule(fields, ownServicesOfLead(fields), addIssue),
);

/** The parsed arguments of a MiniCluster, with defaults. */
export const miniClusterSchema = miniCluster
  .check(
    rules<MiniClusterFields>(
      onViews(
        leadViews,
        poolSizeRule,
        ...miniClusterRules,
        ...followRules,
        ...autoscaleRules,
        ...metricsRules,
        ...consoleRules,
        ...requeueRules,
        ...nativeGangRules,
        ...podsRules,
        ...fluxVolumeRules,
        ...operatorBurstingRules,
        ...burstingRules,
        sidecarRule,
      ),
      maxPriceRule,
      currencyRule,
      ...placeRules,
      onViews(ifNoSeparateLead, ...ownLeadRules),
      onViews(ifSeparateLead, ...leadRules),
      onViews(groupViews, ...workersRules),
    ),
  )
  .transform((given): MiniClusterSpec => {
    const fields = inOrder(given);
    return {
      ...(hasLead(fields) ? settleWithGroups(fields) : settleMiniCluster(queuedView(fields).value)),
      largestPricePerHour: largestPrice(pricedNodes(fields)),
    };
  });

/** The spec of a MiniCluster, or one error that names every problem of its arguments, including those of `check`. */
export const parseMiniClusterArgs = (
  resourceName: string,
  args: MiniClusterArgs,
  check: ResultCheck<MiniClusterSpec> = () => undefined,
): MiniClusterSpec =>
  parseArgs(miniClusterSchema, "MiniCluster", resourceName, args, (spec, addIssue) =>
    checkJobs(spec, args, check, addIssue),
  );

/** Checks each Job of a cluster, and reports problems at the arguments that cause them. */
function checkJobs(
  spec: MiniClusterSpec,
  args: MiniClusterArgs,
  check: ResultCheck<MiniClusterSpec>,
  addIssue: AddIssue,
) {
  const origins = originsInJobs(args);
  const add = once(addIssue);
  for (const [index, job] of jobsOf(spec).entries()) check(job, (path, message) => add(origins(index, path), message));
}

/** The argument behind a path of a Job of the cluster, by the place of the Job. */
export function originsInJobs(args: MiniClusterArgs): (job: number, path: PropertyKey[]) => PropertyKey[] {
  const places = inOrder(args) as Pick<MiniClusterFields, "lead" | "groups" | "containers">;
  const moved = hasLead(places) ? movedInJobs(places) : [];
  return (job, path) => originOf(moved[job] ?? { moved: [] }, path);
}
