import type { AddIssue } from "../../shared/rules";
import { GkeNodePoolCapacity, GkeNodePoolFabric, GkeNodePoolPlacement, type GkeNodePoolArgs } from "./args";
import { isOnRequest } from "./machine";

type Args = Partial<GkeNodePoolArgs>;

/** The rules on the zones of a pool: how many there may be, and how the nodes are shared out between them. */
export function zoneRules(args: Args, addIssue: AddIssue): void {
  const { zones = [] } = args;
  if (!Array.isArray(zones)) return;
  zones.forEach((zone, index) => {
    if (zones.indexOf(zone) !== index) addIssue(["zones", index], `${zone} stands twice; remove one of them`);
  });
  const [toKeepTo] = oneZone(args);
  const [toName] = namedZones(args);
  const count = zones.length === 0 ? "there is none here" : `these are ${zones.length}`;
  if (toKeepTo !== undefined && zones.length !== 1) addIssue(["zones"], `${toKeepTo}, and ${count}; name exactly one`);
  if (toKeepTo === undefined && toName !== undefined && zones.length === 0) addIssue(["zones"], toName);
  shareRules(args, zones.length, addIssue);
}

/** Why a pool keeps to one zone. */
const oneZone = ({ fabric, placement }: Args) => [
  ...(fabric === GkeNodePoolFabric.Rdma ? ["networks for RDMA lie in one zone"] : []),
  ...(placement === GkeNodePoolPlacement.Compact ? ["a compact placement lies in one zone"] : []),
];

/** Why the zones of a pool have to be named. */
const namedZones = ({ size, capacity }: Args) => [
  ...(capacity === GkeNodePoolCapacity.Reservation ? ["a reservation lies in a zone; name it"] : []),
  ...(size !== undefined && !isOnRequest(capacity)
    ? ["GKE counts nodes by zone; name the zones that the nodes are shared out between"]
    : []),
];

function shareRules({ size }: Args, zones: number, addIssue: AddIssue): void {
  if (typeof size !== "number" || zones === 0 || size % zones === 0) return;
  const [less, more] = [Math.floor, Math.ceil].map((round) => round(size / zones) * zones);
  addIssue(
    ["size"],
    `every one of ${zones} zones has as many nodes, and ${size} cannot be shared out so; use ${less} or ${more}`,
  );
}
