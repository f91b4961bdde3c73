import { headerProblem, portNameProblem } from "./formats";
import {
  type At,
  checked,
  eachIn,
  type Fields,
  isAbsent,
  itemsOf,
  numberOf,
  oneOf,
  oneSource,
  partIn,
  required,
  within,
} from "./reading";

// Source: `pkg/apis/core/validation/validation.go`, `validateProbe`, `validateLifecycle` and `validateHandler`.

const ports = [1, 65_535] as const;

/** Default seconds in which a pod has to end. */
const defaultGrace = 30;

function portRule(action: Fields, at: At): void {
  const { port } = action;
  if (isAbsent(port)) at(["port"], "is required; add it");
  within(action, "port", ports, at);
  checked(action, "port", portNameProblem, at);
}

/** The rule on the action of a probe or a hook. */
function handlerRule(handler: Fields, kinds: readonly string[], grace: unknown, at: At): void {
  oneSource(handler, kinds, at);
  partIn(handler, "exec", at, (exec, at) => {
    if (exec.command === undefined || (Array.isArray(exec.command) && itemsOf(exec.command).length === 0))
      at(["command"], "needs at least one word; add it");
  });
  partIn(handler, "httpGet", at, (get, at) => {
    portRule(get, at);
    checked(get, "scheme", oneOf("HTTP", "HTTPS"), at);
    eachIn(get, "httpHeaders", at, (header, at) => {
      required(header, ["name"], at);
      checked(header, "name", headerProblem, at);
    });
  });
  partIn(handler, "tcpSocket", at, portRule);
  partIn(handler, "grpc", at, portRule);
  partIn(handler, "sleep", at, (sleep, at) => {
    const most = grace === undefined ? defaultGrace : (numberOf(grace) ?? Infinity);
    if (numberOf(sleep.seconds) === undefined && sleep.seconds !== undefined) return;
    within(sleep, "seconds", [0, most], at);
  });
}

const probes = ["livenessProbe", "readinessProbe", "startupProbe"] as const;

/** The rules on the hooks and probes of a container, which only a long-running container may have. */
export function handlersRule(container: Fields, pod: Fields, stays: boolean, at: At): void {
  if (!stays) {
    for (const name of ["lifecycle", ...probes])
      if (container[name] !== undefined)
        at([name], 'is for containers that keep running; set restartPolicy "Always", or remove it');
    return;
  }
  const grace = pod.terminationGracePeriodSeconds;
  partIn(container, "lifecycle", at, (lifecycle, at) => {
    for (const hook of ["postStart", "preStop"])
      partIn(lifecycle, hook, at, (handler, at) =>
        handlerRule(handler, ["exec", "httpGet", "tcpSocket", "sleep"], grace, at),
      );
  });
  for (const name of probes)
    partIn(container, name, at, (probe, at) => {
      handlerRule(probe, ["exec", "httpGet", "tcpSocket", "grpc"], grace, at);
      numbersRule(probe, name, at);
    });
}

function numbersRule(probe: Fields, name: (typeof probes)[number], at: At): void {
  for (const field of [
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
  ])
    within(probe, field, [0, Infinity], at);
  within(probe, "terminationGracePeriodSeconds", [1, Infinity], at);
  if (name === "readinessProbe") {
    if (probe.terminationGracePeriodSeconds !== undefined)
      at(["terminationGracePeriodSeconds"], "is not for a readiness probe, which terminates nothing; remove it");
    return;
  }
  const threshold = numberOf(probe.successThreshold) ?? 0;
  if (threshold > 1) at(["successThreshold"], `${threshold} must be 1; only a readiness probe may have another`);
}
