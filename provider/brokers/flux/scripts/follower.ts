import { quoteWord } from "../../../shared/quote";
import { leadVariable } from "../../parse/paths";
import type { MiniClusterSpec } from "../../parse/spec";
import { hasLateLead, leadEndpoint } from "../hosts";
import { endQuietly, indent, lines, paragraphs, restFunction, socketPath, wrapOption } from "./pieces";

/**
 * Seconds after which a broker that was told to stop is killed: one that has not joined yet may hang until the pod is
 * killed.
 */
const patience = 5;

/** Longest pause between two brokers that the lead has turned away, in seconds. */
const longestPause = 15;

/** Seconds after which a running broker has certainly found its instance: the next one starts with short pauses again. */
const settledAfter = 60;

/** Seconds after which a broker that has found the lead's port and has not joined is reported in the log. */
const reportAfter = 60;

/**
 * Attempts to reach the lead's port before a broker starts without it: the first ones follow each other quickly, because all
 * pods of a new cluster start at the same time, and then there is one each second.
 */
const quickKnocks = 50;
const knocks = 70;

/**
 * Role of every other rank: to join the lead broker, and to join it again. A follower does not end by itself, because a
 * lead broker that was moved to another node ends its followers as cleanly as one that is done. When the lead's command
 * has ended, Kubernetes ends the followers, by the Job's success policy.
 */
export function followerRole(spec: MiniClusterSpec): string {
  const settings = lines(`patience=${patience}`, leadAddress(spec));
  if (spec.flux.completeWorkers)
    return lines(
      settings,
      waitsForLead(spec) ? "wait_for_lead || true" : undefined,
      startAndReport(spec),
      'log "the broker ended with status $result"',
    );
  return lines(
    settings,
    "pause=1",
    "while true; do",
    waitsForLead(spec) ? "  if ! wait_for_lead; then pause=1; fi" : undefined,
    "  began=$SECONDS",
    indent(startAndReport(spec)),
    "  if [[ -n $stopping ]]; then break; fi",
    `  if ((SECONDS - began >= ${settledAfter})); then pause=1; fi`,
    '  log "the broker ended with status $result; next try in $pause s"',
    "  rest $pause",
    `  pause=$((pause * 2 < ${longestPause} ? pause * 2 : ${longestPause}))`,
    "done",
  );
}

/**
 * Functions of a follower. Between two brokers it waits for the lead's port, because a script that waits ends at once on
 * a signal and a broker does not; and it reports a broker that cannot join in the log.
 */
export function followerFunctions(spec: MiniClusterSpec): string {
  return paragraphs(waitsForLead(spec) ? waitForLead() : undefined, restFunction, report(spec));
}

/** True if the follower waits for the lead's port: with the user's own configuration only Flux knows where the lead is. */
const waitsForLead = ({ flux }: MiniClusterSpec) => flux.brokerConfig === undefined;

/** Host and port of the lead broker: an IPv6 address stands in brackets. */
function leadAddress(spec: MiniClusterSpec): string | undefined {
  if (!waitsForLead(spec)) return undefined;
  return lines(
    `lead=${hasLateLead(spec) ? `$${leadVariable}` : quoteWord(leadEndpoint(spec))}`,
    "lead_host=${lead%:*} lead_port=${lead##*:}",
    "lead_host=${lead_host#[} lead_host=${lead_host%]}",
  );
}

/**
 * Bash functions that wait for the lead's port. Bash opens the connection itself, so that an image needs no program for
 * it. An address that cannot be reached may take minutes to fail.
 */
const waitForLead = () =>
  lines(
    "# Whether the lead's port accepts a connection within 3 s.",
    "knock() {",
    '  read -r -t 3 _ < <(exec 2>/dev/null; trap - ERR; { : <>"/dev/tcp/$lead_host/$lead_port"; } && echo)',
    "}",
    "",
    "# Fails if the lead was not there at once.",
    "wait_for_lead() {",
    "  if knock; then return; fi",
    '  log "waiting for the lead broker at $lead"',
    `  for ((tries = 1; tries < ${knocks}; tries++)); do`,
    `    if ((tries < ${quickKnocks})); then read -r -t 0.2 _ <> <(:) || true; else rest 1; fi`,
    "    if knock; then break; fi",
    "  done",
    "  return 1",
    "}",
  );

const report = (spec: MiniClusterSpec) =>
  lines(
    "# Says what is wrong when the lead is there and does not let this broker in.",
    "report() {",
    "  trap - ERR",
    `  rest ${reportAfter}`,
    `  read -r _ state _ < <(FLUX_URI=local://${socketPath(spec)} flux uptime 2>/dev/null)`,
    `  if [[ \${state:-} != join ]]${waitsForLead(spec) ? " || ! knock" : ""}; then return; fi`,
    `  echo "minicluster: rank $JOB_COMPLETION_INDEX has not joined for ${reportAfter} s, though the lead's port is open. If others have" \\`,
    `    "joined, it has another curve certificate or configuration: delete its pod, and the next one reads the present ones" >&2`,
    "}",
  );

/** Bash code that runs a broker, and reports it if it does not join. */
const startAndReport = (spec: MiniClusterSpec) =>
  lines(
    "report &",
    "reporter=$!",
    `run flux start${wrapOption(spec)} "\${options[@]}" && result=0 || result=$?`,
    endQuietly("reporter"),
  );
