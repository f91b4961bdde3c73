import { jobsOf } from "../core/parse/spec";
import type { Feature } from "../core/register/feature";
import { maxPrice } from "./fields";

/** Prices of the hosts, by which programs count what jobs cost, and the maximum price of a cluster. */
export const budgetFeature: Feature = {
  name: "budget",
  jobFields: { maxPricePerHour: maxPrice },
  buildSpec: (_, spec) => ({
    additions: {
      prices: Object.fromEntries(
        jobsOf(spec).flatMap(({ name, pool }) =>
          pool?.pricePerHour === undefined ? [] : [[name, pool.pricePerHour] as const],
        ),
      ),
    },
  }),
};
