import { eachIn, type Fields, fieldsOf, itemsOf, textOf } from "../../../shared/reading";
import { hasLongPart, longPathMessage } from "../../../shared/checks";
import { isPlain, splitWords } from "../../../shared/quote";
import type { AddIssue } from "../../../shared/rules";
import { isWithin } from "../../parse/container";
import { reservedVolumeNames } from "../../parse/names";
import type { MiniClusterSpec } from "../../parse/spec";

// Values that Kubernetes stores, and that no container starts with: limits of Linux and of container runtimes.

/** Most bytes of one argument or one variable with its name (execve(2), MAX_ARG_STRLEN without the byte at its end). */
const maxString = 131_071;

const bytesOf = (text: string) => Buffer.byteLength(text);

function stringRule(text: string, path: PropertyKey[], at: AddIssue): void {
  if (bytesOf(text) > maxString)
    at(path, `has ${bytesOf(text)} bytes, and Linux passes at most ${maxString} to a program; move it to a file`);
}

function pathRule(owner: Fields, name: string, at: AddIssue): void {
  if (hasLongPart(textOf(owner[name]) ?? "")) at([name], longPathMessage);
}

/** The rule on the fields of a pod that a container runtime cannot mount or start. */
export function runtimeRule(template: Fields, at: AddIssue): void {
  const pod = fieldsOf(template.spec);
  const volumes = new Map(itemsOf(pod.volumes).map((volume) => [fieldsOf(volume).name, fieldsOf(volume)]));
  const inPod: AddIssue = (path, message) => at(["spec", ...path], message);
  eachIn(pod, "volumes", inPod, ({ hostPath }, at) =>
    pathRule(fieldsOf(hostPath), "path", (path, message) => at(["hostPath", ...path], message)),
  );
  for (const list of ["initContainers", "containers"])
    eachIn(pod, list, inPod, (container, at) => {
      pathRule(container, "workingDir", at);
      for (const list of ["command", "args"])
        itemsOf(container[list]).forEach((word, index) => stringRule(textOf(word) ?? "", [list, index], at));
      eachIn(container, "env", at, ({ name, value }, at) =>
        stringRule(`${String(name)}=${textOf(value) ?? ""}`, ["value"], at),
      );
      eachIn(container, "volumeMounts", at, (mount, at) => pathRule(mount, "mountPath", at));
      coverRule(container, volumes, at);
    });
}

/** Sources of volumes that Kubernetes always mounts read-only. */
const readOnlySources = ["configMap", "secret", "projected", "downwardAPI", "image"];

function isReadOnly({ readOnly }: Fields, volume: Fields = {}): boolean {
  if (readOnly === true || readOnlySources.some((source) => volume[source] !== undefined)) return true;
  return [volume.persistentVolumeClaim, volume.csi].some((source) => fieldsOf(source).readOnly === true);
}

/**
 * The rule on a volume whose directory contains a directory of the component: the runtime cannot create that directory in a
 * read-only volume.
 */
function coverRule(container: Fields, volumes: Map<unknown, Fields>, at: AddIssue): void {
  const own = itemsOf(container.volumeMounts)
    .map(fieldsOf)
    .filter(({ name }) => reservedVolumeNames.includes(String(name)));
  eachIn(container, "volumeMounts", at, (mount, at) => {
    const path = textOf(mount.mountPath);
    if (path === undefined || own.some(({ name }) => name === mount.name)) return;
    const covered = own.find(({ mountPath }) => mountPath !== path && isWithin(mountPath, path));
    if (covered && isReadOnly(mount, volumes.get(mount.name)))
      at(
        ["mountPath"],
        `${path} is read-only, and the component mounts ${String(covered.mountPath)} below it; choose another directory`,
      );
  });
}

/** The rule on the words and variables that scripts pass to programs. */
export function scriptStringsRule({ flux, main, sidecars, services }: MiniClusterSpec, at: AddIssue): void {
  for (const [list, containers] of Object.entries({ containers: [main, ...sidecars], services }))
    for (const { index, command = "" } of containers)
      if (isPlain(command)) wordsRule(splitWords(command) ?? [], [list, index, "command"], at);
  wordsRule(flux.submitCommand, ["flux", "submitCommand"], at);
  wordsRule(flux.optionFlags, ["flux", "optionFlags"], at);
  for (const [name, value] of Object.entries(flux.environment))
    if (typeof value === "string") stringRule(`${name}=${value}`, ["flux", "environment", name], at);
}

const wordsRule = (words: readonly string[], path: PropertyKey[], at: AddIssue) =>
  words.forEach((word) => stringRule(word, path, at));
