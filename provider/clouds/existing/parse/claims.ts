import { type NodePoolClaim, NodePoolDeviceAlignment } from "../../nodes/args";
import { claimSetsOf, locations } from "../../nodes/parse/scheduling";
import type { AddIssue } from "../../../shared/rules";
import { type Device, type DeviceClass, type Node, testOf } from "./clusterObjects";

/** The DeviceClasses of a Kubernetes cluster, and the devices by the name of their node. */
export interface FoundDevices {
  classes: DeviceClass[];
  devices: ReadonlyMap<string, Device[]>;
}

/** A number of devices of a class. */
export interface Wanted {
  isOfClass: (device: Device) => boolean;
  count: number;
}

/** The claim of all devices of a class on a node, with the driver of the devices. */
interface ClassClaim {
  claim: Required<NodePoolClaim>;
  isOfClass: Wanted["isOfClass"];
  driver: string;
}

/** Devices that the pods claim. */
export interface Claimed {
  claims: ClassClaim[];
  /** The closest location that the devices of a set can share on every node. */
  alignment: NodePoolDeviceAlignment;
}

/** Claims of all devices of these classes on a node. */
export function claimsOn(
  names: string[],
  nodes: Node[],
  { classes, devices }: FoundDevices,
  addIssue: AddIssue,
): Claimed {
  const claims = names.flatMap((name, index): ClassClaim[] => {
    const deviceClass = classes.find(({ metadata }) => metadata.name === name);
    const path = ["deviceClasses", index];
    if (!deviceClass) {
      const others = classes.map(({ metadata }) => metadata.name).sort();
      const has = others.length > 0 ? `it has ${others.join(", ")}` : "it has none; install the driver of the devices";
      addIssue(path, `the Kubernetes cluster has no DeviceClass ${name}; ${has}`);
      return [];
    }
    const isOfClass = testOf(deviceClass);
    if (!isOfClass) {
      addIssue(
        path,
        `the devices of ${name} cannot be counted by its CEL selector; add claims to the scheduling instead`,
      );
      return [];
    }
    const counts = nodes.map(({ metadata }) => (devices.get(metadata.name) ?? []).filter(isOfClass));
    const count = Math.min(...counts.map((each) => each.length));
    if (count === 0) addIssue(path, `${lackOf(counts, nodes)} no device of ${name}; select other nodes, or remove it`);
    if (count === 0) return [];
    const driver = counts.flat()[0]?.driver ?? "";
    return [{ claim: { name: requestName(name), deviceClass: name, count }, isOfClass, driver }];
  });
  const { None, PcieRoot, NumaNode } = NodePoolDeviceAlignment;
  const onNodes = nodes.map(({ metadata }) => devices.get(metadata.name) ?? []);
  const alignment = [PcieRoot, NumaNode].find((each) => canShare(each, onNodes, claims)) ?? None;
  return { claims, alignment };
}

/** True if the devices of each set can be at one location on every node: each GPU of GB300 has a separate PCIe root. */
function canShare(alignment: NodePoolDeviceAlignment, onNodes: Device[][], classes: ClassClaim[]): boolean {
  const { claims, claimSets } = claimSetsOf(
    classes.map(({ claim }) => claim),
    alignment,
  );
  const wanted = classes.map(({ isOfClass }, index) => ({ isOfClass, count: claims[index]?.count ?? 1 }));
  return onNodes.every((devices) => setsIn(devices, wanted, locations[alignment]).length >= claimSets);
}

/** Sets of devices that a node has, one after the other: all devices of a set have the same value of each attribute. */
export function setsIn(devices: Device[], wanted: Wanted[], attributes: string[]): Device[][] {
  const places = new Map<string, Device[]>();
  for (const device of devices) {
    const values = attributes.map((attribute) => device.attributes[attribute]);
    if (values.includes(undefined)) continue;
    const place = JSON.stringify(values);
    places.set(place, [...(places.get(place) ?? []), device]);
  }
  return [...places.values()].flatMap((near) => {
    const free = new Set(near);
    const sets: Device[][] = [];
    for (;;) {
      const set = wanted.flatMap(({ isOfClass, count }) => {
        const found = [...free].filter(isOfClass).slice(0, count);
        for (const device of found) free.delete(device);
        return found;
      });
      if (set.length === 0 || set.length < wanted.reduce((sum, { count }) => sum + count, 0)) return sets;
      sets.push(set);
    }
  });
}

const lackOf = (counts: unknown[][], nodes: Node[]) => {
  const lacking = counts.filter((each) => each.length === 0).length;
  return lacking === nodes.length ? "the nodes have" : `${lacking} of ${nodes.length} nodes have`;
};

const requestName = (deviceClass: string) =>
  deviceClass
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 63)
    .replace(/-$/, "");

/** Number of devices in some claims. */
export const devicesIn = (claims: ClassClaim[]) => claims.reduce((sum, { claim }) => sum + claim.count, 0);

/** True for the driver of GPUs. */
export const isGpuDriver = (driver: string) => driver.startsWith("gpu.");
