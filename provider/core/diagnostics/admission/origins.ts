import { type Fields, fieldsOf, itemsOf } from "../../../shared/reading";
import { isPlainObject } from "../../../shared/objects";
import { reservedVolumeNames, volumeNames } from "../../parse/names";
import { type ContainerSpec, copiesView, type MiniClusterSpec } from "../../parse/spec";
import { itemKey, mergeKeys } from "../../parse/strategicMerge";

type Path = readonly PropertyKey[];

/** A built pod, and the containers of the arguments that are in it. */
export interface BuiltPod {
  spec: MiniClusterSpec;
  template: Fields;
  /** The user's patch of the pod. */
  patch?: unknown;
  list: "containers" | "services";
  containers: ContainerSpec[];
}

/** The argument that sets a field of a pod. */
export function originInPod(pod: BuiltPod, given: Path): Path {
  const path = withIndexes(pod, given);
  const merged = placeInPatch(pod.patch, pod.template, path);
  const isThere = merged.length === path.length;
  // A field without a value is missing at the place that the user has given.
  const isMissing = merged.length === path.length - 1 && merged.length > 1 && valueAt(pod.template, path) === undefined;
  if (isThere) return ["podTemplate", ...merged];
  if (isMissing) return ["podTemplate", ...merged, path.at(-1) as PropertyKey];
  return originInArguments(pod, path) ?? (merged.length > 1 ? ["podTemplate", ...merged] : []);
}

/** The argument that sets a field of the brokers' pods. */
export const originInBrokers = (spec: MiniClusterSpec, template: Fields, path: Path): Path =>
  originInPod(
    { spec, template, patch: spec.podTemplate, list: "containers", containers: [spec.main, ...spec.sidecars] },
    path,
  );

/** The argument that sets a field of the pod of the services. */
export const originInServices = (spec: MiniClusterSpec, template: Fields, path: Path): Path =>
  originInPod({ spec, template, list: "services", containers: spec.services }, path);

/**
 * A path with the indexes that a message has omitted: of the first item of the user's patch that has the next step, otherwise of
 * the first item that has it.
 */
const withIndexes = ({ template, patch }: BuiltPod, path: Path): Path =>
  path.reduce<PropertyKey[]>((place, step) => {
    const items = valueAt(template, place);
    if (!Array.isArray(items) || typeof step === "number") return [...place, step];
    const paths = items.flatMap((item, index) =>
      fieldsOf(item)[String(step)] === undefined ? [] : [[...place, index, step]],
    );
    const isInPatch = (each: Path) => placeInPatch(patch, template, each).length === each.length;
    return paths.find(isInPatch) ?? paths[0] ?? [...place, step];
  }, []);

/** The longest prefix of a path that exists in the user's patch of a pod, with the indexes of its items there. */
function placeInPatch(patch: unknown, template: unknown, path: Path): Path {
  const place: PropertyKey[] = [];
  let [given, built] = [patch, template];
  for (const [depth, step] of path.entries()) {
    const found = Array.isArray(built) ? indexInPatch(given, built, step, path[depth - 1]) : step;
    given = at(given, found);
    if (given === undefined) break;
    built = at(built, step);
    place.push(found);
  }
  return place;
}

function indexInPatch(
  given: unknown,
  built: unknown[],
  index: PropertyKey,
  list: PropertyKey | undefined,
): PropertyKey {
  const keys = mergeKeys.get(String(list));
  if (!keys) return index;
  const key = itemKey(fieldsOf(built[Number(index)]), keys);
  return itemsOf(given).findIndex((item) => itemKey(fieldsOf(item), keys) === key);
}

const valueAt = (owner: unknown, path: Path): unknown => path.reduce(at, owner);

const at = (owner: unknown, step: PropertyKey): unknown =>
  isPlainObject(owner) || Array.isArray(owner) ? (owner as Record<PropertyKey, unknown>)[step] : undefined;

/** Fields of a pod, by the argument that contains them under the same names. */
const inPod = [
  "dnsPolicy",
  "runtimeClassName",
  "serviceAccountName",
  "hostIPC",
  "hostPID",
  "resources",
  "nodeSelector",
];

function originInArguments(pod: BuiltPod, path: Path): Path | undefined {
  const [part, field = "", ...rest] = path;
  const { spec } = pod;
  if (part === "metadata") return metadataOrigin(spec, field, rest);
  // Kubernetes names the annotations of a template so.
  if (part === "labels" || part === "annotations") return ["pod", part];
  switch (field) {
    case "containers":
    case "initContainers":
      return containerOrigin(pod, field, rest);
    case "volumes":
      return volumeOrigin(pod, rest);
    case "securityContext":
      return ["pod", field, ...rest];
    case "tolerations":
      return tolerationOrigin(pod, rest);
    case "affinity":
      return affinityOrigin(spec, rest);
    case "dnsConfig":
      return ["pod", "dnsPolicy"];
    case "shareProcessNamespace":
      return [field];
    case "terminationGracePeriodSeconds":
      return ["drainTimeoutSeconds"];
    case "schedulerName":
      return spec.additions.podSpec.schedulerName === undefined ? ["pod", field] : ["gang", field];
    default:
      return inPod.includes(String(field)) ? ["pod", field, ...rest] : undefined;
  }
}

