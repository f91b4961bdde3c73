import { hashKnown } from "../../shared/deferred";
import { renderConfigFiles } from "../flux/configFiles";
import { miniCluster } from "../parse/clusterFields";
import { settleMiniCluster } from "../parse/spec";

let hash: string | undefined;

/**
 * Hash that differs between the scripts of two versions of this package: of the files of a cluster that is always the same,
 * and has most of what scripts are made of.
 */
export function scriptsHash(): string {
  hash ??= hashKnown(
    renderConfigFiles(
      settleMiniCluster(
        miniCluster.parse({
          name: "scripts",
          size: 2,
          maxSize: 4,
          archive: { path: "/archive" },
          drainTimeoutSeconds: 60,
          containers: [
            { image: "scripts", runFlux: true, command: "true", commands: { pre: "true", post: "true" } },
            { image: "scripts", name: "sidecar", command: "true" },
          ],
        }),
      ),
    ),
  );
  return hash;
}
