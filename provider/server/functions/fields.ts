import { z } from "zod";
import { AksNodePoolCapacityType } from "../../clouds/aks/nodes/args";
import { EksNodePoolCapacityType } from "../../clouds/eks/nodes/args";
import { GkeNodePoolCapacityType } from "../../clouds/gke/nodes/args";
import { MiniClusterArch } from "../../clouds/nodes/args";
import { currency } from "../../clouds/nodes/parse/pool";
import { choice, integer, nonEmptyText, object } from "../../shared/checks";
import { inputProblems, inputPropertiesError } from "../../shared/errors";

const machineType = nonEmptyText;
const place = nonEmptyText.optional();

/** The arguments of the lookups of machine types and of prices. */
export const lookupFields = {
  lookupEksMachine: object({ machineType, region: place }),
  lookupEksPrice: object({ machineType, region: place, capacityType: choice(EksNodePoolCapacityType).optional() }),
  lookupGkeMachine: object({
    machineType,
    zone: place,
    project: place,
    arch: choice(MiniClusterArch),
    threadsPerCore: integer(1, 2),
  }),
  lookupGkePrice: object({
    machineType,
    region: place,
    capacityType: choice(GkeNodePoolCapacityType).optional(),
    currency: currency.optional(),
  }),
  lookupAksMachine: object({ machineType, location: nonEmptyText }),
  lookupAksPrice: object({
    machineType,
    location: nonEmptyText,
    capacityType: choice(AksNodePoolCapacityType).optional(),
    currency: currency.optional(),
  }),
};

/** The arguments of a function, or one error that names every problem. */
export function checkedArgs<K extends keyof typeof lookupFields>(name: K, args: unknown) {
  const { data, error } = lookupFields[name].safeParse(args);
  if (error) throw inputPropertiesError(name, inputProblems(error));
  return data as z.output<(typeof lookupFields)[K]>;
}
