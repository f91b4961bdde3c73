import {
  dataKeyProblem,
  dnsLabelProblem,
  keyProblem,
  noBackstepProblem,
  subdomainProblem,
  variableProblem,
} from "./formats";
import { quantityOf } from "./quantity";
import { type At, checked, eachIn, type Fields, isAbsent, oneOf, oneSource, partIn, required, textOf } from "./reading";

// Source: `pkg/apis/core/validation/validation.go`, `ValidateEnv` and `ValidateEnvFrom`.

const sources = ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];

/** Fields of a pod that a variable may have. */
const variableFields = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.host",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** Fields of a pod that a file may have. */
export const fileFields = [
  "metadata.name",
  "metadata.namespace",
  "metadata.labels",
  "metadata.annotations",
  "metadata.uid",
];

/** The rule on a field of the pod. */
export function fieldRule(reference: Fields, known: string[], at: At): void {
  required(reference, ["fieldPath"], at);
  checked(reference, "apiVersion", oneOf("v1"), at);
  const path = textOf(reference.fieldPath);
  if (path === undefined) return;
  const [, map, key = ""] = /^(metadata\.(?:annotations|labels))\['(.*)'\]$/s.exec(path) ?? [];
  const problem =
    map === undefined ? oneOf(...known)(path) : keyProblem(map === "metadata.labels" ? key : key.toLowerCase());
  if (problem !== undefined) at(["fieldPath"], `${JSON.stringify(map === undefined ? path : key)} ${problem}`);
}

const amounts = ["cpu", "memory", "ephemeral-storage"];
const powers = ["k", "M", "G", "T", "P", "E"];
const cpuDivisors = ["1m", "1"];
const otherDivisors = [
  "1",
  ...powers.map((power) => `1${power}`),
  ...powers.map((power) => `1${power.toUpperCase()}i`),
];

/** The rule on an amount of a container's resources. */
export function resourceFieldRule(reference: Fields, isFile: boolean, at: At): void {
  required(reference, isFile ? ["containerName", "resource"] : ["resource"], at);
  const resource = textOf(reference.resource);
  if (resource === undefined) return;
  const known = ["limits", "requests"].flatMap((list) => amounts.map((name) => `${list}.${name}`));
  const isHugePages = /^(limits|requests)\.hugepages-/.test(resource);
  if (!isHugePages) checked(reference, "resource", oneOf(...known), at);
  const divisor = quantityOf(reference.divisor);
  if (divisor === undefined || divisor === 0n) return;
  const divisors = resource.endsWith(".cpu") ? cpuDivisors : otherDivisors;
  if (!divisors.some((each) => quantityOf(each) === divisor)) at(["divisor"], `must be one of ${divisors.join(", ")}`);
}

function keyRule(reference: Fields, at: At): void {
  required(reference, ["name", "key"], at);
  checked(reference, "name", subdomainProblem, at);
  checked(reference, "key", dataKeyProblem, at);
}

function fileKeyRule(reference: Fields, volumes: ReadonlyMap<unknown, Fields>, at: At): void {
  required(reference, ["key", "volumeName", "path"], at);
  checked(reference, "key", variableProblem, at);
  checked(reference, "volumeName", dnsLabelProblem, at);
  checked(reference, "path", noBackstepProblem, at);
  const name = textOf(reference.volumeName);
  if (name !== undefined && volumes.get(name)?.emptyDir === undefined)
    at(["volumeName"], `"${name}" must be an emptyDir volume of the pod`);
}

/** The rules on the variables of a container. */
export function environmentRule(container: Fields, volumes: ReadonlyMap<unknown, Fields>, at: At): void {
  eachIn(container, "env", at, (variable, at) => {
    required(variable, ["name"], at);
    checked(variable, "name", variableProblem, at);
    partIn(variable, "valueFrom", at, (from, at) => {
      oneSource(from, sources, at);
      if (!isAbsent(variable.value)) at([], "excludes value; remove one of them");
      partIn(from, "fieldRef", at, (reference, at) => fieldRule(reference, variableFields, at));
      partIn(from, "resourceFieldRef", at, (reference, at) => resourceFieldRule(reference, false, at));
      partIn(from, "configMapKeyRef", at, keyRule);
      partIn(from, "secretKeyRef", at, keyRule);
      partIn(from, "fileKeyRef", at, (reference, at) => fileKeyRule(reference, volumes, at));
    });
  });
  eachIn(container, "envFrom", at, (from, at) => {
    checked(from, "prefix", variableProblem, at);
    oneSource(from, ["configMapRef", "secretRef"], at);
    for (const name of ["configMapRef", "secretRef"])
      partIn(from, name, at, (reference, at) => {
        required(reference, ["name"], at);
        checked(reference, "name", subdomainProblem, at);
      });
  });
}
