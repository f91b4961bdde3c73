import type { MiniClusterConsoleArgs } from "../../console/args";
import type { ContainerV1alpha2, EveryV1alpha2, MiniClusterV1alpha2 } from "../fields/v1alpha2";
import { without, withoutUndefined } from "../values";
import { consoleArgs } from "./console";
import { newerSecurity, type Upgrade, warnOfCertificate } from "./upgrade";
import { buildVolumes, claimName, type MiniClusterManifestVolume } from "./volumes";

type Retired = Omit<Upgrade, "spec"> & { spec: EveryV1alpha2 };
type OlderContainer = NonNullable<EveryV1alpha2["containers"]>[number];

/** A v1alpha2 cluster in the form of the newest CRD, with the console and the volumes that older CRDs create. */
export function withoutRetired(retired: Retired): {
  spec: MiniClusterV1alpha2;
  console?: MiniClusterConsoleArgs;
  volumes: MiniClusterManifestVolume[];
} {
  const { metadata, spec, addIssue, warn } = retired;
  const { users, fluxRestful, volumes, containers, services, flux, ...rest } = spec;
  const older = withoutUndefined({ users, fluxRestful, volumes });
  if (flux) warnOfCertificate(flux, warn);
  if (flux?.container?.cores !== undefined)
    warn(["spec", "flux", "container", "cores"], "the brokers use the cores of their node; it is ignored");
  const hasConsole = users !== undefined || fluxRestful !== undefined;
  return {
    spec: withoutUndefined({
      ...rest,
      containers: containers?.map((each, index) => newerContainer(each, ["spec", "containers", index], retired)),
      services: services?.map((each, index) => newerContainer(each, ["spec", "services", index], retired)),
      flux: flux && newerFlux(flux),
    }),
    ...(hasConsole && { console: consoleArgs({ ...retired, spec: older }) }),
    volumes: buildVolumes(metadata, older, addIssue),
  };
}

const newerFlux = (flux: NonNullable<EveryV1alpha2["flux"]>): NonNullable<MiniClusterV1alpha2["flux"]> =>
  withoutUndefined({
    ...without(flux, "curveCertSecret"),
    container: flux.container && without(flux.container, "cores"),
  });

function newerContainer(container: OlderContainer, path: PropertyKey[], retired: Retired): ContainerV1alpha2 {
  const { securityContext, existingVolumes = {}, volumes = {}, ...rest } = container;
  const { metadata, spec, origins } = retired;
  const created = spec.volumes ?? {};
  for (const name of Object.keys(existingVolumes))
    origins.push([
      [...path, "volumes", name],
      [...path, "existingVolumes", name],
    ]);
  const own = Object.entries(volumes).map(([name, volume]) => {
    const hasSource = Object.keys(volume).some((key) => key !== "path" && key !== "readOnly");
    const isCreated = Object.hasOwn(created, name) && !hasSource;
    return [name, isCreated ? { ...volume, claimName: claimName(metadata, name) } : volume] as const;
  });
  const all = { ...Object.fromEntries(own), ...existingVolumes };
  return withoutUndefined({
    ...rest,
    securityContext: securityContext && newerSecurity(securityContext, path, retired),
    volumes: (container.volumes ?? container.existingVolumes) ? all : undefined,
  });
}
