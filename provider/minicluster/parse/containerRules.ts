import { properties } from "../../shared/checks";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../args";
import { defaultMountPath, defaultViewName, leadVariable, outputVariable } from "../paths";
import type { AddIssue } from "../../shared/rules";
import { pathRules, sharedVolumeRules } from "./volumeRules";

type Container = Partial<MiniClusterContainerArgs>;

/** The rules within one container and between the containers of a pod. */
export function containerRules(containers: Container[], args: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  const at = (index: number) => (path: PropertyKey[], message: string) =>
    addIssue(["containers", index, ...path], message);
  roleRules(containers, args, addIssue);
  const { mountPath } = fluxContainer(args);
  containers.forEach((container, index) => {
    commandRules(container, runsFlux(container, containers), at(index));
    environmentRules(container, at(index));
    if (runsFlux(container, containers)) outputRules(container, at(index));
    pathRules(container, mountPath, at(index));
  });
  sharedVolumeRules(containers, "containers", addIssue);
}

// What only means something around a broker.
export const brokerPieces = ["prefix", "pre", "brokerPre", "workerPre"] as const;
export const brokerFlags = ["launcher", "batch", "batchRaw"] as const;

/** The container of the view as it was given: its name where the pods have it, and where its volume is mounted. */
export function fluxContainer(args: Partial<MiniClusterArgs>): { name: unknown; mountPath: unknown } {
  const given = properties(properties(args.flux).container);
  const { name = defaultViewName, mountPath = defaultMountPath, disable, imageVolume } = given;
  return { name: disable === true || imageVolume === true ? undefined : name, mountPath };
}

/** Name of a container of the brokers' pods, if it has one: the one that runs Flux takes that of the cluster. */
export function nameOf(container: Container, all: Container[], args: Partial<MiniClusterArgs>): string | undefined {
  return container.name ?? (runsFlux(container, all) ? args.name : undefined);
}

/** Whether a container runs Flux: the only one does unless it says otherwise. */
export function runsFlux(container: Pick<Container, "runFlux">, containers: unknown[]): boolean {
  return container.runFlux ?? containers.length === 1;
}

function roleRules(containers: Container[], args: Partial<MiniClusterArgs>, addIssue: AddIssue): void {
  const brokers = containers.filter((container) => runsFlux(container, containers)).length;
  if (brokers !== 1 && containers.length > 0)
    addIssue(["containers"], `${brokers} containers run Flux; set runFlux: true on exactly one of them`);
  const names = new Map<string, string>();
  const { name: viewName } = fluxContainer(args);
  if (typeof viewName === "string") names.set(viewName, "flux.container");
  containers.forEach((container, index) => {
    const isBroker = runsFlux(container, containers);
    const name = nameOf(container, containers, args);
    if (name === undefined && !isBroker)
      addIssue(["containers", index, "name"], "a container that does not run Flux needs a name; give it one");
    if (typeof name !== "string") return;
    const holder = names.get(name);
    if (holder) addIssue(["containers", index, "name"], `"${name}" is the name of ${holder} too; rename one of them`);
    names.set(name, `containers[${index}]`);
  });
}

function commandRules(container: Container, isBroker: boolean, addIssue: AddIssue): void {
  const commands = properties(container.commands);
  scriptRules(container, addIssue);
  const unsupportedArgs = isBroker ? (["servicePre"] as const) : brokerPieces;
  const owner = isBroker ? "a container that does not run Flux" : "the container that runs Flux";
  for (const piece of unsupportedArgs)
    if (commands[piece] !== undefined)
      addIssue(["commands", piece], `is only for ${owner}; remove it or move it there`);
  for (const key of isBroker ? (["noWrapEntrypoint"] as const) : brokerFlags)
    if (container[key] === true) addIssue([key], `is only for ${owner}; remove it or move it there`);
  if (!isBroker && container.logs !== undefined) addIssue(["logs"], `is only for ${owner}; remove it or move it there`);
  if (isBroker) batchRules(container, addIssue);
  else sidecarRules(container, addIssue);
}

/** The rules on commands that hold for every container, of the cluster or of its services. */
export function scriptRules(container: Container, addIssue: AddIssue): void {
  if (properties(container.commands).script !== undefined && container.command !== undefined)
    addIssue(["commands", "script"], "script takes the place of command; give one of them");
  if (container.pullAlways === true && container.imagePullPolicy !== undefined)
    addIssue(["pullAlways"], 'pullAlways and imagePullPolicy say the same thing; keep imagePullPolicy: "Always"');
}

/** The rules on what goes around the command of a container that does not run Flux. */
export function sidecarRules({ command, commands, noWrapEntrypoint }: Container, addIssue: AddIssue): void {
  const pieces = properties(commands);
  if (!hasAny(pieces)) return;
  if (noWrapEntrypoint === true)
    addIssue(["commands"], "need a start script, which noWrapEntrypoint leaves out; remove one of them");
  else if (command === undefined && pieces.script === undefined)
    addIssue(
      ["commands"],
      "go around a command of ours, and this container runs its image's own; add command or script",
    );
}

function batchRules({ command, commands, launcher, batch, batchRaw }: Container, addIssue: AddIssue): void {
  if (batch !== true) {
    if (batchRaw === true) addIssue(["batchRaw"], "only means something beside batch; add batch: true or remove it");
    return;
  }
  if (launcher === true) addIssue(["launcher"], "a launcher submits its own jobs; keep launcher or batch");
  if (properties(commands).script !== undefined)
    addIssue(["commands", "script"], "a batch job takes its script from command; move it there and set batchRaw: true");
  if (typeof command !== "string" || command.trim() === "")
    addIssue(["batch"], "a batch job needs a command with its lines; add command or remove batch");
}

const hasAny = (commands: object) => Object.values(commands).some((piece) => piece !== undefined);

/** Variables that the scripts of the brokers read. */
export const ownVariables = ["MINICLUSTER_SIZE", leadVariable, "JOB_COMPLETION_INDEX"];

/** The rules on the variables of a container. */
export function environmentRules({ environment, secrets }: Container, addIssue: AddIssue): void {
  for (const [map, variables] of Object.entries({ environment, secrets }))
    for (const name of Object.keys(properties(variables)))
      if (ownVariables.includes(name))
        addIssue([map, name], "is set by the component or by Kubernetes; choose another name");
  const plainNames = Object.keys(properties(environment));
  for (const name of Object.keys(properties(secrets)))
    if (plainNames.includes(name)) addIssue(["secrets", name], "stands in environment too; keep one of them");
}

/** One argument says where the output goes, so that a batch job and everything else agree. */
export function outputRules(variables: Pick<Container, "environment" | "secrets">, addIssue: AddIssue): void {
  for (const [map, names] of Object.entries(variables))
    if (["environment", "secrets"].includes(map) && outputVariable in properties(names))
      addIssue([map, outputVariable], "is set by the container's logs; give the directory there");
}
