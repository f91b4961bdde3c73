import { configFile, files } from "../../paths";
import type { MiniClusterSpec } from "../../parse/spec";
import { quoteWord } from "../quote";
import { indent, lines, restFunction, script } from "./pieces";

/** Reason of a drain, as `flux resource drain` shows it, and by which the next pod of the rank knows it as ours. */
const reason = "minicluster: the pod leaves";

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
      `  flux resource drain --update "$rank" ${quoteWord(reason)}`,
      "  while jobs=$(flux jobs --no-header --filter=running --include=\"$rank\" --format='{id}') && [[ -n $jobs ]]; do",
      `    rest ${pause}`,
      "  done",
      "}",
    ),
    exceptLead(spec, whoever),
    'if (($# > 0)); then exec "$@"; fi',
  );
}

/** Bash code by which a rank takes jobs again whose last pod has drained it, and nobody else. Nothing waits for it. */
export function undrain(spec: MiniClusterSpec): string | undefined {
  if (!drains(spec)) return undefined;
  return exceptLead(
    spec,
    lines(
      "{",
      "  rank=$(flux getattr rank)",
      `  if [[ $(flux resource drain --no-header --include="$rank" --format='{reason}') == ${quoteWord(reason)} ]]; then`,
      '    flux resource undrain "$rank"',
      "  fi",
      "} >/dev/null 2>&1 &",
    ),
  );
}

/** Bash code for every rank but that of the lead broker, with which the instance ends. */
const exceptLead = ({ role }: MiniClusterSpec, code: string) =>
  role === "follower" ? code : lines("if ((JOB_COMPLETION_INDEX > 0)); then", indent(code), "fi");
