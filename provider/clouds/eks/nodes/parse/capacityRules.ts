import { knownLength } from "../../../../shared/deferred";
import { ruleOn } from "../../../../shared/rules";
import { EksNodePoolCapacityType, EksNodePoolPlacement, EksNodePoolReservationPreference } from "../args";
import { type EksPoolFields, hasEfa, placementFields, placementOf } from "./fields";

const rule = ruleOn<EksPoolFields>();

type Fields<Name extends keyof EksPoolFields> = Pick<EksPoolFields, Name>;

const isCluster = (args: Fields<(typeof placementFields)[number]>) =>
  placementOf(args) === EksNodePoolPlacement.Cluster;

const isBlock = ({ capacityType }: Fields<"capacityType">) => capacityType === EksNodePoolCapacityType.CapacityBlock;

const isReservation = ({ capacityType }: Fields<"capacityType">) =>
  capacityType === EksNodePoolCapacityType.Reservation;

/** True for a pool in one reservation, which has one instance type and one zone. */
const isOneReservation = (args: Fields<"capacityType" | "reservationId">) =>
  isBlock(args) || (isReservation(args) && args.reservationId !== undefined);

const zoneFields = [...placementFields, "subnetIds", "reservationId"] as const;

/** The reason why a pool is in one availability zone. */
function oneZoneReason(args: Fields<(typeof zoneFields)[number]>): string | undefined {
  if (hasEfa(args)) return "EFA";
  if (isCluster(args)) return 'placement "cluster"';
  // EKS requires the subnet in the zone of the reservation, and no other subnet.
  return isOneReservation(args) && knownLength(args.subnetIds) !== 1
    ? `capacityType "${args.capacityType}"`
    : undefined;
}

const zoneRule = rule(["zones[]", ...zoneFields], (args, addIssue) => {
  const reason = oneZoneReason(args);
  if (reason !== undefined && args.zones.length !== 1)
    addIssue(["zones"], `${reason} requires exactly one availability zone, not ${args.zones.length}; set one`);
});

const placementRule = rule([...placementFields, "placementGroupName"], (args, addIssue) => {
  if (!isCluster(args)) return;
  const isOpen = args.reservationPreference === EksNodePoolReservationPreference.Open;
  if (isBlock(args)) addIssue(["placement"], "a capacity block cannot be in a placement group; remove placement");
  if ((isReservation(args) || isOpen) && args.placementGroupName === undefined)
    addIssue(
      ["placement"],
      "a reservation has no capacity in a new placement group; set placementGroupName to the reservation's own group, " +
        "or remove placement",
    );
});

const placementGroupRule = rule([...placementFields, "placementGroupName"], (args, addIssue) => {
  if (args.placementGroupName !== undefined && !isCluster(args))
    addIssue(["placementGroupName"], 'requires placement "cluster"; set it, or remove placementGroupName');
});

const blockRule = rule(["capacityType", "reservationId"], (args, addIssue) => {
  if (isBlock(args) && args.reservationId === undefined)
    addIssue(["reservationId"], 'capacityType "capacityBlock" requires the id of the reservation; add it');
});

const reservationRule = rule(
  ["capacityType", "reservationId", "reservationResourceGroupArn", "reservationPreference"],
  (args, addIssue) => {
    const { reservationId, reservationResourceGroupArn, reservationPreference } = args;
    if (isReservation(args) && (reservationId ?? reservationResourceGroupArn ?? reservationPreference) === undefined)
      addIssue(
        ["reservationId"],
        'capacityType "reservation" requires the id of the reservation; add it, or reservationResourceGroupArn, or ' +
          'reservationPreference "capacityReservationsOnly"',
      );
  },
);

const reservationIdRule = rule(["capacityType", "reservationId"], (args, addIssue) => {
  if (!isReservation(args) && !isBlock(args) && args.reservationId !== undefined)
    addIssue(
      ["reservationId"],
      'requires capacityType "reservation" or "capacityBlock"; set one of these, or remove reservationId',
    );
});

const groupRule = rule(["capacityType", "reservationId", "reservationResourceGroupArn"], (args, addIssue) => {
  if (args.reservationResourceGroupArn === undefined) return;
  if (!isReservation(args))
    addIssue(
      ["reservationResourceGroupArn"],
      'requires capacityType "reservation"; set it, or remove reservationResourceGroupArn',
    );
  if (args.reservationId !== undefined)
    addIssue(["reservationResourceGroupArn"], "reservationId names one reservation; remove one of the two");
});

const preferenceRule = rule(["capacityType", "reservationPreference"], (args, addIssue) => {
  const { capacityType, reservationPreference } = args;
  if (reservationPreference === undefined) return;
  const needed =
    reservationPreference === EksNodePoolReservationPreference.CapacityReservationsOnly
      ? EksNodePoolCapacityType.Reservation
      : EksNodePoolCapacityType.OnDemand;
  if (capacityType !== needed)
    addIssue(
      ["reservationPreference"],
      `"${reservationPreference}" requires capacityType "${needed}"; set it, or remove reservationPreference`,
    );
});

const reservedTypeRule = rule(["capacityType", "reservationId", "machineTypes[]"], (args, addIssue) => {
  if (isOneReservation(args) && args.machineTypes.length > 1)
    addIssue(["machineTypes"], "a reservation has one instance type; remove the others");
});

/** Rules on the purchase option of a node group, its reservations, its placement and its zone. */
export const capacityRules = [
  zoneRule,
  placementRule,
  placementGroupRule,
  blockRule,
  reservationRule,
  reservationIdRule,
  groupRule,
  preferenceRule,
  reservedTypeRule,
];
