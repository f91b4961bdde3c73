import { MiniClusterAffinity, MiniClusterRestartPolicy } from "../../core/args";
import { ManifestValue } from "../../core/parse/manifestOnly";
import { headlessServiceName } from "../../core/parse/names";
import { MiniClusterArch } from "../../clouds/nodes/args";
import { prefixPath } from "../../shared/rules";
import type { MiniClusterV1alpha2 } from "../fields/v1alpha2";
import type { Metadata } from "../manifest";
import type { Report } from "../problems";
import { operatorDefaults, unlessZero, withoutUndefined } from "../values";
import { isExpanded } from "./commands";
import { containerArgs, runsFlux, securityArgs, warnOfInheritedVolumes, withoutOutput } from "./container";

/**
 * The unchecked arguments of the equivalent MiniCluster: `parseMiniClusterArgs` has the rules and the defaults, and
 * this function only the differences from the operator.
 */
export function clusterArgs(metadata: Metadata, spec: MiniClusterV1alpha2, warn: Report) {
  const { containers, services, network = {}, logging, pod, flux, archive, ...plain } = spec;
  const warnInSpec = prefixPath(warn, "spec");
  if (containers) warnOfInheritedVolumes(containers, warnInSpec);
  if (plain.cleanup)
    warnInSpec(["cleanup"], "removes the Job and its pods; the other objects are kept until the stack is destroyed");
  warnOfHosts(metadata, spec, warn);
  const { name = "" } = metadata;
  const headlessName = headlessServiceName({ name, network });
  return withoutUndefined({
    ...plain,
    name: metadata.name,
    namespace: metadata.namespace,
    minSize: unlessZero(plain.minSize),
    maxSize: unlessZero(plain.maxSize),
    deadlineSeconds: plain.deadlineSeconds ?? operatorDefaults.deadlineSeconds,
    // With 0 tasks, the operator requests only nodes.
    tasks: unlessZero(plain.tasks ?? operatorDefaults.tasks),
    ...retryArgs(spec, warnInSpec),
    containers: containers && containersArgs(spec, headlessName, warn),
    services: services && servicesArgs(services, containers, warn),
    network: networkArgs(network, pod?.nodeAffinity, warnInSpec),
    logging: { ...logging, strict: logging?.strict ?? operatorDefaults.strict.v1alpha2 },
    flux: flux && fluxArgs(flux, prefixPath(warn, "spec", "flux")),
    archive: archive?.path === undefined ? undefined : archive,
    pod: pod && podArgs(pod, prefixPath(warn, "spec", "pod")),
  });
}

/**
 * The operator's script ends with 0 regardless of its command, so a failed command is not retried. Only with retries in
 * the manifest, a failed command is retried.
 */
function retryArgs({ backoffLimit, pod }: MiniClusterV1alpha2, warn: Report) {
  const given = unlessZero(backoffLimit);
  const restarts = pod?.restartPolicy === MiniClusterRestartPolicy.OnFailure;
  const limit = given ?? operatorDefaults.backoffLimit;
  if (given !== undefined)
    warn(["backoffLimit"], `a command that fails is started again, until ${given} pods have failed`);
  else if (restarts)
    warn(["pod", "restartPolicy"], `a command that fails is started again in its pod, up to ${limit} times`);
  return { backoffLimit: limit, retryCommand: given !== undefined || restarts };
}

type Containers = NonNullable<MiniClusterV1alpha2["containers"]>;

function containersArgs({ interactive, containers = [] }: MiniClusterV1alpha2, headlessName: string, warn: Report) {
  return containers.map((container, index) => {
    const warnHere = prefixPath(warn, "spec", "containers", index);
    const isBroker = runsFlux(container, containers);
    return withoutUndefined({
      ...containerArgs(
        isBroker && interactive ? withoutCommand(container) : container,
        isBroker ? "broker" : "sidecar",
        warnHere,
      ),
      serviceName: isBroker ? undefined : sidecarService(container, headlessName, warnHere),
      runFlux: isBroker && containers.length > 1 ? true : undefined,
    });
  });
}

