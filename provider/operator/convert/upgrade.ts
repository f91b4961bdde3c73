import type { ReadDocument } from "../document";
import type { ContainerV1alpha1, MiniClusterV1alpha1 } from "../fields/v1alpha1";
import type { ContainerV1alpha2, MiniClusterV1alpha2 } from "../fields/v1alpha2";
import { pathOf } from "../../shared/errors";
import { operatorDefaults } from "./operator";
import { type Say, within } from "./say";
import { upgradeBroker } from "./upgradeBroker";
import { joined, known, without } from "./values";
import { claimName } from "./volumes";

/** Where a path of the newer version stood in the older one: pairs of a newer and an older path. */
export type Origins = [newer: string, older: string][];

/** A v1alpha1 cluster, and where to tell what becomes of it. */
export interface Upgrade {
  metadata: ReadDocument["metadata"];
  spec: MiniClusterV1alpha1;
  origins: Origins;
  addIssue: Say;
  warn: Say;
}

const defaults = operatorDefaults.v1alpha1;

/** A v1alpha1 cluster as v1alpha2 would describe it, but for the volumes that it makes: v1alpha2 makes none. */
export function upgrade(upgraded: Upgrade): MiniClusterV1alpha2 {
  const { spec, warn } = upgraded;
  const { containers, services, logging, network, test } = spec;
  if (spec.users) warn("spec.users", "the RESTful server that had users is gone; left out");
  if (spec.fluxRestful)
    warn("spec.fluxRestful", "the RESTful server is gone; left out, run it as a sidecar if it is needed");
  if (spec.localDeploy !== undefined) warn("spec.localDeploy", "nothing takes its place; left out");
  return known({
    ...without(spec, "users", "fluxRestful", "localDeploy", "volumes", "podLabels", "test"),
    ...(containers?.some(({ diagnostics }) => diagnostics) && { interactive: false }),
    containers: containers?.map((container, index) => upgradeContainer(container, index, "containers", upgraded)),
    services: services?.map((service, index) => upgradeContainer(service, index, "services", upgraded)),
    network: { headlessName: network?.headlessName ?? defaults.headlessName },
    logging: known({
      ...logging,
      quiet: logging?.quiet ?? test,
      strict: logging?.strict ?? operatorDefaults.strict.v1alpha1,
    }),
    pod: upgradePod(upgraded),
    flux: upgradeFlux(upgraded),
  });
}

function upgradePod({ spec: { pod, podLabels }, origins }: Upgrade): MiniClusterV1alpha2["pod"] {
  if (podLabels === undefined) return pod;
  if (pod?.labels === undefined) origins.push(["spec.pod.labels", "spec.podLabels"]);
  return { ...pod, labels: { ...podLabels, ...pod?.labels } };
}

/** In v1alpha1 the image of the application brings Flux, and options of Flux may stand at its container. */
function upgradeFlux({ spec: { flux = {}, containers = [] }, warn, origins }: Upgrade): MiniClusterV1alpha2["flux"] {
  const { installRoot = defaults.installRoot, curveCertSecret, mungeSecret } = flux;
  if (installRoot !== defaults.installRoot)
    warn("spec.flux.installRoot", `Flux is looked for on the PATH; put ${installRoot}/bin on that of the image`);
  if (curveCertSecret !== undefined)
    warn("spec.flux.curveCertSecret", "left out, and a certificate is made; give an existing one as flux.curveCert");
  if (mungeSecret !== undefined)
    warn(
      "spec.flux.mungeSecret",
      "here the Secret's key munge.key; in v1alpha1 the one that is called like the Secret",
    );
  const index = containers.findIndex(({ fluxOptionFlags, fluxLogLevel }) => fluxOptionFlags ?? fluxLogLevel);
  const { fluxOptionFlags, fluxLogLevel } = containers[index] ?? {};
  const place = pathOf("spec.containers", index);
  if (flux.optionFlags === undefined) origins.push(["spec.flux.optionFlags", `${place}.fluxOptionFlags`]);
  if (flux.logLevel === undefined) origins.push(["spec.flux.logLevel", `${place}.fluxLogLevel`]);
  return known({
    ...without(flux, "installRoot", "curveCertSecret"),
    optionFlags: flux.optionFlags ?? fluxOptionFlags,
    logLevel: flux.logLevel ?? fluxLogLevel,
    container: { disable: true },
  });
}

// Fields of a container that v1alpha2 does not have.
const olderFields = [
  "existingVolumes",
  "preCommand",
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
  const { securityContext, commands, preCommand } = container;
  const { origins, warn, spec } = upgraded;
  const path = pathOf(`spec.${list}`, index);
  if (preCommand !== undefined) origins.push([`${path}.commands.pre`, `${path}.preCommand`]);
  if (securityContext?.addCapabilities)
    origins.push([`${path}.securityContext.capabilities.add`, `${path}.securityContext.addCapabilities`]);
  const plain: ContainerV1alpha2 = known({
    ...without(container, ...olderFields),
    commands: known({ ...without(commands ?? {}, "runFluxAsRoot"), pre: joined(preCommand, commands?.pre) }),
    securityContext: securityContext && upgradeSecurity(securityContext),
    volumes: upgradeVolumes(container, path, upgraded),
  });
  const runsFlux = list === "containers" && (container.runFlux ?? spec.containers?.length === 1);
  return runsFlux ? upgradeBroker(plain, container, upgraded, within(path, warn)) : plain;
}

function upgradeSecurity({ privileged, addCapabilities }: NonNullable<ContainerV1alpha1["securityContext"]>) {
  return known({ privileged, capabilities: addCapabilities && { add: addCapabilities } });
}

/** The volumes that a container mounts: those that the cluster makes, by their claims, and those that exist. */
function upgradeVolumes(
  { volumes = {}, existingVolumes = {} }: ContainerV1alpha1,
  path: string,
  { metadata, spec, origins, addIssue }: Upgrade,
): ContainerV1alpha2["volumes"] {
  const made = Object.entries(volumes).map(([name, volume]) => {
    if (!Object.hasOwn(spec.volumes ?? {}, name))
      addIssue(
        pathOf(`${path}.volumes`, name),
        "is none of spec.volumes; add it there, or write it as existingVolumes",
      );
    return [name, { ...volume, claimName: claimName(metadata, name) }] as const;
  });
  for (const name of Object.keys(existingVolumes))
    origins.push([pathOf(`${path}.volumes`, name), pathOf(`${path}.existingVolumes`, name)]);
  const all = { ...Object.fromEntries(made), ...existingVolumes };
  return Object.keys(all).length > 0 ? all : undefined;
}
