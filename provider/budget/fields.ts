import { price } from "../clouds/nodes/parse/pool";
import { object } from "../shared/checks";

/** Maximum cost of the hosts of an autoscaled Job. */
export const budget = object({ perDay: price.optional(), perMonth: price.optional() }).refine(
  ({ perDay, perMonth }) => perDay !== undefined || perMonth !== undefined,
  { error: "requires perDay, perMonth or both; add one of them" },
);

/** Maximum price of the nodes of a cluster per hour. */
export const maxPrice = price.optional();
