"""Counts what the hosts of a Job cost in a day and in a month, and decides whether it may have more of them.

The count is kept in an annotation of the Job, so that the next agent continues with it.
"""

import json
import math
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Iterator, List, Optional, Tuple

from core.programs.contract import ANNOTATIONS

ANNOTATION: str = ANNOTATIONS.spent
# Seconds between two writes of a count.
RECORD_PERIOD = 60.0
# Maximum number of periods that one call charges, and of sums that are kept: a clock may be wrong for a while.
MOST_PERIODS, MOST_SUMS = 4, 8
# A recorded time that is more than these seconds in the future is not from an agent.
LONGEST_AHEAD = 400 * 86_400.0


def day_of(now: float) -> Tuple[str, datetime, datetime]:
    """Name, begin and end of a day in UTC."""
    begin = datetime.fromtimestamp(now, timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    return f"{begin:%Y-%m-%d}", begin, begin + timedelta(days=1)


def month_of(now: float) -> Tuple[str, datetime, datetime]:
    """Name, begin and end of a month in UTC."""
    begin = day_of(now)[1].replace(day=1)
    return f"{begin:%Y-%m}", begin, (begin + timedelta(days=32)).replace(day=1)


PERIODS = {"perDay": day_of, "perMonth": month_of}


class Budget:
    """The budget of a Job.

    `now` is the time of the API server, which all agents have: it decides on the period, and on the time between two
    agents. `tick` is the monotonic clock of this process: it decides for how long the hosts have cost.
    """

    def __init__(self, settings: Dict[str, Any]) -> None:
        self.price = float(settings["pricePerHour"])
        self.limits = {key: float(settings[key]) for key in PERIODS if settings.get(key) is not None}
        # Time until which the costs are counted. It never decreases, so that nothing is counted twice.
        self.at = 0.0
        self.tick: Optional[float] = None
        self.spent: Dict[str, float] = {}
        self.saved_at = -math.inf

    def load(self, text: Optional[str], now: float) -> None:
        """Continues the count of another agent. Text of another client is ignored."""
        with suppress(ValueError, TypeError, AttributeError):
            count = {str(key): float(value) for key, value in json.loads(text or "{}").items()}
            at = count.pop("at", 0.0)
            at = at if at < now + LONGEST_AHEAD else now
            if self.at < at and all(0 <= value < math.inf for value in count.values()):
                self.at, self.tick, self.spent = at, None, count

    def charge(self, now: float, tick: float, hosts: int) -> None:
        """Adds the cost of the hosts since the last call."""
        elapsed = tick - self.tick if self.tick is not None else max(0.0, now - self.at) if self.at else 0.0
        for key in self.limits:
            for name, seconds in periods_until(key, now, elapsed):
                # The sums that were charged last are at the end.
                self.spent[name] = self.spent.pop(name, 0.0) + seconds * hosts * self.price / 3600
        self.spent = dict(list(self.spent.items())[-MOST_SUMS:])
        self.at, self.tick = max(self.at + elapsed, now), tick

    def periods(self, now: float) -> Iterator[Tuple[str, datetime, datetime]]:
        """The periods that have a limit."""
        return (PERIODS[key](now) for key in self.limits)

    def reached(self, now: float) -> Optional[str]:
        """The reason why the Job may have no more hosts, if there is one: the limit that ends last."""
        ends = [
            (end, f"the budget of {limit:g} for {name} is spent ({self.spent.get(name, 0.0):.2f})")
            for limit, (name, _, end) in zip(self.limits.values(), self.periods(now))
            if self.spent.get(name, 0.0) >= limit
        ]
        if not ends:
            return None
        end, reason = max(ends)
        return f"{reason}, and the size grows again from {end:%Y-%m-%d} UTC"

    def text(self) -> Optional[str]:
        """The count for the annotation, if it is due."""
        return None if (self.tick or 0.0) - self.saved_at < RECORD_PERIOD else self.record()

    def record(self) -> str:
        """The count for the annotation. Each change of the size writes it: the next agent has no former size."""
        self.saved_at = self.tick or 0.0
        return json.dumps({"at": self.at, **{name: round(cost, 6) for name, cost in self.spent.items()}})


def periods_until(key: str, now: float, elapsed: float) -> List[Tuple[str, float]]:
    """The latest periods, the present one last, each with its part of the seconds that end now."""
    found: List[Tuple[str, float]] = []
    end = now
    while len(found) < MOST_PERIODS and (elapsed > 0 or not found):
        # The end of a period before the present one is the begin of another.
        name, begin, _ = PERIODS[key](end - 0.001 if found else end)
        seconds = min(elapsed, end - begin.timestamp())
        found.insert(0, (name, seconds))
        elapsed, end = elapsed - seconds, begin.timestamp()
    return found
