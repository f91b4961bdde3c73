import { knownInTime, properties, quantity } from "../../shared/checks";
import { isDeferred } from "../../shared/deferred";
import { isPlainObject } from "../../shared/objects";
import { type AddIssue, type Rule, forEachItem, type Picked, prefixPath, ruleOn } from "../../shared/rules";
import { isWithin, nameOf, runsFlux } from "./container";
import { ownVariables, viewFields, viewNameOf } from "./containerRules";
import { type BrokerPodsFields, drainFields, drainTimeoutOf, givenGrace } from "./fields";
import { reservedVolumeNames } from "./names";
import { reservedDirectories } from "./paths";
import { ownLabel, reservedKeys } from "./pod";
import { itemKey, mergeKeys } from "./strategicMerge";

/** Fields of the pods that the brokers depend on, with the message for each. */
const ownFields: Record<string, string> = {
  hostname: "a broker finds its rank by the host name that the Job sets; remove it",
  hostnameOverride: "a broker finds its rank by the host name that the Job sets; remove it",
  setHostnameAsFQDN: "a broker finds its rank by its short host name; remove it",
  hostNetwork: "a pod on its node's network has the node's name, and its broker could not find its rank; remove it",
  subdomain: "is the service of the brokers; set network.headlessName",
  restartPolicy: "also decides how failures are counted; set pod.restartPolicy",
};

/** Fields of the component's own containers that start a broker or report that it has joined. */
const ownContainerFields = {
  main: ["command", "args", "startupProbe"],
  view: ["command", "args", "restartPolicy"],
  sidecar: ["restartPolicy"],
};

type Role = keyof typeof ownContainerFields;

const rule = ruleOn<BrokerPodsFields>();

/** The rules on the user's patch of the pod template: it is well-formed, and changes nothing that a broker depends on. */
export const podTemplateRules: Rule<BrokerPodsFields>[] = [
  rule(["podTemplate"], ({ podTemplate }, addIssue) => formRule(podTemplate, prefixPath(addIssue, "podTemplate"))),
  rule(["podTemplate", "drainTimeoutSeconds"], graceRule),
  rule([...drainFields, "name", "containers[].name", "containers[].runFlux", ...viewFields], containersRule),
];

function formRule(podTemplate: unknown, addIssue: AddIssue): void {
  if (podTemplate === undefined || !isPlain(podTemplate, [], addIssue)) return;
  dataRules(podTemplate, [], addIssue);
  const { metadata, spec, ...unknown } = podTemplate;
  for (const key of Object.keys(unknown))
    addIssue([key], "a pod template has metadata and spec; remove it or move it there");
  metadataRules(metadata, addIssue);
  if (spec !== undefined && isPlain(spec, ["spec"], addIssue)) specRules(spec, addIssue);
}

/** Check that a part is a plain object, as a merge by keys requires. */
function isPlain(value: unknown, path: PropertyKey[], addIssue: AddIssue): value is Record<string, unknown> {
  if (isPlainObject(value)) return true;
  addIssue(path, `must be an object with properties${isDeferred(value) ? knownInTime : ""}`);
  return false;
}

/** Maps whose keys the user chooses: a key may be equal to the name of a list. */
const ownMaps: unknown[] = ["labels", "annotations", "nodeSelector", "matchLabels", "volumeAttributes"];

/** The rules on the form of a value and its parts: JSON values without null, and keys in each list that is merged by keys. */
function dataRules(value: unknown, path: PropertyKey[], addIssue: AddIssue): void {
  if (value === null) addIssue(path, "must not be null; leave it out");
  else if (!isData(value)) addIssue(path, "must be a string, a number, true or false, a list or an object");
  if (Array.isArray(value)) value.forEach((item, index) => dataRules(item, [...path, index], addIssue));
  if (!isPlainObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    dataRules(inner, [...path, name], addIssue);
    // The API server does not say where a wrong quantity is.
    if (["limits", "requests"].includes(String(path.at(-1))) && typeof inner === "string")
      for (const { message } of quantity.safeParse(inner).error?.issues ?? []) addIssue([...path, name], message);
    const keys = ownMaps.includes(path.at(-1)) ? undefined : mergeKeys.get(name);
    if (keys) keyedListRules(inner, keys, [...path, name], addIssue);
  }
}

/** True for a JSON value, regardless of its parts, and for a value that is known only later. */
function isData(value: unknown): boolean {
  if (typeof value === "object") return Array.isArray(value) || isPlainObject(value) || isDeferred(value);
  return typeof value === "number" ? Number.isFinite(value) : ["undefined", "string", "boolean"].includes(typeof value);
}

function keyedListRules(list: unknown, keys: readonly string[], path: PropertyKey[], addIssue: AddIssue): void {
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) return addIssue(path, `must be a list${isDeferred(list) ? knownInTime : ""}`);
  const seen = new Map<string, number>();
  list.forEach((item: unknown, index) => {
    const key = isPlainObject(item) ? itemKey(item, keys) : undefined;
    if (key === undefined)
      return addIssue(
        [...path, index],
        `needs a plain ${keys.join(" and ")}, by which the items of the list are merged`,
      );
    if (seen.has(key)) addIssue([...path, index], `repeats the ${keys.join(" and ")} of item ${seen.get(key)}`);
    seen.set(key, index);
  });
}

