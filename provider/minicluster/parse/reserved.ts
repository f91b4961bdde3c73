import { properties } from "../../shared/checks";

/** What to say of a key that is not the user's to set. */
export const ownLabel = "is set by Kubernetes or by the component itself; choose another key";

/** Keys of labels and annotations that belong to Kubernetes or to the component. */
export function reservedKeys(map: Record<string, unknown> | undefined): string[] {
  return Object.keys(properties(map)).filter((key) =>
    /^(job-name|controller-uid|(batch\.kubernetes\.io|minicluster)\/.*)$/.test(key),
  );
}
