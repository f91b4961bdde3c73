/**
 * Budget of an automatic size, in the currency of the price of the pool. At least one limit is required. Every few seconds, the agent
 * adds the price of a node for each pod of the Job, and stores the sum in an annotation of the Job (`minicluster/spent`).
 */
export interface MiniClusterBudgetArgs {
  /** Maximum cost per day, above 0. Default: no limit. */
  perDay?: number;
  /** Maximum cost per month, above 0. Default: no limit. */
  perMonth?: number;
}

/** Argument of pods with a maximum price. */
export interface PriceArgs {
  /**
   * Maximum price of the nodes of the pods per hour, above 0, in the currency of the prices of the pools, which it
   * requires. Sizes that could cost more (`size`, `autoscale.max`, `groups`) are refused in the preview, with the sum and its
   * parts. Each pod counts as one node. A separate lead broker without a pool, and clusters that join, do not count. Default:
   * no limit.
   */
  maxPricePerHour?: number;
}
