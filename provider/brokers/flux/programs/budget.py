"""Counts what the hosts of a Job cost in a day and in a month, and decides whether it may have more of them.

The count is kept in an annotation of the Job, so that the next agent goes on with it.
"""

import json
import math
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Iterator, Optional, Tuple

ANNOTATION = "minicluster/spent"
# Seconds between two writes of a count.
PACE = 60.0


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
    """The budget of a Job. Times are Unix times, so that a count of a former agent can be continued."""

    def __init__(self, settings: Dict[str, Any]) -> None:
        self.price = float(settings["pricePerHour"])
        self.limits = {key: float(settings[key]) for key in PERIODS if settings.get(key) is not None}
        self.at = 0.0
        self.spent: Dict[str, float] = {}
        self.saved_at = -math.inf

    def load(self, text: Optional[str], now: float) -> None:
        """Continues the count of a former agent. Text of another client is ignored."""
        with suppress(ValueError, TypeError, AttributeError):
            count = {str(key): float(value) for key, value in json.loads(text or "{}").items()}
            at = count.pop("at", 0.0)
            if self.at < at <= now and all(0 <= value < math.inf for value in count.values()):
                self.at, self.spent = at, count

    def charge(self, now: float, hosts: int) -> None:
        """Adds the cost of the hosts since the last call."""
        since = self.at or now
        spent: Dict[str, float] = {}
        for name, begin, _ in self.periods(now):
            seconds = max(0.0, now - max(since, begin.timestamp()))
            spent[name] = self.spent.get(name, 0.0) + seconds * hosts * self.price / 3600
        self.at, self.spent = now, spent

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

    def text(self, now: float) -> Optional[str]:
        """The count for the annotation, if it is due."""
        return None if now - self.saved_at < PACE else self.record(now)

    def record(self, now: float) -> str:
        """The count for the annotation. Each change of the size writes it: the next agent lacks the former size."""
        self.saved_at = now
        return json.dumps({"at": round(self.at, 1), **{name: round(cost, 6) for name, cost in self.spent.items()}})
