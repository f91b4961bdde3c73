/** State of the machines in a warm pool. */
export const EksNodePoolWarmPoolState = {
  /** Stopped: AWS charges the disks only. */
  Stopped: "stopped",
  /** Running: the fastest start, charged like nodes. */
  Running: "running",
  /**
   * Hibernated: stopped, with the contents of the memory on the disk, which is charged. Requires Amazon Linux 2023, an instance type
   * that supports hibernation, with less than 150 GiB of memory and without accelerators, and a disk larger than the memory. Source: EC2,
   * "Prerequisites for EC2 instance hibernation".
   */
  Hibernated: "hibernated",
} as const;
export type EksNodePoolWarmPoolState = (typeof EksNodePoolWarmPoolState)[keyof typeof EksNodePoolWarmPoolState];

/** The warm pool of a node group. Each machine runs, and is charged, until it is initialized. */
export interface EksNodePoolWarmPoolArgs {
  /**
   * State of the machines. "stopped" and "hibernated" cannot be set with `localDisks` "raid0", whose disks lose their file system.
   * Default: "stopped".
   */
  poolState?: EksNodePoolWarmPoolState;
  /** Minimum number of machines in the warm pool, from 0 to 100000. Default: 0. */
  minSize?: number;
  /**
   * Maximum number of machines in the warm pool and of nodes together, at least `minSize`, up to 100000, or -1 for `maxSize` of the
   * pool. Default: -1; the warm pool has as many machines as the pool has nodes less than `maxSize`, and each of them is charged.
   */
  maxGroupPreparedCapacity?: number;
  /**
   * True to return machines to the warm pool when the pool shrinks, instead of terminating them. Requires Amazon Linux 2023.
   * Default: false.
   */
  reuseOnScaleIn?: boolean;
}
