import { properties } from "../../shared/checks";
import type { Complain } from "../../minicluster/spec/rules";
import { commonRules } from "../checks";
import { sizingRules } from "../sizing";
import { GkeNodePoolCapacity, GkeNodePoolPlacement, type GkeNodePoolArgs } from "./args";
import { hasCompactFlexStart } from "./families";
import { isOnRequest } from "./machine";
import { machineRules } from "./machineRules";
import { networkRules } from "./networkRules";
import { zoneRules } from "./zoneRules";

type Args = Partial<GkeNodePoolArgs>;

/** The rules that join several arguments, on whatever was given. */
export function gkeRules(args: Args, complain: Complain): void {
  commonRules(args, complain);
  sizingRules(args, complain);
  zoneRules(args, complain);
  placementRules(args, complain);
  capacityRules(args, complain);
  requestRules(args, complain);
  labelRules(args, complain);
  networkRules(args, complain);
  machineRules(args, complain);
}

// "Define compact placement for GKE nodes".
const mostCompactNodes = 1500;

function placementRules(args: Args, complain: Complain): void {
  const { placement, placementPolicyName, capacity, machineType } = args;
  if (placement !== GkeNodePoolPlacement.Compact) {
    if (placementPolicyName !== undefined)
      complain(["placementPolicyName"], 'only means something beside placement "compact"; add it or remove the name');
    return;
  }
  if (capacity === GkeNodePoolCapacity.Queued)
    complain(
      ["placement"],
      "GKE places queued nodes by itself, and takes no compact placement beside; remove placement",
    );
  if (
    capacity === GkeNodePoolCapacity.FlexStart &&
    typeof machineType === "string" &&
    !hasCompactFlexStart(machineType)
  )
    complain(
      ["placement"],
      "flex start brings only A3 Ultra, A4 and H4D in a compact placement; remove placement or choose one of these",
    );
  const { size, maxSize } = properties(args.pairedWith);
  for (const [path, nodes] of [
    [["size"], args.size],
    [["autoscale", "max"], properties(args.autoscale).max],
    [["pairedWith", maxSize === undefined ? "size" : "maxSize"], maxSize ?? size],
  ] as const)
    if (typeof nodes === "number" && nodes > mostCompactNodes)
      complain([...path], `a compact placement has at most ${mostCompactNodes} nodes; lower it or remove placement`);
}

function capacityRules({ capacity, reservationName, maxRunSeconds }: Args, complain: Complain): void {
  const isReserved = capacity === GkeNodePoolCapacity.Reservation;
  if (isReserved && reservationName === undefined)
    complain(["reservationName"], 'capacity "reservation" needs the name of the reservation; add it');
  if (!isReserved && reservationName !== undefined)
    complain(
      ["reservationName"],
      `nodes of capacity "${capacity ?? GkeNodePoolCapacity.OnDemand}" come from no reservation; remove it, or use capacity "reservation"`,
    );
  if (maxRunSeconds !== undefined && !isOnRequest(capacity))
    complain(["maxRunSeconds"], 'only means something beside capacity "flexStart" or "queued"; remove it');
}

/** What does not go with nodes that come on request. */
function requestRules({ capacity, size, autoscale, autoRepair }: Args, complain: Complain): void {
  if (!isOnRequest(capacity)) return;
  if (size !== undefined)
    complain(
      ["size"],
      `nodes of capacity "${capacity}" come on request, in no fixed number; use autoscale or pairedWith`,
    );
  const { min = 0 } = properties(autoscale);
  if (capacity === GkeNodePoolCapacity.Queued && typeof min === "number" && min > 0)
    complain(
      ["autoscale", "min"],
      `queued nodes come on request, and none stay that nobody has asked for; ${min} must be 0`,
    );
  if (autoRepair === true)
    complain(["autoRepair"], `GKE cannot replace nodes of capacity "${capacity}", which come on request; remove it`);
}

const ownLabels =
  /^((node|topology)\.)?kubernetes\.io\/|^cloud\.google\.com\/(gke-(nodepool|accelerator|spot|preemptible|boot-disk|ephemeral-storage-local-ssd)$|gce-topology-)/;

function labelRules({ labels }: Args, complain: Complain): void {
  for (const key of Object.keys(properties(labels)))
    if (ownLabels.test(key)) complain(["labels", key], "is set by GKE itself; choose another key");
}
