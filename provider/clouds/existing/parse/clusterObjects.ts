import { amount } from "../../../shared/checks";

/** The fields of a node that are read (Kubernetes, `Node`). */
export interface Node {
  metadata: { name: string; labels?: Record<string, string> };
  spec?: { taints?: Taint[]; unschedulable?: boolean };
  status?: {
    capacity?: Record<string, string>;
    allocatable?: Record<string, string>;
    nodeInfo?: { architecture?: string; kubeletVersion?: string };
  };
}

export interface Taint {
  key: string;
  value?: string;
  effect: string;
}

/** A DeviceClass of `resource.k8s.io/v1`. */
export interface DeviceClass {
  metadata: { name: string };
  spec?: { selectors?: { cel?: { expression?: string } }[] };
}

/** A device of a ResourceSlice, with its driver. */
export interface Device {
  driver: string;
  pool: string;
  name: string;
  attributes: Record<string, unknown>;
}

/** A ResourceSlice of `resource.k8s.io/v1`. */
export interface ResourceSlice {
  spec: {
    driver: string;
    nodeName?: string;
    pool: { name: string; generation?: number };
    devices?: { name: string; attributes?: Record<string, Record<string, unknown>> }[];
  };
}

/** A NetworkAttachmentDefinition of Multus, by which a pod gets an interface of a resource. */
export interface NetworkAttachment {
  metadata: { name: string; namespace: string; annotations?: Record<string, string> };
}

/** Annotation of a NetworkAttachmentDefinition with the resource of its interfaces. */
export const resourceAnnotation = "k8s.v1.cni.cncf.io/resourceName";

/** Annotation of a pod with the networks that Multus attaches. */
export const networksAnnotation = "k8s.v1.cni.cncf.io/networks";

/** Devices of each node, by the newest ResourceSlices of their drivers. */
export function devicesByNode(slices: ResourceSlice[]): Map<string, Device[]> {
  const newest = new Map<string, number>();
  const keyOf = ({ spec: { driver, pool } }: ResourceSlice) => `${driver} ${pool.name}`;
  for (const slice of slices)
    newest.set(keyOf(slice), Math.max(newest.get(keyOf(slice)) ?? 0, slice.spec.pool.generation ?? 0));
  const found = new Map<string, Device[]>();
  for (const slice of slices) {
    const { driver, nodeName, pool, devices = [] } = slice.spec;
    if (nodeName === undefined || (pool.generation ?? 0) !== newest.get(keyOf(slice))) continue;
    const all = devices.map(({ name, attributes = {} }) => ({
      driver,
      pool: pool.name,
      name,
      attributes: Object.fromEntries(
        // A name without a domain has the domain of the driver.
        Object.entries(attributes).map(([key, value]) => [
          key.includes("/") ? key : `${driver}/${key}`,
          valueOf(value),
        ]),
      ),
    }));
    found.set(nodeName, [...(found.get(nodeName) ?? []), ...all]);
  }
  return found;
}

/** An attribute has one of the fields string, int, bool and version. */
const valueOf = (attribute: Record<string, unknown>) => Object.values(attribute)[0];

/** Amount of a resource that a node has, as the kubelet reports it: 0 if the plugin of the devices has stopped. */
export const amountOn = ({ status }: Node, resource: string, list: "capacity" | "allocatable" = "capacity") =>
  amount(status?.[list]?.[resource]) ?? 0;

type DeviceTest = (device: Device) => boolean;

/**
 * The test of the devices of a class. Undefined if a CEL selector of it is not a conjunction of comparisons such as
 * `device.driver == "dra.net"` and `device.attributes["dra.net"].rdma == true`.
 */
export function testOf({ spec: { selectors = [] } = {} }: DeviceClass): DeviceTest | undefined {
  const terms = selectors.flatMap(({ cel }) => (cel?.expression ?? "").split("&&").map((term) => term.trim()));
  const tests = terms.map(testOfTerm);
  if (tests.some((test) => test === undefined)) return undefined;
  return (device) => tests.every((test) => test?.(device));
}

const driverTerm = /^device\.driver\s*==\s*(['"])([^'"]*)\1$/;
const attributeTerm =
  /^device\.attributes\[(['"])([^'"]+)\1\](?:\.(\w+)|\[(['"])([^'"]+)\4\])(?:\s*==\s*(?:(['"])([^'"]*)\6|(true|false)|(\d+)))?$/;

function testOfTerm(term: string): DeviceTest | undefined {
  const [, , driver] = driverTerm.exec(term) ?? [];
  if (driver !== undefined) return (device) => device.driver === driver;
  const found = attributeTerm.exec(term);
  if (!found) return undefined;
  const [, , domain = "", name = "", , quotedName = "", , text, flag, number] = found;
  // A term without a comparison is a boolean attribute.
  const wanted = text ?? (number === undefined ? flag !== "false" : Number(number));
  return ({ attributes }) => attributes[`${domain}/${name || quotedName}`] === wanted;
}
