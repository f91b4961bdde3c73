import { files, type UserPiece } from "../paths";
import type { ContainerSpec, MiniClusterSpec } from "../spec";
import { renderBrokerConfig } from "./brokerConfig";
import { userCommand } from "./command";
import { renderBrokerScript } from "./scripts/broker";
import { renderSidecarScript } from "./scripts/sidecar";
import { renderConnectScript, renderEnvironmentFile, renderReadyScript, renderViewScript } from "./scripts/view";

/** Every file of the ConfigMap but the size: a function of `maxSize`, never of `size`. */
export function renderConfigFiles(spec: MiniClusterSpec): Record<string, string> {
  return {
    [files.brokerConfig]: renderBrokerConfig(spec),
    [files.environment]: renderEnvironmentFile(spec),
    [files.connect]: renderConnectScript(),
    [files.ready]: renderReadyScript(),
    [files.broker]: renderBrokerScript(spec),
    ...(spec.flux.container.disable ? {} : { [files.view]: renderViewScript(spec) }),
    ...Object.fromEntries(
      spec.sidecars
        .filter(hasStartScript)
        .map((container) => [files.sidecar(container.name), renderSidecarScript(spec, container)]),
    ),
    ...Object.fromEntries([spec.main, ...spec.sidecars].flatMap(userFiles)),
  };
}

/** Whether a sidecar is started by a script of ours, or by its image alone. */
export function hasStartScript({ command, commands }: ContainerSpec): boolean {
  return command !== undefined || commands.script !== undefined;
}

function userFiles(container: ContainerSpec): [string, string][] {
  const { init, pre, post, brokerPre, workerPre, servicePre } = container.commands;
  const pieces: Record<UserPiece, string | undefined> = {
    command: userCommand(container),
    ...{ init, pre, post, brokerPre, workerPre, servicePre },
  };
  return Object.entries(pieces).flatMap(([piece, code]) =>
    code === undefined
      ? []
      : [[files.user(container.name, piece as UserPiece), code.endsWith("\n") ? code : `${code}\n`]],
  );
}
