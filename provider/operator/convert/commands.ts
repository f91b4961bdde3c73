import type { ContainerV1alpha2 } from "../fields/v1alpha2";
import type { Report } from "../problems";
import { withoutUndefined } from "../values";

/** The role of a container in its cluster. */
export type Role = "broker" | "sidecar" | "service";

type Commands = NonNullable<ContainerV1alpha2["commands"]>;
type Piece = keyof Commands;

/** The arguments for the command of a container. */
export function commandArgs(container: ContainerV1alpha2, role: Role, warn: Report) {
  return { broker: brokerArgs, sidecar: sidecarArgs, service: serviceArgs }[role](container, warn);
}

function brokerArgs(container: ContainerV1alpha2, warn: Report) {
  const { launcher, batch, command, logs } = container;
  const isBatch = batch === true && command !== undefined;
  if (batch && !isBatch && !container.commands?.script)
    warn(["batch"], "has no effect without a command, as in the operator");
  const pieces = ["prefix", "init", "pre", "post", "brokerPre", "workerPre"] as const;
  warnOfIgnored(container, ["servicePre"], "has no effect in the container that runs Flux, as in the operator", warn);
  warnOfNames(container, warn);
  return withoutUndefined({
    launcher,
    command: isBatch ? batchText(command, warn) : commandText(container, warn),
    ...(isBatch || container.commands?.script ? { batch } : {}),
    ...batchOnly(container, isBatch, warn),
    logs,
    commands: pick(container.commands, pieces, { script: scriptText(container.commands?.script, warn) }),
  });
}

function batchOnly({ batchRaw }: ContainerV1alpha2, isBatch: boolean, warn: Report) {
  if (isBatch) return { batchRaw };
  if (batchRaw) warn(["batchRaw"], "has no effect without batch, as in the operator");
  return {};
}

/** The operator splits a command by a shell variable, which joins its lines and does not read quotes. */
function commandText({ command, launcher }: ContainerV1alpha2, warn: Report) {
  if (command === undefined) return undefined;
  warnOfExpansion(command, launcher ? "when the command runs" : "in each task", ["command"], warn);
  warnOfShell(command, warn);
  if (!command.trim().includes("\n")) return command;
  warn(["command"], "its lines are joined to one command, as in the operator; for separate lines use commands.script");
  return command
    .trim()
    .replace(/\\\n/g, "")
    .replace(/\s*\n\s*/g, " ");
}

/**
 * Syntax that bash interprets in a word, but not in the value of a variable: operators, quotes, comments, braces, home
 * directory.
 */
