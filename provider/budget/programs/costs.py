"""Counts what the jobs of a Flux instance cost, from the journal of the job manager (RFC 21 of Flux).

A job costs the price of its hosts while it has them, and on a shared host the part of the price for its cores. The
journal begins with the jobs that Flux still lists, so that a program that starts again has the same sums.
"""

import pwd
from datetime import datetime, timedelta, timezone
from threading import Lock
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from core.programs.planning import part_of, text_of
from flux.idset import IDset

# Days that are kept: the longest month.
DAYS = 31

# A queue and a user.
Key = Tuple[str, str]


class Host(NamedTuple):
    """Facts on a host: its price per hour, and its cores if they are known."""

    price: float
    cores: int


class Job(NamedTuple):
    """A job that has not ended."""

    queue: str
    user: str
    # Price of its hosts per hour, and the start of its present allocation.
    price: float = 0.0
    since: float = 0.0


def day_of(at: float) -> str:
    """The day of a time, in UTC."""
    return f"{datetime.fromtimestamp(at, timezone.utc):%Y-%m-%d}"


def by_day(begin: float, end: float) -> Iterator[Tuple[str, float]]:
    """The days between two times, each with its seconds between them."""
    while begin < end:
        midnight = datetime.fromtimestamp(begin, timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
        following = min(end, (midnight + timedelta(days=1)).timestamp())
        yield day_of(begin), following - begin
        begin = following


def user_of(jobspec: Dict[str, Any], userid: int) -> str:
    """The user of a job: the user of the console who has submitted it, or else its owner."""
    owner = text_of(part_of(jobspec, "attributes", "user").get("owner"))
    if owner:
        return owner
    try:
        return pwd.getpwuid(userid).pw_name
    except KeyError:
        return str(userid)


class Costs:
    """The cost of the jobs, by queue and user. One thread follows the journal, and others read."""

    def __init__(self, hosts: Dict[int, Host]) -> None:
        self.hosts = hosts
        self.jobs: Dict[int, Job] = {}
        self.days: Dict[str, Dict[Key, float]] = {}
        self.lock = Lock()

    def take(self, event: Any) -> Optional[float]:
        """Records an event. Returns the cost of a job that has just finished."""
        with self.lock:
            number, context = int(event.jobid), event.context
            if event.name == "submit" and event.jobspec:
                queue = text_of(part_of(event.jobspec, "attributes", "system").get("queue"))
                self.jobs[number] = Job(queue, user_of(event.jobspec, context["userid"]))
            job = self.jobs.get(number)
            if job is None:
                return None
            if event.name == "jobspec-update":
                queue = text_of(context.get("attributes.system.queue"))
                self.jobs[number] = job._replace(queue=queue or job.queue)
            elif event.name == "alloc":
                self.jobs[number] = job._replace(price=self.price_of(event.R), since=event.timestamp)
            elif event.name in ("finish", "clean"):
                self.jobs[number] = job._replace(price=0.0)
                if event.name == "clean":
                    del self.jobs[number]
                return self.charge(job, event.timestamp) if job.price > 0 else None
        return None

    def price_of(self, resources: Optional[Dict[str, Any]]) -> float:
        """Price of a set of resources per hour (RFC 20 of Flux)."""
        total = 0.0
        for entry in resources["execution"]["R_lite"] if resources else []:
            cores = len(IDset(str(entry.get("children", {}).get("core") or "")))
            for rank in IDset(str(entry["rank"])):
                price, most = self.hosts.get(rank, Host(0.0, 0))
                total += price * (min(1.0, cores / most) if most else 1.0)
        return total

    def charge(self, job: Job, until: float) -> float:
        """Adds the cost of a job to the days in which it ran."""
        total = 0.0
        for day, seconds in by_day(job.since, until):
            cost = seconds * job.price / 3600
            total += cost
            sums = self.days.setdefault(day, {})
            sums[job.queue, job.user] = sums.get((job.queue, job.user), 0.0) + cost
        for day in sorted(self.days)[:-DAYS]:
            del self.days[day]
        return total

    def rows(self, now: float) -> List[Dict[str, Any]]:
        """The price per hour now, and the cost today and in this month, of each queue and user with any cost."""
        with self.lock:
            found: Dict[Key, Dict[str, float]] = {}

            def add(key: Key, name: str, amount: float) -> None:
                row = found.setdefault(key, {"perHour": 0.0, "today": 0.0, "month": 0.0})
                row[name] += amount

            def spend(key: Key, day: str, cost: float) -> None:
                if day == day_of(now):
                    add(key, "today", cost)
                if day[:7] == day_of(now)[:7]:
                    add(key, "month", cost)

            for day, sums in self.days.items():
                for key, cost in sums.items():
                    spend(key, day, cost)
            for job in self.jobs.values():
                if job.price > 0:
                    add((job.queue, job.user), "perHour", job.price)
                    for day, seconds in by_day(job.since, now):
                        spend((job.queue, job.user), day, seconds * job.price / 3600)
        rounded = {key: {name: round(amount, 2) for name, amount in row.items()} for key, row in found.items()}
        ordered = sorted(rounded.items(), key=lambda item: (-item[1]["month"], item[0]))
        return [{"queue": queue, "user": user, **row} for (queue, user), row in ordered]


def priced_hosts(
    clusters: List[Tuple[str, int]], prices: Dict[str, float], capacity: Dict[int, Tuple[int, int]]
) -> Dict[int, Host]:
    """The hosts of clusters with a price, by rank."""
    names = [name for name, hosts in clusters for _ in range(hosts)]
    return {
        rank: Host(prices[name], capacity.get(rank, (0, 0))[0]) for rank, name in enumerate(names) if name in prices
    }
