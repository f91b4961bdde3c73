import { isDeferred, properties } from "../../shared/checks";
import { isPlainObject } from "../../shared/objects";
import type { MiniClusterArgs } from "../args";
import { itemKey, mergeKeys } from "../mergeKeys";
import { reservedVolumeNames } from "../names";
import { reservedDirectories } from "../paths";
import { ownVariables, runsFlux } from "./containerRules";
import { ownLabel, reservedKeys } from "./reserved";
import type { Complain } from "./rules";
import { isWithin } from "./volume";

/** Fields of the pods that the brokers stand on, with the reason. */
const ownFields: Record<string, string> = {
  hostname: "a broker finds its rank by the host name that Kubernetes gives it; remove it",
  hostnameOverride: "a broker finds its rank by the host name that Kubernetes gives it; remove it",
  setHostnameAsFQDN: "a broker finds its rank by its short host name; remove it",
  hostNetwork: "a pod on its node's network has the node's name, and its broker could not find its rank; remove it",
  subdomain: "is the service of the brokers; set network.headlessName",
  restartPolicy: "decides how failures are counted, too; set pod.restartPolicy",
};

/** Fields of the component's own containers that start a broker or tell that it has joined. */
const ownContainerFields = {
  main: ["command", "args", "startupProbe"],
  view: ["command", "args", "restartPolicy"],
  sidecar: ["restartPolicy"],
};

type Role = keyof typeof ownContainerFields;

/** The rules on the pod template that is merged over the component's: it is well-formed, and breaks nothing. */
export function podTemplateRules(args: Partial<MiniClusterArgs>, complain: Complain): void {
  if (args.podTemplate === undefined) return;
  const at = (path: PropertyKey[], message: string) => complain(["podTemplate", ...path], message);
  if (!isPlain(args.podTemplate, [], at)) return;
  formRules(args.podTemplate, [], at);
  const { metadata, spec, ...others } = args.podTemplate;
  for (const key of Object.keys(others)) at([key], "a pod template has metadata and spec; remove it or move it there");
  metadataRules(metadata, at);
  if (spec !== undefined && isPlain(spec, ["spec"], at)) specRules(spec, args, at);
}

/** Whether a part that is merged key by key is there to be read. */
function isPlain(value: unknown, path: PropertyKey[], complain: Complain): value is Record<string, unknown> {
  if (isPlainObject(value)) return true;
  complain(path, `must be an object with properties${isDeferred(value) ? ", known before anything is created" : ""}`);
  return false;
}

/** The form of everything inside: no null, and lists that merge by keys have them. */
function formRules(value: unknown, path: PropertyKey[], complain: Complain): void {
  if (value === null) complain(path, "must not be null; leave it out");
  if (Array.isArray(value)) value.forEach((item, index) => formRules(item, [...path, index], complain));
  if (!isPlainObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    formRules(inner, [...path, name], complain);
    const keys = mergeKeys[name];
    // A map of the user's own, such as the labels, may have a key that is the name of a list.
    if (keys && !(typeof inner === "string")) keyedListRules(inner, keys, [...path, name], complain);
  }
}

function keyedListRules(list: unknown, keys: readonly string[], path: PropertyKey[], complain: Complain): void {
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) return complain(path, "must be a list, known before anything is created");
  const seen = new Map<string, number>();
  list.forEach((item: unknown, index) => {
    const key = isPlainObject(item) ? itemKey(item, keys) : undefined;
    if (key === undefined)
      return complain(
        [...path, index],
        `needs a plain ${keys.join(" and ")}, by which the items of the list are merged`,
      );
    if (seen.has(key)) complain([...path, index], `has the ${keys.join(" and ")} of item ${seen.get(key)} too`);
    seen.set(key, index);
  });
}

function metadataRules(metadata: unknown, complain: Complain): void {
  if (metadata === undefined || !isPlain(metadata, ["metadata"], complain)) return;
  for (const map of ["labels", "annotations"]) {
    const entries = metadata[map];
    if (entries === undefined || !isPlain(entries, ["metadata", map], complain)) continue;
    for (const key of reservedKeys(entries)) complain(["metadata", map, key], ownLabel);
  }
}

function specRules(spec: Record<string, unknown>, args: Partial<MiniClusterArgs>, complain: Complain): void {
  for (const [field, reason] of Object.entries(ownFields))
    if (spec[field] !== undefined) complain(["spec", field], reason);
  items(spec.volumes).forEach(({ name }, index) => {
    if (reservedVolumeNames.includes(String(name)))
      complain(["spec", "volumes", index, "name"], "is one of the component's own volumes; choose another name");
  });
  const roles = containerRoles(args);
  for (const list of ["containers", "initContainers"] as const)
    items(spec[list]).forEach((container, index) => {
      const role = roles.get(String(container.name));
      const at = (path: PropertyKey[], message: string) => complain(["spec", list, index, ...path], message);
      placeRules(container, role, list, at);
      if (role) ownFieldRules(container, role, at);
      mountRules(container, args, at);
    });
}

/** The component's own containers by name. */
function containerRoles(args: Partial<MiniClusterArgs>): Map<string, Role> {
  const { name: view = "flux-view", disable, imageVolume } = properties(properties(args.flux).container);
  const roles = new Map<string, Role>();
  if (disable !== true && imageVolume !== true) roles.set(view, "view");
  const containers = Array.isArray(args.containers) ? args.containers.map(properties) : [];
  for (const container of containers) {
    const isMain = runsFlux(container, containers);
    roles.set(String(container.name ?? (isMain ? args.name : undefined)), isMain ? "main" : "sidecar");
  }
  return roles;
}

function placeRules(
  container: Record<string, unknown>,
  role: Role | undefined,
  list: "containers" | "initContainers",
  complain: Complain,
): void {
  if (role === undefined) {
    if (container.image === undefined)
      complain(
        ["name"],
        `the pods have no container "${String(container.name)}"; correct the name or give it an image`,
      );
    return;
  }
  const home = role === "main" ? "containers" : "initContainers";
  if (list !== home) complain(["name"], `"${String(container.name)}" stands in ${home}; move it there`);
}

function ownFieldRules(container: Record<string, unknown>, role: Role, complain: Complain): void {
  for (const field of ownContainerFields[role])
    if (container[field] !== undefined) complain([field], "is how the component runs this container; remove it");
  if (role !== "main") return;
  items(container.env).forEach(({ name }, index) => {
    if (ownVariables.includes(String(name)))
      complain(["env", index, "name"], "is set by the component or by Kubernetes; choose another name");
  });
}

function mountRules(container: Record<string, unknown>, { flux }: Partial<MiniClusterArgs>, complain: Complain): void {
  const { mountPath: shared = "/mnt/flux" } = properties(properties(flux).container);
  items(container.volumeMounts).forEach(({ mountPath }, index) => {
    const holder = [...reservedDirectories, shared].find((directory) => isWithin(mountPath, directory));
    if (holder !== undefined)
      complain(["volumeMounts", index, "mountPath"], `${holder} is mounted by the component; choose another directory`);
  });
}

const items = (list: unknown): Record<string, unknown>[] => (Array.isArray(list) ? list.map(properties) : []);
