import { environmentRule } from "./environment";
import { descendingProblem, dnsLabelProblem, noBackstepProblem, portNameProblem } from "./formats";
import { handlersRule } from "./handlers";
import {
  type At,
  checked,
  eachIn,
  type Fields,
  fieldsOf,
  isAbsent,
  itemsOf,
  notEmpty,
  numberOf,
  oneOf,
  partIn,
  required,
  textOf,
  within,
} from "./reading";
import { containerClaimsRule, resourcesRule } from "./resources";
import { containerSecurityRule } from "./security";

// Source: `pkg/apis/core/validation/validation.go`, `validateContainers` and `validateInitContainers`.

/** The pod of the containers. */
interface Surroundings {
  pod: Fields;
  volumes: ReadonlyMap<unknown, Fields>;
}

/** The rules on the containers of a pod. */
export function containersRule(pod: Fields, volumes: Surroundings["volumes"], at: At): void {
  const names = new Set<unknown>();
  const once = ({ name }: Fields, at: At) => {
    if (textOf(name) !== undefined && names.has(name))
      at(["name"], `"${String(name)}" is the name of another container; choose another`);
    names.add(name);
  };
  const hostPorts = new Set<string>();
  if (pod.containers === undefined || (Array.isArray(pod.containers) && pod.containers.length === 0))
    at(["containers"], "needs at least one container; add it");
  eachIn(pod, "containers", at, (container, at) => {
    once(container, at);
    containerRule(container, { pod, volumes }, at);
    handlersRule(container, pod, true, at);
    hostPortsRule(container, hostPorts, at);
    restartRule(container, at);
  });
  eachIn(pod, "initContainers", at, (container, at) => {
    once(container, at);
    containerRule(container, { pod, volumes }, at);
    const isSidecar = container.restartPolicy === "Always";
    handlersRule(container, pod, isSidecar, at);
    // Such containers run one after the other.
    hostPortsRule(container, new Set(), at);
    restartRule(container, at);
    eachIn(container, "resizePolicy", at, ({ restartPolicy }, at) => {
      if (!isSidecar && restartPolicy === "RestartContainer") at(["restartPolicy"], 'must be "NotRequired" here');
    });
  });
  if (pod.ephemeralContainers !== undefined && itemsOf(pod.ephemeralContainers).length > 0)
    at(["ephemeralContainers"], "are for a pod that runs; remove them");
}

function containerRule(container: Fields, { pod, volumes }: Surroundings, at: At): void {
  required(container, ["name", "image"], at);
  checked(container, "name", dnsLabelProblem, at);
  checked(
    container,
    "image",
    (image) => (image === image.trim() ? undefined : "must not start or end with whitespace"),
    at,
  );
  checked(container, "terminationMessagePolicy", oneOf("File", "FallbackToLogsOnError"), at);
  checked(container, "imagePullPolicy", oneOf("Always", "IfNotPresent", "Never"), at);
  portsRule(container, at);
  environmentRule(container, volumes, at);
  mountsRule(container, volumes, at);
  devicesRule(container, volumes, at);
  const claims = new Set(itemsOf(pod.resourceClaims).map((claim) => fieldsOf(claim).name));
  partIn(container, "resources", at, (resources, at) => {
    resourcesRule(resources, "container", at);
    containerClaimsRule(resources, claims, at);
  });
  resizeRule(container, pod, at);
  const hasOwnUsers = pod.hostUsers === false || (pod.hostUsers !== undefined && typeof pod.hostUsers !== "boolean");
  partIn(container, "securityContext", at, (context, at) => containerSecurityRule(context, hasOwnUsers, at));
}

const numbers = [1, 65_535] as const;

function portsRule(container: Fields, at: At): void {
  const names = new Set<unknown>();
  eachIn(container, "ports", at, (port, at) => {
    if (port.containerPort === undefined || port.containerPort === 0)
      at(["containerPort"], "is required, from 1 to 65535; add it");
    else within(port, "containerPort", numbers, at);
    if (port.hostPort !== 0) within(port, "hostPort", numbers, at);
    checked(port, "protocol", oneOf("TCP", "UDP", "SCTP"), at);
    checked(port, "name", portNameProblem, at);
    if (textOf(port.name) !== undefined && names.has(port.name))
      at(["name"], `"${String(port.name)}" is the name of another port; choose another`);
    names.add(port.name);
  });
}

function hostPortsRule(container: Fields, seen: Set<string>, at: At): void {
  eachIn(container, "ports", at, ({ hostPort, hostIP, protocol }, at) => {
    const number = numberOf(hostPort);
    if (number === undefined || number === 0) return;
    const key = JSON.stringify([number, textOf(hostIP) ?? "", textOf(protocol) ?? "TCP"]);
    if (seen.has(key)) at(["hostPort"], `${number} is taken by another port of the pod; choose another`);
    seen.add(key);
  });
}