function metadataOrigin({ pod, pool }: MiniClusterSpec, map: PropertyKey, [key]: Path): Path | undefined {
  if (key === undefined) return ["pod", map];
  const given: Fields = map === "labels" ? pod.labels : pod.annotations;
  if (!(String(key) in given)) return undefined;
  return pool && String(key) in pool.annotations ? ["pool"] : ["pod", map, key];
}

function containerOrigin(pod: BuiltPod, home: string, [index = 0, ...rest]: Path): Path | undefined {
  const { spec, list, containers } = pod;
  const built = fieldsOf(itemsOf(fieldsOf(pod.template.spec)[home])[Number(index)]);
  const container = containers.find(({ name }) => name === built.name);
  if (container) return fieldOrigin([list, container.index], container, built, rest);
  const isView = list === "containers" && copiesView(spec.flux) && built.name === spec.flux.container.name;
  return isView ? fieldOrigin(["flux", "container"], undefined, built, rest) : undefined;
}

/** Fields of a container that its arguments contain under the same names. */
const inContainer = ["name", "image", "workingDir", "imagePullPolicy", "resources", "securityContext"];

function fieldOrigin(base: Path, container: ContainerSpec | undefined, built: Fields, [field, ...rest]: Path): Path {
  if (inContainer.includes(String(field))) return [...base, field as string, ...rest];
  const { name } = fieldsOf(itemsOf(built[String(field)])[Number(rest[0])]);
  const last = rest.at(-1);
  switch (field) {
    case "ports":
      return [...base, "ports", rest[0] ?? 0];
    case "env":
      if (rest.length === 0) return [...base, "environment"];
      if (container && String(name) in container.secrets)
        return [...base, "secrets", String(name), ...(last === "key" || last === "name" ? [last] : [])];
      return [...base, "environment", String(name)];
    case "volumeMounts":
      if (rest.length === 0) return [...base, "volumes"];
      if (reservedVolumeNames.includes(String(name))) return name === volumeNames.state ? ["lead", "storage"] : [];
      return [...base, "volumes", String(name), "path"];
    case "lifecycle":
      return [...base, "lifeCycle", rest[0] === "preStop" ? "preStopExec" : "postStartExec"];
    default:
      return base;
  }
}

/** Properties of a volume by the fields of its source. */
const volumeProperties: Record<string, string> = {
  "hostPath.path": "hostPath",
  "configMap.name": "configMapName",
  "persistentVolumeClaim.claimName": "claimName",
  "secret.secretName": "secretName",
  "emptyDir.medium": "emptyDirMedium",
  "emptyDir.sizeLimit": "emptyDirSizeLimit",
  "csi.driver": "csiDriver",
};

function volumeOrigin(
  { template, list, containers, spec }: BuiltPod,
  [index, source, ...rest]: Path,
): Path | undefined {
  const name = String(fieldsOf(itemsOf(fieldsOf(template.spec).volumes)[Number(index)]).name);
  if (name === volumeNames.state) return ["lead", "storage"];
  const container = containers.find(({ volumes }) => name in volumes);
  const volume = container?.volumes[name];
  if (!container || !volume) return undefined;
  const host = /^pool-host-(\d+)$/.exec(name)?.[1];
  if (spec.pool && host !== undefined)
    return ["pool", "hostPaths", Object.keys(spec.pool.hostPaths)[Number(host)] ?? ""];
  const base = [list, container.index, "volumes", name];
  if (rest[0] === "items") return [...base, "items", Object.keys(volume.items ?? {})[Number(rest[1])] ?? ""];
  const property = volumeProperties[[source, rest[0]].map(String).join(".")];
  return property === undefined ? base : [...base, property];
}

/** Tolerations of the arguments come after the tolerations of the architecture and of the pool. */
function tolerationOrigin({ spec, template }: BuiltPod, [index = 0, ...rest]: Path): Path {
  const { length } = itemsOf(fieldsOf(template.spec).tolerations);
  const place = Number(index) - (length - spec.servicesPod.tolerations.length);
  return place < 0 ? ["pool"] : ["pod", "tolerations", place, ...rest];
}

function affinityOrigin({ pod }: MiniClusterSpec, path: Path): Path | undefined {
  if (path[0] !== "nodeAffinity") return ["network", "affinity"];
  const step = path.indexOf("matchExpressions");
  const key = Object.keys(pod.nodeAffinity)[Number(path[step + 1])];
  if (step < 0 || key === undefined) return undefined;
  const value = path[step + 3];
  return ["pod", "nodeAffinity", key, ...(path[step + 2] === "values" && value !== undefined ? [value] : [])];
}
