import * as pulumi from "@pulumi/pulumi";
import { type BurstPlan, type BurstRoot, MiniClusterWait } from "../../brokers/args";
import { brokerPort, demandPort } from "../../brokers/parse/names";
import type { MiniClusterSpec } from "../../brokers/parse/spec";
import type { Registered } from "../../brokers/register";
import { planVersion } from "../../bursting/parse/root";
import { attachKnownValue } from "../../shared/deferred";
import { userError } from "../../shared/errors";

/** Outputs that a BurstCluster needs to join. The plan is known now, each of the other values as soon as it exists. */
export function burstOutputs(
  spec: MiniClusterSpec,
  certificate: pulumi.Output<string>,
  { job, waiting, lead }: Registered,
) {
  const plan = burstPlan(spec);
  if (!plan) {
    const none = pulumi.output(undefined);
    const burst = attachKnownValue(pulumi.output(undefined), undefined);
    return {
      burst,
      burstPlan: none,
      burstAddress: none,
      burstPort: none,
      burstCertificate: none,
      burstDemandPort: none,
    };
  }
  const { address, port, demand } = endpoint(spec, lead);
  const leaves = {
    plan,
    address: pulumi.output(address),
    port: pulumi.output(port),
    certificate,
    ...(demand !== undefined && { demandPort: pulumi.output(demand) }),
  };
  // A BurstCluster joins once the instance is running, if this program waits for the instance.
  const home = (spec.wait === MiniClusterWait.Ready || spec.wait === MiniClusterWait.Settled ? waiting : job).urn;
  const all: pulumi.Output<BurstRoot> = pulumi
    .all([plan, leaves.address, leaves.port, certificate, demand, home])
    .apply(([hosts, host, at, text, asked]) => ({
      plan: hosts,
      address: host,
      port: at,
      certificate: text,
      ...(asked !== undefined && { demandPort: asked }),
    }));
  return {
    burst: attachKnownValue(all, leaves),
    burstPlan: attachKnownValue(
      home.apply(() => plan),
      plan,
    ),
    burstAddress: leaves.address,
    burstPort: leaves.port,
    burstCertificate: certificate,
    burstDemandPort: pulumi.output(demand),
  };
}

/** Hosts of the instance for a BurstCluster: a plain value, known before anything is created. */
export function burstPlan(spec: MiniClusterSpec): BurstPlan | undefined {
  if (spec.role === "follower" || !spec.bursting) return undefined;
  const { instance, bursting, flux } = spec;
  const sizes = new Map(bursting.clusters.map(({ name, size }) => [name, size]));
  const clusters = instance.clusters.map(({ name, queue, hosts, properties, hardware }) => {
    const size = sizes.get(name);
    return {
      name,
      ...(queue !== undefined && { group: queue }),
      maxSize: hosts,
      ...(size !== undefined && { size }),
      properties,
      ...hardware,
    };
  });
  const { spanClusters } = bursting;
  return { version: planVersion, clusters, spanClusters, mountPath: flux.container.mountPath };
}

/** Endpoint of the lead broker for brokers of other Kubernetes clusters. */
interface Endpoint {
  address: pulumi.Input<string>;
  port: pulumi.Input<number>;
  /** Port at which the lead broker's pod serves the demand of the queue, with `expose.demand`. */
  demand?: pulumi.Input<number>;
}

function endpoint(spec: MiniClusterSpec, service: Registered["lead"]): Endpoint {
  const { nodePort, endpoint: given, demand } = (spec.role === "lead" && spec.bursting?.expose) || {};
  if (given) return { ...given, demand: demand && (demand.port ?? demandPort) };
  if (!service) return { address: "", port: brokerPort };
  if (nodePort)
    return {
      address: nodePort.address,
      port: nodePort.port ?? chosenPort(service, 0),
      demand: demand && (demand.port ?? chosenPort(service, 1)),
    };
  const address = service.status.apply((status) => addressIn(status, spec.name));
  return { address, port: brokerPort, demand: demand && demandPort };
}

/**
 * Node port that Kubernetes has assigned. It waits for the id of the Service, because the value in a preview of a new
 * Service would change.
 */
const chosenPort = ({ id, spec }: NonNullable<Registered["lead"]>, place: number) =>
  pulumi.all([id, spec]).apply(([, { ports }]) => ports[place]?.nodePort ?? 0);

interface Status {
  loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] };
}

function addressIn(status: Status | undefined, name: string): string {
  const [ingress] = status?.loadBalancer?.ingress ?? [];
  const address = ingress?.hostname ?? ingress?.ip;
  if (address === undefined)
    throw userError(`MiniCluster ${name}: the cloud has assigned no address to bursting.expose.loadBalancer`);
  return address;
}