function metadataRules(metadata: unknown, addIssue: AddIssue): void {
  if (metadata === undefined || !isPlain(metadata, ["metadata"], addIssue)) return;
  for (const map of ["labels", "annotations"]) {
    const entries = metadata[map];
    if (entries === undefined || !isPlain(entries, ["metadata", map], addIssue)) continue;
    for (const key of reservedKeys(entries)) addIssue(["metadata", map, key], ownLabel);
  }
}

function specRules(spec: Record<string, unknown>, addIssue: AddIssue): void {
  for (const [field, reason] of Object.entries(ownFields))
    if (spec[field] !== undefined) addIssue(["spec", field], reason);
  items(spec.volumes).forEach(({ name }, index) => {
    if (typeof name === "string" && reservedVolumeNames.includes(name))
      addIssue(["spec", "volumes", index, "name"], "is one of the component's own volumes; choose another name");
  });
}

type Template = Pick<BrokerPodsFields, "podTemplate">;

type TemplateContainer = Record<string, unknown> & { name: string };

/** Calls back for each container of the template. A container without a name has another issue. */
function forEachContainer(
  { podTemplate }: Template,
  addIssue: AddIssue,
  callback: (container: TemplateContainer, list: "containers" | "initContainers", addIssue: AddIssue) => void,
): void {
  const spec: Record<string, unknown> = properties(properties(podTemplate).spec);
  for (const list of ["containers", "initContainers"] as const)
    items(spec[list]).forEach((container, index) => {
      const { name } = container;
      if (typeof name === "string")
        callback({ ...container, name }, list, prefixPath(addIssue, "podTemplate", "spec", list, index));
    });
}

function containersRule(fields: Roles & Pick<BrokerPodsFields, (typeof drainFields)[number]>, addIssue: AddIssue) {
  const roles = containerRoles(fields);
  forEachContainer(fields, addIssue, (container, list, at) => {
    const role = roles.get(container.name);
    placeRules(container, role, list, at);
    if (role) ownFieldRules(container, role, at);
    if (role === "main" && drainTimeoutOf(fields) > 0) preStopRule(container, at);
  });
}

/** The rule on the directories that the component mounts, the Flux volume among them. */
export function templateMountsRule(fields: Template, fluxVolume: string, addIssue: AddIssue): void {
  forEachContainer(fields, addIssue, (container, _, at) => mountRules(container, fluxVolume, at));
}

/** The rule that Kubernetes does not kill a pod before the end of its drain. */
function graceRule(fields: Template & Pick<BrokerPodsFields, "drainTimeoutSeconds">, addIssue: AddIssue): void {
  const [grace, drain] = [givenGrace(fields), fields.drainTimeoutSeconds];
  if (grace !== undefined && drain !== undefined && grace <= drain)
    addIssue(
      ["podTemplate", "spec", "terminationGracePeriodSeconds"],
      `${grace} s must be more than the ${drain} s of drainTimeoutSeconds; raise it, or lower drainTimeoutSeconds`,
    );
}

type Roles = Picked<
  BrokerPodsFields,
  "name" | "containers[].name" | "containers[].runFlux" | (typeof viewFields)[number]
>;

/** The component's own containers by name. */
function containerRoles(fields: Roles): Map<string | undefined, Role> {
  const { containers } = fields;
  const roles = new Map<string | undefined, Role>([[viewNameOf(fields), "view"]]);
  forEachItem(containers, (container) => {
    roles.set(nameOf(container, fields), runsFlux(container, containers) ? "main" : "sidecar");
  });
  return roles;
}

function placeRules(
  container: Record<string, unknown> & { name: string },
  role: Role | undefined,
  list: "containers" | "initContainers",
  addIssue: AddIssue,
): void {
  if (role === undefined) {
    if (container.image === undefined)
      addIssue(["name"], `the pods have no container "${container.name}"; correct the name or give it an image`);
    return;
  }
  const home = role === "main" ? "containers" : "initContainers";
  if (list !== home) addIssue(["name"], `"${container.name}" is in ${home}; move it there`);
}

function ownFieldRules(container: Record<string, unknown>, role: Role, addIssue: AddIssue): void {
  for (const field of ownContainerFields[role])
    if (container[field] !== undefined)
      addIssue([field], "is set by the component, which needs it to run this container; remove it");
  if (role !== "main") return;
  items(container.env).forEach(({ name }, index) => {
    if (typeof name === "string" && ownVariables.includes(name))
      addIssue(["env", index, "name"], "is set by the component or by Kubernetes; choose another name");
  });
}

function preStopRule({ lifecycle }: Record<string, unknown>, addIssue: AddIssue): void {
  if (isPlainObject(lifecycle) && lifecycle["preStop"] !== undefined)
    addIssue(
      ["lifecycle", "preStop"],
      "is the hook that drains the host; set lifeCycle.preStopExec of the container, which runs after the drain, or drainTimeoutSeconds: 0",
    );
}

function mountRules(container: Record<string, unknown>, fluxVolume: string, addIssue: AddIssue): void {
  const directories = [...reservedDirectories, fluxVolume];
  items(container.volumeMounts).forEach(({ mountPath }, index) => {
    const holder = directories.find((directory) => isWithin(mountPath, directory));
    if (holder !== undefined)
      addIssue(["volumeMounts", index, "mountPath"], `${holder} is mounted by the component; choose another directory`);
  });
}

const items = (list: unknown): Record<string, unknown>[] => (Array.isArray(list) ? list.map(properties) : []);
