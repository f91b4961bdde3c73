import type { BurstClusterArgs, MiniClusterArgs } from "../../provider";
import { buildBurstFeatures, parseBurstCluster } from "../../provider/bursting/cluster";
import { buildManifests, type LateValues } from "../../provider/core/objects";
import { programsOf } from "../../provider/core/objects/identities";
import type { MiniClusterSpec } from "../../provider/core/parse/spec";
import { buildFeatures, clusterParser } from "../../provider/minicluster/cluster";
import type { ResultCheck } from "../../provider/shared/rules";

/** The spec of a MiniCluster. */
export const parseMiniClusterArgs = (name: string, args: MiniClusterArgs, check?: ResultCheck<MiniClusterSpec>) =>
  clusterParser.parse(name, args, check).spec;

/** The spec of a BurstCluster. */
export const parseBurstClusterArgs = (name: string, args: BurstClusterArgs, check?: ResultCheck<MiniClusterSpec>) =>
  parseBurstCluster(name, args, check).spec;

/** All objects of a Job of brokers, those of its features included, by their roles. */
export function allManifests(spec: MiniClusterSpec, late: LateValues) {
  const built = (spec.role === "lead" || spec.cluster !== spec.name ? buildFeatures : buildBurstFeatures)(spec, late);
  const ofFeatures = Object.assign({}, ...built.map(({ manifests }) => manifests)) as FeatureManifests;
  return { ...buildManifests(spec, late, programsOf(built)), ...ofFeatures };
}

/** Objects of features by their roles. */
interface FeatureManifests {
  agent?: import("../../provider/autoscale/objects").AgentManifests;
  console?: import("../../provider/console/objects").ConsoleManifests;
  leadService?: import("../../provider/core/objects/manifest").ServiceManifest;
  metrics?: import("../../provider/metrics/objects").MetricsManifests;
  podGroup?: import("../../provider/core/objects/manifest").PodGroupManifest;
  stateClaim?: import("../../provider/core/objects/manifest").ClaimManifest;
}
