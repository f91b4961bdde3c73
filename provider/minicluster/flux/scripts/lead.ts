import type { MiniClusterSpec } from "../../spec";
import { commandWords } from "../command";
import { bashArray, lines, wrapOption } from "./pieces";

/** What rank 0 does: starts the broker that all others join, with the command as its initial program. */
export function leadRole(spec: MiniClusterSpec): string {
  const quorum = spec.minSize === undefined ? '"$MINICLUSTER_SIZE"' : spec.minSize;
  return lines(
    `options+=(-Sbroker.quorum=${quorum})`,
    spec.mode === "interactive" ? interactive(wrapOption(spec)) : started(spec),
  );
}

/** With no initial program the instance stays up until somebody shuts it down (flux-broker-attributes(7)). */
function interactive(wrap: string): string {
  const starter = wrap === "" ? "flux broker" : `flux start${wrap}`;
  return `run ${starter} "\${options[@]}" -Sbroker.rc2_none || status=$?`;
}

function started(spec: MiniClusterSpec): string {
  const { commands } = spec.main;
  const words = commandWords(spec.main);
  const program =
    spec.mode === "launcher"
      ? bashArray("program", [...commands.prefix, ...words])
      : submitProgram(spec, commands.prefix, words);
  const timed = spec.logging.timed;
  const inner = timed ? `bash -c 'TIMEFORMAT="FLUXTIME fluxsubmit wall time %R"; time "$@"' timed ` : "";
  return lines(
    program,
    `${timed ? "time " : ""}run flux start${wrapOption(spec)} "\${options[@]}" ${inner}"\${program[@]}" || status=$?`,
  );
}

/** The size is only known when the pod starts, so how many nodes are asked for is settled here. */
function submitProgram({ tasks, flux, logging }: MiniClusterSpec, prefix: string[], words: string[]): string {
  const flags = [...flux.optionFlags, ...(logging.debug ? ["-vvv"] : []), "--quiet", "--watch"];
  return lines(
    tasks === 0
      ? 'nodes=(-N "$MINICLUSTER_SIZE")'
      : `nodes=(-n ${tasks}); if ((${tasks} >= MINICLUSTER_SIZE)); then nodes=(-N "$MINICLUSTER_SIZE" "\${nodes[@]}"); fi`,
    bashArray("program", [...prefix, ...flux.submitCommand]),
    bashArray("program+", ["NODES", ...flags, ...words]).replace("  NODES", '  "${nodes[@]}"'),
  );
}
