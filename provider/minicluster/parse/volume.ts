import type { z } from "zod";
import { absolutePath, flag, leaf, map, nonEmptyText, object, objectName, quantity, text } from "../../shared/checks";
import { type Rule, rules } from "../../shared/rules";
import { reservedDirectories } from "../paths";

const sources = ["hostPath", "configMapName", "claimName", "secretName", "emptyDir", "csiDriver"] as const;

/** Source of a volume. */
export type VolumeSource = (typeof sources)[number];

/** Properties that require one source. */
const companions = {
  items: "configMapName",
  emptyDirMedium: "emptyDir",
  emptyDirSizeLimit: "emptyDir",
  csiDriverAttributes: "csiDriver",
} as const;

const fields = object({
  path: absolutePath.optional(),
  hostPath: leaf(absolutePath).optional(),
  configMapName: leaf(objectName).optional(),
  items: map(nonEmptyText, leaf(nonEmptyText)).optional(),
  claimName: leaf(objectName).optional(),
  secretName: leaf(objectName).optional(),
  emptyDir: flag.optional(),
  emptyDirMedium: leaf(text).optional(),
  emptyDirSizeLimit: leaf(quantity).optional(),
  csiDriver: leaf(nonEmptyText).optional(),
  csiDriverAttributes: map(nonEmptyText, leaf(text)).optional(),
  readOnly: flag.default(false),
});

type VolumeFields = z.output<typeof fields>;

/** The rule that a volume has one source and, but for an emptyDir, a path. */
const volumeRule: Rule<VolumeFields> = (volume, addIssue) => {
  const { path } = volume;
  const [source, ...others] = sourcesOf(volume);
  if (source === undefined) addIssue(["emptyDir"], `a volume needs a source: one of ${sources.join(", ")}`);
  for (const extra of others) addIssue([extra], `a volume has one source; keep ${source} or ${extra}`);
  if (path === undefined && source !== "emptyDir" && !others.includes("emptyDir"))
    addIssue(["path"], "a volume needs a path, the directory in the container");
  if (path !== undefined && reservedDirectories.some((directory) => isWithin(path, directory)))
    addIssue(["path"], `${path} is used by the component itself; choose another directory`);
};

const companionRule: Rule<VolumeFields> = (volume, addIssue) => {
  const given = sourcesOf(volume);
  for (const [key, source] of Object.entries(companions))
    if (volume[key as keyof typeof companions] !== undefined && !given.includes(source))
      addIssue([key], `requires ${source}; add it or remove this`);
};

/** A volume of one container. */
export const volume = fields.check(rules(volumeRule, companionRule));

// Where MPI libraries look for shared memory.
const sharedMemory = "/dev/shm";

/** Directory of a volume in its container. */
export const pathOfVolume = ({ path = sharedMemory }: Pick<VolumeFields, "path">) => path;

/** A volume whose source is known and whose path is set. */
export const settleVolume = (volume: VolumeFields) => ({
  ...volume,
  // The rules let no volume through with less or more than one source.
  source: sourcesOf(volume)[0] as VolumeSource,
  path: pathOfVolume(volume),
});

export type VolumeSpec = ReturnType<typeof settleVolume>;

const sourcesOf = (volume: VolumeFields): VolumeSource[] =>
  sources.filter((source) => volume[source] !== undefined && volume[source] !== false);

/** True for a directory itself and for what lies in it. */
export function isWithin(path: unknown, directory: string): boolean {
  return typeof path === "string" && `${path}/`.startsWith(`${directory.replace(/\/+$/, "")}/`);
}
