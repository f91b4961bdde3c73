import { quoteWord } from "../../../shared/quote";
import { configFile, files } from "../../parse/paths";
import type { MiniClusterSpec } from "../../parse/spec";
import { indent, lines, restFunction, script } from "./pieces";

/** Reason of a drain, as `flux resource drain` shows it, and by which the next pod of the rank knows it as ours. */
const reason = "minicluster: the pod leaves";

/** Reason by which the lead broker's program drains a rank before the agent's resize removes its pod (`state.py`). */
const resizeReason = "minicluster: the size follows the queue";

/** Seconds between two looks at the jobs of a rank that leaves: each starts Python beside them. */
const pause = 2;

/** True for a cluster whose pods drain their ranks before they leave. */
export const drains = ({ drainTimeoutSeconds }: MiniClusterSpec) => drainTimeoutSeconds > 0;

/**
 * The hook that Kubernetes runs in a pod before it tells the broker to end, whoever removes the pod: it keeps new jobs from
 * the rank and waits for those that run there (flux-resource(1), flux-jobs(1)), then runs the user's own hook, its arguments.
 */
export function renderDrainScript(spec: MiniClusterSpec): string {
  const whoever = lines(
    "# Whatever Flux does, the hook ends in time, and what it leaves behind holds none of its pipes.",
    `read -r -t ${spec.drainTimeoutSeconds} _ < <(exec 2>/dev/null; drain >&2; echo)`,
  );
  return script(
    lines("# shellcheck source=/dev/null", `. ${configFile(files.environment)}`),
    lines(
      "# A broker that has ended is not looked for.",
      `export FLUX_URI="\${fluxsocket:?}" FLUX_LOCAL_CONNECTOR_RETRY_COUNT=0`,
    ),
    restFunction,
    lines(
      "drain() {",
      "  # Before the instance runs and after it has ended there is no job to wait for.",
      "  read -r _ state _ < <(flux uptime)",
      `  if [[ \${state:-} != run ]] || ! rank=$(flux getattr rank); then return; fi`,
      "  # The drain of a resize that is about to remove this pod ends with its next pod, as this one does.",
      `  if [[ $(${drainReason}) == ${quoteWord(resizeReason)} ]]; then held=--force; else held=--update; fi`,
      `  flux resource drain "$held" "$rank" ${quoteWord(reason)}`,
      "  while jobs=$(flux jobs --no-header --filter=running --include=\"$rank\" --format='{id}') && [[ -n $jobs ]]; do",
      `    rest ${pause}`,
      "  done",
      "}",
    ),
    exceptLead(spec, whoever),
    'if (($# > 0)); then exec "$@"; fi',
  );
}

/**
 * Bash code that ends the drain of a rank whose last pod has drained it, and no other drain. Nothing waits for it; it is repeated until it
 * succeeds, and each failure is a line of the container's log, which is that of its first process.
 */
export function undrain(spec: MiniClusterSpec): string | undefined {
  if (!drains(spec)) return undefined;
  const code = lines(
    "undrain() {",
    "  rank=$(flux getattr rank) || return",
    `  reason=$(${drainReason}) || return`,
    `  if [[ $reason == ${quoteWord(reason)} ]]; then flux resource undrain "$rank"; fi`,
    "}",
    "{",
    "  pause=1",
    "  until why=$(undrain 2>&1); do",
    `    echo "minicluster: this rank is still drained, next try in $pause s: $why" >${containerLog}`,
    "    rest $pause",
    `    pause=$((pause * 2 < ${longestPause} ? pause * 2 : ${longestPause}))`,
    "  done",
    "} >/dev/null 2>&1 &",
  );
  return lines(restFunction, exceptLead(spec, code));
}

/** Command that prints why a rank is drained, and nothing where it is not. */
const drainReason = `flux resource drain --no-header --include="$rank" --format='{reason}'`;

/** Standard error of the container's first process. */
const containerLog = "/proc/1/fd/2";

/** Longest pause between two attempts to end a drain, in seconds. */
const longestPause = 60;

/** Bash code for every rank but that of the lead broker, with which the instance ends. */
const exceptLead = ({ role }: MiniClusterSpec, code: string) =>
  role === "follower" ? code : lines("if ((JOB_COMPLETION_INDEX > 0)); then", indent(code), "fi");
