import type { Obj } from "../rpc/values";
import { getPath, nameOf, namespaceOf, objectsAt, stringAt } from "./objects";
import { look, outOfTime, poll } from "./polling";
import type { Readiness } from "./readiness";
import type { Resources } from "./resources";

const settleMillis = 10_000;

const noPods =
  "Service does not target any Pods. Selected Pods may not be ready, or field '.spec.selector' may not match labels " +
  "on any Pods";
const noAddress = "Service was not allocated an IP address; does your cloud provider support this?";

const typeOf = (service: Obj) => stringAt(service, "spec", "type") || "ClusterIP";
const isBare = (service: Obj) =>
  stringAt(service, "spec", "clusterIP") === "None" || typeOf(service) === "ExternalName";
const hasAddress = (service: Obj) =>
  typeOf(service) !== "LoadBalancer" || objectsAt(service, "status", "loadBalancer", "ingress").length > 0;

/** True for a Service that is waited for until its endpoints stay as they are. */
export function waitsForEndpoints(service: Obj): boolean {
  const selector = getPath(service, ["spec", "selector"]);
  return !isBare(service) && Object.keys(selector ?? {}).length > 0;
}

/** The pods in a Service's Endpoints; those that match no pod are left out. */
interface Backing {
  /** A pod that is ready. */
  some: boolean;
  /** A pod that is not. */
  pending: boolean;
}

function backingOf(endpoints: Obj | undefined): Backing {
  const subsets = objectsAt(endpoints ?? {}, "subsets");
  const has = (key: string) => subsets.some((subset) => objectsAt(subset, key).length > 0);
  return { some: has("addresses"), pending: has("notReadyAddresses") };
}

/** The missing part; a Service without pods lacks them too, although that alone never makes it fail. */
function missing(service: Obj, { some }: Backing): string[] {
  if (isBare(service)) return [];
  return [...(some ? [] : [noPods]), ...(hasAddress(service) ? [] : [noAddress])];
}

/** When endpoints count as settled: some seconds after a change that was followed by no other change meanwhile. */
export class Settling {
  private readonly changes: number[] = [];
  private version: string | undefined;

  /** Records the present endpoints; true when they have settled. */
  see(version: string | undefined, now: number): boolean {
    if (version !== this.version) this.changes.push(now);
    this.version = version;
    const last = this.changes.at(-1);
    // Every change starts a separate clock, and the next one that rings after the last change counts.
    return last !== undefined && this.changes.some((at) => at + settleMillis <= now && at + settleMillis > last);
  }
}

const endpointsOf = (resources: Resources, service: Obj) =>
  resources.find({
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name: nameOf(service), namespace: namespaceOf(service) },
  });

/**
 * Waits as the plugin does: for an address of a load balancer, and, with a selector, until the Endpoints have settled
 * and name no pod that is not ready. Endpoints without pods are fine, but take the time to settle.
 */
export async function waitForService(resources: Resources, live: Obj, seconds: number): Promise<Obj> {
  let last = live;
  let endpoints: Obj | undefined;
  const settling = new Settling();
  const ready = await poll(seconds, resources.signal, async (isLast) => {
    last = await look(resources, last);
    if (!waitsForEndpoints(last)) return hasAddress(last) ? last : undefined;
    endpoints = await endpointsOf(resources, last).catch(() => endpoints);
    const settled = settling.see(endpoints && stringAt(endpoints, "metadata", "resourceVersion"), Date.now());
    return (settled || isLast) && hasAddress(last) && !backingOf(endpoints).pending ? last : undefined;
  });
  if (ready) return ready;
  throw outOfTime(resources.signal, last, missing(last, backingOf(endpoints)));
}

/** The state of a Service for a refresh: its endpoints count as settled. */
export async function serviceReadiness(resources: Resources, service: Obj): Promise<Readiness> {
  if (!waitsForEndpoints(service))
    return { ready: hasAddress(service), missing: missing(service, backingOf(undefined)) };
  const backing = backingOf(await endpointsOf(resources, service).catch(() => undefined));
  return { ready: hasAddress(service) && !backing.pending, missing: missing(service, backing) };
}

export const isService = (object: Obj) => stringAt(object, "apiVersion") === "v1" && object.kind === "Service";
