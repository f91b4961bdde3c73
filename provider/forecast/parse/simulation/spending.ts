import type { ElasticBudget } from "./types";

type Period = keyof ElasticBudget["limits"];

const HOUR = 3600;
const DAY = 86_400;

/** Begin of the next period in UTC. */
function endOf(period: Period, time: number): number {
  if (period === "perDay") return (Math.floor(time / DAY) + 1) * DAY;
  const date = new Date(time * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
}

/** What the hosts of a cluster cost in the present day and month, by the rules of budget/programs/budget.py. */
export class Spending {
  private readonly spent: Record<Period, number>;

  constructor(
    private readonly budget: ElasticBudget,
    private readonly pricePerHour: number,
    private at: number,
  ) {
    this.spent = { perDay: budget.spent.perDay ?? 0, perMonth: budget.spent.perMonth ?? 0 };
  }

  /** Adds the cost of some hosts since the last call. */
  charge(now: number, hosts: number): void {
    while (this.at < now) {
      const [day, month] = [endOf("perDay", this.at), endOf("perMonth", this.at)];
      const until = Math.min(now, day);
      const cost = ((until - this.at) * hosts * this.pricePerHour) / HOUR;
      this.spent.perDay = until === day ? 0 : this.spent.perDay + cost;
      this.spent.perMonth = until === month ? 0 : this.spent.perMonth + cost;
      this.at = until;
    }
  }

  /** Time until which the cluster may not grow, or undefined if it may. Infinity: a limit is 0. */
  blockedUntil(): number | undefined {
    const ends: number[] = [];
    for (const period of ["perDay", "perMonth"] as const) {
      const limit = this.budget.limits[period];
      if (limit !== undefined && this.spent[period] >= limit) ends.push(limit > 0 ? endOf(period, this.at) : Infinity);
    }
    return ends.length > 0 ? Math.max(...ends) : undefined;
  }
}
