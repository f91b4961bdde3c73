"""The costs of jobs, from the events of the journal."""

from datetime import datetime

from budget.programs.costs import Costs, priced_hosts
from core.programs.journal import event_of

HOUR = 3600
CAPACITY = {0: (4, 0), 1: (4, 0), 3: (8, 0), 4: (8, 0)}


def at(text):
    return datetime.fromisoformat(f"{text}+00:00").timestamp()


NOON = at("2026-11-26T12:00:00")


def costs_of(events, now):
    """The costs of the jobs that finish, and the sums at a time."""
    hosts = priced_hosts([("home", 2), ("free", 1), ("far", 2)], {"home": 1.5, "far": 4}, CAPACITY)
    costs = Costs(hosts)
    ends = [costs.take(event_of({"id": event["job"], **event}, event)) for event in events]
    return [cost for cost in ends if cost is not None], costs.rows(now)


def submitted(job, timestamp, queue="home", owner=None):
    jobspec = {"attributes": {"system": {"queue": queue}, "user": {"owner": owner}}}
    context = {"userid": 4_000_000}
    return {"job": job, "name": "submit", "timestamp": timestamp, "context": context, "jobspec": jobspec}


def allocated(job, timestamp, rank, core):
    resources = {"execution": {"R_lite": [{"rank": rank, "children": {"core": core}}]}}
    return {"job": job, "name": "alloc", "timestamp": timestamp, "R": resources}


def ended(job, timestamp, name="finish"):
    return {"job": job, "name": name, "timestamp": timestamp, "context": {"status": 0}}


def row(queue, user, **costs):
    return {"queue": queue, "user": user, "perHour": 0, "today": 0, "month": 0, **costs}


def test_whole_hosts_for_the_time_of_the_job_and_a_part_of_a_shared_host():
    events = [
        submitted(1, NOON - HOUR),
        allocated(1, NOON, "0-1", "0-3"),
        ended(1, NOON + 2 * HOUR),
        submitted(2, NOON, "home", "ann"),
        allocated(2, NOON, "0", "0"),
        ended(2, NOON + HOUR),
        # A host without a price.
        submitted(3, NOON),
        allocated(3, NOON, "2", "0-3"),
        ended(3, NOON + HOUR),
    ]
    ends, rows = costs_of(events, NOON + 3 * HOUR)
    assert ends == [6, 0.375]
    assert rows == [row("home", "4000000", today=6, month=6), row("home", "ann", today=0.38, month=0.38)]


def test_days_and_months_are_those_in_which_the_job_runs_in_utc():
    evening = at("2026-11-30T22:00:00")
    events = [
        submitted(1, evening, "far"),
        allocated(1, evening, "3", "0-7"),
        ended(1, evening + 4 * HOUR),
        submitted(2, evening, "far", "bob"),
        allocated(2, evening + HOUR, "4", "0-7"),
    ]
    ends, rows = costs_of(events, evening + 5 * HOUR)
    assert ends == [16]
    assert rows == [row("far", "bob", perHour=4, today=12, month=12), row("far", "4000000", today=8, month=8)]
    _, later = costs_of(events[:3], at("2026-12-02T00:00:00"))
    assert later == [row("far", "4000000", month=8)]


def test_ends_with_a_job_without_an_event_of_its_end_and_follows_one_to_another_queue():
    moved = {**ended(1, NOON, "jobspec-update"), "context": {"attributes.system.queue": "far"}}
    events = [submitted(1, NOON), moved, allocated(1, NOON, "3-4", "0-7"), ended(1, NOON + HOUR, "clean")]
    ends, rows = costs_of([*events, ended(1, NOON + 2 * HOUR, "clean")], NOON + 3 * HOUR)
    assert ends == [8]
    assert rows == [row("far", "4000000", today=8, month=8)]
