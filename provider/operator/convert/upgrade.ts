import { hostlist } from "../../core/parse/hostlist";
import { prefixPath } from "../../shared/rules";
import type { ContainerV1alpha1, MiniClusterV1alpha1 } from "../fields/v1alpha1";
import type { ContainerV1alpha2, MiniClusterV1alpha2 } from "../fields/v1alpha2";
import type { Metadata } from "../manifest";
import type { Report } from "../problems";
import { joinLines, operatorDefaults, without, withoutUndefined } from "../values";
import { runsFlux } from "./container";
import { claimName } from "./volumes";

/** Paths of the newer version, each with the older path of the same setting. */
export type Origins = [newer: PropertyKey[], older: PropertyKey[]][];

/** A v1alpha1 cluster, and the reports on its conversion. */
export interface Upgrade {
  metadata: Metadata;
  spec: MiniClusterV1alpha1;
  origins: Origins;
  addIssue: Report;
  warn: Report;
}

const defaults = operatorDefaults.v1alpha1;

/**
 * A v1alpha1 cluster in the form of v1alpha2, without its console and the volumes that it creates, which v1alpha2
 * lacks.
 */
export function upgrade(given: Upgrade): MiniClusterV1alpha2 {
  const upgraded = { ...given, spec: withContainer(given) };
  const { spec, warn } = upgraded;
  const { containers, services, logging: { struct, ...logging } = {}, network, test } = spec;
  if (struct !== undefined) warn(["spec", "logging", "struct"], "has no replacement; it is ignored");
  if (spec.sleeptime !== undefined) warn(["spec", "sleeptime"], "has no replacement; it is ignored");
  if (spec.localDeploy !== undefined) warn(["spec", "localDeploy"], "has no replacement; it is ignored");
  return withoutUndefined({
    ...without(spec, "users", "fluxRestful", "localDeploy", "volumes", "podLabels", "test", "diagnostics", "sleeptime"),
    ...((spec.diagnostics || containers?.some(({ diagnostics }) => diagnostics)) && { interactive: false }),
    containers: containers?.map((container, index) => upgradeContainer(container, index, "containers", upgraded)),
    services: services?.map((service, index) => upgradeContainer(service, index, "services", upgraded)),
    network: { headlessName: network?.headlessName ?? defaults.headlessName },
    logging: withoutUndefined({
      ...logging,
      quiet: logging?.quiet ?? test,
      strict: logging?.strict ?? operatorDefaults.strict.v1alpha1,
    }),
    pod: upgradePod(upgraded),
    flux: upgradeFlux(upgraded),
  });
}

/** Fields of the only container, which the first CRDs have in the spec itself. */
const fieldsOfOnlyContainer = ["image", "command", "workingDir", "imagePullSecret", "pullAlways", "cores"] as const;

/** A spec whose containers are all in the list. */
function withContainer({ spec, origins }: Pick<Upgrade, "spec" | "origins">): MiniClusterV1alpha1 {
  const names = fieldsOfOnlyContainer.filter((name) => spec[name] !== undefined);
  if (names.length === 0) return spec;
  const [first = {}, ...others] = spec.containers ?? [];
  for (const name of names.filter((each) => first[each] === undefined))
    origins.push([
      ["spec", "containers", 0, name],
      ["spec", name],
    ]);
  const own = Object.fromEntries(names.map((name) => [name, spec[name]]));
  return { ...without(spec, ...fieldsOfOnlyContainer), containers: [{ ...own, ...first }, ...others] };
}

function upgradePod({ spec: { pod, podLabels }, origins }: Upgrade): MiniClusterV1alpha2["pod"] {
  if (podLabels === undefined) return pod;
  if (pod?.labels === undefined)
    origins.push([
      ["spec", "pod", "labels"],
      ["spec", "podLabels"],
    ]);
  return { ...pod, labels: { ...podLabels, ...pod?.labels } };
}

