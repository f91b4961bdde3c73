import type { RatesName } from "../../sandbox/controlPlane/commands";
import type { Journey } from "./journey";
import type { Way } from "./step";

/** The amount of measurements. */
export interface Effort {
  /** Simulated nodes: each takes one pod of a cluster. */
  nodes: number;
  /** Sizes of one cluster, in turn, of several journeys; each is gone by itself. */
  sizes: number[][];
  /** Numbers of clusters in one stack, and their sizes in turn. */
  stacks: { clusters: number[]; sizes: number[] };
  /** Changes whose preview alone is measured: numbers of clusters in one stack, and their pods before and after. */
  previews: { clusters: number; from: number; to: number }[];
  /** Numbers of node pools in one stack, and the sizes in turn of the cluster on each. */
  pools: { clusters: number[]; sizes: number[] };
  /** Groups of one cluster, and the pods of each in turn. */
  groups: { groups: number; sizes: number[] };
  /** Jobs that pass through an instance with a console. */
  jobs: number;
  /** Jobs that wait during a preview. */
  waiting: number;
  /** What the page of a console shows. */
  page: { jobs: number; hosts: number };
  /** How often each is measured. */
  runs: number;
  /** The number of processes in which parsing and building are measured, and how often in each. */
  render: { processes: number; runs: number };
}

export const full: Effort = {
  nodes: 5000,
  sizes: [
    [8, 8, 64, 8],
    [64, 64, 512, 8],
    [512, 5000, 8],
    [5000, 5000],
  ],
  stacks: { clusters: [25, 50, 100], sizes: [50, 50, 40] },
  previews: [
    { clusters: 1, from: 512, to: 5000 },
    ...[1, 25, 50, 100].map((clusters) => ({ clusters, from: 0, to: 50 })),
  ],
  pools: { clusters: [20], sizes: [8, 8, 16, 8] },
  groups: { groups: 4, sizes: [8, 8, 1000, 8] },
  jobs: 10_000,
  waiting: 1001,
  page: { jobs: 10_000, hosts: 5000 },
  runs: 3,
  render: { processes: 3, runs: 300 },
};

/** A quick check of all measurements. */
export const quick: Effort = {
  nodes: 80,
  sizes: [[4, 4, 16, 4], [64]],
  stacks: { clusters: [2, 4], sizes: [4, 4, 3] },
  previews: [
    { clusters: 1, from: 4, to: 16 },
    { clusters: 4, from: 0, to: 4 },
  ],
  pools: { clusters: [2], sizes: [2, 2, 4, 2] },
  groups: { groups: 2, sizes: [2, 2, 8, 2] },
  jobs: 400,
  waiting: 11,
  page: { jobs: 1000, hosts: 100 },
  runs: 1,
  render: { processes: 1, runs: 200 },
};

/** The rates of the controllers that all is measured at. */
export const measuredRates: RatesName[] = ["raised", "default"];

/** The same by `up` and by plain requests, in turn, so that other load of the machine meets both. */
const travellers: { way: Way; antiAffinity: boolean }[] = [
  { way: "up", antiAffinity: true },
  { way: "requests", antiAffinity: true },
  { way: "requests", antiAffinity: false },
];

/** The journeys of one cluster. */
export const clusterJourneys = ({ sizes, runs }: Effort): Journey[] =>
  runsOf(runs).flatMap((run) =>
    sizes.flatMap((each) =>
      journeys({ clusters: 1, sizes: each, maxSize: Math.max(...sizes.flat()), run }, travellers),
    ),
  );

/** The journeys of many clusters in one stack. What anti-affinity costs is seen with one. */
export const stackJourneys = ({ stacks: { clusters, sizes }, runs }: Pick<Effort, "stacks" | "runs">): Journey[] => {
  const comparable = travellers.filter(({ antiAffinity }) => antiAffinity);
  return runsOf(runs).flatMap((run) =>
    clusters.flatMap((count) => journeys({ clusters: count, sizes, maxSize: Math.max(...sizes), run }, comparable)),
  );
};

/**
 * The journeys of many clusters in one stack, each on a separate pool: its pods fill their nodes, and have no
 * anti-affinity.
 */
export const poolJourneys = ({ pools, runs }: Effort): Journey[] =>
  stackJourneys({ stacks: pools, runs }).map((journey) => ({ ...journey, onPools: true }));

/** The journeys of one cluster with groups of workers. */
export const groupJourneys = ({ groups: { groups, sizes }, runs }: Effort): Journey[] =>
  stackJourneys({ stacks: { clusters: [1], sizes }, runs }).map((journey) => ({ ...journey, groups }));

/** One journey at all rates and in all ways, so that a run which is ended early can still compare what it has. */
const journeys = (
  journey: Pick<Journey, "clusters" | "sizes" | "maxSize" | "run">,
  ways: typeof travellers,
): Journey[] => measuredRates.flatMap((rates) => ways.map((traveller) => ({ rates, ...traveller, ...journey })));

/** 1, 2, 3 … */
export const runsOf = (runs: number) => Array.from({ length: runs }, (_, i) => i + 1);