const shellTexts = /&&|\|\||[|&;<>()'"]|^#|^~|\{[^{},.]*[,.][^{}]*\}|^\w+(?==)/g;

/** Warns of words that bash interprets. The warning contains no whole word: it may be a password. */
function warnOfShell(command: string, warn: Report): void {
  const words = command.trim().split(/\s+/);
  const found = words.flatMap((word, index) => {
    // It sets a variable only before the name of the program.
    const texts = [...word.matchAll(shellTexts)]
      .map(([text]) => text)
      .filter((text) => index === 0 || !/^\w/.test(text));
    return texts.length === 0 ? [] : [`${[...new Set(texts)].join(" ")} in word ${index + 1}`];
  });
  if (found.length === 0) return;
  const more = found.length > 5 ? ` and ${found.length - 5} more` : "";
  warn(["command"], `bash interprets ${found.slice(0, 5).join(", ")}${more}; the operator passes each word unchanged`);
}

/** Variables of the operator's scripts that code may set in the operator, but not here, with the replacement. */
const settings: [name: string, remedy: string][] = [
  ["command", "set command to the command itself"],
  ["brokerOptions", "set flux.brokerConfig, or the field of flux for the option"],
  ["cfg", "write flux.brokerConfig"],
  ["mainHost", "the lead broker is always in the pod of rank 0"],
  ["FLUX_OUTPUT_DIR", "write logs"],
  ["asFlux", "Flux runs as the container's user, with all of its environment"],
  ["asSudo", "Flux runs as the container's user, with all of its environment"],
];

/** Variables of the operator's scripts without an equivalent here, with the replacement. */
const missingVariables: [names: string[], remedy: string][] = [
  [["FLUX_NUMBER_NODES"], "use $MINICLUSTER_SIZE, the current size"],
  [["FLUX_OPTION_FLAGS", "existing_flags"], "write $option_flags"],
  [["diagnostics"], "set diagnostics of the container"],
  [
    ["FLUX_USER", "FLUX_TOKEN", "FLUX_REQUIRE_AUTH", "FLUX_SECRET_KEY", "FLUX_ENABLE_PAM", "startServer", "branch"],
    "use the console",
  ],
  [["goshareUrl"], "use goshare-wait-fs of the view"],
];

/** Names of functions or files of the operator's scripts that code may use, with the replacement. */
const missing: [pattern: RegExp, name: string, remedy: string][] = [
  [/^[^#\n]*\brun_interactive_cluster\b/m, "run_interactive_cluster", "set interactive: true"],
  [/^[^#\n]*>\s*"?\$\{?cfg\b/m, "$cfg", "it is read-only here; set flux.brokerConfig"],
  [
    /^[^#\n]*\b(?:run_(?:flux_restful|diagnostics)|enable_flux_accounting|(?:mark|wait)_ready|count_lines)\b/m,
    "a function of v1alpha1",
    "write its commands",
  ],
];

/** Names of variables that code sets itself, and some others. */
function namesSetBy(code: string): string[] {
  const assigned = [...code.matchAll(/\b(\w+)\+?=/g)].map(([, name = ""]) => name);
  const listed = [...code.matchAll(/\b(?:for|read)\b[^;\n]*/g)].flatMap(([words]) => words.split(/\W+/));
  return [...assigned, ...listed];
}

/** Warns of names in the user's code that belong to the operator's scripts, and have a different effect here. */
function warnOfNames({ commands = {}, environment = {} }: ContainerV1alpha2, warn: Report): void {
  const own = new Set([...Object.keys(environment), ...Object.values(commands).flatMap(namesSetBy)]);
  for (const [piece, code] of Object.entries(commands)) {
    const warnHere = (text: string) => warn(["commands", piece], text);
    for (const [name, remedy] of settings)
      if (new RegExp(`^(?:[^#\\n]*[;&|({\\s])?${name}\\+?=`, "m").test(code))
        warnHere(`sets ${name}, which changes the operator's script, but has no effect here: ${remedy}`);
    for (const [pattern, name, remedy] of missing)
      if (pattern.test(code)) warnHere(`uses ${name} of the operator's script: ${remedy}`);
    for (const [names, remedy] of missingVariables)
      for (const name of names)
        if (new RegExp(`\\$\\{?${name}\\b`).test(code) && !own.has(name))
          warnHere(`uses $${name} of the operator's script, which is not set here: ${remedy}`);
  }
}

/** The operator writes the lines with an echo in double quotes. */
function batchText(command: string, warn: Report): string {
  warnOfExpansion(command, "when the batch job runs", ["command"], warn);
  return withoutEscapes(command, '$`\\"');
}

/** The operator writes the script with a here-document. */
function scriptText(script: string | undefined, warn: Report): string | undefined {
  warnOfExpansion(script, "when the script runs", ["commands", "script"], warn);
  return script === undefined ? undefined : withoutEscapes(script, "$`\\");
}

function sidecarArgs(container: ContainerV1alpha2, warn: Report) {
  warnOfIgnored(
    container,
    ["launcher", "batch", "batchRaw", "logs"],
    "is for the container that runs Flux; it is ignored",
    warn,
  );
  warnOfIgnored(
    container,
    ["prefix", "pre", "brokerPre", "workerPre"],
    "has no effect in a sidecar, as in the operator",
    warn,
  );
  if (container.noWrapEntrypoint) return unwrappedArgs(container, warn);
  const { command, commands = {} } = container;
  const around = pick(commands, ["init", "post", "servicePre"]);
  if (command !== undefined && commands.script !== undefined)
    warn(
      ["commands", "script"],
      "the operator writes it to /tmp/custom-entrypoint.sh, for the command to run; here it is ignored",
    );
  if (command !== undefined) return withoutUndefined({ command, commands: around });
  if (commands.script !== undefined) {
    warn(["commands", "script"], "the operator writes the script and never runs it; here it is the command");
    return { commands: { ...around, script: scriptText(commands.script, warn) } };
  }
  // The operator's start script then runs only the pieces around it.
  if (around !== undefined) return { command: ":", commands: around };
  warn(
    [],
    "has no command: in the operator's pods no program runs in this container; here the command of its image runs",
  );
  return {};
}

/** A sidecar without a start script runs its image, regardless of its other fields. */
function unwrappedArgs(container: ContainerV1alpha2, warn: Report) {
  const ignored = "has no effect with noWrapEntrypoint, as in the operator: the command of the image runs";
  warnOfIgnored(container, ["command", "script", "init", "post", "servicePre"], ignored, warn);
  return { noWrapEntrypoint: true };
}

function serviceArgs(container: ContainerV1alpha2, warn: Report) {
  const ignored = "has no effect in a service, as in the operator: the command of the image runs";
  warnOfIgnored(container, ["command", "script", "init", "post", "servicePre", "prefix"], ignored, warn);
  warnOfIgnored(container, ["runFlux", "launcher", "batch", "batchRaw", "logs"], "has no effect in a service", warn);
  // The operator rejects them too.
  return withoutUndefined({ commands: pick(container.commands, ["pre", "brokerPre", "workerPre"]) });
}

function pick(commands: Commands | undefined, pieces: readonly Piece[], more: Commands = {}): Commands | undefined {
  const picked = withoutUndefined({
    ...Object.fromEntries(pieces.map((piece) => [piece, commands?.[piece]])),
    ...more,
  });
  return Object.keys(picked).length > 0 ? picked : undefined;
}

/** Warns of omitted fields of a container or of its commands. */
function warnOfIgnored(container: ContainerV1alpha2, names: string[], reason: string, warn: Report): void {
  const { commands = {} } = container;
  for (const name of names) {
    if (name in container && container[name as keyof ContainerV1alpha2] !== false) warn([name], reason);
    if (name in commands) warn(["commands", name], reason);
  }
}

/**
 * A text in double quotes or in a here-document after its expansion by the operator's shell, without the expansion of
 * variables and commands: a backslash before one of `escapable`, or before the end of a line, is removed.
 */
export function withoutEscapes(text: string, escapable: string): string {
  return text.replace(/\\([\s\S])/g, (pair, next: string) => {
    if (next === "\n") return "";
    return escapable.includes(next) ? next : pair;
  });
}

/** True if a shell would expand a part of such a text. */
export const isExpanded = (text: string) => /(^|[^\\])(\\\\)*(`|\$[\w({@*#?$!-])/.test(text);

/** Warns of a text that the operator's script expands when a pod starts. */
export function warnOfExpansion(text: string | undefined, here: string, path: string[], warn: Report): void {
  if (text !== undefined && isExpanded(text))
    warn(path, `has "$" or backticks, which are expanded ${here}; the operator expands them when the pod starts`);
}