/** A container without its command, which the operator does not run in an interactive cluster. */
function withoutCommand({ command: _, batch: __, batchRaw: ___, commands, ...container }: Containers[number]) {
  return { ...container, ...(commands && { commands: withoutUndefined({ ...commands, script: undefined }) }) };
}

/** The services. The operator pulls their images with the Secrets of the containers. */
function servicesArgs(services: Containers, containers: Containers = [], warn: Report) {
  const own = services.map(({ imagePullSecret }) => imagePullSecret);
  const secrets = [...new Set(containers.flatMap(({ imagePullSecret }) => imagePullSecret ?? []))];
  const remaining = secrets.filter((secret) => !own.includes(secret));
  const args = services.map((service, index) => {
    // All services are in one pod, whose pull Secrets are the Secrets of all services.
    const imagePullSecret = service.imagePullSecret ?? remaining.shift();
    const given = withoutUndefined({ ...service, imagePullSecret });
    return containerArgs(given, "service", prefixPath(warn, "spec", "services", index));
  });
  if (remaining.length > 0)
    warn(
      ["spec", "services"],
      `the operator pulls the images with ${remaining.join(", ")}; here they are pulled only with imagePullSecret of the services`,
    );
  return args;
}

/** Name of the Service that the operator creates for a sidecar with ports, if Kubernetes and the existing names allow it. */
function sidecarService(
  { name, ports = [] }: Containers[number],
  headlessName: string,
  warn: Report,
): string | undefined {
  if (ports.length === 0 || name === undefined) return undefined;
  const makes = `the operator creates no Service ${name} for them`;
  if (name === headlessName)
    warn(["ports"], `${makes}, because the Service of the brokers has that name, and neither does this package`);
  else if (/^\d/.test(name))
    warn(
      ["ports"],
      `${makes}, because the name of a Service starts with a letter, and neither does this package; rename the container`,
    );
  else return name;
  return undefined;
}

function networkArgs(
  { headlessName, disableAffinity }: NonNullable<MiniClusterV1alpha2["network"]>,
  nodeAffinity: object | undefined,
  warn: Report,
) {
  if (disableAffinity && nodeAffinity)
    warn(["pod", "nodeAffinity"], "the operator ignores it with network.disableAffinity; here it has an effect");
  const affinity = disableAffinity ? MiniClusterAffinity.None : MiniClusterAffinity.Preferred;
  return withoutUndefined({ headlessName, affinity });
}

type Pod = NonNullable<MiniClusterV1alpha2["pod"]>;

/** The arguments of the pods. */
function podArgs({ resources, securityContext, ...pod }: Pod, warn: Report) {
  if (resources !== undefined)
    warn(
      ["resources"],
      "the operator writes them to the pod's overhead; here they are its resources (Kubernetes 1.34 or newer)",
    );
  const ignored = Object.keys(securityContext ?? {}).filter((name) => !["fsGroup", "windowsOptions"].includes(name));
  if (ignored.length > 0)
    warn(["securityContext"], `the operator uses only fsGroup; here ${ignored.join(", ")} also have an effect`);
  return withoutUndefined({
    ...pod,
    resources: resources && { limits: resources, requests: resources },
    securityContext: securityArgs(securityContext, prefixPath(warn, "securityContext")),
  });
}

type Flux = NonNullable<MiniClusterV1alpha2["flux"]>;

// Names of architectures in Kubernetes, in the kernel and in the operator's binaries.
const architectures = new Map<string, MiniClusterArch>([
  ...["arm64", "arm", "aarch64"].map((name) => [name, MiniClusterArch.Arm64] as const),
  ...["amd64", "x86_64", "x86-64", "x86", "x64"].map((name) => [name, MiniClusterArch.Amd64] as const),
]);

/** The arguments of the brokers. */
function fluxArgs(flux: Flux, warn: Report) {
  const { arch, logLevel, container, bursting, minimalService, ...rest } = flux;
  for (const option of ["submitCommand", "optionFlags", "brokerConfig"] as const)
    if (isExpanded(flux[option] ?? ""))
      warn([option], 'here no shell expands it: "$" and backticks are kept unchanged');
  for (const [name, value] of Object.entries(flux.environment ?? {}))
    if (isExpanded(value))
      warn(["environment", name], 'here no shell expands it: "$" and backticks are kept unchanged');
  return withoutUndefined({
    ...rest,
    arch: arch && (architectures.get(arch.toLowerCase()) ?? arch),
    // Go treats 0 as absent.
    logLevel: logLevel === 0 ? operatorDefaults.logLevel : logLevel,
    environment: withoutOutput(flux.environment, prefixPath(warn, "environment")),
    ...connectionArgs(flux),
    container: container && viewArgs(container, prefixPath(warn, "container")),
    bursting: bursting && new ManifestValue(burstingArgs(bursting, warn)),
    minimalService: minimalService && new ManifestValue(minimalService),
  });
}