/** In v1alpha1 the image of the application contains Flux, and its container may have the options of Flux. */
function upgradeFlux({ spec: { flux = {}, containers = [] }, warn, origins }: Upgrade): MiniClusterV1alpha2["flux"] {
  const { installRoot = defaults.installRoot, mungeSecret } = flux;
  if (installRoot !== defaults.installRoot)
    warn(
      ["spec", "flux", "installRoot"],
      `Flux is searched on the PATH; add ${installRoot}/bin to the PATH of the image`,
    );
  warnOfCertificate(flux, warn);
  if (mungeSecret !== undefined)
    warn(
      ["spec", "flux", "mungeSecret"],
      "here the key munge.key of the Secret is used; v1alpha1 uses the key with the name of the Secret",
    );
  const index = containers.findIndex(({ fluxOptionFlags, fluxLogLevel }) => fluxOptionFlags ?? fluxLogLevel);
  const { fluxOptionFlags, fluxLogLevel } = containers[index] ?? {};
  const path = ["spec", "containers", index];
  if (flux.optionFlags === undefined)
    origins.push([
      ["spec", "flux", "optionFlags"],
      [...path, "fluxOptionFlags"],
    ]);
  if (flux.logLevel === undefined)
    origins.push([
      ["spec", "flux", "logLevel"],
      [...path, "fluxLogLevel"],
    ]);
  return withoutUndefined({
    ...without(flux, "installRoot", "curveCertSecret"),
    optionFlags: flux.optionFlags ?? fluxOptionFlags,
    logLevel: flux.logLevel ?? fluxLogLevel,
    container: { disable: true },
  });
}

/** Warns of a Secret with a certificate, which is not used. */
export function warnOfCertificate({ curveCertSecret }: { curveCertSecret?: string }, warn: Report): void {
  if (curveCertSecret !== undefined)
    warn(
      ["spec", "flux", "curveCertSecret"],
      "is ignored, and a certificate is created; to use an existing certificate, set flux.curveCert",
    );
}

// Fields of a container that v1alpha2 lacks.
const olderFields = [
  "existingVolumes",
  "preCommand",
  "postStartExec",
  "cores",
  "diagnostics",
  "fluxUser",
  "fluxOptionFlags",
  "fluxLogLevel",
] as const;

function upgradeContainer(
  container: ContainerV1alpha1,
  index: number,
  list: "containers" | "services",
  upgraded: Upgrade,
): ContainerV1alpha2 {
  const { securityContext, commands, preCommand, postStartExec } = container;
  const { origins, warn, spec } = upgraded;
  const path = ["spec", list, index];
  if (preCommand !== undefined)
    origins.push([
      [...path, "commands", "pre"],
      [...path, "preCommand"],
    ]);
  if (postStartExec !== undefined)
    origins.push([
      [...path, "lifeCycle", "postStartExec"],
      [...path, "postStartExec"],
    ]);
  const plain: ContainerV1alpha2 = withoutUndefined({
    ...without(container, ...olderFields),
    ...(postStartExec !== undefined && { lifeCycle: { postStartExec, ...container.lifeCycle } }),
    commands: withoutUndefined({
      ...without(commands ?? {}, "runFluxAsRoot"),
      pre: joinLines(preCommand, commands?.pre),
    }),
    securityContext: securityContext && newerSecurity(securityContext, path, { origins, warn }),
    volumes: upgradeVolumes(container, path, upgraded),
  });
  const isBroker = list === "containers" && runsFlux(container, spec.containers ?? []);
  return isBroker ? upgradeBroker(plain, container, upgraded, prefixPath(warn, ...path)) : plain;
}

