import { MiniClusterArch } from "../../minicluster/args";
import type { MiniClusterV1alpha2 } from "../fields/v1alpha2";
import { withoutOutput } from "./container";
import { operatorDefaults } from "./operator";
import { type Say, within } from "./say";
import { securityArgs } from "./security";
import { isExpanded } from "./shellText";
import { known, unlessZero } from "./values";

type Flux = NonNullable<MiniClusterV1alpha2["flux"]>;

// Names of architectures, of Kubernetes, of the kernel and of the operator's binaries.
const architectures = new Map<string, MiniClusterArch>([
  ...["arm64", "arm", "aarch64"].map((name) => [name, MiniClusterArch.Arm64] as const),
  ...["amd64", "x86_64", "x86-64", "x86", "x64"].map((name) => [name, MiniClusterArch.Amd64] as const),
]);

/** The arguments of the brokers. */
export function fluxArgs(flux: Flux, warn: Say) {
  const { arch, logLevel, container, bursting, ...rest } = flux;
  for (const option of ["submitCommand", "optionFlags", "brokerConfig"] as const)
    if (isExpanded(flux[option] ?? "")) warn(option, 'here no shell reads it: "$" and backticks stay as they are');
  for (const [name, value] of Object.entries(flux.environment ?? {}))
    if (isExpanded(value)) warn(`environment.${name}`, 'here no shell reads it: "$" and backticks stay as they are');
  return known({
    ...rest,
    arch: arch && (architectures.get(arch.toLowerCase()) ?? arch),
    // 0 is what Go takes for nothing.
    logLevel: logLevel === 0 ? operatorDefaults.logLevel : logLevel,
    environment: withoutOutput(flux.environment, "environment", warn),
    ...underConfig(flux),
    container: container && containerArgs(container, within("container", warn)),
    bursting: bursting && burstingArgs(bursting, warn),
  });
}

/** The operator gives its timeout and its fan-out to brokers with a configuration of their own, too. */
function underConfig({ topology, connectTimeout, brokerConfig, minimalService }: Flux) {
  if (brokerConfig === undefined) return { topology, connectTimeout };
  return {
    connectTimeout: connectTimeout ?? operatorDefaults.connectTimeout,
    topology: topology ?? (minimalService ? undefined : operatorDefaults.topology),
  };
}

function containerArgs({ securityContext, ...container }: NonNullable<Flux["container"]>, warn: Say) {
  return known({ ...container, securityContext: securityArgs(securityContext, "securityContext", warn) });
}

function burstingArgs({ leadBroker, hostlist, clusters }: NonNullable<Flux["bursting"]>, warn: Say) {
  return known({
    hostlist,
    leadBroker: leadBroker && leadBrokerArgs(leadBroker, warn),
    clusters: clusters?.map(({ name, size }) => known({ name, size: unlessZero(size) })),
  });
}

function leadBrokerArgs(leadBroker: NonNullable<NonNullable<Flux["bursting"]>["leadBroker"]>, warn: Say) {
  const { address, name, size, port } = leadBroker;
  if (address !== undefined) return known({ address, name, size, port: unlessZero(port) });
  if (Object.keys(leadBroker).length > 0)
    warn("bursting.leadBroker", "has no address, so the operator takes this cluster for the first one; left out");
  return undefined;
}
