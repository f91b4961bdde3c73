import { parse } from "yaml";
import { computeDomainDefinition } from "../sandbox/build/binaries";
import type { Kube, NewObject } from "../sandbox/kube";
import { waitFor } from "../sandbox/waiting";

const resource = "resource.k8s.io/v1";

/** Devices of one driver on a node. */
interface DriverDevices {
  driver: string;
  /** Attributes of each device; those without a domain are of the driver's own. */
  devices: Record<string, object>[];
}

/** Classes from the drivers' charts. That of GKE is not published: it selects by the driver alone. */
const classes: Record<string, string> = {
  "gpu.nvidia.com": "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'",
  "efa.networking.k8s.aws":
    "device.driver == 'dra.net' && device.attributes['dra.net'].pciDevice == 'Elastic Fabric Adapter (EFA)'",
  "mrdma.google.com": "device.driver == 'mrdma.google.com'",
  "compute-domain-default-channel.nvidia.com":
    "device.driver == 'compute-domain.nvidia.com' && device.attributes['compute-domain.nvidia.com'].type == 'channel'",
};

/** Registers the classes of all drivers in a cluster. */
export async function installDeviceClasses(kube: Kube): Promise<void> {
  for (const [name, expression] of Object.entries(classes))
    await kube.create({
      apiVersion: resource,
      kind: "DeviceClass",
      metadata: { name },
      spec: { selectors: [{ cel: { expression } }] },
    });
}

/** Acts as the drivers on a node: publishes its devices, of which the scheduler chooses. */
export async function publishDevices(kube: Kube, node: string, drivers: DriverDevices[]): Promise<void> {
  for (const { driver, devices } of drivers)
    await kube.create({
      apiVersion: resource,
      kind: "ResourceSlice",
      metadata: { name: `${node}-${driver}` },
      spec: {
        driver,
        nodeName: node,
        pool: { name: node, generation: 1, resourceSliceCount: 1 },
        devices: devices.map((attributes, index) => ({ name: `device-${index}`, attributes })),
      },
    });
}

const onRoot = (root: string) => ({ "resource.kubernetes.io/pcieRoot": { string: root } });

/** Further attributes of a device by the place of its PCIe root. */
type Placed = (place: number) => object;

const nowhere: Placed = () => ({});

/** Devices, each on one of some PCIe roots in turn. */
const spread = (roots: string[], count: number, attributes: object, placed: Placed) =>
  Array.from({ length: count }, (_, index) => ({
    ...attributes,
    ...onRoot(roots[index % roots.length]!),
    ...placed(index % roots.length),
  }));

/** The GPUs of a node. */
export const gpusOn = (roots: string[], count: number, placed = nowhere): DriverDevices => ({
  driver: "gpu.nvidia.com",
  devices: spread(roots, count, { type: { string: "gpu" } }, placed),
});

/** The EFA interfaces of a node, and its Ethernet, which no pod claims. */
export const efaOn = (roots: string[], count: number, placed = nowhere): DriverDevices => ({
  driver: "dra.net",
  devices: [
    { pciDevice: { string: "Elastic Network Adapter (ENA)" }, ...onRoot(roots[0]!) },
    ...spread(roots, count, { pciDevice: { string: "Elastic Fabric Adapter (EFA)" } }, placed),
  ],
});

/** The RDMA interfaces of a node of GKE. */
export const rdmaOn = (count: number): DriverDevices => ({
  driver: "mrdma.google.com",
  devices: Array.from({ length: count }, () => ({ type: { string: "nic" } })),
});

/** The channel to the NVLink domain of a node. */
export const channel: DriverDevices = {
  driver: "compute-domain.nvidia.com",
  devices: [{ type: { string: "channel" } }],
};

/** Registers ComputeDomains in a cluster, and waits until it serves them. */
export async function installComputeDomains(kube: Kube): Promise<void> {
  await kube.create(parse(await computeDomainDefinition()) as NewObject);
  const path = "/apis/resource.nvidia.com/v1beta1";
  await waitFor("ComputeDomains", () => kube.request("GET", path).then(() => true));
}

/** Makes the template of the channel's claims, as NVIDIA's controller does for the ComputeDomain of a cluster. */
export const makeChannelTemplate = (kube: Kube, namespace: string, cluster: string) =>
  kube.create({
    apiVersion: resource,
    kind: "ResourceClaimTemplate",
    metadata: { name: `${cluster}-channel`, namespace },
    spec: {
      spec: {
        devices: {
          requests: [
            { name: "channel", exactly: { deviceClassName: "compute-domain-default-channel.nvidia.com", count: 1 } },
          ],
        },
      },
    },
  });

/** Devices of a class that others have claimed. */
export interface Held {
  deviceClass: string;
  driver: string;
  /** Their places in the list of the driver's devices. */
  devices: number[];
  /** True if the claim has access for administration, and leaves the devices to others. Default: false. */
  isAdmin?: boolean;
}

/** Acts as the scheduler for claims of others on a node. */
export async function holdDevices(kube: Kube, namespace: string, node: string, all: Held[]): Promise<void> {
  for (const [index, { deviceClass, driver, devices, isAdmin = false }] of all.entries()) {
    if (devices.length === 0) continue;
    const ref = { apiVersion: resource, kind: "ResourceClaim", name: `${node}-held-${index}`, namespace };
    const request = "held";
    const access = isAdmin ? { adminAccess: true } : {};
    const exactly = { deviceClassName: deviceClass, allocationMode: "ExactCount", count: devices.length, ...access };
    await kube.create({
      apiVersion: resource,
      kind: "ResourceClaim",
      metadata: { name: ref.name, namespace },
      spec: { devices: { requests: [{ name: request, exactly }] } },
    });
    const results = devices.map((each) => ({ request, driver, pool: node, device: `device-${each}`, ...access }));
    await kube.patch(ref, { status: { allocation: { devices: { results } } } }, { subresource: "status" });
  }
}

interface Allocated {
  status?: { allocation?: { devices: { results: { driver: string; pool: string; device: string }[] } } };
}

/** The devices of each claim in a namespace, as `driver device`, with the node that they are on. */
export async function allocatedIn(kube: Kube, namespace: string) {
  const claims = (await kube.list({ apiVersion: resource, kind: "ResourceClaim", namespace })) as Allocated[];
  return claims.map(({ status }) => status?.allocation?.devices.results ?? []);
}
