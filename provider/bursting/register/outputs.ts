import * as pulumi from "@pulumi/pulumi";
import { MiniClusterWait } from "../../core/args";
import type { BurstPlan, BurstRoot } from "../args";
import { brokerPort, demandPort } from "../../core/parse/names";
import type { Service } from "@pulumi/kubernetes/core/v1/service";
import type { MiniClusterSpec } from "../../core/parse/spec";
import type { Registered } from "../../core/register/feature";
import type { BurstingFields } from "../parse/fields";
import { planVersion } from "../parse/root";
import { attachKnownValue } from "../../shared/deferred";
import { userError } from "../../shared/errors";

/** The output that a BurstCluster needs to join. The plan is known in every preview, each other value once it exists. */
export function burstOutputs(
  spec: MiniClusterSpec,
  bursting: BurstingFields,
  certificate: pulumi.Output<string>,
  { job, waiting }: Pick<Registered, "job" | "waiting">,
  lead: Service | undefined,
) {
  const plan = burstPlan(spec, bursting);
  const { address, port, demand } = endpoint(spec, bursting.expose, lead);
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
    .apply(([hosts, host, at, text, demandAt]) => ({
      plan: hosts,
      address: host,
      port: at,
      certificate: text,
      ...(demandAt !== undefined && { demandPort: demandAt }),
    }));
  return { burst: attachKnownValue(all, leaves) };
}

/** Hosts of the instance for a BurstCluster: a plain value, known before anything is created. */
export function burstPlan({ instance, flux }: MiniClusterSpec, bursting: BurstingFields): BurstPlan {
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

function endpoint(
  spec: MiniClusterSpec,
  { nodePort, endpoint: given, demand }: BurstingFields["expose"],
  service: Service | undefined,
): Endpoint {
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
const chosenPort = ({ id, spec }: Service, place: number) =>
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

/** The output of a cluster that no other cluster joins. */
export const noBurst = () => attachKnownValue(pulumi.output(undefined), undefined);
