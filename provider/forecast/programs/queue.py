"""Reads the queue of a Flux instance and what it runs on, for a forecast, and prints the reading as one line of JSON.

It is one file that imports only Flux: it is a file of the lead broker's pod, and a module of the console.
"""

import json
import math
import time
from statistics import median
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

import flux
from flux.constants import FLUX_JOB_LOOKUP_CURRENT
from flux.idset import IDset
from flux.job import JobID, JobList
from flux.resource import ResourceSet, resource_list, resource_status

# Jobs that a reading looks at, and requests that are open at a time.
MOST_WAITING, MOST_RUNNING, MOST_ENDED, MOST_REQUESTS = 1000, 4000, 1000, 200
# Successful jobs that a median is made of. Fewer jobs of a name are no evidence of the next one.
LATEST, FEWEST = 50, 5
# Sizes of what users write: characters of the resources of a job, and different constraints.
MOST_RESOURCES, MOST_CONSTRAINTS = 2000, 100
# Flux's number of the result of a job that was successful.
COMPLETED = 1
# Fluxion writes the end of its time for a job without a limit. No real job has a limit of more than ten years.
NO_LIMIT = 10 * 365 * 86400.0
# Errors of a jobspec that this program does not understand.
JOBSPEC_ERRORS = (LookupError, TypeError, ValueError, AttributeError, RecursionError)
# Defaults of Fluxion (flux-config-sched-fluxion-qmanager(5)).
QUEUE_DEPTH, MOST_QUEUE_DEPTH, RESERVATIONS, MOST_RESERVATIONS = 32, 1_000_000, 64, 100_000
HEAD, ENDED = ["queue", "userid", "name"], ["t_run", "t_cleanup", "result", "userid", "name"]

Amounts = Dict[int, Tuple[int, int]]
Job = Dict[str, Any]


def reading(handle: flux.Flux) -> Dict[str, Any]:
    """The state of the instance. Waiting jobs are read first, so that a job that starts meanwhile is not missed."""
    at = time.time()
    config = part(handle.rpc("config.get").get())
    queues = started_queues(handle, part(config.get("queues")))
    counts, lengths = counts_of(handle, queues)
    waiting = waiting_jobs(handle, lengths)
    running = running_jobs(handle)
    ended = [job for job in jobs_of(handle, "inactive", MOST_ENDED, ENDED) if is_evidence(job)]
    status, resources = resource_status(handle).get(), resource_list(handle).get()
    hosts = amounts(json.loads(resources.all.encode()))
    known = Known(resources.all, typical_times(ended), {})
    active = {job["id"] for job in running}
    waiting = [job for job in waiting if job["id"] not in active]
    found = [waiting_job(job, jobspec, known) for job, jobspec in records(handle, waiting, "jobspec")]
    return {
        "version": 1,
        "at": at,
        "scheduler": scheduler_of(part(config.get("sched-fluxion-qmanager"))),
        "hosts": [{"ranks": ranks, "cores": cores, "gpus": gpus} for ranks, cores, gpus in grouped(hosts)],
        "down": text_of(set(hosts) - set(status.online)),
        "drained": text_of(rank for info in status.drain_info for rank in info.ranks),
        "excluded": text_of(status.exclude),
        "queues": {name or "": is_started for name, is_started in queues.items()},
        "constraints": list(known.constraints.values()),
        "running": [running_job(job, taken, known) for job, taken in records(handle, running, "R")],
        "waiting": [job for job in found if job],
        "counts": {**counts, "waiting": max(counts["waiting"], len(found)), "unread": found.count(None)},
        "ended": {"count": len(ended[:LATEST]), "median": middle([ran(job) for job in ended[:LATEST]])},
    }


class Known(NamedTuple):
    """What several jobs share: the resources of the instance, typical run times, and the ranks of constraints."""

    resources: ResourceSet
    typical: Dict[Tuple[int, str], Optional[float]]
    # The ranks of each constraint.
    constraints: Dict[str, str]

    def time_of(self, job: Job) -> Optional[float]:
        """The typical run time of the jobs with the name and the user of a job."""
        return self.typical.get((job.get("userid", 0), job.get("name", "")))

    def constraint(self, given: Any) -> Optional[int]:
        """The number of a constraint, which includes the constraint of its queue (flux-config-queues(5))."""
        if not given:
            return None
        text = json.dumps(given)
        if text not in self.constraints:
            if len(self.constraints) == MOST_CONSTRAINTS:
                raise ValueError("too many constraints")
            self.constraints[text] = text_of(self.resources.copy_constraint(given).ranks)
        return list(self.constraints).index(text)


