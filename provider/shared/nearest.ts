import { distance } from "fastest-levenshtein";

/** The name that differs by a typing error, or has the same words in another order. */
export function nearest(unknown: string, names: readonly string[]): string | undefined {
  const words = sortedWords(unknown);
  const reordered = names.find((name) => sortedWords(name) === words);
  if (reordered !== undefined) return reordered;
  const allowed = Math.min(2, Math.floor(unknown.length / 3));
  const [near] = names
    .map((name) => ({ name, edits: editsBetween(unknown.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= allowed)
    .sort((one, other) => one.edits - other.edits);
  return near?.name;
}

/** Number of letters to add, remove or replace; two exchanged letters count as one. */
function editsBetween(one: string, other: string): number {
  const edits = distance(one, other);
  return edits === 2 && sortedLetters(one) === sortedLetters(other) ? 1 : edits;
}

const sortedLetters = (name: string) => [...name].sort().join("");

const sortedWords = (name: string) =>
  name
    .split(/(?=[A-Z])|[-_]/)
    .map((word) => word.toLowerCase())
    .sort()
    .join(" ");

/** Names of properties in other tools, with the names of this package. */
const otherWords: Record<string, string[]> = {
  size: ["replicas", "nodes", "workers", "parallelism", "completions"],
  container: ["image", "command"],
  command: ["args", "entrypoint"],
  environment: ["env", "envs", "envVars", "envFrom"],
  workingDir: ["workdir", "cwd"],
  volumes: ["volumeMounts", "mounts"],
  path: ["mountPath"],
  claimName: ["persistentVolumeClaim", "pvc"],
  configMapName: ["configMap"],
  secretName: ["secret"],
  csiDriver: ["csi", "driver"],
  csiDriverAttributes: ["volumeAttributes"],
  emptyDirMedium: ["medium"],
  emptyDirSizeLimit: ["sizeLimit"],
  postStartExec: ["postStart"],
  preStopExec: ["preStop"],
  deadlineSeconds: ["activeDeadlineSeconds"],
  resources: ["gpus", "cpu", "memory"],
  limits: ["cpu", "memory", "nvidia.com/gpu"],
  pod: ["nodeSelector", "tolerations", "labels", "annotations", "serviceAccountName", "schedulerName", "restartPolicy"],
  nodeAffinity: ["affinity"],
  podTemplate: ["template", "priorityClassName", "initContainers"],
  imagePullPolicy: ["pullPolicy"],
  min: ["minSize"],
  max: ["maxSize"],
  minSize: ["min"],
  maxSize: ["max"],
};

/** The name of this package for a property of another tool. */
export const otherWord = (unknown: string, names: readonly string[]): string | undefined =>
  names.find((name) => otherWords[name]?.some((word) => letters(word) === letters(unknown)));

/** Former names of arguments, with their present names: the path of an argument, or the names of several. */
const formerNames: Record<string, string> = {
  capacity: "capacityType",
  autoscale: "minSize and maxSize",
  pairedWith: "size and maxSize",
  pricePerHour: "price.perHour",
  currency: "price.currency",
  priceSource: "price.source",
  listPrice: "price.list",
  pullAlways: 'imagePullPolicy: "Always"',
};

/** The present name of an argument that had this name before, if the type has it. */
export const presentName = (former: string, names: readonly string[]): string | undefined => {
  const present = Object.hasOwn(formerNames, former) ? formerNames[former] : undefined;
  const [first = ""] = present?.split(/\W/) ?? [];
  return names.includes(first) ? present : undefined;
};

const letters = (name: string) => name.replaceAll(/[-_]/g, "").toLowerCase();
