import type { Field } from "./fields/kinds";
import { v1alpha1 } from "./fields/v1alpha1";
import { v1alpha2 } from "./fields/v1alpha2";
import { pathOf } from "../shared/errors";
import { pathsByName, suggestion } from "./suggest";

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

/** What to do about a field that is not there, by its name, where it stands, and the fields that there are. */
export function unknownFieldMessage(
  name: string,
  parent: string,
  beside: Readonly<Record<string, Field>>,
  version: keyof typeof pathsOf,
): string {
  const path = pathOf(parent, name).replace(/\[\d+\]/g, "[]");
  const replacement =
    version === "v1alpha2" ? replacements.get(path.replace(/^spec\.services/, "spec.containers")) : undefined;
  if (replacement !== undefined) return `unknown field: only v1alpha1 has it; ${replacement}`;
  const meant = suggestion(name, path, Object.keys(beside), pathsOf[version]);
  return meant === undefined ? "unknown field; correct its name or remove it" : `unknown field; did you mean ${meant}?`;
}

const pathsOf = { v1alpha1: pathsByName(v1alpha1, "spec"), v1alpha2: pathsByName(v1alpha2, "spec") };
