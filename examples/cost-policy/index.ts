import { PolicyPack } from "@pulumi/policy";

/** Components with the output `largestPricePerHour`. */
const clusters = ["minicluster:index:MiniCluster", "minicluster:index:BurstCluster"];

new PolicyPack("minicluster-cost", {
  policies: [
    {
      name: "price-per-hour",
      description: "The clusters of a stack may cost no more per hour than maxPricePerHour, with any queues.",
      enforcementLevel: "mandatory",
      configSchema: {
        properties: {
          maxPricePerHour: { type: "number", exclusiveMinimum: 0, default: 100 },
          // A cluster without a price has no limit.
          requirePrices: { type: "boolean", default: true },
        },
      },
      validateStack: (stack, reportViolation) => {
        const { maxPricePerHour, requirePrices } = stack.getConfig<{
          maxPricePerHour: number;
          requirePrices: boolean;
        }>();
        const found = stack.resources.filter(({ type }) => clusters.includes(type));
        const priced = found.map(({ name, urn, props }) => ({
          name,
          urn,
          price: props["largestPricePerHour"] as unknown,
        }));
        for (const { name, urn, price } of priced)
          if (requirePrices && typeof price !== "number")
            reportViolation(`${name} has no price: set the price of its pools`, urn);
        const known = priced.flatMap(({ name, price }) => (typeof price === "number" ? [{ name, price }] : []));
        const sum = known.reduce((total, { price }) => total + price, 0);
        if (sum > maxPricePerHour)
          reportViolation(
            `the stack may cost ${sum.toFixed(2)} per hour, above ${maxPricePerHour} ` +
              `(${known.map(({ name, price }) => `${name}: ${price}`).join("; ")}); lower size or autoscale.max`,
          );
      },
    },
  ],
});
