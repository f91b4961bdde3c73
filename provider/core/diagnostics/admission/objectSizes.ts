import { fieldsOf } from "../../../shared/reading";
import type { AddIssue } from "../../../shared/rules";
import type { ContainerSpec, MiniClusterSpec } from "../../parse/spec";

/** Most bytes of the values of a ConfigMap or a Secret in total. Source: `pkg/apis/core/types.go`, `MaxSecretSize`. */
const maxDataBytes = 1024 * 1024;

/**
 * Most bytes that the API server stores of an object. Source: `apiserver/pkg/server/options/etcd.go` and the flag
 * `--max-request-bytes` of etcd.
 */
const maxStoredBytes = 1.5 * 1024 * 1024;

/** Bytes of the texts in an object that are known now, a lower bound of its stored size. */
function textBytes(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  const parts = Array.isArray(value) ? value : Object.values(fieldsOf(value));
  return parts.reduce<number>((sum, part) => sum + textBytes(part), 0);
}

/** Objects whose size follows from the arguments. */
interface Sized {
  job: object;
  /** Files of the ConfigMap. */
  data: Record<string, string>;
}

/**
 * The rules on the size of objects. The ConfigMap has the scripts of all containers. The Job has everything else, in its pod
 * template.
 */
export function sizeRules(spec: MiniClusterSpec, { job, data }: Sized, addIssue: AddIssue): void {
  const files = textBytes(data);
  const remedy = "move long texts to the image or a volume";
  if (files > maxDataBytes)
    addIssue(
      [...largest(textsInFiles(spec))],
      `the scripts and the configuration have ${files} bytes, above the ${maxDataBytes} of a ConfigMap; ${remedy}`,
    );
  const stored = textBytes(job);
  if (stored > maxStoredBytes)
    addIssue(
      [...largest(textsInJob(spec))],
      `the Job has ${stored} bytes, above the ${maxStoredBytes} that Kubernetes stores; ${remedy}`,
    );
}

type Sizes = [path: PropertyKey[], value: unknown][];

/** The place with the most text. */
const largest = (places: Sizes): PropertyKey[] =>
  places.reduce<[PropertyKey[], number]>(
    ([path, most], [other, value]) => (textBytes(value) > most ? [other, textBytes(value)] : [path, most]),
    [[], 0],
  )[0];

function eachContainer(spec: MiniClusterSpec, places: (container: ContainerSpec) => Sizes): Sizes {
  const within = (list: string, containers: ContainerSpec[]) =>
    containers.flatMap((container) =>
      places(container).map(([path, value]): Sizes[number] => [[list, container.index, ...path], value]),
    );
  return [...within("containers", [spec.main, ...spec.sidecars]), ...within("services", spec.services)];
}

function textsInFiles(spec: MiniClusterSpec): Sizes {
  const { flux } = spec;
  return [
    ...eachContainer(spec, ({ command, commands }) => [
      [["command"], command],
      ...Object.entries(commands).map(([name, text]): Sizes[number] => [["commands", name], text]),
    ]),
    [["flux", "brokerConfig"], flux.brokerConfig?.toml],
    ...["environment", "wrap", "submitCommand", "optionFlags"].map((name): Sizes[number] => [
      ["flux", name],
      flux[name as keyof typeof flux],
    ]),
    [["bursting"], spec.instance],
  ];
}

function textsInJob(spec: MiniClusterSpec): Sizes {
  return [
    ...eachContainer(spec, ({ environment, volumes, lifeCycle, command }) => [
      [["environment"], environment],
      [["volumes"], volumes],
      [["lifeCycle"], lifeCycle],
      [["command"], command],
    ]),
    [["podTemplate"], spec.podTemplate],
    [["pod", "annotations"], spec.pod.annotations],
    [["pod", "nodeAffinity"], spec.pod.nodeAffinity],
    [["pod", "tolerations"], spec.pod.tolerations],
    [["pod", "nodeSelector"], spec.pod.nodeSelector],
  ];
}
