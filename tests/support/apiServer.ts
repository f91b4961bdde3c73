import { type SharedCluster, sharedCluster } from "./sandboxHooks";

/** The cluster of the run, if there is one: the unit tests run without one, too, and then skip what needs it. */
export function clusterIfAny(): SharedCluster | undefined {
  try {
    return sharedCluster();
  } catch {
    return undefined;
  }
}
