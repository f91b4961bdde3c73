import { isDeferred, properties } from "../../shared/checks";
import { isPlainObject } from "../../shared/objects";
import type { MiniClusterContainerArgs, MiniClusterVolumeArgs } from "../args";
import { reservedVolumeNames } from "../names";
import type { AddIssue } from "../../shared/rules";
import { isWithin } from "./volume";

type Container = Partial<MiniClusterContainerArgs>;
type Volume = Partial<MiniClusterVolumeArgs>;

/** The rules on the volumes of one container. A pod without Flux has no Flux volume. */
export function pathRules({ volumes }: Container, mountPath: unknown, addIssue: AddIssue): void {
  const taken = new Map<string, string>();
  for (const [name, { path = "/dev/shm" }] of volumesOf(volumes)) {
    if (reservedVolumeNames.includes(name))
      addIssue(["volumes", name], "is the name of one of the component's own volumes; choose another name");
    if (typeof path !== "string") continue;
    if (typeof mountPath === "string" && isWithin(path, mountPath))
      addIssue(["volumes", name, "path"], `${path} is on the Flux volume at ${mountPath}; choose another directory`);
    const holder = taken.get(path);
    if (holder !== undefined)
      addIssue(["volumes", name, "path"], `${path} is the path of volume "${holder}" too; choose another directory`);
    taken.set(path, name);
  }
}

/** The volumes of a container by name, as far as they are any. */
export function volumesOf(volumes: Container["volumes"]): [string, Volume][] {
  return Object.entries(properties(volumes)).map(([name, volume]) => [name, properties(volume)]);
}

/** The rule between the containers of a pod: one name is one volume. */
export function sharedVolumeRules(containers: Container[], list: "containers" | "services", addIssue: AddIssue): void {
  const first = new Map<string, { index: number; volume: Volume }>();
  containers.forEach(({ volumes }, index) => {
    for (const [name, volume] of volumesOf(volumes)) {
      const known = first.get(name);
      if (!known) first.set(name, { index, volume });
      else if (!sameSource(known.volume, volume))
        addIssue(
          [list, index, "volumes", name],
          `has another source in ${list}[${known.index}]; a volume has one source in a pod, so rename one of them`,
        );
    }
  });
}

/** Whether two volumes may come from the same place. Where and how a container mounts them does not matter. */
function sameSource(one: Volume, other: Volume): boolean {
  const source = ({ emptyDir = false, ...volume }: Volume) => ({
    ...volume,
    ...{ emptyDir, path: undefined, readOnly: undefined },
  });
  return maybeEqual(source(one), source(other));
}

/** Whether two values may be the same: what is only known later cannot be told apart. */
function maybeEqual(one: unknown, other: unknown): boolean {
  if (isDeferred(one) && isDeferred(other)) return true;
  if (!isPlainObject(one) || !isPlainObject(other)) return one === other;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => maybeEqual(one[key], other[key]));
}
