import { type NodePoolClaim, NodePoolDeviceAlignment } from "../../nodes/args";
import { claimSetsOf, locations } from "../../nodes/parse/scheduling";
import type { AddIssue } from "../../../shared/rules";
import { type Device, type DeviceClass, type Node, testOf } from "./clusterObjects";

/** The DeviceClasses of a Kubernetes cluster, and the devices by the name of their node. */
export interface FoundDevices {
  classes: DeviceClass[];
  devices: ReadonlyMap<string, Device[]>;
}

/** The claim of all devices of a class on a node, with the driver of the devices. */
interface ClassClaim {
  claim: Required<NodePoolClaim>;
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
  const found: Device[][][] = [];
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
    found.push(counts);
    const driver = counts.flat()[0]?.driver ?? "";
    return [{ claim: { name: requestName(name), deviceClass: name, count }, driver }];
  });
  const { None, PcieRoot, NumaNode } = NodePoolDeviceAlignment;
  const alignment = [PcieRoot, NumaNode].find((each) => canShare(each, found, claims)) ?? None;
  return { claims, alignment };
}

/** True if the devices of each set can be at one location on every node: each GPU of GB300 has a separate PCIe root. */
function canShare(alignment: NodePoolDeviceAlignment, found: Device[][][], claims: ClassClaim[]): boolean {
  const [attribute = ""] = locations[alignment];
  const placeOf = ({ attributes }: Device) => attributes[attribute];
  const all = claims.map(({ claim }) => claim);
  const sets = claimSetsOf(all, alignment);
  return (found[0] ?? []).every((_, node) => {
    const onNode = found.map((counts) => counts[node] ?? []);
    const places = new Set(onNode.flatMap((devices) => devices.map(placeOf)));
    const fitting = [...places].map((place) => {
      if (place === undefined) return 0;
      const counts = sets.claims.map(({ count = 1 }, index) => {
        const devices = onNode[index]?.filter((device) => placeOf(device) === place) ?? [];
        return Math.floor(devices.length / count);
      });
      return Math.min(...counts);
    });
    return fitting.reduce((sum, count) => sum + count, 0) >= sets.claimSets;
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
