import { hashKnown } from "../../shared/deferred";
import { renderConfigFiles } from "../flux/configFiles";
import { miniCluster } from "../../minicluster/parse/fields";
import { settleMiniCluster } from "../parse/spec";

let hash: string | undefined;

/**
 * Hash that differs between two versions of this package with different scripts: that of the files of a fixed cluster, which uses
 * most of the scripts.
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
