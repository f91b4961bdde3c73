import type { EksHardware } from "../nodes/parse/fields";
import { acceleratedMachineTypes } from "./accelerated";
import { computeMachineTypes } from "./compute";
import { generalMachineTypes } from "./general";
import { localDisks } from "./localDisks";
import { eksNetworkLabels } from "../../nodes/parse/topology";
import { efaCardsOf, type EksMachineType } from "./rows";

export type { EksMachineType };

/**
 * EC2 instance types by name. The properties are from the AWS documents "Amazon EC2 instance types" (specifications and
 * network specifications), "CPU options for Amazon EC2 instances", "Elastic network interfaces: network cards",
 * "Elastic Fabric Adapter: supported instance types" and "Capacity Blocks for ML", in the form of the EC2 API
 * DescribeInstanceTypes. The table contains a type only if each of its fields was checked; all other types are looked
 * up with that API when a program runs. Compared in November 2026, by `npm run machines`, with Karpenter's lists of
 * August 2026 (instance types, network limits) and the cluster autoscaler's of January 2026; p6e-gb200, which is in
 * none of these lists, is from the EC2 document "Maximize network bandwidth".
 */
export const eksMachineTypes: Record<string, EksMachineType> = Object.fromEntries(
  Object.entries({ ...acceleratedMachineTypes, ...computeMachineTypes, ...generalMachineTypes }).map(([name, type]) => [
    name,
    withLocalDisks(name, type),
  ]),
);

function withLocalDisks(name: string, type: EksMachineType): EksMachineType {
  const [family = "", size = ""] = name.split(".");
  const localDiskGb = localDisks[family]?.[size];
  return localDiskGb === undefined ? type : { ...type, localDiskGb };
}

/** True for an instance type of the table. */
export const isListed = (type: string) => Object.hasOwn(eksMachineTypes, type);

// Responses of EC2 in this process. A type has the same properties in every pool.
const lookedUp = new Map<string, EksHardware>();

/** Records the response of EC2 for an instance type that is not listed, for the pools of this process. */
export const recordMachineType = (type: string, hardware: EksHardware): void => void lookedUp.set(type, hardware);

/** An instance type: from the table, from the user's description, or from EC2. */
export function eksMachineType(type: string, given: EksHardware | undefined): EksMachineType | undefined {
  if (isListed(type)) return eksMachineTypes[type];
  const hardware = given ?? lookedUp.get(type);
  return hardware && described(hardware);
}

function described(hardware: EksHardware): EksMachineType {
  const efaCards = efaCardsOf(hardware.networkCards, hardware.efaInterfaces);
  return { ...hardware, efaCards, spot: true, capacityBlocks: true, needsNewImage: false };
}

// "Prerequisites for Amazon EC2 topology", read in November 2026.
const withThreeLayers = /^(g6e|g7e|hpc\d\w*|p3dn|p4de?|p5(en?)?|p6e-gb200|trn1n?|trn2u?)\./;
const withFourLayers = /^p6-b[23]00\./;
const withoutLayers = ["p5.4xlarge", "trn2.3xlarge"];

/** Number of layers of Amazon's network that EC2 reports for an instance type of the table. */
function networkLayersOf(type: string): number {
  if (withFourLayers.test(type)) return 4;
  return withThreeLayers.test(type) && !withoutLayers.includes(type) ? 3 : 0;
}

/** Labels of Amazon's network that the nodes of all these types have; unknown if a type is not in the table. */
export const networkLabelsOf = (types: string[]): string[] | undefined =>
  types.every(isListed) ? eksNetworkLabels(Math.min(...types.map(networkLayersOf))) : undefined;
