import { objects } from "../core/objects/identities";
import { specOf } from "../core/parse/featureRules";
import { volumeNames } from "../core/parse/names";
import { sharedPaths, stateDirectory } from "../core/parse/paths";
import type { Additions, MiniClusterSpec } from "../core/parse/spec";
import type { Feature } from "../core/register/feature";
import { archiveWarnings, claimProblems } from "./diagnostics";
import { archive, type ArchiveFields, type StorageFields } from "./fields";
import { archiveScripts, storageScripts } from "./flux/scripts";
import { buildStateClaim } from "./objects";
import { registerStateClaim } from "./register";
import { buildStorageSpec, type StorageSpec, storageOf } from "./spec";

/**
 * The state of the instance on a volume (`lead.storage`), which then outlives the pod of the lead broker: the content store of Flux
 * (`content.sqlite` in `statedir`) with the key-value store, the queue, and the records and outputs of jobs.
 */
export const storageFeature: Feature = {
  name: "storage",
  buildSpec({ lead }: { lead?: { storage?: StorageFields } }, spec) {
    if (spec.role === "follower" || !lead?.storage) return {};
    const storage = buildStorageSpec(spec.name, lead.storage);
    return { spec: storage, additions: storageAdditions(spec, storage) };
  },
  async waitReasons(job, spec, podProblems) {
    return podProblems.some((problem) => problem.includes("PersistentVolumeClaim")) ? claimProblems(job, spec) : [];
  },
  build(spec) {
    const claim = buildStateClaim(spec);
    if (!storageOf(spec)) return undefined;
    return {
      manifests: { stateClaim: claim },
      objects: objects("PersistentVolumeClaim", claim),
      registerFirst: (job, options) => (claim ? registerStateClaim(job, claim, options) : []),
    };
  },
};

const storageAdditions = ({ flux }: MiniClusterSpec, { claimName }: StorageSpec): Partial<Additions> => ({
  volumes: { [volumeNames.state]: { persistentVolumeClaim: { claimName } } },
  mountPaths: { [volumeNames.state]: stateDirectory },
  stateDirectory: { path: stateDirectory },
  scripts: storageScripts,
  leadSettings: { STORED: stateDirectory, RC: sharedPaths(flux.container).rc },
  leadProgram: { stored: true },
});

/** The state of the instance in a file, which is saved at the end and restored at the next start. */
export const archiveFeature: Feature = {
  name: "archive",
  fields: { archive: archive.optional() },
  buildSpec: ({ archive: spec }: { archive?: ArchiveFields }, { role }) =>
    spec && role === "lead"
      ? { spec, additions: { scripts: archiveScripts, podSettings: { ARCHIVE: spec.path } } }
      : {},
  warnings(spec) {
    const file = specOf<ArchiveFields>(spec, "archive");
    return file ? archiveWarnings(file, spec) : [];
  },
};
