"""The jobs of a Flux instance for its users, from the journal of the job manager (RFC 21 of Flux)."""

import json
import os
from heapq import heappop, heappush
from typing import Any, Dict, List, Optional

from core.programs.planning import number_of, part_of, shape_of, text_of
from flux.hostlist import Hostlist
from flux.idset import IDset
from flux.job import JobID

# Ended jobs that are kept. The oldest are dropped first.
MOST_ENDED = 20_000

# State of a job after an event.
STATES = {
    "submit": "DEPEND",
    "validate": "DEPEND",
    "depend": "PRIORITY",
    "priority": "SCHED",
    "alloc": "RUN",
    "finish": "CLEANUP",
    "clean": "INACTIVE",
}

# Time of a job that an event sets.
TIMES = {
    "submit": "t_submit",
    "depend": "t_depend",
    "alloc": "t_run",
    "finish": "t_cleanup",
    "clean": "t_inactive",
}

# Result of a job by the type of its fatal exception.
RESULTS = {"cancel": "CANCELED", "timeout": "TIMEOUT"}

Job = Dict[str, Any]

# Characters of a text of a jobspec, characters of a memo or an annotation, and its levels.
LONGEST, LARGEST, DEEPEST = 1000, 65_536, 50
# Largest integer that every reader of JSON represents exactly.
GREATEST = 2**53

# The exception of a job without one.
NO_EXCEPTION = {"occurred": False, "severity": "", "type": "", "note": ""}


def submitted(job_id: int, context: Dict[str, Any], jobspec: Dict[str, Any], at: float) -> Job:
    """A job at its submission."""
    system = part_of(jobspec, "attributes", "system")
    tasks = jobspec.get("tasks")
    task = tasks[0] if isinstance(tasks, list) and tasks else {}
    command = part_of(task).get("command")
    words = [text_of(word) for word in (command if isinstance(command, list) else [command])]
    user = part_of(jobspec, "attributes").get("user")
    owner = part_of(user).get("owner", "") if isinstance(user, dict) else user
    job = {
        "id": job_id,
        "f58": str(JobID(job_id).f58),
        "name": text_of(part_of(system, "job").get("name"))[:LONGEST] or os.path.basename(words[0])[:LONGEST],
        "command": " ".join(words)[:LONGEST],
        "owner": text_of(owner)[:LONGEST],
        "userid": context["userid"],
        "urgency": context.get("urgency", 16),
        "priority": None,
        "queue": text_of(system.get("queue")),
        "duration": number_of(system.get("duration")),
        "state": "DEPEND",
        "t_submit": at,
        "dependencies": [],
        "annotations": {},
        "exception": NO_EXCEPTION,
        "result": "",
        "nodelist": "",
        "ranks": "",
    }
    return {**job, **sizes(jobspec.get("resources"), task)}


def sizes(resources: Any, task: Any) -> Dict[str, Optional[int]]:
    """Nodes, tasks and cores that a jobspec requests. The number of nodes is known only if it requests nodes."""
    try:
        shape = shape_of(resources)
        count = task.get("count", {})
        tasks = count["total"] if "total" in count else slots_of(resources) * count.get("per_slot", 1)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        return {"nnodes": None, "ntasks": None, "ncores": None}
    found = {
        "nnodes": shape.units if shape.on_hosts else None,
        "ntasks": tasks,
        "ncores": shape.units * shape.cores,
    }
    return {key: count if count is None or count <= GREATEST else None for key, count in found.items()}


def slots_of(vertices: List[Dict[str, Any]]) -> int:
    """Slots of some vertices of a jobspec, in which the tasks run."""
    total = 0
    for vertex in vertices:
        count = vertex.get("count", 1)
        number = count["min"] if isinstance(count, dict) else count
        total += number if vertex["type"] == "slot" else number * slots_of(vertex.get("with", []))
    return total


class Board:
    """The jobs of an instance, and the jobs that have changed since the last call."""

    def __init__(self) -> None:
        self.jobs: Dict[int, Job] = {}
        # Ended jobs, the oldest one first.
        self.ended: List[int] = []
        self.changed: Dict[int, None] = {}
        # Jobs that have not ended, as the clients last received them.
        self.known: Dict[int, Job] = {}

    def take(self, event: Any) -> None:
        """Records an event of the journal."""
        job_id, context = int(event.jobid), event.context
        if event.name == "submit" and event.jobspec:
            self.jobs[job_id] = submitted(job_id, context, event.jobspec, event.timestamp)
        # No event follows the end of a job.
        if self.has_ended(job_id):
            return
        self.changed[job_id] = None
        change(self.jobs[job_id], event)
        if event.name == "clean":
            heappush(self.ended, job_id)
            while len(self.ended) > MOST_ENDED:
                del self.jobs[heappop(self.ended)]

    def has_ended(self, job_id: int) -> bool:
        """Whether a job has ended, or is no longer listed."""
        return job_id not in self.jobs or self.jobs[job_id]["state"] == "INACTIVE"

    def changes(self, queues: Dict[str, str]) -> List[Job]:
        """The changes of jobs since the last call. A value of None removes a key."""
        found = []
        for number in self.changed:
            if number not in self.jobs:
                continue
            view = compact(as_view(self.jobs[number], queues))
            known = self.known.pop(number, {})
            if view["state"] != "INACTIVE":
                self.known[number] = view
            changed = {key: value for key, value in view.items() if known.get(key) != value}
            lost = {key: None for key in known if key not in view}
            found.append({"f58": view["f58"], **changed, **lost})
        self.changed = {}
        return found

    def newest(self, limit: Optional[int] = None) -> List[Job]:
        """The jobs, the newest first."""
        found = sorted(self.jobs.values(), key=lambda job: job["id"], reverse=True)
        return found if limit is None else found[:limit]

    def search(self, text: str) -> List[Job]:
        """Jobs whose visible text contains the given words, in any order."""
        words = text.lower().split()
        return [job for job in self.newest() if all(word in searchable(job) for word in words)]


