"""Stand-in of Flux's Python bindings: an instance as FLUX_STAND_IN says, a file of JSON that is read at each question.

It has the names that the programs of the lead broker's pod use, and no others. A drain changes the file. A test may set
INSTANCE instead, and keep the instance in memory. Without either it is what the stand-in of flux(1) has in the pods of
the sandbox.
"""

import json
import keyword
import os
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

from flux import pods
from flux.reactor import Reactor, Watcher
from flux.running import RunningJobs

INSTANCE: Optional[Dict[str, Any]] = None


def state() -> Dict[str, Any]:
    """The instance: hosts, what they have and do, and its jobs."""
    if INSTANCE is not None:
        return INSTANCE
    if "FLUX_STAND_IN" not in os.environ:
        return pods.state()
    found: Dict[str, Any] = json.loads(Path(os.environ["FLUX_STAND_IN"]).read_text())
    return found


if Path(os.environ.get("FLUX_STAND_IN", "")).is_file() and "now" in state():
    # A test sets the time.
    time.time = lambda: float(state()["now"])


def keep(changed: Dict[str, Any]) -> None:
    """Writes an instance that has changed."""
    if INSTANCE is not None:
        return
    if "FLUX_STAND_IN" not in os.environ:
        pods.keep(changed)
    else:
        # Another thread may read it meanwhile.
        other = Path(f"{os.environ['FLUX_STAND_IN']}.{os.getpid()}")
        other.write_text(json.dumps(changed))
        os.replace(other, os.environ["FLUX_STAND_IN"])


def of_rank(name: str, rank: int) -> int:
    """What each host has, all the same, or by their ranks."""
    given = state()[name]
    return int(given[rank] if isinstance(given, list) else given)


def drains() -> List[Dict[str, Any]]:
    """Drained ranks, each with reason and time. A bare number is one that was drained long ago."""
    return [{"rank": one, "reason": "", "at": 0.0} if isinstance(one, int) else one for one in state()["drained"]]


class Answer:
    """A future that is there. Its reader gets its value, or its error."""

    def __init__(self, value: Any, reactor: Optional[Reactor] = None) -> None:
        self.value = value
        self.reactor = reactor

    def get(self) -> Any:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value

    def then(self, callback: Callable[["Answer"], None]) -> None:
        """The reactor calls it, and never before this returns."""
        assert self.reactor
        self.reactor.calls.put(lambda: callback(self))


def fail(topic: str) -> None:
    """Fails a request, or answers it late, if a test says so for its topic. In the pods none does."""
    if INSTANCE is None and "FLUX_STAND_IN" not in os.environ:
        return
    fault = state().get("faults", {}).get(topic)
    if fault:
        time.sleep(fault.get("seconds", 0))
        if "errno" in fault:
            raise OSError(fault["errno"], os.strerror(fault["errno"]))


def queue_status(payload: Dict[str, Any]) -> Dict[str, Any]:
    queue = state()["config"].get("queues", {}).get(payload.get("name"), {}) if payload else state()
    return {"enable": True, "start": not queue.get("stopped", False)}


def is_started(job: Dict[str, Any]) -> bool:
    """Whether the queue of a job is started."""
    names = state()["config"].get("queues", {})
    return bool(queue_status({"name": job["queue"]} if names else {})["start"])


def states_of(jobs: List[Dict[str, Any]]) -> Dict[str, int]:
    names = ("depend", "priority", "sched", "run", "cleanup", "inactive")
    return {**{name: sum(job["state"] == name.upper() for job in jobs) for name in names}, "total": len(jobs)}


def stats() -> Dict[str, Any]:
    """Counts of jobs, also of each named queue that has any; those of a test, if it has set them."""
    jobs = state().get("jobs", [])
    names = sorted({job["queue"] for job in jobs if job.get("queue")})
    queues = [
        {"name": name, "job_states": states_of([job for job in jobs if job.get("queue") == name])} for name in names
    ]
    return state().get("stats") or {"job_states": states_of(jobs), "queues": queues}


def alloc_query() -> Dict[str, int]:
    """Requests to the scheduler: held jobs and jobs of a stopped queue have none."""
    waiting = [job for job in state()["jobs"] if job["state"] == "SCHED" and job.get("priority", 16) > 0]
    running = sum(job["state"] == "RUN" for job in state()["jobs"])
    return {"queue_length": 0, "alloc_pending": sum(map(is_started, waiting)), "running": running}


def look_up(handle: "Flux", payload: Dict[str, Any]) -> Dict[str, Any]:
    """Records of a job as texts, with later changes: R only of a job that has had resources."""
    from flux.constants import FLUX_JOB_LOOKUP_CURRENT
    from flux.job import job_kvs_lookup

    assert payload["flags"] == FLUX_JOB_LOOKUP_CURRENT
    (key,) = payload["keys"]
    job = next((job for job in state()["jobs"] if job["id"] == f"f{payload['id']}"), None)
    if job is None or (key == "R" and "R" not in job):
        raise FileNotFoundError("No such file or directory")
    if key == "R":
        return {"id": payload["id"], "R": json.dumps(job["R"])}
    found = job_kvs_lookup(handle, payload["id"], keys=["jobspec"])
    assert found
    return {"id": payload["id"], "jobspec": as_text(found["jobspec"])}


def as_text(record: Any) -> str:
    """A record as the KVS has it. A test may give the text."""
    return record if isinstance(record, str) else json.dumps(record)


