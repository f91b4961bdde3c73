import * as path from "node:path";
import { quoteWord } from "../../../shared/quote";
import { podHostname } from "../../parse/names";
import { curveDirectory, curveFile, operatorVariables, sharedPaths } from "../../parse/paths";
import type { ContainerSpec, MiniClusterSpec } from "../../parse/spec";
import { brokerConfigFile, brokerOptions, brokerPaths } from "../brokerConfig";
import { clusterHostlist } from "../hosts";
import { commandWords, lines, socketPath } from "./pieces";

/** Names of the variables that the user's code finds, as in the Flux Operator's scripts, each with a bash word for its value. */
type Variables = [name: string, word: string][];

/** Variables of every container of the brokers' pods. */
function podVariables(spec: MiniClusterSpec): Variables {
  const { container } = spec.flux;
  const { view, config } = sharedPaths(container);
  return [
    ["viewbase", quoteWord(container.mountPath)],
    ["viewroot", quoteWord(view)],
    ["viewbin", quoteWord(`${view}/bin`)],
    ["fluxpath", quoteWord(`${view}/bin/flux`)],
    // Of v1alpha1, where the image of the application has Flux.
    ["fluxroot", container.disable ? "/usr" : quoteWord(view)],
    ["software", quoteWord(`${container.mountPath}/software`)],
    ["configroot", quoteWord(config)],
    ["installRoot", quoteWord(config)],
    ["hosts", quoteWord(clusterHostlist(spec))],
    ["mainHost", quoteWord(podHostname(spec, 0))],
    ["fluxsocket", `local://${socketPath(spec)}`],
    ["fluxuid", '"$EUID"'],
    ["fluxuser", '"$(id -un 2>/dev/null)"'],
    // Code that adds to them stops in strict mode where the image has none.
    ["PYTHONPATH", "''"],
    ["LD_LIBRARY_PATH", "''"],
  ];
}

/** Variables of the container that runs Flux. */
function brokerVariables(spec: MiniClusterSpec): Variables {
  const { certificate } = brokerPaths(spec.flux);
  const flags = [...spec.flux.optionFlags, ...(spec.logging.debug ? ["-vvv"] : [])].join(" ");
  const [, ...options] = brokerOptions(spec);
  return [
    ...podVariables(spec),
    ["cfg", quoteWord(path.posix.dirname(brokerConfigFile(spec)))],
    ["curvesrc", `${curveDirectory}/${curveFile}`],
    ["curvepath", quoteWord(certificate)],
    ["STATE_DIR", quoteWord(sharedPaths(spec.flux.container).state)],
    ["brokerOptions", quoteWord(options.join(" ")) + quorumOption(spec)],
    ["node_spec", nodeSpec(spec)],
    ["flags", nodeSpec(spec) + (flags === "" ? "" : quoteWord(` ${flags}`))],
    ["option_flags", quoteWord(spec.flux.optionFlags.join(" "))],
    ["command", quoteWord(commandWords(spec.main).join(" "))],
    // Of v1alpha1: what makes another user of who runs a command. Here one user runs everything.
    ["asFlux", "''"],
    ["asSudo", "''"],
  ];
}

const quorumOption = (spec: MiniClusterSpec) =>
  spec.role === "lead" ? `" -Sbroker.quorum=${spec.minSize ?? "$MINICLUSTER_SIZE"}"` : "";

function nodeSpec(spec: MiniClusterSpec): string {
  const tasks = spec.role === "lead" ? spec.tasks : 0;
  if (tasks === 0) return '"-N $MINICLUSTER_SIZE"';
  return `"$( ((${tasks} < MINICLUSTER_SIZE)) || printf '%s' "-N $MINICLUSTER_SIZE ")-n ${tasks}"`;
}

/** True for a container with code of the user's that may use variables: pieces, or a command that names one. */
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

/** Bash code that defines the variables for the code of a container, before all of it. */
export function defineVariables(spec: MiniClusterSpec, container: ContainerSpec): string | undefined {
  if (!usesVariables(spec, container)) return undefined;
  return lines(
    "# The variables of the Flux Operator's scripts, unless the environment has one of that name.",
    provide("provide"),
    ...provided(container === spec.main ? brokerVariables(spec) : podVariables(spec)),
  );
}

/** Bash code that defines those that are known later, and gives the command those that it names. */
export function defineLaterVariables(spec: MiniClusterSpec, container: ContainerSpec): string | undefined {
  if (!usesVariables(spec, container)) return undefined;
  const isMain = container === spec.main;
  const names = [...new Set([...(isMain ? ["STATE_DIR"] : []), ...namedVariables(container)])];
  return lines(
    provide("provide_later"),
    'provide_later workdir "$PWD"',
    ...(spec.flux.container.disable ? [] : findPython(sharedPaths(spec.flux.container).view)),
    "unset -f provide provide_later",
    names.length === 0 ? undefined : `export ${names.join(" ")}`,
  );
}

// The user's code between the two may have a function of this name.
const provide = (name: string) => `${name}() { [[ -v $1 ]] || printf -v "$1" %s "$2"; }`;

const provided = (variables: Variables) => variables.map(([name, word]) => `provide ${name} ${word}`);

const findPython = (view: string) => [
  `for foundroot in ${quoteWord(`${view}/lib`)}/python3*; do :; done`,
  `provide_later pythonversion ${quoteWord(`${view}/bin`)}/"\${foundroot##*/}"`,
];