def searchable(job: Job) -> str:
    """The text of a job that is searched."""
    keys = ("f58", "id", "name", "command", "owner", "queue", "state", "result", "nodelist")
    return " ".join(str(job[key]) for key in keys).lower()


def change(job: Job, event: Any) -> None:
    """Changes a job by an event."""
    name, context = event.name, event.context
    job["state"] = STATES.get(name, job["state"])
    if name in TIMES:
        job[TIMES[name]] = event.timestamp
    if name == "priority":
        job["priority"] = context["priority"]
    elif name == "urgency":
        job["urgency"] = context["urgency"]
    elif name == "dependency-add":
        job["dependencies"] = [*job["dependencies"], context["description"]]
    elif name == "dependency-remove":
        job["dependencies"] = [one for one in job["dependencies"] if one != context["description"]]
    elif name == "annotations":
        annotate(job, context.get("annotations"))
    elif name == "memo":
        annotate(job, {"user": context})
    elif name == "jobspec-update":
        update_jobspec(job, context)
    elif name == "alloc":
        job.update(allocated(event.R))
        annotate(job, context.get("annotations"))
    elif name == "exception":
        fail(job, context)
    elif name == "finish":
        finish(job, context["status"])
    elif name == "clean":
        set_result(job)


def annotate(job: Job, given: Any) -> None:
    """Adds annotations, if they are an object and not too large."""
    if isinstance(given, dict) and is_flat(given, DEEPEST):
        found = merged(job["annotations"], given)
        if len(json.dumps(found)) <= LARGEST:
            job["annotations"] = found


def is_flat(value: Any, levels: int) -> bool:
    """Whether a value has at most this number of levels."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels > 0 and all(is_flat(part, levels - 1) for part in parts)


def merged(known: Any, given: Any) -> Any:
    """Annotations with others merged over them. A value of null removes an annotation."""
    if not isinstance(known, dict) or not isinstance(given, dict):
        return given
    found = {**known, **{key: merged(known.get(key), value) for key, value in given.items()}}
    return {key: value for key, value in found.items() if value is not None}


def update_jobspec(job: Job, context: Dict[str, Any]) -> None:
    """Applies an update of the jobspec (flux-update(1))."""
    read = {"queue": text_of, "duration": number_of, "name": text_of}
    for key, name in (("queue", "queue"), ("duration", "duration"), ("job.name", "name")):
        if f"attributes.system.{key}" in context:
            job[name] = read[name](context[f"attributes.system.{key}"])


def allocated(resources: Optional[Dict[str, Any]]) -> Job:
    """Hosts and cores of a job (RFC 20 of Flux)."""
    if not resources:
        return {}
    execution = resources["execution"]
    entries = execution["R_lite"]
    ranks = IDset(",".join(str(entry["rank"]) for entry in entries))
    cores = sum(len(IDset(str(one["rank"]))) * len(IDset(one["children"].get("core", ""))) for one in entries)
    hosts = Hostlist(",".join(execution.get("nodelist", [])))
    expiration = execution.get("expiration", 0)
    return {
        "nnodes": len(ranks),
        "ncores": cores,
        "ranks": str(ranks),
        "nodelist": hosts.encode(),
        "expiration": expiration,
    }


def fail(job: Job, context: Dict[str, Any]) -> None:
    """Records an exception. The first fatal exception determines the result."""
    if job["exception"]["severity"] == 0:
        return
    job["exception"] = {
        "occurred": True,
        "severity": context["severity"],
        "type": context["type"],
        "note": context.get("note", ""),
    }
    if context["severity"] == 0 and job["state"] != "INACTIVE":
        job["state"] = "CLEANUP"


def finish(job: Job, status: int) -> None:
    """Records the wait status of a job."""
    job["waitstatus"] = status
    signal = status & 0x7F
    job["returncode"] = -signal if signal else status >> 8


def set_result(job: Job) -> None:
    """Decides the result of a job that has ended."""
    exception = job["exception"]
    if exception["severity"] == 0:
        job["result"] = RESULTS.get(exception["type"], "FAILED")
    else:
        job["result"] = "COMPLETED" if job.get("waitstatus", 1) == 0 else "FAILED"
    job["success"] = job["result"] == "COMPLETED"


def waits_for(job: Job, queues: Dict[str, str]) -> str:
    """The reason why a job waits, in a sentence, or an empty string."""
    if job["state"] not in ("DEPEND", "PRIORITY", "SCHED"):
        return ""
    if job["dependencies"]:
        return f"It depends on {', '.join(job['dependencies'])}."
    if job["urgency"] == 0:
        return "It is held: its urgency is 0."
    if queues.get(job["queue"]) is not None:
        return queues[job["queue"]]
    reason = part_of(job["annotations"], "sched").get("reason_pending")
    return str(reason) if reason else "It waits for free resources."


def as_view(job: Job, queues: Dict[str, str]) -> Job:
    """A job in the API."""
    return {**job, "waits": waits_for(job, queues), "runtime": runtime(job)}


def compact(job: Job) -> Job:
    """A job without absent keys."""
    return {key: value for key, value in job.items() if value not in (None, "", [], {}, NO_EXCEPTION)}


def runtime(job: Job) -> float:
    """Seconds that a job has run. 0 for a job that is running or never ran."""
    begun, ended = job.get("t_run"), job.get("t_cleanup")
    return max(0.0, ended - begun) if begun and ended else 0.0
