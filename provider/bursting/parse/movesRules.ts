import { BurstingOrder } from "../args";
import type { JoinedFields } from "./clusterFields";
import { burstPrice } from "./moves";
import { forEachItem, type Picked, type Rule, ruleOn } from "../../shared/rules";

const rule = ruleOn<JoinedFields>();

/** A cluster to which jobs may move: the price of its hosts, and the argument that sets it. */
interface MoveTarget {
  price?: number;
  argument: string;
}

const targetFields = [
  "bursting.clusters.*.name",
  "bursting.clusters.*.pricePerHour",
  "bursting.clusters.*.pool",
  "groups",
  "pool",
] as const;

/** The clusters to which jobs may move, by name. The first group is the default queue. */
function moveTargetsOf({ bursting, groups, pool }: Picked<JoinedFields, (typeof targetFields)[number]>) {
  const joining = (bursting?.clusters ?? []).map((cluster, index): [string, MoveTarget] => [
    cluster.name,
    { price: burstPrice(cluster), argument: `bursting.clusters[${index}].pricePerHour` },
  ]);
  const [, ...others] = Object.entries(groups ?? {}).map(([name, group]): [string, MoveTarget] => [
    name,
    { price: (group.pool ?? pool)?.pricePerHour, argument: `the price of the pool of groups.${name}` },
  ]);
  return new Map([...joining, ...others]);
}

/** The rules on jobs that move from queue to queue. */
export const movesRules: Rule<JoinedFields>[] = [
  rule(["bursting.place?", "bursting.spanClusters"], ({ bursting }, addIssue) => {
    if (bursting?.place && bursting.spanClusters)
      addIssue(
        ["bursting", "place"],
        "moves jobs between the queues of clusters, and spanClusters has no queues; remove one of them",
      );
  }),
  rule(["bursting.place.clusters", ...targetFields], (fields, addIssue) => {
    const known = [...moveTargetsOf(fields).keys()];
    const names = fields.bursting?.place?.clusters ?? [];
    forEachItem(names, (name, index) => {
      const at = ["bursting", "place", "clusters", index];
      if (!known.includes(name))
        addIssue(at, `"${name}" is not a cluster that jobs can move to: ${known.join(", ")}; choose one of these`);
      else if (names.indexOf(name) < index) addIssue(at, `duplicate name "${name}"; remove it`);
    });
  }),
  rule(["bursting.place.order", "bursting.place.clusters", ...targetFields], (fields, addIssue) => {
    const { bursting } = fields;
    if (bursting?.place?.order !== BurstingOrder.Price) return;
    const targets = moveTargetsOf(fields);
    const names = bursting.place.clusters ?? bursting.clusters.map(({ name }) => name);
    const missing = names.flatMap((name) => {
      const target = targets.get(name);
      return target && target.price === undefined ? [target.argument] : [];
    });
    if (missing.length > 0)
      addIssue(["bursting", "place", "order"], `"price" requires ${missing.join(" and ")}; add it, or use "listed"`);
  }),
];
