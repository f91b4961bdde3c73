import type { VolumeV1alpha2 } from "../fields/v1alpha2";
import type { Say } from "./say";
import { known } from "./values";

type Source = "csiDriver" | "secretName" | "emptyDir" | "hostPath" | "configMapName" | "claimName";

// Of several sources the operator takes the first of these, and what goes with it.
const sources: [source: Source, companions: (keyof VolumeV1alpha2)[]][] = [
  ["csiDriver", ["csiDriverAttributes"]],
  ["secretName", []],
  ["emptyDir", ["emptyDirMedium", "emptyDirSizeLimit"]],
  ["hostPath", []],
  ["configMapName", ["items"]],
  ["claimName", []],
];

/** The arguments of a volume: of one source, the one that the operator takes. */
export function volumeArgs({ path, readOnly, ...volume }: VolumeV1alpha2, warn: Say) {
  const [source, companions] = sources.find(([name]) => volume[name] !== undefined && volume[name] !== false) ?? [];
  const taken = [source, ...(companions ?? [])];
  for (const [name, value] of Object.entries(volume))
    if (value !== false && !taken.includes(name as Source))
      warn(
        name,
        source ? `the operator ignores it beside ${source}; left out` : "means nothing without its source; left out",
      );
  if (source === "emptyDir") return emptyDirArgs({ path, readOnly, ...volume }, warn);
  if (source === undefined && path !== undefined) {
    warn("", "has a path and no source, which Kubernetes refuses of the operator; here an empty directory");
    return known({ path, emptyDir: true, readOnly });
  }
  const given = Object.entries(volume).filter(([name]) => taken.includes(name as Source));
  return known({ path, readOnly, ...(Object.fromEntries(given) as VolumeV1alpha2) });
}

const sharedMemory = "/dev/shm";

function emptyDirArgs({ path, readOnly, emptyDirMedium, emptyDirSizeLimit }: VolumeV1alpha2, warn: Say) {
  if (path !== undefined && path !== sharedMemory)
    warn("path", `the operator mounts every emptyDir at ${sharedMemory}; here at ${path}`);
  if (readOnly) warn("readOnly", "the operator mounts every emptyDir for writing; left out");
  return known({ emptyDir: true, path, emptyDirSizeLimit, emptyDirMedium: mediumArg(emptyDirMedium, warn) });
}

function mediumArg(medium: string | undefined, warn: Say): string | undefined {
  if (medium?.toLowerCase() === "memory") {
    if (medium !== "memory")
      warn("emptyDirMedium", `the operator knows "memory" alone and takes the disk; here memory`);
    return "Memory";
  }
  if (medium !== undefined) warn("emptyDirMedium", `the operator knows "memory" alone and takes the disk; left out`);
  return undefined;
}
