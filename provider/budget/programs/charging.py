"""Follows the cost of jobs of an instance, and adds it to each finished job as a memo."""

import time
from contextlib import suppress
from typing import Any, Dict, List

import flux
from budget.programs.costs import Costs, priced_hosts
from core.programs.families import Family, Sample
from core.programs.journal import Journal, attempt
from core.programs.planning import amounts
from core.programs.state import add_memo
from flux.resource import resource_list

# Longest wait for an event, in seconds.
PAUSE = 60.0


class Charging:
    """The costs of an instance, with a separate handle."""

    def __init__(self, clusters: List[Dict[str, Any]], prices: Dict[str, float]) -> None:
        self.handle = flux.Flux()
        capacity = amounts(resource_list(self.handle).get().all)
        self.costs = Costs(priced_hosts([(one["name"], one["hosts"]) for one in clusters], prices, capacity))

    def follow(self) -> None:
        """Follows the journal, until it ends."""
        journal = Journal(self.handle)
        is_history = True
        while True:
            # Without an event the request is sent again: a missing response does not end the journal.
            with suppress(TimeoutError):
                event = journal.poll(PAUSE)
                if event is None:
                    raise OSError("the journal has ended")
                if event.is_empty():
                    is_history = False
                    continue
                cost = attempt(self.costs.take, event)
                if cost is not None and event.name == "finish" and not is_history:
                    self.note(int(event.jobid), cost)

    def note(self, job: int, cost: float) -> None:
        """Adds the memo. An ended job gets no memo: Flux keeps a job in this state for milliseconds."""
        with suppress(OSError):
            add_memo(self.handle, job, {"cost": round(cost, 6)})

    def families(self) -> List[Family]:
        """Metrics of the cost."""
        rows = self.costs.rows(time.time())
        meanings = {
            "perHour": ("flux_cost_per_hour", "Price per hour of the hosts of running jobs."),
            "today": ("flux_cost_today", "Cost of jobs since midnight in UTC."),
            "month": ("flux_cost_month", "Cost of jobs since the first of the month in UTC."),
        }

        def samples(key: str) -> List[Sample]:
            return [({"queue": row["queue"], "user": row["user"]}, row[key]) for row in rows]

        return [(name, "gauge", meaning, samples(key)) for key, (name, meaning) in meanings.items()]
