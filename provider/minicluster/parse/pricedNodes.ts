import { burstPrice } from "../../bursting/parse/moves";
import { nodesOfJob, type PricedNodes, priceRule } from "../../budget/maxPriceRule";
import type { BurstingFields } from "../../bursting/parse/fields";
import { onlyGroup } from "../../core/parse/names";
import { initialSizeOf } from "../../core/parse/sizes";
import type { GroupFields } from "../../groups/fields";
import { hasLead } from "../../groups/jobs";
import { groupJobName } from "../../groups/names";
import { type Rule, ruleOn } from "../../shared/rules";
import type { ClusterFields } from "./fields";

const rule = ruleOn<ClusterFields>();

/** Fields of a cluster that determine the price of its nodes. */
interface PricedFields extends Pick<ClusterFields, "name" | "pool" | "lead" | "groups" | "size"> {
  autoscale?: { max: number };
  bursting?: {
    clusters: Pick<BurstingFields["clusters"][number], "name" | "maxSize" | "pool" | "pricePerHour">[];
    place?: { clusters?: string[] };
  };
}

/**
 * The nodes of a cluster. A separate lead broker without a pool shares an existing node. Clusters to which jobs move automatically
 * count with all their hosts.
 */
export function pricedNodes(fields: PricedFields): PricedNodes[] {
  const { clusters = [], place } = fields.bursting ?? {};
  const joining = place ? clusters.filter(({ name }) => place.clusters?.includes(name) ?? true) : [];
  return [
    ...ownNodes(fields),
    ...joining.map((cluster) => ({
      name: cluster.name,
      nodes: cluster.maxSize,
      price: burstPrice(cluster),
      argument: `pricePerHour of ${cluster.name} in bursting.clusters`,
    })),
  ];
}

function ownNodes(fields: PricedFields): PricedNodes[] {
  const { name, pool, lead, groups } = fields;
  const countOf = ({ size, autoscale }: Pick<PricedFields, "size" | "autoscale">) =>
    autoscale?.max ?? initialSizeOf({ size });
  if (!hasLead(fields)) return [nodesOfJob(name, countOf(fields), pool)];
  const workers: [string, Partial<GroupFields> | undefined][] = groups
    ? Object.entries(groups)
    : [[onlyGroup, undefined]];
  return [
    ...(lead?.pool ? [nodesOfJob(name, 1, lead.pool)] : []),
    ...workers.map(([group, own]) =>
      nodesOfJob(groupJobName({ name }, group), countOf(own ?? fields), own?.pool ?? pool),
    ),
  ];
}

/** Fields with the pools of a cluster and of the clusters that can join. */
interface PooledFields extends Pick<ClusterFields, "pool" | "lead" | "groups"> {
  bursting?: { clusters: Pick<BurstingFields["clusters"][number], "pool">[] };
}

/** The pools of a cluster and of the clusters that can join, each with its path. */
const pricedPools = ({ pool, lead, groups, bursting }: PooledFields) => [
  { path: ["pool"], pool },
  { path: ["lead", "pool"], pool: lead?.pool },
  ...Object.entries(groups ?? {}).map(([name, group]) => ({ path: ["groups", name, "pool"], pool: group.pool })),
  ...(bursting?.clusters ?? []).map((cluster, index) => ({
    path: ["bursting", "clusters", index, "pool"],
    pool: cluster.pool,
  })),
];

/** The rules on the prices of all nodes of a cluster. */
export const priceRules: Rule<ClusterFields>[] = [
  rule(
    [
      ...(["maxPricePerHour", "name", "pool", "lead", "groups", "size", "autoscale.max"] as const),
      ...(["bursting.place.clusters", "bursting.clusters.*.name", "bursting.clusters.*.maxSize"] as const),
      ...(["bursting.clusters.*.pool", "bursting.clusters.*.pricePerHour"] as const),
    ],
    (fields, addIssue) => priceRule(fields.maxPricePerHour, pricedNodes(fields), addIssue),
  ),
  rule(["pool", "lead", "groups", "bursting.clusters.*.pool"], (fields, addIssue) => {
    const pools = pricedPools(fields).filter(({ pool }) => pool?.currency !== undefined);
    const [first] = pools;
    for (const { path, pool } of pools)
      if (pool?.currency !== first?.pool?.currency)
        addIssue(
          [...path, "currency"],
          `"${pool?.currency}" is not "${first?.pool?.currency}", the currency of another pool; give all prices in one currency`,
        );
  }),
];
