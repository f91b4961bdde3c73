/** Size that follows the queue of the Flux instance. All times are in seconds. */
export interface MiniClusterAutoscaleArgs {
  /** Smallest size, and the quorum (Flux `broker.quorum`): what `pulumi up` waits for. From 1 to `max`. Default: 1. */
  min?: number;
  /** Largest size. From `min` to `maxSize`, of which it is the default. */
  max: number;
  /** Seconds that hosts must have been idle before they go. From 0 to 86400. Default: 300. */
  idleSeconds?: number;
  /** Seconds from one change of the size to the next. From 0 to 86400. Default: 30. */
  cooldownSeconds?: number;
  /** Most pods that come or go at once. From 1 to 100000. Default: no limit. */
  maxStep?: number;
}
