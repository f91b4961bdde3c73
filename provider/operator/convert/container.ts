import type { ContainerV1alpha2 } from "../fields/v1alpha2";
import { outputVariable } from "../../minicluster/paths";
import { pathOf } from "../../shared/errors";
import { commandArgs, type Role } from "./command";
import { operatorDefaults } from "./operator";
import { type Say, within } from "./say";
import { securityArgs } from "./security";
import { volumeArgs } from "./volume";
import { known } from "./values";

/** The arguments of a container that is in a role. */
export function containerArgs(container: ContainerV1alpha2, role: Role, warn: Say) {
  const { workingDir, imagePullSecret, ports, environment, secrets, resources, lifeCycle, securityContext } = container;
  return known({
    image: imageArg(container, warn),
    // The operator calls the container that runs Flux like the cluster, whatever its name.
    name: role === "broker" ? undefined : container.name,
    ...{ workingDir, imagePullSecret, ports, resources, lifeCycle },
    environment: role === "broker" ? withoutOutput(environment, "environment", warn) : environment,
    secrets: role === "broker" ? withoutOutput(secrets, "secrets", warn) : secrets,
    ...pullArgs(container, warn),
    ...commandArgs(container, role, warn),
    securityContext: securityArgs(securityContext, "securityContext", warn),
    volumes: volumesArgs(container, warn),
  });
}

/** Variables without the one that the operator's script sets, whatever they say of it. */
export function withoutOutput<T>(variables: Record<string, T> | undefined, path: string, warn: Say) {
  if (variables === undefined || !Object.hasOwn(variables, outputVariable)) return variables;
  const { [outputVariable]: overridden, ...others } = variables;
  if (overridden !== undefined)
    warn(pathOf(path, outputVariable), "the operator sets it to logs of the container, whatever stands here; left out");
  return others;
}

function imageArg({ image }: ContainerV1alpha2, warn: Say): string {
  if (image === undefined) warn("", `has no image; takes the operator's default, ${operatorDefaults.image}`);
  return image ?? operatorDefaults.image;
}

/** The pull policy: of two that contradict each other the operator takes `pullAlways`. */
function pullArgs({ pullAlways, imagePullPolicy }: ContainerV1alpha2, warn: Say) {
  if (!pullAlways) return { imagePullPolicy };
  if (imagePullPolicy !== undefined && imagePullPolicy !== "Always")
    warn("imagePullPolicy", "the operator ignores it beside pullAlways; left out");
  return { pullAlways };
}

function volumesArgs({ volumes }: ContainerV1alpha2, warn: Say) {
  if (volumes === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(volumes).map(([name, volume]) => [name, volumeArgs(volume, within(pathOf("volumes", name), warn))]),
  );
}

/** Warns of what a container sees in the operator's pods without listing it: the volumes of the containers before it. */
export function warnOfInheritedVolumes(containers: ContainerV1alpha2[], warn: Say): void {
  const before = new Map<string, string | undefined>();
  containers.forEach(({ volumes = {} }, index) => {
    const place = pathOf("containers", index);
    const unlisted = [...before.keys()].filter((name) => !Object.hasOwn(volumes, name));
    if (unlisted.length > 0)
      warn(place, `the operator mounts ${unlisted.join(", ")} here, too; list it under volumes if it is needed`);
    for (const [name, { path = "/dev/shm" }] of Object.entries(volumes)) {
      const first = before.get(name);
      if (first !== undefined && first !== path)
        warn(
          pathOf(`${place}.volumes`, name),
          `the operator mounts it at ${first}, as in the container before; here at ${path}`,
        );
      if (first === undefined) before.set(name, path);
    }
  });
}
