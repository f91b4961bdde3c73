import * as path from "node:path";
import { execWords, quoteWord, splitWords, withLineEnd } from "../../../shared/quote";
import { sizeKey } from "../../parse/names";
import {
  configFile,
  curveDirectory,
  curveFile,
  demandFile,
  demandSettingsFile,
  files,
  sharedPaths,
} from "../../parse/paths";
import type { ContainerSpec, LeadSpec, MiniClusterSpec } from "../../parse/spec";
import { bashArray, commandWords, endQuietly, lines, script, socketPath, wrapOption } from "./pieces";

/** Role of rank 0: to start the broker that all others join, with the command as its initial program. */
export function leadRole(spec: LeadSpec): string {
  const quorum = spec.minSize === undefined ? '"$MINICLUSTER_SIZE"' : spec.minSize;
  return lines(
    `options+=(-Sbroker.quorum=${quorum})`,
    archiveOptions(spec),
    "serve_state &",
    "server=$!",
    startQueues(spec),
    spec.mode === "interactive" ? interactive(wrapOption(spec)) : started(spec),
    endQuietly("server"),
    keepArchive(spec),
  );
}

/**
 * Function that runs the program which tells what the queue needs, and metrics, as soon as it is there: it comes and goes while
 * the brokers run. Without the program it only sleeps.
 */
export function leadFunctions(spec: MiniClusterSpec): string | undefined {
  if (spec.role === "follower") return undefined;
  const own = `${demandSettingsFile} ${curveDirectory}/${curveFile} ${configFile(sizeKey)}`;
  return lines(
    "serve_state() {",
    "  trap - ERR TERM INT",
    "  while true; do",
    "    # It ends where the broker does not answer, and is started again, whatever its status.",
    `    if [[ -e ${demandFile} ]]; then FLUX_URI=local://${socketPath(spec)} flux python ${demandFile} ${own} || true; fi`,
    "    rest 5",
    "  done",
    "}",
  );
}

/** Bash code that marks by a file that the instance runs, and has its restored state. */
export function markRestored(spec: MiniClusterSpec): string | undefined {
  return spec.role === "lead" && spec.archive ? `: >${restoredMark(spec.flux)}` : undefined;
}

/**
 * Bash code that has the queues started with the broker (flux-environment(7), FLUX_RC_EXTRA): Flux leaves named queues
 * stopped.
 */
function startQueues({ instance, flux }: LeadSpec): string | undefined {
  if (!instance.hasQueues) return undefined;
  const directory = quoteWord(sharedPaths(flux.container).rc);
  const file = `${directory}/rc1.d/queues`;
  return lines(
    `mkdir -p ${directory}/rc1.d`,
    `printf '%s\\n' '#!/bin/sh' 'exec flux queue start --all --quiet' >${file}`,
    `chmod 755 ${file}`,
    `export FLUX_RC_EXTRA="\${FLUX_RC_EXTRA:+$FLUX_RC_EXTRA:}"${directory}`,
  );
}

/** Start with no initial program: the instance stays up until somebody shuts it down (flux-broker-attributes(7)). */
function interactive(wrap: string): string {
  const starter = wrap === "" ? "flux broker" : `flux start${wrap}`;
  return `run ${starter} "\${options[@]}" -Sbroker.rc2_none || status=$?`;
}

function started(spec: LeadSpec): string {
  const timed = spec.logging.timed;
  const inner = timed ? `bash -c 'TIMEFORMAT="FLUXTIME fluxsubmit wall time %R"; time "$@"' timed ` : "";
  return lines(
    initialProgram(spec),
    `${timed ? "time " : ""}run flux start${wrapOption(spec)} "\${options[@]}" ${inner}"\${program[@]}" || status=$?`,
  );
}

/** Initial program of flux-start(1), which the lead broker runs once the instance is up. */
function initialProgram(spec: LeadSpec): string {
  const { flux, logging, main } = spec;
  const { prefix } = main.commands;
  const options = [...stayHome(spec), ...flux.optionFlags];
  const flags = [...options, ...(logging.debug ? ["-vvv"] : [])];
  if (spec.mode === "launcher") return bashArray("program", [...prefix, ...commandWords(main)]);
  if (spec.mode === "submit")
    return program(spec, [...prefix, ...flux.submitCommand], [...flags, "--quiet", "--watch", ...commandWords(main)]);
  const job = [...options, "--output=kvs", configFile(files.batch(main.name))];
  return program(spec, [...prefix, "bash", "-c", watchBatch(logging.debug), "batch"], job);
}

/**
 * Option that keeps the cluster's own command on its own hosts, if no queue does and the user has not chosen other hosts.
 */
