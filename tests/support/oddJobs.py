"""Gives odd jobs that Flux accepts to the programs beside it, and prints how many there were, and what failed."""

import json
import sys
import time
from types import SimpleNamespace
from typing import Any, Callable, Dict, List

import flux
from budget.programs import costs
from bursting.programs import frobnicator, placing
from console.programs import board
from core.programs import journal, state
from flux.job.validator import refusal, refusal_of_memo
from forecast.programs import queue
from requeue.programs import requeue

RESOURCES = {"execution": {"R_lite": [{"rank": "0", "children": {"core": "0-1"}}], "nodelist": ["home-0"]}}


def events_of(job: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The events of a job that loses its host."""
    contexts: Dict[str, Any] = {
        "submit": {"userid": requeue.os.getuid(), "urgency": 16, "flags": 0, "version": 1},
        "validate": {},
        "depend": {},
        "priority": {"priority": 16},
        "memo": job["memo"],
        "alloc": {"annotations": job["memo"]},
        "start": {},
        "exception": {"type": "node-failure", "severity": 0, "note": "node failure on home-0"},
        "finish": {"status": 9},
        "clean": {},
    }
    return [{"name": name, "timestamp": 1e9, "context": context} for name, context in contexts.items()]


given = json.load(sys.stdin)
accepted = [one for one in given if not refusal(one["jobspec"]) and not refusal_of_memo(one["memo"])]
instance: Dict[str, Any] = {
    "hosts": ["home-0", "home-1", "far-0", "far-1"],
    "cores": 2,
    "gpus": 0,
    "online": [0, 1],
    "drained": [],
    "allocated": {},
    "config": {"queues": {"home": {}, "far": {}}},
    "stats": {},
}
flux.INSTANCE = instance
clusters = [state.Cluster("home", 0, 2, 2), state.Cluster("far", 2, 2, 2)]
queues = [{"name": name, "cluster": name, "price": 1.0} for name in ("home", "far")]
submitted: List[Any] = []
setattr(flux.Flux, "submit", lambda _, jobspec, urgency: submitted.append(refusal(jobspec)) or 1)
failed: List[str] = []


def survives(name: str, work: Callable[[], Any]) -> Any:
    try:
        return work()
    except Exception as error:
        failed.append(f"{name}: {type(error).__name__}: {error}")
        return None


shown, charged = board.Board(), costs.Costs({0: costs.Host(1.0, 2)})
keeper = requeue.Requeue(flux.Flux(), requeue.Policy(3, 10, 5.0))
plugin = frobnicator.Frobnicator()
plugin.queues = [{"name": name, "hosts": [[2, 0], [2, 0]]} for name in ("home", "far")]
setattr(requeue, "DECIDED_AFTER", 0.0)
for number, job in enumerate(accepted, 1):
    jobspec = job["jobspec"]
    listed = {
        "id": f"f{number}",
        "state": "SCHED",
        "queue": jobspec["attributes"]["system"]["queue"],
        "jobspec": jobspec,
        "resources": jobspec["resources"],
        "events": events_of(job),
    }
    instance["jobs"] = [listed]
    clean = json.loads(json.dumps(jobspec))
    clean["attributes"]["system"].pop("environment", None)
    for entry in events_of(job):
        event = journal.event_of({"id": number, "jobspec": clean, "R": RESOURCES}, entry)
        journal.attempt(shown.take, event)
        journal.attempt(charged.take, event)
        journal.attempt(keeper.take, event)
        survives("console", lambda: json.dumps(shown.changes({})))
    line = survives("queue", lambda: json.dumps(queue.reading(flux.Flux()), allow_nan=False))
    if line and len(json.loads(line)["waiting"]) + json.loads(line)["counts"]["unread"] != 1:
        failed.append("queue: a job is neither read nor counted")
    survives("console", lambda: shown.search("a"))
    survives("console", lambda: json.dumps([board.compact(board.as_view(one, {})) for one in shown.newest(1)]))
    survives("requeue", lambda: keeper.look(time.monotonic()))
    read = survives("demand", lambda: state.Reading(flux.Flux(), clusters, state.Arrivals(), state.Jobspecs()))
    if read:
        survives("demand", lambda: json.dumps([read.part(cluster, 2) for cluster in clusters] + read.pending()))
        settings = {"queues": queues, "order": "price", "afterSeconds": 1, "giveUpSeconds": 1}
        placer = placing.Placer(flux.Flux(), settings, lambda *_: None)
        survives("place", lambda: placer.look(read, time.time()))
    job_of_ingest = SimpleNamespace(attributes=jobspec["attributes"], resources=jobspec["resources"], setattr=print)
    setattr(job_of_ingest, "setattr", lambda *_: None)
    survives("intake", lambda: plugin.frob(job_of_ingest))
missing = [number for number in range(1, len(accepted) + 1) if shown.jobs.get(number, {}).get("state") != "INACTIVE"]
survives("metrics", lambda: json.dumps(charged.rows(time.time())))
refused = [one for one in submitted if one]
print(
    json.dumps(
        {
            "accepted": len(accepted),
            "failed": failed[:20],
            "missing": missing,
            "skipped": len(journal.skipped),
            "requeued": len(submitted),
            "refused": refused[:5],
        }
    )
)