def part(value: Any, *keys: str) -> Dict[str, Any]:
    """A part of an object that is an object. A value of any other type is an empty part."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def seconds(value: Any) -> float:
    """A time, or 0 if it is none."""
    is_time = type(value) in (int, float) and math.isfinite(value) and value > 0
    return round(float(value), 3) if is_time else 0.0


def text_of(ranks: Iterable[int]) -> str:
    """Ranks as Flux writes them, such as 0-3,7."""
    return str(IDset(sorted(set(ranks))))


def scheduler_of(config: Dict[str, Any]) -> Dict[str, Any]:
    """The policy of the queues. Flux's own simple scheduler does as Fluxion does without a configuration."""
    policy = str(config.get("queue-policy"))
    queue, depths = params(config.get("queue-params")), params(config.get("policy-params"))
    depth = max(1, min(queue.get("queue-depth", QUEUE_DEPTH), queue.get("max-queue-depth", MOST_QUEUE_DEPTH)))
    most = depths.get("max-reservation-depth", MOST_RESERVATIONS)
    wanted = depths.get("reservation-depth", RESERVATIONS)
    reservations = {"easy": 1, "hybrid": wanted if wanted < most else RESERVATIONS, "conservative": min(depth, most)}
    return {
        "policy": policy if policy in reservations else "fcfs",
        "queueDepth": depth,
        "reservationDepth": reservations.get(policy, 0),
    }


def params(given: Any) -> Dict[str, int]:
    """Numbers of the configuration of Fluxion: a table, or a text such as a=1,b=2."""
    pairs = given.items() if isinstance(given, dict) else (each.split("=", 1) for each in str(given or "").split(","))
    return {str(key): int(value) for key, value in (pair for pair in pairs if len(pair) == 2) if str(value).isdecimal()}


def started_queues(handle: flux.Flux, config: Dict[str, Any]) -> Dict[Optional[str], bool]:
    """Whether the scheduler starts jobs of each queue. An instance without named queues has one without a name."""
    names: List[Optional[str]] = list(config) or [None]
    asked = [handle.rpc("job-manager.queue-status", {} if name is None else {"name": name}) for name in names]
    return {name: bool(answer.get()["start"]) for name, answer in zip(names, asked)}


def counts_of(
    handle: flux.Flux, queues: Dict[Optional[str], bool]
) -> Tuple[Dict[str, int], List[Tuple[int, Optional[str]]]]:
    """How many jobs wait and why, and the length of each started queue. No job is listed for it."""
    stats, alloc = handle.rpc("job-list.job-stats", {}), handle.rpc("job-manager.alloc-query", {})
    total = stats.get()
    of_queues = {each.get("name"): each for each in [*total.get("queues", []), {**total, "name": None}]}
    lengths = {name: int(part(of_queues.get(name), "job_states").get("sched", 0)) for name in queues}
    # The job manager has no held job among the requests to the scheduler, and no job of a stopped queue.
    waiting = alloc.get()["queue_length"] + alloc.get()["alloc_pending"]
    going = [(length, name) for name, length in lengths.items() if queues[name]]
    return {
        "waiting": waiting,
        "held": max(0, sum(length for length, _ in going) - waiting),
        "dependent": int(total["job_states"]["depend"]),
        "stopped": sum(length for name, length in lengths.items() if not queues[name]),
    }, going


def jobs_of(handle: flux.Flux, state: str, most: int, attrs: List[str], queue: Optional[str] = None) -> List[Job]:
    """Jobs of all users, those of a queue in the order of the scheduler, and ended ones from the last one on."""
    return (
        JobList(handle, attrs=attrs, filters=[state], user="all", max_entries=most, queue=queue).fetch_jobs().get_jobs()
    )