function stayHome({ name, bursting, instance, flux }: LeadSpec): string[] {
  const isFree = bursting !== undefined && !instance.hasQueues;
  const words = [...flux.submitCommand, ...flux.optionFlags];
  return isFree && !words.some((word) => word.startsWith("--requires")) ? [`--requires=${name}`] : [];
}

/**
 * Bash code that submits a batch job, shows the output of its script wherever that runs, and ends with its status.
 * flux-batch(1) does not know -vvv: with `debug` the job shows its events instead (flux-job(1), attach).
 */
const watchBatch = (debug: boolean) => `id=$(flux batch "$@") && exec flux job attach ${debug ? "-vEX " : ""}"$id"`;

/**
 * Program with the number of nodes that it asks for, which is settled in bash: the size is known only when the pod
 * starts.
 */
function program({ tasks }: LeadSpec, submit: string[], rest: string[]): string {
  return lines(
    tasks === 0
      ? 'nodes=(-N "$MINICLUSTER_SIZE")'
      : `nodes=(-n ${tasks}); if ((${tasks} >= MINICLUSTER_SIZE)); then nodes=(-N "$MINICLUSTER_SIZE" "\${nodes[@]}"); fi`,
    bashArray("program", submit),
    bashArray("program+", ["NODES", ...rest]).replace("  NODES", '  "${nodes[@]}"'),
  );
}

/** Options of the lead broker that restore the state and save it (flux-broker-attributes(7)). */
function archiveOptions({ archive, flux }: LeadSpec): string | undefined {
  if (archive === undefined) return undefined;
  const [file, fresh] = [quoteWord(archive.path), quoteWord(freshPath(archive.path))];
  return lines(
    `mkdir -p ${quoteWord(path.posix.dirname(archive.path))}`,
    `rm -f ${fresh}`,
    "# A broker that is started again in its pod goes on with the state that it had, once it had all of it.",
    `if [[ -e ${file} && ! -e ${restoredMark(flux)} ]]; then options+=(-Scontent.restore=${file}); fi`,
    `options+=(-Scontent.dump=${fresh})`,
  );
}

/**
 * Bash code that replaces the former state with the saved one if that is complete: the broker writes it last of all, and
 * may have been killed meanwhile. Its exit status proves that only if the command did not fail.
 */
function keepArchive({ archive }: LeadSpec): string | undefined {
  if (archive === undefined) return undefined;
  const [file, fresh] = [quoteWord(archive.path), quoteWord(freshPath(archive.path))];
  return lines(
    `if [[ -e ${fresh} ]] && { ((status == 0)) || flux python -m tarfile --test ${fresh} >/dev/null 2>&1; }; then`,
    `  mv -f ${fresh} ${file}`,
    `  log "the state is saved in "${file}`,
    "else",
    `  rm -f ${fresh}`,
    `  echo "minicluster: the state was not saved; nothing has changed in "${file} >&2`,
    "fi",
  );
}

const restoredMark = ({ container }: MiniClusterSpec["flux"]) => quoteWord(`${sharedPaths(container).state}/restored`);

/** File that the new state is written to. The ending of the name stays, because it chooses the compression. */
const freshPath = (file: string) => path.posix.join(path.posix.dirname(file), `.saving.${path.posix.basename(file)}`);

/** The script of a batch job (flux-batch(1)), which runs inside the job's own Flux instance. */
export function renderBatchScript(container: ContainerSpec): string {
  const { command = "", batchRaw } = container;
  if (batchRaw) return command.startsWith("#!") ? withLineEnd(command) : `#!/bin/bash\n${withLineEnd(command)}`;
  return script(
    "status=0",
    lines(...jobLines(command).map(([number, line]) => submitLine(container, number, line))),
    lines(
      "# Fails where one of the jobs has failed.",
      "flux job wait --all || status=$?",
      "flux jobs -a",
      "exit $status",
    ),
  );
}

/** The jobs of a command, each with the number of its line. A backslash at the end of a line continues it, but no comment. */
function jobLines(command: string): [number: number, line: string][] {
  return command
    .replace(/^[ \t]*#.*|(?<!\\)((?:\\\\)*)\\\n/gm, (found, backslashes?: string) => backslashes ?? found)
    .split("\n")
    .map((line, number): [number, string] => [number, line.trim()])
    .filter(([, line]) => line !== "" && !line.startsWith("#"));
}

function submitLine({ logs }: ContainerSpec, number: number, line: string): string {
  const output = ["out", "err"].map((stream) => quoteWord(`${logs}/job-${number}.${stream}`));
  const options = `--flags=waitable --output=${output[0]} --error=${output[1]}`;
  return `flux submit ${options} ${jobWords(line).map(quoteWord).join(" ")} || status=$?`;
}

/** The words of a line: options of flux submit may come before the command, which a shell of its own would not see. */
function jobWords(line: string): string[] {
  const words = line.startsWith("-") ? splitWords(line) : undefined;
  return words ?? execWords(line);
}