function mountsRule(container: Fields, volumes: ReadonlyMap<unknown, Fields>, at: At): void {
  const paths = new Set<unknown>();
  const devices = itemsOf(container.volumeDevices).map(fieldsOf);
  eachIn(container, "volumeMounts", at, (mount, at) => {
    required(mount, ["name", "mountPath"], at);
    const { name, mountPath } = mount;
    if (textOf(name) !== undefined && !volumes.has(name))
      at(["name"], `the pod has no volume "${String(name)}"; add it to volumes or correct the name`);
    if (textOf(mountPath) !== undefined && paths.has(mountPath))
      at(["mountPath"], `${String(mountPath)} is the path of another mount; choose another`);
    paths.add(mountPath);
    if (devices.some((device) => device.name === name)) at(["name"], "is in volumeDevices; keep one of them");
    if (devices.some(({ devicePath }) => devicePath === mountPath))
      at(["mountPath"], "is in volumeDevices; choose another");
    for (const field of ["subPath", "subPathExpr"]) checked(mount, field, descendingProblem, at);
    if (!isAbsent(mount.subPath) && !isAbsent(mount.subPathExpr))
      at(["subPathExpr"], "excludes subPath; keep one of them");
    propagationRule(mount, container, at);
  });
}

function propagationRule(mount: Fields, container: Fields, at: At): void {
  const { mountPropagation: propagation, recursiveReadOnly, readOnly } = mount;
  notEmpty(mount, ["mountPropagation", "recursiveReadOnly"], at);
  checked(mount, "mountPropagation", oneOf("None", "HostToContainer", "Bidirectional"), at);
  checked(mount, "recursiveReadOnly", oneOf("Disabled", "IfPossible", "Enabled"), at);
  const { privileged } = fieldsOf(container.securityContext);
  if (propagation === "Bidirectional" && (privileged === undefined || privileged === false))
    at(["mountPropagation"], '"Bidirectional" requires a privileged container; remove it');
  if (recursiveReadOnly !== "Enabled" && recursiveReadOnly !== "IfPossible") return;
  if (readOnly === undefined || readOnly === false) at(["recursiveReadOnly"], "requires readOnly: true; add it");
  if (typeof propagation === "string" && propagation !== "None")
    at(["recursiveReadOnly"], 'requires mountPropagation "None"');
}

function devicesRule(container: Fields, volumes: ReadonlyMap<unknown, Fields>, at: At): void {
  const [names, paths] = [new Set<unknown>(), new Set<unknown>()];
  eachIn(container, "volumeDevices", at, (device, at) => {
    required(device, ["name", "devicePath"], at);
    const { name, devicePath } = device;
    const volume = volumes.get(name);
    if (textOf(name) !== undefined && !volume)
      at(["name"], `the pod has no volume "${String(name)}"; correct the name`);
    if (volume && volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined)
      at(["name"], "must be a persistentVolumeClaim or an ephemeral volume");
    if (names.has(name)) at(["name"], "is a duplicate; remove one");
    if (paths.has(devicePath)) at(["devicePath"], "is a duplicate; choose another");
    checked(device, "devicePath", noBackstepProblem, at);
    names.add(name);
    paths.add(devicePath);
  });
}

function resizeRule(container: Fields, pod: Fields, at: At): void {
  const seen = new Set<unknown>();
  eachIn(container, "resizePolicy", at, (policy, at) => {
    required(policy, ["resourceName", "restartPolicy"], at);
    checked(policy, "resourceName", oneOf("cpu", "memory"), at);
    checked(policy, "restartPolicy", oneOf("NotRequired", "RestartContainer"), at);
    if (seen.has(policy.resourceName)) at(["resourceName"], "is a duplicate; remove one");
    seen.add(policy.resourceName);
    if (pod.restartPolicy === "Never" && policy.restartPolicy === "RestartContainer")
      at(["restartPolicy"], 'must be "NotRequired" in a pod with restartPolicy "Never"');
  });
}

const [maxRules, maxExitCodes] = [20, 255];

/** The rule on the restart of a container. Source: there, `validateContainerRestartPolicy`. */
function restartRule(container: Fields, at: At): void {
  const rules = itemsOf(container.restartPolicyRules);
  if (rules.length > 0 && isAbsent(container.restartPolicy))
    at(["restartPolicy"], "is required with restartPolicyRules; add it");
  notEmpty(container, ["restartPolicy"], at);
  checked(container, "restartPolicy", oneOf("Always", "Never", "OnFailure"), at);
  if (rules.length > maxRules) at(["restartPolicyRules"], `has ${rules.length} rules, ${maxRules} are allowed`);
  eachIn(container, "restartPolicyRules", at, (rule, at) => {
    required(rule, ["action"], at);
    checked(rule, "action", oneOf("Restart", "RestartAllContainers"), at);
    if (rule.exitCodes === undefined) at(["exitCodes"], "is required; add it");
    partIn(rule, "exitCodes", at, (codes, at) => {
      required(codes, ["operator"], at);
      checked(codes, "operator", oneOf("In", "NotIn"), at);
      const count = itemsOf(codes.values).length;
      if (count > maxExitCodes) at(["values"], `has ${count} values, ${maxExitCodes} are allowed`);
    });
  });
}
