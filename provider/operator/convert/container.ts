import { MiniClusterPullPolicy } from "../../core/args";
import { operatorVariables, outputVariable } from "../../core/parse/paths";
import { prefixPath } from "../../shared/rules";
import type { ContainerV1alpha2, VolumeV1alpha2 } from "../fields/v1alpha2";
import type { Report } from "../problems";
import { operatorDefaults, withoutUndefined } from "../values";
import { commandArgs, type Role } from "./commands";

/** True for the container that runs Flux. A single container runs Flux regardless of its `runFlux`. */
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
    imagePullPolicy: pullPolicy(container, warn),
    ...commandArgs(container, role, warn),
    securityContext: securityArgs(securityContext, prefixPath(warn, "securityContext")),
    volumes: volumesArgs(container, warn),
  });
}

/** Variables, whose values are passed unchanged. */
function environmentArgs(environment: ContainerV1alpha2["environment"], role: Role, warn: Report) {
  for (const [name, value] of Object.entries(environment ?? {}))
    if (/\$[$(]/.test(value))
      warn([name], 'in the operator\'s pods Kubernetes expands $(NAME) and "$$"; here they are kept unchanged');
  return role === "broker" ? withoutOutput(environment, warn) : environment;
}

/** Variables except the variable that the operator's script overrides. */
export function withoutOutput<T>(variables: Record<string, T> | undefined, warn: Report) {
  for (const name of Object.keys(variables ?? {}))
    if (operatorVariables.includes(name)) warn([name], "the operator's script overrides it; here it has an effect");
  if (variables === undefined || !Object.hasOwn(variables, outputVariable)) return variables;
  const { [outputVariable]: overridden, ...kept } = variables;
  if (overridden !== undefined)
    warn([outputVariable], "the operator overrides it with logs of the container; the value here is ignored");
  return kept;
}

function imageArg({ image }: ContainerV1alpha2, warn: Report): string {
  if (image === undefined) warn([], `has no image; the operator's default, ${operatorDefaults.image}, is used`);
  return image ?? operatorDefaults.image;
}

/** The pull policy: if two settings contradict each other, `pullAlways` takes precedence in the operator. */
function pullPolicy({ pullAlways, imagePullPolicy }: ContainerV1alpha2, warn: Report) {
  if (!pullAlways) return imagePullPolicy;
  if (imagePullPolicy !== undefined && imagePullPolicy !== MiniClusterPullPolicy.Always)
    warn(["imagePullPolicy"], "has no effect with pullAlways, as in the operator");
  return MiniClusterPullPolicy.Always;
}

function volumesArgs({ volumes }: ContainerV1alpha2, warn: Report) {
  if (volumes === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(volumes).map(([name, volume]) => [name, volumeArgs(volume, prefixPath(warn, "volumes", name))]),
  );
}

/**
 * Warns of volumes that the operator also mounts in a container without listing them: the volumes of the preceding
 * containers.
 */
export function warnOfInheritedVolumes(containers: ContainerV1alpha2[], warn: Report): void {
  const before = new Map<string, string | undefined>();
  containers.forEach(({ volumes = {} }, index) => {
    const unlisted = [...before.keys()].filter((name) => !Object.hasOwn(volumes, name));
    if (unlisted.length > 0)
      warn(
        ["containers", index],
        `the operator also mounts ${unlisted.join(", ")} in this container; list it under volumes if the container needs it`,
      );
    for (const [name, { path = "/dev/shm" }] of Object.entries(volumes)) {
      const first = before.get(name);
      if (first !== undefined && first !== path)
        warn(
          ["containers", index, "volumes", name],
          `the operator mounts it at ${first}, as in the preceding container; here it is mounted at ${path}`,
        );
      if (first === undefined) before.set(name, path);
    }
  });
}

type Source = "csiDriver" | "secretName" | "emptyDir" | "hostPath" | "configMapName" | "claimName";

// Of several sources, the operator uses the first in this order, with its other fields.
const sources: [source: Source, companions: (keyof VolumeV1alpha2)[]][] = [
  ["csiDriver", ["csiDriverAttributes"]],
  ["secretName", []],
  ["emptyDir", ["emptyDirMedium", "emptyDirSizeLimit"]],
  ["hostPath", []],
  ["configMapName", ["items"]],
  ["claimName", []],
];

/** The arguments of a volume, with the source that the operator uses. */
function volumeArgs({ path, readOnly, ...volume }: VolumeV1alpha2, warn: Report) {
  const [source, companions] = sources.find(([name]) => volume[name] !== undefined && volume[name] !== false) ?? [];
  const taken = [source, ...(companions ?? [])];
  for (const [name, value] of Object.entries(volume))
    if (value !== false && !taken.includes(name as Source))
      warn([name], source ? `has no effect with ${source}, as in the operator` : "has no effect without its source");
  if (source === "emptyDir") return emptyDirArgs({ path, readOnly, ...volume }, warn);
  if (source === undefined && path !== undefined) {
    warn([], "has a path and no source, which Kubernetes rejects; here it is an empty directory");
    return withoutUndefined({ path, emptyDir: true, readOnly });
  }
  const given = Object.entries(volume).filter(([name]) => taken.includes(name as Source));
  return withoutUndefined({ path, readOnly, ...(Object.fromEntries(given) as VolumeV1alpha2) });
}

const sharedMemory = "/dev/shm";

function emptyDirArgs({ path, readOnly, emptyDirMedium, emptyDirSizeLimit }: VolumeV1alpha2, warn: Report) {
  if (path !== undefined && path !== sharedMemory)
    warn(["path"], `the operator mounts every emptyDir at ${sharedMemory}; here it is mounted at ${path}`);
  if (readOnly)
    warn(["readOnly"], "the operator mounts every emptyDir for writing, and so does this package; it is ignored");
  return withoutUndefined({ emptyDir: true, path, emptyDirSizeLimit, emptyDirMedium: mediumArg(emptyDirMedium, warn) });
}

function mediumArg(medium: string | undefined, warn: Report): string | undefined {
  if (medium?.toLowerCase() === "memory") {
    if (medium !== "memory")
      warn(["emptyDirMedium"], `the operator supports only "memory", and uses the disk; here memory is used`);
    return "Memory";
  }
  if (medium !== undefined)
    warn(
      ["emptyDirMedium"],
      `the operator supports only "memory", and uses the disk, as this package does; it is ignored`,
    );
  return undefined;
}

/** A security context without the fields for Windows nodes. */
export function securityArgs<T extends { windowsOptions?: unknown }>(context: T | undefined, warn: Report) {
  if (context === undefined) return undefined;
  const { windowsOptions, ...rest } = context;
  if (windowsOptions !== undefined)
    warn(["windowsOptions"], "is for Windows nodes, which Flux does not support; it is ignored");
  return rest;
}