def waiting_jobs(handle: flux.Flux, lengths: List[Tuple[int, Optional[str]]]) -> List[Job]:
    """Jobs that wait only for resources, in the order of the scheduler: the first ones of each queue."""
    found: List[Job] = []
    # A short queue leaves its share to the longer ones.
    for index, (length, queue) in enumerate(sorted(lengths, key=lambda each: each[0])):
        most = min(length, (MOST_WAITING - len(found)) // (len(lengths) - index))
        # Flux lists all jobs for a maximum of 0.
        jobs = jobs_of(handle, "sched", most, ["priority", "t_submit", *HEAD], queue) if most > 0 else []
        found += [job for job in jobs if job.get("priority", 0) > 0]
    return sorted(found, key=lambda job: (-job["priority"], job["id"]))


def running_jobs(handle: flux.Flux) -> List[Job]:
    """Jobs that have hosts."""
    found = jobs_of(handle, "running", MOST_RUNNING + 1, ["t_run", "duration", *HEAD])
    if len(found) > MOST_RUNNING:
        raise RuntimeError(f"more than {MOST_RUNNING} jobs run")
    return found


def records(handle: flux.Flux, jobs: List[Job], key: str) -> Iterator[Tuple[Job, Any]]:
    """A record of each job that has it, read side by side: None for a text that Python does not read."""
    for first in range(0, len(jobs), MOST_REQUESTS):
        some = jobs[first : first + MOST_REQUESTS]
        payloads = [{"id": job["id"], "keys": [key], "flags": FLUX_JOB_LOOKUP_CURRENT} for job in some]
        for job, answer in zip(some, [handle.rpc("job-info.lookup", payload) for payload in payloads]):
            try:
                record = json.loads(answer.get()[key])
            except OSError:
                continue  # The job has ended meanwhile.
            except JOBSPEC_ERRORS:
                record = None
            yield job, record


def waiting_job(job: Job, jobspec: Any, known: Known) -> Optional[Job]:
    """A waiting job of the reading, unless this program does not understand its jobspec."""
    try:
        system = part(jobspec, "attributes", "system")
        resources = [lean(vertex) for vertex in jobspec["resources"]]
        if len(json.dumps(resources)) > MOST_RESOURCES:
            return None
        return {
            **head(job, known),
            "submitted": seconds(job.get("t_submit")),
            "limit": seconds(system.get("duration")),
            "constraint": known.constraint(system.get("constraints")),
            "resources": resources,
        }
    except JOBSPEC_ERRORS:
        return None


def lean(vertex: Dict[str, Any]) -> Dict[str, Any]:
    """A vertex of a jobspec (RFC 14 of Flux), with what a forecast reads."""
    found: Dict[str, Any] = {key: vertex[key] for key in ("type", "count", "exclusive") if key in vertex}
    return {**found, "with": [lean(each) for each in vertex["with"]]} if vertex.get("with") else found


def head(job: Job, known: Known) -> Job:
    """What the reading has of waiting and running jobs."""
    return {"id": str(JobID(job["id"]).f58), "queue": job.get("queue", ""), "typical": known.time_of(job)}


def running_job(job: Job, resources: Any, known: Known) -> Job:
    """A running job of the reading. The end of its limit follows changes of the limit (flux-update(1))."""
    start = seconds(job.get("t_run"))
    has_limit = seconds(job.get("duration")) > 0
    limit = seconds(seconds(resources["execution"].get("expiration")) - start) if has_limit else 0.0
    takes = [list(group) for group in grouped(amounts(resources))]
    return {**head(job, known), "start": start, "limit": limit if limit < NO_LIMIT else 0.0, "takes": takes}


def amounts(resources: Dict[str, Any]) -> Amounts:
    """Cores and GPUs of each rank of a set of resources (RFC 20 of Flux)."""
    found: Amounts = {}
    for entry in resources["execution"]["R_lite"]:
        children = entry["children"]
        cores, gpus = (len(IDset(children[kind])) if children.get(kind) else 0 for kind in ("core", "gpu"))
        for rank in IDset(str(entry["rank"])):
            had = found.get(rank, (0, 0))
            found[rank] = (had[0] + cores, had[1] + gpus)
    return found


def grouped(found: Amounts) -> List[Tuple[str, int, int]]:
    """Ranks with the same amounts."""
    groups: Dict[Tuple[int, int], List[int]] = {}
    for rank in sorted(found):
        groups.setdefault(found[rank], []).append(rank)
    return [(text_of(ranks), cores, gpus) for (cores, gpus), ranks in groups.items()]


def is_evidence(job: Job) -> bool:
    """Whether an ended job shows how long such jobs run: it has run, and successfully."""
    return job.get("result") == COMPLETED and ran(job) > 0


def ran(job: Job) -> float:
    """Run time of an ended job."""
    return seconds(seconds(job.get("t_cleanup")) - (seconds(job.get("t_run")) or math.inf))


def typical_times(ended: List[Job]) -> Dict[Tuple[int, str], Optional[float]]:
    """The median run times of the last jobs of the same user and name, if there are enough of them."""
    times: Dict[Tuple[int, str], List[float]] = {}
    for job in ended:
        times.setdefault((job["userid"], job["name"]), []).append(ran(job))
    return {key: middle(found[:LATEST]) for key, found in times.items() if len(found) >= FEWEST}


def middle(times: List[float]) -> Optional[float]:
    """The median, if there is any value."""
    return round(median(times), 3) if times else None


def run() -> None:
    """Prints the reading of the instance of FLUX_URI."""
    print(json.dumps(reading(flux.Flux()), separators=(",", ":")), flush=True)


if __name__ == "__main__":
    run()
