import type { MiniClusterForecast, MiniClusterForecastCase } from "../args";
import type { Comparison, QueueCase } from "./comparison";

const timestamp = (seconds: number) => new Date(Math.round(seconds) * 1000).toISOString().replace(".000Z", "Z");

/** A comparison as the output of a cluster. */
export function forecastOutput(comparison: Comparison): MiniClusterForecast {
  const { now, change, counts, before, after, between, assumptions } = comparison;
  const { waiting, running, simulated, held, dependent, stopped, withoutLimit } = counts;
  return {
    status: "forecast",
    at: timestamp(now),
    change,
    jobs: { waiting, running, simulated, held, dependent, stopped, withoutLimit },
    before: caseOutput(before),
    after: caseOutput(after),
    ...(between && { between: caseOutput(between) }),
    assumptions,
  };
}

const caseOutput = ({
  change,
  end,
  typicalEnd,
  firstStart,
  neverStart,
  lost,
  addedCost,
  budget,
}: QueueCase): MiniClusterForecastCase => ({
  change,
  ...(end !== undefined && { endsBy: timestamp(end) }),
  ...(typicalEnd !== undefined && { endsAbout: timestamp(typicalEnd) }),
  ...(firstStart !== undefined && { firstStart: timestamp(firstStart) }),
  neverStart,
  lost: lost.jobs,
  ...(addedCost !== undefined && { addedCost: Number(addedCost.toFixed(2)) }),
  ...(budget && { budgetEnds: timestamp(budget.end), waitingAtBudgetEnd: budget.waiting }),
});