/** A security context in the form of the newest CRD: added capabilities have another place, and the group of volumes is the pod's. */
export function newerSecurity(
  { addCapabilities, fsGroup, capabilities, ...context }: NonNullable<ContainerV1alpha1["securityContext"]>,
  path: PropertyKey[],
  { origins, warn }: Pick<Upgrade, "origins" | "warn">,
): NonNullable<ContainerV1alpha2["securityContext"]> {
  const here = [...path, "securityContext"];
  if (fsGroup !== undefined)
    warn([...here, "fsGroup"], "is a setting of the pod, and is ignored; set pod.securityContext.fsGroup");
  if (addCapabilities && !capabilities?.add)
    origins.push([
      [...here, "capabilities", "add"],
      [...here, "addCapabilities"],
    ]);
  const add = [...(capabilities?.add ?? []), ...(addCapabilities ?? [])];
  return withoutUndefined({
    ...context,
    capabilities: capabilities || addCapabilities ? { ...capabilities, ...(add.length > 0 && { add }) } : undefined,
  });
}

/** The volumes that a container mounts: volumes that the cluster creates, by their claims, and existing volumes. */
function upgradeVolumes(
  { volumes = {}, existingVolumes = {} }: ContainerV1alpha1,
  path: PropertyKey[],
  { metadata, spec, origins, addIssue }: Upgrade,
): ContainerV1alpha2["volumes"] {
  const made = Object.entries(volumes).map(([name, { readonly, ...volume }]) => {
    if (readonly !== undefined && volume.readOnly === undefined) volume.readOnly = readonly;
    if (!Object.hasOwn(spec.volumes ?? {}, name))
      addIssue([...path, "volumes", name], "is not in spec.volumes; add it there, or list it in existingVolumes");
    return [name, { ...volume, claimName: claimName(metadata, name) }] as const;
  });
  for (const name of Object.keys(existingVolumes))
    origins.push([
      [...path, "volumes", name],
      [...path, "existingVolumes", name],
    ]);
  const all = { ...Object.fromEntries(made), ...existingVolumes };
  return Object.keys(all).length > 0 ? all : undefined;
}

/** The container that runs Flux, with its v1alpha1 settings in the form of v1alpha2. */
function upgradeBroker(
  plain: ContainerV1alpha2,
  { cores = 1, diagnostics: ownDiagnostics, fluxUser, commands }: ContainerV1alpha1,
  upgraded: Upgrade,
  warn: Report,
): ContainerV1alpha2 {
  const diagnostics = ownDiagnostics ?? upgraded.spec.diagnostics;
  warnOfUser(fluxUser, commands?.runFluxAsRoot, warn);
  // The instance uses the resources that the lead broker's pod describes in this file. The file is written before this
  // piece runs, so the piece can replace it.
  const brokerPre = joinLines(cores > 1 ? describeCores(cores, upgraded) : undefined, plain.commands?.brokerPre);
  const prepared = { ...plain, commands: withoutUndefined({ ...plain.commands, brokerPre }) };
  if (!diagnostics) return prepared;
  warn(["diagnostics"], "runs on the lead broker, in place of the command");
  const commandsWithScript = { ...prepared.commands, script: diagnosticsScript };
  return { ...without(prepared, "command", "batch"), launcher: true, commands: commandsWithScript };
}

function warnOfUser(fluxUser: ContainerV1alpha1["fluxUser"], asRoot: boolean | undefined, warn: Report): void {
  const here = "here Flux runs as the image's user, or as pod.securityContext.runAsUser";
  if (fluxUser) warn(["fluxUser"], `${here}; it is ignored`);
  else if (!asRoot) warn([], `v1alpha1 creates a user "flux" and runs Flux as it; ${here}`);
}

/** Describes every host by a number of cores, regardless of its hardware. */
function describeCores(cores: number, { metadata: { name = "" }, spec: { size = 1, maxSize } }: Upgrade): string {
  const hosts = hostlist(name, maxSize ?? size);
  return `flux R encode --hosts='${hosts}' --cores=0-${cores - 1} >/mnt/flux/config/etc/flux/system/R`;
}

const diagnosticsScript = ["flux overlay status", "flux lsattr -v", "flux dmesg", "sleep infinity", ""].join("\n");
