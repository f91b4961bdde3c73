import { certificateFile, sharedPaths } from "../../../provider/core/parse/paths";
import { aMiniCluster } from "../fixtures";

export { files } from "../../../provider/core/parse/paths";

/** Paths of the shared volume, as a pod sees them. */
export const podPath = { ...sharedPaths(aMiniCluster().flux.container), certificate: certificateFile };
