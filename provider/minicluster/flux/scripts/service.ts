import type { ContainerSpec, MiniClusterSpec } from "../../parse/spec";
import { commandWords } from "../command";
import { bashArray, leaveOnSignal, postCode, script, strictMode, userCode } from "./pieces";
import { endCommandFirst, runOnce } from "./sidecar";

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
    postCode(spec, container),
  );
}
