/** Message for a key that the user must not set. */
export const ownLabel = "is set by Kubernetes or by the component itself; choose another key";

/** Keys of labels and annotations that belong to Kubernetes or to the component. */
export const reservedKeys = (map: object): string[] =>
  Object.keys(map).filter((key) => /^(job-name|controller-uid|(batch\.kubernetes\.io|minicluster)\/.*)$/.test(key));
