import type { MiniClusterSpec } from "../../spec";
import { lines, wrapOption } from "./pieces";

/** Longest pause of a follower between two tries, in seconds. */
const longestPause = 15;

/** A broker that held on for so many seconds had found its instance: the next try starts with short pauses again. */
const settledAfter = 60;

/**
 * What every other rank does: joins the lead broker, and joins it again. A follower does not end by itself, because a lead
 * broker that was moved to another node ends its followers as cleanly as one that is done. When the lead's command has
 * ended, Kubernetes ends the followers, by the Job's success policy.
 */
export function followerRole(spec: MiniClusterSpec): string {
  const start = `run flux start${wrapOption(spec)} "\${options[@]}"`;
  if (spec.flux.completeWorkers) return `${start} || log "the broker ended with status $?"`;
  return lines(
    "pause=1",
    "while [[ -z $stopping ]]; do",
    "  began=$SECONDS",
    `  ${start} && result=0 || result=$?`,
    "  if [[ -n $stopping ]]; then break; fi",
    `  if ((SECONDS - began >= ${settledAfter})); then pause=1; fi`,
    '  log "the broker ended with status $result; next try in $pause s"',
    "  sleep $pause &",
    "  child=$!",
    '  wait "$child" || true',
    "  child=",
    `  pause=$((pause * 2 < ${longestPause} ? pause * 2 : ${longestPause}))`,
    "done",
  );
}
