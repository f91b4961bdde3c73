import { operatorVariables, outputVariable } from "../../core/parse/paths";
import { prefixPath } from "../../shared/rules";
import type { ContainerV1alpha2, VolumeV1alpha2 } from "../fields/v1alpha2";
import type { Report } from "../problems";
import { operatorDefaults, withoutUndefined } from "../values";
import { commandArgs, type Role } from "./command";

/** True for the container that runs Flux: the only container does, regardless of its `runFlux`. */
export const runsFlux = ({ runFlux }: { runFlux?: boolean | undefined }, containers: readonly unknown[]): boolean =>
  containers.length === 1 || runFlux === true;

/** The arguments of a container in a role. */
export function containerArgs(container: ContainerV1alpha2, role: Role, warn: Report) {
  const { workingDir, imagePullSecret, ports, environment, secrets, resources, lifeCycle, securityContext } = container;
  return withoutUndefined({
    image: imageArg(container, warn),
    // The operator gives the container that runs Flux the name of the cluster.
    name: role === "broker" ? undefined : container.name,
    workingDir,
    imagePullSecret,
    ports,
    resources,
    lifeCycle,
    environment: environmentArgs(environment, role, prefixPath(warn, "environment")),
    secrets: role === "broker" ? withoutOutput(secrets, prefixPath(warn, "secrets")) : secrets,
    ...pullArgs(container, warn),
    ...commandArgs(container, role, warn),
    securityContext: securityArgs(securityContext, prefixPath(warn, "securityContext")),
    volumes: volumesArgs(container, warn),
  });
}

/** Variables, whose values are taken word for word. */
function environmentArgs(environment: ContainerV1alpha2["environment"], role: Role, warn: Report) {
  for (const [name, value] of Object.entries(environment ?? {}))
    if (/\$[$(]/.test(value))
      warn([name], 'in the operator\'s pods Kubernetes expands $(NAME) and "$$"; here they stay as they are');
  return role === "broker" ? withoutOutput(environment, warn) : environment;
}

/** Variables except the one that the operator's script overrides. */
export function withoutOutput<T>(variables: Record<string, T> | undefined, warn: Report) {
  for (const name of Object.keys(variables ?? {}))
    if (operatorVariables.includes(name)) warn([name], "the operator's script overrides it; here it takes effect");
  if (variables === undefined || !Object.hasOwn(variables, outputVariable)) return variables;
  const { [outputVariable]: overridden, ...kept } = variables;
  if (overridden !== undefined)
    warn([outputVariable], "the operator sets it to logs of the container, regardless of its value here; left out");
  return kept;
}

function imageArg({ image }: ContainerV1alpha2, warn: Report): string {
  if (image === undefined) warn([], `has no image; takes the operator's default, ${operatorDefaults.image}`);
  return image ?? operatorDefaults.image;
}

/** The pull policy: if two settings contradict each other, `pullAlways` takes precedence in the operator. */
function pullArgs({ pullAlways, imagePullPolicy }: ContainerV1alpha2, warn: Report) {
  if (!pullAlways) return { imagePullPolicy };
  if (imagePullPolicy !== undefined && imagePullPolicy !== "Always")
    warn(["imagePullPolicy"], "the operator ignores it beside pullAlways; left out");
  return { pullAlways };
}

function volumesArgs({ volumes }: ContainerV1alpha2, warn: Report) {
  if (volumes === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(volumes).map(([name, volume]) => [name, volumeArgs(volume, prefixPath(warn, "volumes", name))]),
  );
}

/** Warns of volumes that a container has in the operator's pods without listing them: those of the preceding containers. */
export function warnOfInheritedVolumes(containers: ContainerV1alpha2[], warn: Report): void {
  const before = new Map<string, string | undefined>();
  containers.forEach(({ volumes = {} }, index) => {
    const unlisted = [...before.keys()].filter((name) => !Object.hasOwn(volumes, name));
    if (unlisted.length > 0)
      warn(
        ["containers", index],
        `the operator also mounts ${unlisted.join(", ")} here; list it under volumes if it is needed`,
      );
    for (const [name, { path = "/dev/shm" }] of Object.entries(volumes)) {
      const first = before.get(name);
      if (first !== undefined && first !== path)
        warn(
          ["containers", index, "volumes", name],
          `the operator mounts it at ${first}, as in the preceding container; here at ${path}`,
        );
      if (first === undefined) before.set(name, path);
    }
  });
}

type Source = "csiDriver" | "secretName" | "emptyDir" | "hostPath" | "configMapName" | "claimName";

// Of several sources the operator uses the first one in this order, with its other fields.
const sources: [source: Source, companions: (keyof VolumeV1alpha2)[]][] = [
  ["csiDriver", ["csiDriverAttributes"]],
  ["secretName", []],
  ["emptyDir", ["emptyDirMedium", "emptyDirSizeLimit"]],
  ["hostPath", []],
  ["configMapName", ["items"]],
  ["claimName", []],
];

/** The arguments of a volume: of its sources, the one that the operator uses. */
function volumeArgs({ path, readOnly, ...volume }: VolumeV1alpha2, warn: Report) {
  const [source, companions] = sources.find(([name]) => volume[name] !== undefined && volume[name] !== false) ?? [];
  const taken = [source, ...(companions ?? [])];
  for (const [name, value] of Object.entries(volume))
    if (value !== false && !taken.includes(name as Source))
      warn(
        [name],
        source ? `the operator ignores it beside ${source}; left out` : "has no effect without its source; left out",
      );
  if (source === "emptyDir") return emptyDirArgs({ path, readOnly, ...volume }, warn);
  if (source === undefined && path !== undefined) {
    warn([], "has a path and no source, which Kubernetes rejects; here an empty directory");
    return withoutUndefined({ path, emptyDir: true, readOnly });
  }
  const given = Object.entries(volume).filter(([name]) => taken.includes(name as Source));
  return withoutUndefined({ path, readOnly, ...(Object.fromEntries(given) as VolumeV1alpha2) });
}

const sharedMemory = "/dev/shm";

function emptyDirArgs({ path, readOnly, emptyDirMedium, emptyDirSizeLimit }: VolumeV1alpha2, warn: Report) {
  if (path !== undefined && path !== sharedMemory)
    warn(["path"], `the operator mounts every emptyDir at ${sharedMemory}; here at ${path}`);
  if (readOnly) warn(["readOnly"], "the operator mounts every emptyDir for writing; left out");
  return withoutUndefined({ emptyDir: true, path, emptyDirSizeLimit, emptyDirMedium: mediumArg(emptyDirMedium, warn) });
}

function mediumArg(medium: string | undefined, warn: Report): string | undefined {
  if (medium?.toLowerCase() === "memory") {
    if (medium !== "memory")
      warn(["emptyDirMedium"], `the operator supports "memory" alone and uses the disk; here memory`);
    return "Memory";
  }
  if (medium !== undefined)
    warn(["emptyDirMedium"], `the operator supports "memory" alone and uses the disk; left out`);
  return undefined;
}

/** A security context without the fields for Windows nodes. */
export function securityArgs<T extends { windowsOptions?: unknown }>(context: T | undefined, warn: Report) {
  if (context === undefined) return undefined;
  const { windowsOptions, ...rest } = context;
  if (windowsOptions !== undefined)
    warn(["windowsOptions"], "is for Windows nodes, which Flux does not support; left out");
  return rest;
}
