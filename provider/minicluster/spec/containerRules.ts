import { isDeferred, properties } from "../../shared/checks";
import { isPlainObject } from "../../shared/objects";
import type { MiniClusterArgs, MiniClusterContainerArgs, MiniClusterVolumeArgs } from "../args";
import { reservedVolumeNames } from "../names";
import type { Complain } from "./rules";
import { isWithin } from "./volume";

type Container = Partial<MiniClusterContainerArgs>;
type Volume = Partial<MiniClusterVolumeArgs>;

/** The rules within one container and between the containers of a pod. */
export function containerRules(containers: Container[], args: Partial<MiniClusterArgs>, complain: Complain): void {
  const at = (index: number) => (path: PropertyKey[], message: string) =>
    complain(["containers", index, ...path], message);
  roleRules(containers, args, complain);
  const { mountPath = "/mnt/flux" } = fluxContainer(args);
  containers.forEach((container, index) => {
    commandRules(container, runsFlux(container, containers), at(index));
    environmentRules(container, at(index));
    pathRules(container, mountPath, at(index));
  });
  sharedVolumeRules(containers, complain);
}

function fluxContainer(args: Partial<MiniClusterArgs>) {
  return properties(properties(args.flux).container);
}

/** Whether a container runs Flux: the only one does unless it says otherwise. */
export function runsFlux(container: Pick<Container, "runFlux">, containers: unknown[]): boolean {
  return container.runFlux ?? containers.length === 1;
}

function roleRules(containers: Container[], args: Partial<MiniClusterArgs>, complain: Complain): void {
  const brokers = containers.filter((container) => runsFlux(container, containers)).length;
  if (brokers !== 1 && containers.length > 0)
    complain(["containers"], `${brokers} containers run Flux; set runFlux: true on exactly one of them`);
  const names = new Map<string, string>();
  const { disable, name: viewName = "flux-view" } = fluxContainer(args);
  if (disable !== true) names.set(viewName, "flux.container");
  containers.forEach((container, index) => {
    const isBroker = runsFlux(container, containers);
    const name = container.name ?? (isBroker ? args.name : undefined);
    if (name === undefined && !isBroker)
      complain(["containers", index, "name"], "a container that does not run Flux needs a name; give it one");
    if (typeof name !== "string") return;
    const holder = names.get(name);
    if (holder) complain(["containers", index, "name"], `"${name}" is the name of ${holder} too; rename one of them`);
    names.set(name, `containers[${index}]`);
  });
}

function commandRules(container: Container, isBroker: boolean, complain: Complain): void {
  const commands = properties(container.commands);
  if (commands.script !== undefined && container.command !== undefined)
    complain(["commands", "script"], "script takes the place of command; give one of them");
  if (container.pullAlways === true && container.imagePullPolicy !== undefined)
    complain(["pullAlways"], 'pullAlways and imagePullPolicy say the same thing; keep imagePullPolicy: "Always"');
  const misplaced = isBroker ? (["servicePre"] as const) : (["prefix", "pre", "brokerPre", "workerPre"] as const);
  const owner = isBroker ? "a container that does not run Flux" : "the container that runs Flux";
  for (const piece of misplaced)
    if (commands[piece] !== undefined)
      complain(["commands", piece], `is only for ${owner}; remove it or move it there`);
  if (!isBroker && container.command === undefined && commands.script === undefined && hasAny(commands))
    complain(
      ["commands"],
      "go around a command of ours, and this container runs its image's own; add command or script",
    );
  if (!isBroker && container.launcher === true)
    complain(["launcher"], "is only for the container that runs Flux; remove it or move it there");
}

const hasAny = (commands: object) => Object.values(commands).some((piece) => piece !== undefined);

const ownVariables = ["MINICLUSTER_SIZE", "JOB_COMPLETION_INDEX"];

function environmentRules({ environment, secrets }: Container, complain: Complain): void {
  for (const [map, variables] of Object.entries({ environment, secrets }))
    for (const name of Object.keys(properties(variables)))
      if (ownVariables.includes(name))
        complain([map, name], "is set by the component or by Kubernetes; choose another name");
  const plainNames = Object.keys(properties(environment));
  for (const name of Object.keys(properties(secrets)))
    if (plainNames.includes(name)) complain(["secrets", name], "stands in environment too; keep one of them");
}

function pathRules({ volumes }: Container, mountPath: string, complain: Complain): void {
  const taken = new Map<string, string>();
  for (const [name, { path = "/dev/shm" }] of volumesOf(volumes)) {
    if (reservedVolumeNames.includes(name))
      complain(["volumes", name], "is the name of one of the component's own volumes; choose another name");
    if (typeof path !== "string") continue;
    if (typeof mountPath === "string" && isWithin(path, mountPath))
      complain(["volumes", name, "path"], `${path} is on the Flux volume at ${mountPath}; choose another directory`);
    const holder = taken.get(path);
    if (holder !== undefined)
      complain(["volumes", name, "path"], `${path} is the path of volume "${holder}" too; choose another directory`);
    taken.set(path, name);
  }
}

function volumesOf(volumes: Container["volumes"]): [string, Volume][] {
  return Object.entries(properties(volumes)).map(([name, volume]) => [name, properties(volume)]);
}

function sharedVolumeRules(containers: Container[], complain: Complain): void {
  const first = new Map<string, { index: number; volume: Volume }>();
  containers.forEach(({ volumes }, index) => {
    for (const [name, volume] of volumesOf(volumes)) {
      const known = first.get(name);
      if (!known) first.set(name, { index, volume });
      else if (!sameSource(known.volume, volume))
        complain(
          ["containers", index, "volumes", name],
          `has another source in containers[${known.index}]; a volume has one source in a pod, so rename one of them`,
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
