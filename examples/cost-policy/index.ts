import { PolicyPack } from "@pulumi/policy";

/** The output `forecast` of a MiniCluster, as far as a policy reads it. */
interface Forecast {
  status: string;
  reason?: string;
  /** Times of the reading and of the end of the queue after the change. */
  at?: string;
  after?: { endsBy?: string };
}

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
    {
      name: "queue-forecast",
      description:
        "A change of the hosts of a MiniCluster has a forecast, after which no job waits longer than maxQueueHours.",
      enforcementLevel: "mandatory",
      configSchema: {
        properties: {
          requireForecast: { type: "boolean", default: false },
          maxQueueHours: { type: "number", exclusiveMinimum: 0, default: 168 },
        },
      },
      validateStack: (stack, reportViolation) => {
        const { requireForecast, maxQueueHours } = stack.getConfig<{
          requireForecast: boolean;
          maxQueueHours: number;
        }>();
        for (const { name, type, urn, props } of stack.resources) {
          const forecast = props["forecast"] as Forecast | undefined;
          if (type !== "minicluster:index:MiniCluster" || !forecast) continue;
          const { status, reason, at, after } = forecast;
          if (requireForecast && (status === "disabled" || status === "unavailable"))
            reportViolation(`${name} has no forecast of its queue: ${reason ?? "forecast is false"}`, urn);
          if (!at || !after) continue;
          const hours = after.endsBy ? (Date.parse(after.endsBy) - Date.parse(at)) / 3_600_000 : Infinity;
          if (hours > maxQueueHours)
            reportViolation(
              `the queue of ${name} ends ${after.endsBy ? `in ${hours.toFixed(1)} hours` : "never"} after the change, and the limit is ` +
                `${maxQueueHours} hours; add hosts`,
              urn,
            );
        }
      },
    },
  ],
});
