import { withLineEnd } from "../../shared/quote";
import { files, type UserPiece } from "../parse/paths";
import type { ContainerSpec, MiniClusterSpec } from "../parse/spec";
import { renderBrokerConfig } from "./brokerConfig";
import { renderBrokerScript } from "./scripts/broker";
import { drains, renderDrainScript } from "./scripts/drain";
import { renderBatchScript } from "./scripts/lead";
import { userCommand } from "./scripts/pieces";
import { renderServiceScript, renderSidecarScript } from "./scripts/sidecar";
import {
  copiesView,
  renderConnectScript,
  renderEnvironmentFile,
  renderReadyScript,
  renderViewScript,
} from "./scripts/view";

/** The files of the ConfigMap that the brokers' pods run, without the size: a function of `maxSize`, never of `size`. */
export function renderConfigFiles(spec: MiniClusterSpec): Record<string, string> {
  return {
    [files.brokerConfig]: renderBrokerConfig(spec),
    [files.environment]: renderEnvironmentFile(spec),
    [files.connect]: renderConnectScript(),
    [files.ready]: renderReadyScript(spec),
    ...(drains(spec) ? { [files.drain]: renderDrainScript(spec) } : {}),
    [files.broker]: renderBrokerScript(spec),
    ...(copiesView(spec.flux) ? { [files.view]: renderViewScript(spec) } : {}),
    ...(spec.role === "lead" && spec.mode === "batch"
      ? { [files.batch(spec.main.name)]: renderBatchScript(spec.main) }
      : {}),
    ...startScripts(spec.sidecars, (container) => renderSidecarScript(spec, container)),
    ...Object.fromEntries([spec.main, ...spec.sidecars].flatMap(userFiles)),
  };
}

/** The files of the ConfigMap that the services run, apart from the others: a change of theirs restarts no broker. */
export function renderServiceFiles(spec: MiniClusterSpec): Record<string, string> {
  return {
    ...startScripts(spec.services, (container) => renderServiceScript(spec, container)),
    ...Object.fromEntries(spec.services.flatMap(userFiles)),
  };
}

function startScripts(containers: ContainerSpec[], render: (container: ContainerSpec) => string) {
  const started = containers.filter(hasStartScript);
  return Object.fromEntries(started.map((container) => [files.sidecar(container.name), render(container)]));
}

/** True for a container beside Flux that a script of the component starts, and not its image's or its own command. */
export function hasStartScript({ command, commands, noWrapEntrypoint }: ContainerSpec): boolean {
  return !noWrapEntrypoint && (command !== undefined || commands.script !== undefined);
}

function userFiles(container: ContainerSpec): [string, string][] {
  const { init, pre, post, brokerPre, workerPre, servicePre } = container.commands;
  const pieces: Record<UserPiece, string | undefined> = {
    // The lines of a batch job stand in its script.
    command: hasOwnCommand(container) ? userCommand(container) : undefined,
    ...{ init, pre, post, brokerPre, workerPre, servicePre },
  };
  return Object.entries(pieces).flatMap(([piece, code]) =>
    code === undefined ? [] : [[files.user(container.name, piece as UserPiece), withLineEnd(code)]],
  );
}

const hasOwnCommand = ({ batch, noWrapEntrypoint }: ContainerSpec) => !batch && !noWrapEntrypoint;
