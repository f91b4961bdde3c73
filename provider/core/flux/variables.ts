import * as path from "node:path";
import { podHostname } from "../parse/names";
import { curveDirectory, curveFile, operatorVariables, sharedPaths } from "../parse/paths";
import type { ContainerSpec, MiniClusterSpec, Settings } from "../parse/spec";
import { brokerConfigFile, brokerPaths } from "./brokerConfig";
import { commandWords } from "./commands";
import { clusterHostlist } from "./hosts";

/**
 * Settings of the variables that the user's code finds, as in the Flux Operator's scripts: names and values of the container, and
 * the names that its command gets in its environment. `variables.sh` adds the variables whose values only the pod has.
 */
export function variableSettings(spec: MiniClusterSpec, container: ContainerSpec): Settings {
  if (!usesVariables(spec, container)) return { VARIABLES: [] };
  const isMain = container === spec.main;
  const named = namedVariables(container);
  const flags = [...spec.flux.optionFlags, ...(spec.logging.debug ? ["-vvv"] : [])].map((flag) => ` ${flag}`);
  const variables = { ...podVariables(spec), ...(isMain && brokerVariables(spec)) };
  return {
    VARIABLES: Object.entries(variables).flat(),
    EXPORTS: [...new Set([...(isMain ? ["STATE_DIR"] : []), ...named])],
    TASKS: isMain ? tasksOf(spec) : "",
    FLAGS: isMain ? flags.join("") : "",
  };
}

/** Tasks of the cluster's command; 0 for one task on each node. */
export function tasksOf(spec: MiniClusterSpec): number {
  if (spec.role !== "lead") return 0;
  // Flux refuses fewer tasks than nodes, and takes the last of two numbers of tasks.
  const hasTasks = [...spec.flux.submitCommand, ...spec.flux.optionFlags].some((word) => /^(-n|--ntasks)/.test(word));
  return spec.tasks ?? (hasTasks ? 1 : 0);
}

/** Variables of every container of the brokers' pods. */
function podVariables(spec: MiniClusterSpec): Record<string, string> {
  const { container } = spec.flux;
  const { view, config } = sharedPaths(container);
  return {
    viewbase: container.mountPath,
    viewroot: view,
    viewbin: `${view}/bin`,
    fluxpath: `${view}/bin/flux`,
    // From v1alpha1, in which the image of the application has Flux.
    fluxroot: container.disable ? "/usr" : view,
    software: `${container.mountPath}/software`,
    configroot: config,
    installRoot: config,
    hosts: clusterHostlist(spec),
    mainHost: podHostname(spec, 0),
    // In strict mode, code that appends to one of these stops if the image does not set it.
    PYTHONPATH: "",
    LD_LIBRARY_PATH: "",
    FLUX_RC_EXTRA: "",
  };
}

/** Variables of the container that runs Flux. */
const brokerVariables = (spec: MiniClusterSpec) => ({
  cfg: path.posix.dirname(brokerConfigFile(spec)),
  curvesrc: `${curveDirectory}/${curveFile}`,
  curvepath: brokerPaths(spec.flux).certificate,
  STATE_DIR: sharedPaths(spec.flux.container).state,
  option_flags: spec.flux.optionFlags.join(" "),
  command: commandWords(spec.main).join(" "),
  // From v1alpha1: the prefix of a command that runs it as another user. Here one user runs all commands.
  asFlux: "",
  asSudo: "",
  // From the operator before October 2025: the prefix of a command that runs it as root.
  SUDO: "",
});

/** True for a container with user code that may use variables: pieces, or a command that names a variable. */
function usesVariables(spec: MiniClusterSpec, container: ContainerSpec): boolean {
  const { init, pre, post, brokerPre, workerPre, servicePre } = container.commands;
  if ([init, pre, post, brokerPre, workerPre, servicePre].some((piece) => piece !== undefined)) return true;
  // The socket is in the environment of a sidecar already.
  return namedVariables(container).some((name) => container === spec.main || name !== "fluxsocket");
}

/** The variables that the command of a container names. The program that runs it gets them in its environment. */
function namedVariables({ command = "", commands: { prefix, script = "" } }: ContainerSpec): string[] {
  const names = [...`${command}\n${script}\n${prefix.join(" ")}`.matchAll(/\$\{?[!#]?(\w+)/g)].map(
    ([, name = ""]) => name,
  );
  return operatorVariables.filter((name) => names.includes(name));
}
