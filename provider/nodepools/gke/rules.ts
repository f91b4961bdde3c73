import { properties } from "../../shared/checks";
import type { AddIssue } from "../../shared/rules";
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
export function gkeRules(args: Args, addIssue: AddIssue): void {
  commonRules(args, addIssue);
  sizingRules(args, addIssue);
  zoneRules(args, addIssue);
  placementRules(args, addIssue);
  capacityRules(args, addIssue);
  requestRules(args, addIssue);
  labelRules(args, addIssue);
  networkRules(args, addIssue);
  machineRules(args, addIssue);
}

// "Define compact placement for GKE nodes".
const maxCompactNodes = 1500;

function placementRules(args: Args, addIssue: AddIssue): void {
  const { placement, placementPolicyName, capacity, machineType } = args;
  if (placement !== GkeNodePoolPlacement.Compact) {
    if (placementPolicyName !== undefined)
      addIssue(["placementPolicyName"], 'only means something beside placement "compact"; add it or remove the name');
    return;
  }
  if (capacity === GkeNodePoolCapacity.Queued)
    addIssue(
      ["placement"],
      "GKE places queued nodes by itself, and takes no compact placement beside; remove placement",
    );
  if (
    capacity === GkeNodePoolCapacity.FlexStart &&
    typeof machineType === "string" &&
    !hasCompactFlexStart(machineType)
  )
    addIssue(
      ["placement"],
      "flex start brings only A3 Ultra, A4 and H4D in a compact placement; remove placement or choose one of these",
    );
  const { size, maxSize } = properties(args.pairedWith);
  for (const [path, nodes] of [
    [["size"], args.size],
    [["autoscale", "max"], properties(args.autoscale).max],
    [["pairedWith", maxSize === undefined ? "size" : "maxSize"], maxSize ?? size],
  ] as const)
    if (typeof nodes === "number" && nodes > maxCompactNodes)
      addIssue([...path], `a compact placement has at most ${maxCompactNodes} nodes; lower it or remove placement`);
}

function capacityRules({ capacity, reservationName, maxRunSeconds }: Args, addIssue: AddIssue): void {
  const isReserved = capacity === GkeNodePoolCapacity.Reservation;
  if (isReserved && reservationName === undefined)
    addIssue(["reservationName"], 'capacity "reservation" needs the name of the reservation; add it');
  if (!isReserved && reservationName !== undefined)
    addIssue(
      ["reservationName"],
      `nodes of capacity "${capacity ?? GkeNodePoolCapacity.OnDemand}" come from no reservation; remove it, or use capacity "reservation"`,
    );
  if (maxRunSeconds !== undefined && !isOnRequest(capacity))
    addIssue(["maxRunSeconds"], 'only means something beside capacity "flexStart" or "queued"; remove it');
}

/** What does not go with nodes that come on request. */
function requestRules({ capacity, size, autoscale, autoRepair }: Args, addIssue: AddIssue): void {
  if (!isOnRequest(capacity)) return;
  if (size !== undefined)
    addIssue(
      ["size"],
      `nodes of capacity "${capacity}" come on request, in no fixed number; use autoscale or pairedWith`,
    );
  const { min = 0 } = properties(autoscale);
  if (capacity === GkeNodePoolCapacity.Queued && typeof min === "number" && min > 0)
    addIssue(
      ["autoscale", "min"],
      `queued nodes come on request, and none stay that nobody has asked for; ${min} must be 0`,
    );
  if (autoRepair === true)
    addIssue(["autoRepair"], `GKE cannot replace nodes of capacity "${capacity}", which come on request; remove it`);
}

const ownLabels =
  /^((node|topology)\.)?kubernetes\.io\/|^cloud\.google\.com\/(gke-(nodepool|accelerator|spot|preemptible|boot-disk|ephemeral-storage-local-ssd)$|gce-topology-)/;

function labelRules({ labels }: Args, addIssue: AddIssue): void {
  for (const key of Object.keys(properties(labels)))
    if (ownLabels.test(key)) addIssue(["labels", key], "is set by GKE itself; choose another key");
}
