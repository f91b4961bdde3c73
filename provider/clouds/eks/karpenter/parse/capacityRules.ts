import { ruleOn } from "../../../../shared/rules";
import { EksNodePoolCapacityType } from "../../nodes/args";
import { capacityTypesOf, hasEfa } from "../../nodes/parse/fields";
import type { KarpenterPoolFields } from "./fields";

const rule = ruleOn<KarpenterPoolFields>();

const typeFields = ["capacityType", "capacityTypes"] as const;
type Types = Pick<KarpenterPoolFields, (typeof typeFields)[number]>;

const isReserved = (type: EksNodePoolCapacityType) =>
  type === EksNodePoolCapacityType.Reservation || type === EksNodePoolCapacityType.CapacityBlock;

const hasBlock = (args: Types) => capacityTypesOf(args).includes(EksNodePoolCapacityType.CapacityBlock);

const oneListRule = rule(typeFields, ({ capacityType, capacityTypes }, addIssue) => {
  if (capacityType !== undefined && capacityTypes !== undefined)
    addIssue(["capacityTypes"], "replaces capacityType; remove one of the two");
});

const listRule = rule(["capacityTypes"], ({ capacityTypes }, addIssue) => {
  if (capacityTypes?.length === 0) addIssue(["capacityTypes"], "needs at least one capacity type; add one");
  if (capacityTypes && new Set(capacityTypes).size < capacityTypes.length)
    addIssue(["capacityTypes"], "has a capacity type twice; remove one of them");
  if (capacityTypes?.includes(EksNodePoolCapacityType.CapacityBlock) && capacityTypes.length > 1)
    addIssue(
      ["capacityTypes"],
      'the nodes of a capacity block are a pool by themselves; use "reservation", or only "capacityBlock"',
    );
});

const zoneRule = rule(["fabric", "placementGroupName", "zones[]"], (args, addIssue) => {
  const reason = hasEfa(args) ? "EFA" : args.placementGroupName === undefined ? undefined : "a placement group";
  if (reason !== undefined && args.zones.length !== 1)
    addIssue(["zones"], `${reason} requires exactly one availability zone, not ${args.zones.length}; set one`);
});

const placementRule = rule([...typeFields, "placementGroupName"], (args, addIssue) => {
  if (args.placementGroupName !== undefined && hasBlock(args))
    addIssue(["placementGroupName"], "a capacity block cannot be in a placement group; remove placementGroupName");
});

/** Arguments that select reservations. */
const selectors = ["reservationId", "reservationTags", "reservationMatchCriteria"] as const;

const reservationRule = rule([...typeFields, ...selectors], (args, addIssue) => {
  const type = capacityTypesOf(args).find(isReserved);
  if (type !== undefined && selectors.every((key) => args[key] === undefined))
    addIssue(
      ["reservationId"],
      `capacityType "${type}" requires the id of the reservation; add it, or reservationTags, or reservationMatchCriteria`,
    );
});

const selectorRules = selectors.map((key) =>
  rule([...typeFields, key], (args, addIssue) => {
    if (args[key] !== undefined && !capacityTypesOf(args).some(isReserved))
      addIssue([key], `requires capacityType "reservation" or "capacityBlock"; set one of these, or remove ${key}`);
  }),
);

const oneReservationRules = (["reservationTags", "reservationMatchCriteria"] as const).map((key) =>
  rule(["reservationId", key], (args, addIssue) => {
    if (args.reservationId !== undefined && args[key] !== undefined)
      addIssue([key], `reservationId names one reservation; remove reservationId, or ${key}`);
  }),
);

const openRule = rule(["autoMode", "reservationMatchCriteria"], ({ autoMode, reservationMatchCriteria }, addIssue) => {
  if (autoMode && reservationMatchCriteria !== undefined)
    addIssue(
      ["reservationMatchCriteria"],
      'EKS Auto Mode uses open reservations with capacityType "onDemand"; remove reservationMatchCriteria, or use reservationTags',
    );
});

const reservedTypeRule = rule([...typeFields, "reservationId", "machineTypes[]"], (args, addIssue) => {
  if (args.reservationId !== undefined && capacityTypesOf(args).every(isReserved) && args.machineTypes.length > 1)
    addIssue(["machineTypes"], "a reservation has one instance type; remove the others");
});

/** Rules on the capacity types of a pool, its reservations, its placement and its zone. */
export const capacityRules = [
  oneListRule,
  listRule,
  zoneRule,
  placementRule,
  reservationRule,
  ...selectorRules,
  ...oneReservationRules,
  openRule,
  reservedTypeRule,
];