def drain(payload: Dict[str, Any]) -> Dict[str, Any]:
    from flux.idset import IDset

    assert payload["mode"] == "update"
    now, had = state(), drains()
    ranks = set(IDset(payload["targets"])) - {one["rank"] for one in had}
    reason = payload["reason"]
    now["drained"] = had + [{"rank": rank, "reason": reason, "at": time.time()} for rank in sorted(ranks)]
    keep(now)
    return {}


def undrain(payload: Dict[str, Any]) -> Dict[str, Any]:
    from flux.idset import IDset

    assert payload["mode"] == "update"
    now = state()
    now["drained"] = [one for one in drains() if one["rank"] not in IDset(payload["targets"])]
    keep(now)
    return {}


def load_config(config: Dict[str, Any]) -> Dict[str, Any]:
    for plugin in config["ingest"]["frobnicator"]["plugins"]:
        assert plugin in ("defaults", "constraints") or Path(plugin).is_file(), plugin
    keep({**state(), "config": config})
    return {}


def check_memo(memo: Dict[str, Any]) -> Dict[str, Any]:
    """flux-jobs(1) makes a named tuple of each object in a memo, and fails where a key cannot be a name."""
    for key, value in memo.items():
        assert key.isidentifier() and not keyword.iskeyword(key) and not key.startswith("_"), key
        if isinstance(value, dict):
            check_memo(value)
    return memo


def add_event(payload: Dict[str, Any], name: str, context: Dict[str, Any], **changes: Any) -> Dict[str, Any]:
    """Adds an event to a job that has not ended, with what it changes."""
    now = state()
    job = next((job for job in now["jobs"] if job["id"] == f"f{payload['id']}"), None)
    if job is None:
        raise FileNotFoundError("job is inactive")
    job.update(changes)
    job["events"] = [*job.get("events", []), {"timestamp": time.time(), "name": name, "context": context}]
    keep(now)
    return {}


def update(payload: Dict[str, Any]) -> Dict[str, Any]:
    (key, queue), *others = payload["updates"].items()
    assert key == "attributes.system.queue" and not others
    if any(job["id"] == f"f{payload['id']}" and job["state"] != "SCHED" for job in state()["jobs"]):
        raise OSError("update of queue for running job not supported")
    return add_event(payload, "jobspec-update", payload["updates"], queue=queue)


class Flux:
    """A handle. Without the file there is no broker."""

    jobs: Optional[RunningJobs] = None

    def __init__(self) -> None:
        self.reactor = Reactor()
        self.thread = threading.get_ident()
        # Every handle has the same jobs. The first one has the journal.
        Flux.jobs = Flux.jobs or RunningJobs(self.reactor, state()["hosts"])
        self.running = Flux.jobs

    def check_thread(self) -> None:
        """Flux has no locks: two threads with one handle read each other's answers. One may pass it on to another."""
        thread, past = threading.get_ident(), self.__dict__.setdefault("past", set())
        assert thread not in past, "two threads use a handle of Flux"
        if getattr(self, "thread", thread) != thread:
            past.add(self.thread)
        self.thread = thread

    def fd_watcher_create(self, fd: int, callback: Callable[..., Any], _events: int) -> Watcher:
        self.check_thread()
        return Watcher(self.reactor, callback, 0.0, 0.0, fd)

    def timer_watcher_create(self, after: float, callback: Callable[..., Any], repeat: float) -> Watcher:
        self.check_thread()
        return Watcher(self.reactor, callback, after, repeat, -1)

    def reactor_run(self) -> None:
        self.check_thread()
        self.reactor.run()

    def submit(self, _jobspec: Dict[str, Any], _urgency: int) -> Optional[int]:
        raise NotImplementedError("a test takes the job")

    def attr_get(self, name: str) -> str:
        attributes = {
            "version": "0.88.0",
            "broker.starttime": "1700000000.25",
            "statedir": "/etc/minicluster/state",
        }
        return attributes[name]

    def rpc(self, topic: str, payload: Optional[Dict[str, Any]] = None, _node: int = 0, _flags: int = 0) -> Any:
        self.check_thread()
        given = payload or {}
        if topic == "job-manager.events-journal":
            from flux.job.journal import JournalStream

            return JournalStream(self, given["full"])
        answers: Dict[str, Callable[[], Any]] = {
            "config.get": lambda: state()["config"],
            "config.load": lambda: load_config(given),
            "content.stats-get": lambda: {"dirty": 0, "flush-batch-count": 0},
            "job-info.lookup": lambda: look_up(self, given),
            "job-list.job-stats": lambda: stats(),
            "job-manager.alloc-query": lambda: alloc_query(),
            "job-manager.memo": lambda: add_event(given, "memo", check_memo(given["memo"])),
            "job-manager.update": lambda: update(given),
            "job-manager.queue-list": lambda: {"queues": sorted(state()["config"].get("queues", {}))},
            "job-manager.queue-status": lambda: queue_status(given),
            "kvs.lookup": lambda: self.running.lookup(given),
            "resource.drain": lambda: drain(given),
            "resource.undrain": lambda: undrain(given),
            "state-machine.get": lambda: {"state": pods.broker_state()},
        }
        answer = answers[topic]
        try:
            fail(topic)
            return Answer(answer(), self.reactor)
        except OSError as error:
            return Answer(error, self.reactor)
