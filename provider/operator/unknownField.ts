import { nearest } from "../shared/nearest";
import { manifests, type Version } from "./fields/manifest";
import { fieldAt, fieldsOf, shapeOf } from "./fields/paths";

/** Fields of v1alpha1 that v1alpha2 no longer has, and what takes their place. */
const replacements: ReadonlyMap<string, string> = new Map([
  ["spec.volumes", "name a claim that exists in containers[].volumes: {path, claimName}"],
  ["spec.users", "the RESTful server that had users is gone; remove it"],
  ["spec.fluxRestful", "the RESTful server is gone; remove it, or run it as a sidecar"],
  ["spec.localDeploy", "nothing takes its place; remove it"],
  ["spec.test", "write logging.quiet"],
  ["spec.podLabels", "write pod.labels"],
  ["spec.flux.installRoot", "write flux.container.disable: true, and put Flux on the PATH of the image"],
  ["spec.flux.curveCertSecret", "give the certificate itself as flux.curveCert"],
  ["spec.containers[].existingVolumes", "write volumes"],
  ["spec.containers[].preCommand", "write commands.pre"],
  ["spec.containers[].cores", "write resources.limits.cpu"],
  ["spec.containers[].diagnostics", "write the flux commands to run as commands.script, with launcher: true"],
  ["spec.containers[].fluxUser", "write pod.securityContext.runAsUser"],
  ["spec.containers[].fluxOptionFlags", "write flux.optionFlags"],
  ["spec.containers[].fluxLogLevel", "write flux.logLevel"],
  ["spec.containers[].commands.runFluxAsRoot", "Flux runs as the image's user, or as pod.securityContext.runAsUser"],
  ["spec.containers[].securityContext.addCapabilities", "write securityContext.capabilities.add"],
]);

/** The message for a field that a version of the API does not have: what to write in its place. */
export function unknownFieldMessage(name: string, parent: readonly PropertyKey[], version: Version): string {
  const around = fieldAt(manifests[version], parent);
  const path = around.path === "" ? name : `${around.path}.${name}`;
  const replacement =
    version === "v1alpha2" ? replacements.get(path.replace(/^spec\.services/, "spec.containers")) : undefined;
  if (replacement !== undefined) return `unknown field: only v1alpha1 has it; ${replacement}`;
  const meant = nearest(name, Object.keys(shapeOf(around.schema))) ?? elsewhere(name, path, version);
  return meant === undefined ? "unknown field; correct its name or remove it" : `unknown field; did you mean ${meant}?`;
}

/** The path of a field of this name: of several the one that shares most of the way, and the outermost of those. */
function elsewhere(unknown: string, path: string, version: Version): string | undefined {
  const paths = pathsByName(version).get(unknown.toLowerCase()) ?? [];
  return [...paths].sort(
    (one, other) => sharedLength(other, path) - sharedLength(one, path) || one.length - other.length,
  )[0];
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

const pathsOf = new Map<Version, ReadonlyMap<string, string[]>>();

/** The paths under `spec` by their last name in small letters. Collected once, and only where a field is not known. */
function pathsByName(version: Version): ReadonlyMap<string, string[]> {
  const collected = pathsOf.get(version);
  if (collected) return collected;
  const paths = new Map<string, string[]>();
  const spec = fieldAt(manifests[version], ["spec"]);
  for (const { path } of fieldsOf(spec.schema, spec.path)) {
    const name = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
    paths.set(name, [...(paths.get(name) ?? []), path]);
  }
  pathsOf.set(version, paths);
  return paths;
}
