import { configFile, files } from "../../parse/paths";
import type { ContainerSpec, MiniClusterSpec } from "../../parse/spec";
import {
  bashArray,
  commandWords,
  leaveOnSignal,
  lines,
  logFunction,
  postCode,
  script,
  socketPath,
  strictMode,
  userCode,
} from "./pieces";
import { defineLaterVariables, defineVariables } from "./variables";

/**
 * A sidecar's start script: waits for the broker's socket, runs the command once, and then stays: Kubernetes starts a
 * sidecar that has ended again, and ends it itself when the container that runs Flux is done.
 */
export function renderSidecarScript(spec: MiniClusterSpec, container: ContainerSpec): string {
  return script(
    defineVariables(spec, container),
    userCode(spec, container, "init"),
    strictMode(spec),
    leaveOnSignal(),
    lines("# shellcheck source=/dev/null", `. ${configFile(files.environment)}`),
    defineLaterVariables(spec, container),
    userCode(spec, container, "servicePre"),
    logFunction(spec),
    endCommandFirst(),
    spec.flux.noWaitSocket ? undefined : waitForSocket(spec),
    bashArray("command", commandWords(container)),
    runOnce(),
    afterRun(container),
    stay(),
  );
}

/** A service's start script: runs the command, and ends with it. Kubernetes starts a service that has ended again. */
export function renderServiceScript(spec: MiniClusterSpec, container: ContainerSpec): string {
  return script(
    userCode(spec, container, "init"),
    strictMode(spec),
    leaveOnSignal(),
    userCode(spec, container, "servicePre"),
    endCommandFirst(),
    bashArray("command", commandWords(container)),
    runOnce(),
    afterRun(container),
  );
}

function waitForSocket(spec: MiniClusterSpec): string {
  return lines(
    `socket=${socketPath(spec)}`,
    `log "waiting for the broker's socket $socket"`,
    // The probe of the pod asks every second, too.
    "until [[ -S $socket ]]; do sleep 1; done",
  );
}

/**
 * Trap that gives the command the time to end itself: when the first process of a container ends, the kernel kills what
 * still runs.
 */
const endCommandFirst = () =>
  lines(
    "child=",
    "trap '",
    `  if [[ -n $child ]] && kill -TERM "$child" 2>/dev/null; then wait "$child" || true; fi`,
    "  exit 143",
    "' TERM INT",
  );

const runOnce = () => lines(`"\${command[@]}" &`, "child=$!", `wait "$child"`);

/** The user's code after the command. Bash would answer the signal that ends a pod only after code that runs in front. */
function afterRun(container: ContainerSpec): string | undefined {
  const post = postCode(container);
  return post && lines("status=$?", `${post} <&0 &`, "child=$!", `wait "$child"`);
}

const stay = () =>
  lines(`log "the command has ended"`, "while true; do", "  sleep 3600 &", "  child=$!", `  wait "$child"`, "done");
