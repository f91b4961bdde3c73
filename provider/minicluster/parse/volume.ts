import type { z } from "zod";
import { absolutePath, flag, leaf, map, nonEmptyText, object, objectName, quantity, text } from "../../shared/checks";
import type { MiniClusterVolumeArgs } from "../args";
import { reservedDirectories } from "../paths";

const sources = ["hostPath", "configMapName", "claimName", "secretName", "emptyDir", "csiDriver"] as const;

/** Where a volume comes from. */
export type VolumeSource = (typeof sources)[number];

// Properties that only mean something beside one source.
const companions: Partial<Record<keyof MiniClusterVolumeArgs, VolumeSource>> = {
  items: "configMapName",
  emptyDirMedium: "emptyDir",
  emptyDirSizeLimit: "emptyDir",
  csiDriverAttributes: "csiDriver",
};

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

/** A volume of one container: one source, and a path. */
export const volume = fields
  .check(({ value, issues }) => {
    const addIssue = (key: string, message: string) =>
      issues.push({ code: "custom", path: [key], input: value, message });
    const given = givenSources(value);
    if (given.length === 0) addIssue("emptyDir", `a volume needs a source: one of ${sources.join(", ")}`);
    for (const extra of given.slice(1)) addIssue(extra, `a volume has one source; keep ${given[0]} or ${extra}`);
    for (const [key, source] of Object.entries(companions))
      if (value[key as keyof typeof companions] !== undefined && !given.includes(source))
        addIssue(key, `only means something beside ${source}; remove it`);
    if (value.path === undefined && !given.includes("emptyDir"))
      addIssue("path", "a volume needs a path, the directory in the container");
    if (value.path !== undefined && reservedDirectories.some((directory) => isWithin(value.path, directory)))
      addIssue("path", `${value.path} is used by the component itself; choose another directory`);
  })
  .transform((value) => ({
    ...value,
    source: givenSources(value)[0] as VolumeSource,
    // The place where MPI libraries look for shared memory.
    path: value.path ?? "/dev/shm",
  }));

/** A volume whose source is known and whose path is set. */
export type VolumeSpec = z.output<typeof volume>;

function givenSources(value: z.output<typeof fields>): VolumeSource[] {
  return sources.filter((source) => value[source] !== undefined && value[source] !== false);
}

/** Whether a path is a directory or something in it. */
export function isWithin(path: unknown, directory: string): boolean {
  return typeof path === "string" && `${path}/`.startsWith(`${directory.replace(/\/+$/, "")}/`);
}