/** The operator also passes its timeout and its fan-out to brokers with a custom configuration. */
function connectionArgs({ topology, connectTimeout, brokerConfig, minimalService }: Flux) {
  if (brokerConfig === undefined) return { topology, connectTimeout };
  return {
    connectTimeout: connectTimeout ?? operatorDefaults.connectTimeout,
    topology: topology ?? (minimalService ? undefined : operatorDefaults.topology),
  };
}

function viewArgs({ securityContext, ...container }: NonNullable<Flux["container"]>, warn: Report) {
  return withoutUndefined({
    ...container,
    securityContext: securityArgs(securityContext, prefixPath(warn, "securityContext")),
  });
}

function burstingArgs({ leadBroker, hostlist, clusters }: NonNullable<Flux["bursting"]>, warn: Report) {
  return withoutUndefined({
    hostlist,
    leadBroker: leadBroker && leadBrokerArgs(leadBroker, warn),
    clusters: clusters?.map(({ name, size }) => withoutUndefined({ name, size: unlessZero(size) })),
  });
}

function leadBrokerArgs(leadBroker: NonNullable<NonNullable<Flux["bursting"]>["leadBroker"]>, warn: Report) {
  const { address, name, size, port } = leadBroker;
  if (address !== undefined) return withoutUndefined({ address, name, size, port: unlessZero(port) });
  if (Object.keys(leadBroker).length > 0)
    warn(
      ["bursting", "leadBroker"],
      "has no address, so the operator treats this cluster as the cluster of the lead broker; leadBroker is ignored",
    );
  return undefined;
}

/**
 * Warns of host names in commands and settings that match no host of the cluster, because its Service has another name.
 */
function warnOfHosts({ name = "", namespace = "default" }: Metadata, spec: MiniClusterV1alpha2, warn: Report) {
  const domain = `${headlessServiceName({ name, network: spec.network })}.${namespace}.svc`;
  const isOwn = (host: string) =>
    host === "%h" || (host.startsWith(`${name}-`) && /^(\d+|services|\[[-\d,]+\])$/.test(host.slice(name.length + 1)));
  const wrong = (text: string) =>
    [...text.matchAll(/[\w%[\],.-]+/g)]
      .map(([word]) => word.split("."))
      .filter(([host = "", , , svc]) => svc === "svc" && isOwn(host))
      .map((labels) => labels.slice(1, 4).join("."))
      .filter((found) => found !== domain);
  for (const [path, text] of textsOf(spec).filter(([, text]) => text.includes(".svc")))
    for (const found of new Set(wrong(text)))
      warn(
        path,
        `names hosts in ${found}, but the hosts of this cluster are in ${domain}; correct the names or set network.headlessName`,
      );
}

type TextAt = [path: PropertyKey[], text: string];

/** The texts that may contain host names, with their paths. */
function textsOf({ containers = [], services = [], flux }: MiniClusterV1alpha2): TextAt[] {
  const inContainers = Object.entries({ containers, services }).flatMap(([list, all]) =>
    all.flatMap(({ command, commands, environment }, index) => {
      const path = ["spec", list, index];
      return [
        ...textsIn(path, { command }),
        ...textsIn([...path, "commands"], commands),
        ...textsIn([...path, "environment"], environment),
      ];
    }),
  );
  return [...inContainers, ...textsIn(["spec", "flux"], { brokerConfig: flux?.brokerConfig })];
}

const textsIn = (path: PropertyKey[], values: object = {}): TextAt[] =>
  Object.entries(values).flatMap(([name, text]): TextAt[] =>
    typeof text === "string" ? [[[...path, name], text]] : [],
  );
