import type { Instance } from "./instance";
import type { ClusterPlan, InstancePlan } from "./plan";
import type { Reading } from "./reading";
import type { Placing, WaitingJob } from "./simulation";

/** The moves of a plan, without the queues that are stopped. */
export function placingOf({ clusters, moves }: InstancePlan, queues: Reading["queues"]): Placing | undefined {
  const [home, ...others] = moves?.queues ?? [];
  if (!moves || !home) return undefined;
  const started = others.filter(({ name }) => queues[name] !== false);
  return {
    home: home.name,
    others: started.map(({ name, cluster, price }) => ({
      queue: name,
      ranks: ranksOfCluster(clusters, cluster),
      price,
    })),
    byPrice: moves.order === "price",
    afterSeconds: moves.afterSeconds,
    giveUpSeconds: moves.giveUpSeconds,
  };
}

function ranksOfCluster(clusters: ClusterPlan[], name: string): Set<number> {
  const { first, hosts } = clusters.find((cluster) => cluster.name === name) ?? { first: 0, hosts: 0 };
  return new Set(Array.from({ length: hosts }, (_, place) => first + place));
}

/** The waiting jobs of an instance, of which only those move that their users have left to the home queue. */
export function movable({ hosts, waiting }: Instance, { clusters, moves }: InstancePlan): WaitingJob[] {
  const [home] = moves?.queues ?? [];
  if (!home) return waiting;
  const ranksOfHome = ranksOfCluster(clusters, home.cluster);
  const isOfHome = (ranks: ReadonlySet<number>) => hosts.every(({ rank }) => ranks.has(rank) === ranksOfHome.has(rank));
  const free = new Set([...new Set(waiting.map(({ ranks }) => ranks))].filter((ranks) => !ranks || isOfHome(ranks)));
  return waiting.map((job) => {
    if (free.has(job.ranks)) return job;
    const stays = { ...job };
    delete stays.since;
    return stays;
  });
}

/** Names of the clusters to which jobs move by some plans. */
export const targetsOf = (...plans: InstancePlan[]): Set<string> =>
  new Set(plans.flatMap(({ moves }) => moves?.queues.slice(1).map(({ cluster }) => cluster) ?? []));

/** A cluster that another component or program sizes, with hosts that join when jobs move there. */
export const joining = (cluster: ClusterPlan): ClusterPlan => ({
  ...cluster,
  elastic: { min: 0, max: cluster.hosts, maxStep: cluster.hosts, idleSeconds: 300, cooldownSeconds: 30 },
});
