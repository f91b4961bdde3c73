import type * as pulumi from "@pulumi/pulumi";
import { isAccelerator, isCountedDevice, isSameHardware, type PoolSpec } from "../../../clouds/nodes/parse/pool";
import { amount, properties } from "../../../shared/checks";
import { MiniClusterAffinity } from "../../args";
import type { ContainerFields } from "../../parse/container";
import type { BrokerPodsFields } from "../../parse/fields";
import { type ResourceRequest, resourceLists, totalRequested } from "./givenRequests";

/** The container that runs Flux, with everything that its binding depends on. */
export interface Binding {
  container: ContainerFields;
  /** Requests of all containers of the pod, the user's template included, and this one among them. */
  all: ResourceRequest[];
  request: ResourceRequest;
  fields: BrokerPodsFields;
  pool: PoolSpec;
}

/** Resources of the container that runs Flux, with its devices and its share of a node's CPU. */
export function bindResources(binding: Binding): ContainerFields["resources"] {
  const { container, all, request, pool } = binding;
  const { resources } = container;
  const devices = boundDevices(request, all, pool);
  const cpu = cpuRequest(binding);
  return {
    ...resources,
    ...(Object.keys(devices).length > 0 && { limits: { ...devices, ...resources?.limits } }),
    ...(cpu !== undefined && { requests: { cpu, ...resources?.requests } }),
  };
}

/** Devices and huge pages of the pool that the container gets by default, as limits. */
export function boundDevices(
  request: ResourceRequest,
  all: ResourceRequest[],
  { resources, gpusPerContainer = Infinity }: PoolSpec,
): Record<string, pulumi.Input<string>> {
  const otherRequests = all.filter((each) => each !== request);
  const devices = Object.entries(resources).flatMap(([name, quantity]) => {
    // The same hardware is requested under one name only, and the ratio between the two names is unknown.
    if (all.some((each) => requestsByAnotherName(each, name))) return [];
    // All resources except CPUs and memory have one number: Kubernetes also rejects a request that differs from the limit.
    const limit = request.resources.requests?.[name] ?? leftOf(name, quantity, otherRequests, gpusPerContainer);
    return limit === undefined ? [] : [[name, limit] as const];
  });
  return Object.fromEntries(devices);
}

/** True for a container that requests a device under another name than the pool does. */
const requestsByAnotherName = ({ resources }: ResourceRequest, resource: string) =>
  resourceLists
    .flatMap((list) => Object.entries(resources[list] ?? {}))
    .some(([name, quantity]) => name !== resource && isSameHardware(name, resource) && amount(quantity) !== 0);

/** Devices of a node that the other containers of a pod do not request, up to the limit of one container. */
function leftOf(
  resource: string,
  quantity: string,
  otherRequests: ResourceRequest[],
  most: number,
): string | undefined {
  const taken = isCountedDevice(resource) ? totalRequested(otherRequests, resource) : 0;
  const all = amount(quantity) ?? 0;
  const limit = isAccelerator(resource) ? most : Infinity;
  if (taken === 0 && all <= limit) return quantity;
  const left = Math.min(all - taken, limit);
  return left > 0 ? String(left) : undefined;
}

/** CPU request of the container, if the user has set neither CPU nor memory. */
function cpuRequest(binding: Binding): string | undefined {
  const { container, request, fields, pool } = binding;
  const given = [container.resources?.limits, container.resources?.requests, ...Object.values(request.resources)];
  if (given.some((amounts = {}) => (amounts["cpu"] ?? amounts["memory"]) !== undefined)) return undefined;
  const template = properties(properties(fields.podTemplate).spec as { resources?: unknown });
  if (fields.pod.resources === undefined && template.resources === undefined && pool.node.vcpus !== undefined)
    return cpuShare(binding, pool.node.vcpus);
  // The resources of the whole pod are set, and Kubernetes rejects huge pages for a container that requests no CPU.
  return Object.keys(pool.resources).some((name) => name.startsWith("hugepages-")) ? "1m" : undefined;
}

// Thousandths of a node's CPU that the kubelet, the system and the pods on every node leave free, with a margin.
const millisOfCpu = 900;

/**
 * CPU request that keeps other pods that request CPUs off the node: nearly all CPUs of the node with one pod per node, otherwise
 * at most 1 CPU, and never more than the other containers leave.
 */
function cpuShare({ all, request, fields }: Binding, vcpus: number): string {
  const otherRequests = all.filter((each) => each !== request);
  const left = Math.floor(vcpus * millisOfCpu - totalRequested(otherRequests, "cpu") * 1000);
  const millis = fields.network.affinity === MiniClusterAffinity.Required ? left : Math.min(left, 1000);
  return millis < 1000 ? `${Math.max(1, millis)}m` : String(Math.floor(millis / 1000));
}
