import { withLineEnd } from "../../shared/quote";
import { files, type UserPiece } from "../parse/paths";
import { type ContainerSpec, copiesView, drains, type MiniClusterSpec, type Settings } from "../parse/spec";
import { renderBatchScript } from "./batch";
import { renderBrokerConfig } from "./brokerConfig";
import { userCommand } from "./commands";
import { scripts } from "./scripts";
import { brokerSettings, podSettings, serviceSettings, sidecarSettings } from "./settings";
import { renderEnvironment, renderSettings } from "./settingsFile";

/** The files of the ConfigMap that the brokers' pods run, without the size: a function of `maxSize`, never of `size`. */
export function renderConfigFiles(spec: MiniClusterSpec): Record<string, string> {
  const { main, sidecars, flux } = spec;
  const settings = new Map([
    [main, brokerSettings(spec)],
    ...sidecars.filter(hasStartScript).map((container) => [container, sidecarSettings(spec, container)] as const),
  ]);
  return {
    [files.brokerConfig]: renderBrokerConfig(spec),
    [files.settings]: renderSettings(podSettings(spec)),
    ...(Object.keys(flux.environment).length > 0 && { [files.exports]: renderEnvironment(flux.environment) }),
    ...scriptFiles(spec, settings),
    ...containerSettings(settings),
    ...startScripts(sidecars, scripts["sidecar.sh"]),
    ...batchScript(spec),
    ...Object.fromEntries([main, ...sidecars].flatMap(userFiles)),
  };
}

/** The files of the ConfigMap of the services. They are separate, so that a change of them restarts no broker. */
export function renderServiceFiles(spec: MiniClusterSpec): Record<string, string> {
  const started = spec.services.filter(hasStartScript);
  const settings = new Map(started.map((container) => [container, serviceSettings(spec, container)]));
  const parts: Script[] = spec.logging.strict ? ["command.sh", "strict.sh"] : ["command.sh"];
  return {
    ...(started.length > 0 && filesOf(parts)),
    ...containerSettings(settings),
    ...startScripts(started, scripts["service.sh"]),
    ...Object.fromEntries(spec.services.flatMap(userFiles)),
  };
}

/** Scripts with the same names in every ConfigMap. */
type Script = Exclude<keyof typeof scripts, "sidecar.sh" | "service.sh">;

/** The scripts that a cluster needs, and the parts that these include. */
function scriptFiles(spec: MiniClusterSpec, containers: Map<ContainerSpec, Settings>): Record<string, string> {
  const all = [...containers.values()];
  const { DESCRIBE, FLUXION } = brokerSettings(spec);
  const needed: Record<Script, unknown> = {
    "broker.sh": true,
    "command.sh": all.length > 1,
    "drain.sh": drains(spec),
    "flux-connect.sh": true,
    "flux-view.sh": true,
    "fluxion.sh": FLUXION,
    "follower.sh": true,
    "functions.sh": true,
    "later-variables.sh": all.some(usesVariables),
    "lead.sh": spec.role === "lead",
    "network.sh": spec.flux.brokerConfig === undefined,
    "paths.sh": true,
    "people.sh": true,
    "ready.sh": true,
    "resources.sh": DESCRIBE,
    "strict.sh": spec.logging.strict || copiesView(spec.flux),
    "undrain.sh": drains(spec),
    "variables.sh": all.some(usesVariables),
    "view.sh": copiesView(spec.flux),
    "watch.sh": spec.role === "lead" && spec.mode === "batch",
  };
  return { ...filesOf((Object.keys(needed) as Script[]).filter((name) => needed[name])), ...spec.additions.scripts };
}

const usesVariables = ({ VARIABLES }: Settings) => Array.isArray(VARIABLES) && VARIABLES.length > 0;

const filesOf = (names: Script[]) => Object.fromEntries(names.map((name) => [name, scripts[name]]));

const containerSettings = (all: Map<ContainerSpec, Settings>) =>
  Object.fromEntries([...all].map(([{ name }, settings]) => [files.container(name), renderSettings(settings)]));

const startScripts = (containers: ContainerSpec[], script: string) =>
  Object.fromEntries(containers.filter(hasStartScript).map(({ name }) => [files.sidecar(name), script]));

const batchScript = (spec: MiniClusterSpec) =>
  spec.role === "lead" && spec.mode === "batch" ? { [files.batch(spec.main.name)]: renderBatchScript(spec.main) } : {};

/** True for a container beside Flux that a script of the component starts, and not its image's or its own command. */
export function hasStartScript({ command, commands, noWrapEntrypoint }: ContainerSpec): boolean {
  return !noWrapEntrypoint && (command !== undefined || commands.script !== undefined);
}

function userFiles(container: ContainerSpec): [string, string][] {
  const { init, pre, post, brokerPre, workerPre, servicePre } = container.commands;
  const pieces: Record<UserPiece, string | undefined> = {
    // The lines of a batch job are in its script.
    command: hasOwnCommand(container) ? userCommand(container) : undefined,
    init,
    pre,
    post,
    brokerPre,
    workerPre,
    servicePre,
  };
  return Object.entries(pieces).flatMap(([piece, code]) =>
    code === undefined ? [] : [[files.user(container.name, piece as UserPiece), withLineEnd(code)]],
  );
}

const hasOwnCommand = ({ batch, noWrapEntrypoint }: ContainerSpec) => !batch && !noWrapEntrypoint;
