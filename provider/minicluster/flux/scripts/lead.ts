import type { LeadSpec } from "../../parse/spec";
import { configFile, files, sharedPaths } from "../../paths";
import { commandWords } from "../command";
import { archiveOptions, keepArchive } from "./archive";
import { quoteWord } from "../quote";
import { bashArray, lines, wrapOption } from "./pieces";

/** What rank 0 does: starts the broker that all others join, with the command as its initial program. */
export function leadRole(spec: LeadSpec): string {
  const quorum = spec.minSize === undefined ? '"$MINICLUSTER_SIZE"' : spec.minSize;
  return lines(
    `options+=(-Sbroker.quorum=${quorum})`,
    archiveOptions(spec),
    startQueues(spec),
    spec.mode === "interactive" ? interactive(wrapOption(spec)) : started(spec),
    keepArchive(spec),
  );
}

/** Has the queues started with the broker (flux-environment(7), FLUX_RC_EXTRA): Flux leaves named queues stopped. */
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

/** With no initial program the instance stays up until somebody shuts it down (flux-broker-attributes(7)). */
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

/** What the lead broker runs when the instance stands: the initial program of flux-start(1). */
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

/** Keeps the cluster's own command on its own hosts, where no queue does, and the user has not said where else. */
function stayHome({ name, bursting, instance, flux }: LeadSpec): string[] {
  const isFree = bursting !== undefined && !instance.hasQueues;
  const words = [...flux.submitCommand, ...flux.optionFlags];
  return isFree && !words.some((word) => word.startsWith("--requires")) ? [`--requires=${name}`] : [];
}

/**
 * Submits a batch job, shows what its script prints wherever it runs, and ends as it does. In place of -vvv, which flux-batch(1)
 * does not know, a debugged job shows its events (flux-job(1), attach).
 */
const watchBatch = (debug: boolean) => `id=$(flux batch "$@") && exec flux job attach ${debug ? "-vEX " : ""}"$id"`;

/** The size is only known when the pod starts, so how many nodes are asked for is settled here. */
function program({ tasks }: LeadSpec, submit: string[], rest: string[]): string {
  return lines(
    tasks === 0
      ? 'nodes=(-N "$MINICLUSTER_SIZE")'
      : `nodes=(-n ${tasks}); if ((${tasks} >= MINICLUSTER_SIZE)); then nodes=(-N "$MINICLUSTER_SIZE" "\${nodes[@]}"); fi`,
    bashArray("program", submit),
    bashArray("program+", ["NODES", ...rest]).replace("  NODES", '  "${nodes[@]}"'),
  );
}
