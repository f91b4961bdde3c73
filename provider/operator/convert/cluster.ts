import { MiniClusterAffinity } from "../../minicluster/args";
import type { ReadDocument } from "../document";
import type { MiniClusterV1alpha2 } from "../fields/v1alpha2";
import { pathOf } from "../../shared/errors";
import { containerArgs, warnOfInheritedVolumes } from "./container";
import { fluxArgs } from "./flux";
import { warnOfHosts } from "./hosts";
import { operatorDefaults } from "./operator";
import { podArgs } from "./pod";
import { type Say, within } from "./say";
import { known, unlessZero } from "./values";

/**
 * The arguments of a MiniCluster that is the same cluster as the operator's, unchecked: `parseMiniClusterArgs` has the rules
 * and the defaults, and here is only what the operator sees in another way.
 */
export function clusterArgs(metadata: ReadDocument["metadata"], spec: MiniClusterV1alpha2, warn: Say) {
  const { containers, services, network = {}, logging, pod, flux, archive, ...plain } = spec;
  const at = within("spec", warn);
  if (containers) warnOfInheritedVolumes(containers, at);
  if (plain.cleanup) at("cleanup", "removes the Job and its pods; the other objects stay until the stack removes them");
  warnOfHosts(metadata, spec, warn);
  const { name = "" } = metadata;
  const headlessName = network.headlessName ?? name;
  return known({
    ...plain,
    name: metadata.name,
    namespace: metadata.namespace,
    minSize: unlessZero(plain.minSize),
    maxSize: unlessZero(plain.maxSize),
    backoffLimit: unlessZero(plain.backoffLimit) ?? operatorDefaults.backoffLimit,
    containers: containers && containersArgs(containers, headlessName, warn),
    services: services?.map((service, index) =>
      containerArgs(service, "service", within(pathOf("spec.services", index), warn)),
    ),
    network: networkArgs(network, pod?.nodeAffinity, at),
    logging: { ...logging, strict: logging?.strict ?? operatorDefaults.strict.v1alpha2 },
    flux: flux && fluxArgs(flux, within("spec.flux", warn)),
    archive: archive?.path === undefined ? undefined : archive,
    pod: pod && podArgs(pod, within("spec.pod", warn)),
  });
}

type Containers = NonNullable<MiniClusterV1alpha2["containers"]>;

function containersArgs(containers: Containers, headlessName: string, warn: Say) {
  return containers.map((container, index) => {
    const at = within(pathOf("spec.containers", index), warn);
    // The only container runs Flux, whatever it says of itself.
    const alone = containers.length === 1;
    const isBroker = alone || container.runFlux === true;
    const { runFlux, ...args } = containerArgs(container, isBroker ? "broker" : "sidecar", at) as { runFlux?: boolean };
    const serviceName = isBroker ? undefined : sidecarService(container, headlessName, at);
    return known({ ...args, serviceName, runFlux: alone ? undefined : runFlux });
  });
}

/** Name of the Service that the operator makes for a sidecar with ports, if Kubernetes and what is there let it. */
function sidecarService({ name, ports = [] }: Containers[number], headlessName: string, warn: Say): string | undefined {
  if (ports.length === 0 || name === undefined) return undefined;
  const makes = `the operator makes no Service called ${name} for them`;
  if (name === headlessName) warn("ports", `${makes}, because that of the brokers is; here none is made either`);
  else if (/^\d/.test(name))
    warn("ports", `${makes}, because Kubernetes wants a letter first; here none is made either, rename the container`);
  else return name;
  return undefined;
}

function networkArgs(
  { headlessName, disableAffinity }: NonNullable<MiniClusterV1alpha2["network"]>,
  nodeAffinity: object | undefined,
  warn: Say,
) {
  if (disableAffinity && nodeAffinity)
    warn("pod.nodeAffinity", "the operator ignores it beside network.disableAffinity; here it counts");
  const affinity = disableAffinity ? MiniClusterAffinity.None : MiniClusterAffinity.Preferred;
  return known({ headlessName, affinity });
}
