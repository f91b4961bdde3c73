"""Reads the demand of a Flux instance's queue in hosts, by cluster, and drains hosts to be removed."""

import json
import sys
import time
from functools import lru_cache
from typing import Any, Dict, FrozenSet, List, NamedTuple, Optional, Set, Tuple

import flux
from core.programs.contract import DRAIN_REASONS
from core.programs.planning import DRAINED, OPEN, OVER_MAX, Host, Plan, Request, amounts, part_of, shape_of
from flux.idset import IDset
from flux.job import JobInfo, JobList, job_kvs_lookup
from flux.resource import ResourceSet, ResourceStatus, resource_list, resource_status

# The drain reasons of the agent, before hosts are removed, and of a terminating pod (drain.sh).
LEAVING: str = DRAIN_REASONS.sizeFollowsQueue
POD_LEAVES: str = DRAIN_REASONS.podLeaves
# Seconds after which no job can still start on a host that was drained.
CLOSED_AFTER = 1.0
# Pending jobs of a queue that count: the first ones in line.
MOST_JOBS = 1000
# Errors of a jobspec that this program does not understand.
JOBSPEC_ERRORS = (LookupError, TypeError, ValueError, AttributeError, RecursionError)


class Cluster(NamedTuple):
    """A cluster of the instance: its first rank, and its maximum number of hosts."""

    name: str
    first: int
    hosts: int
    most: int

    @property
    def ranks(self) -> range:
        """Ranks of all its hosts, whether they are up or not."""
        return range(self.first, self.first + self.hosts)


class Jobspecs:
    """The jobspecs of pending jobs. A jobspec does not change, unless its job is moved to another queue."""

    def __init__(self) -> None:
        self.known: Dict[Tuple[int, str], Dict[str, Any]] = {}

    def read(self, handle: flux.Flux, jobs: List[JobInfo]) -> Dict[int, Dict[str, Any]]:
        """The jobspecs of some jobs, without ended jobs. The jobspecs of all other jobs are forgotten."""
        known, self.known = self.known, {}
        for job in jobs:
            key = int(job.id), job.queue
            jobspec = known.get(key) or jobspec_of(handle, key[0])
            if jobspec is not None:
                self.known[key] = jobspec
        return {job: jobspec for (job, _), jobspec in self.known.items()}


def jobspec_of(handle: flux.Flux, job: int) -> Optional[Dict[str, Any]]:
    """The jobspec of a job."""
    found = job_kvs_lookup(handle, job, keys=["jobspec"])
    return found["jobspec"] if found else None


class Arrivals:
    """Hosts that Flux has drained as they joined, for example because they have fewer cores than described."""

    def __init__(self) -> None:
        self.offline: Set[int] = set()
        self.used: Set[int] = set()
        self.unusable: Set[int] = set()

    def update(self, ranks: Set[int], online: Set[int], closed: Set[int]) -> None:
        """Records the hosts. Further ones would be drained as well: none is added in place of these."""
        self.unusable |= (online & closed & self.offline) - self.used
        self.unusable &= closed
        self.used |= online - closed
        self.offline = ranks - online


def held_back(status: ResourceStatus) -> Dict[int, str]:
    """Drained ranks, each with the reason."""
    return {rank: str(info.reason or "") for info in status.drain_info for rank in info.ranks}


def printable(text: str) -> str:
    """A text on one line."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:200])


class Reading:
    """The state of the instance at a time: first the closed hosts, then the jobs, so that no job is missed."""

    def __init__(self, handle: flux.Flux, clusters: List[Cluster], arrivals: Arrivals, jobspecs: Jobspecs) -> None:
        self.clusters = clusters
        self.at = time.time()
        self.status = resource_status(handle).get()
        self.reasons = held_back(self.status)
        resources = resource_list(handle).get()
        self.capacity = amounts(resources.all)
        self.used = amounts(resources.allocated)
        # A host that is being removed, or was drained as it joined, is not a reason for another host.
        ours = {rank for rank, reason in self.reasons.items() if reason in (LEAVING, POD_LEAVES)}
        self.drained = set(self.reasons) - ours
        arrivals.update(set(self.capacity), set(self.status.online), self.drained)
        self.unusable = set(arrivals.unusable)
        self.running = [set(IDset(job.ranks)) for job in running_jobs(handle)]
        self.queues = started_queues(handle)
        self.plan = self.present_plan()
        requests = pending_requests(handle, resources.all, self.queues, jobspecs)
        self.verdicts = [self.plan.place(request) for request in requests]

    def present_plan(self) -> Plan:
        """The hosts with their running jobs."""
        away = (self.drained - self.unusable) | set(self.status.exclude)
        hosts = []
        for cluster in self.clusters:
            for rank in cluster.ranks:
                if rank in self.capacity:
                    cores, gpus = self.capacity[rank]
                    is_over_max = rank >= cluster.first + cluster.most
                    host = Host(
                        rank, cluster.name, cores, gpus, OVER_MAX if is_over_max else DRAINED if rank in away else OPEN
                    )
                    host.use(*self.used.get(rank, (0, 0)))
                    hosts.append(host)
        return Plan(hosts)

    def pending(self) -> List[Dict[str, Any]]:
        """Pending jobs of all queues, each with its request in hosts or shares of hosts."""
        return [
            {"queue": request.queue, "hosts": (max if never else sum)([0.0, *(place.share for place in places)])}
            for request, places, _, _, never in self.verdicts
        ]

    def part(self, cluster: Cluster, size: int) -> Dict[str, Any]:
        """The demand on one cluster, in its ranks, of which the first is 0."""
        ranks = set(cluster.ranks)
        busy = ranks & set(self.used)
        pending, wanted = [], set(busy)
        for request, places, _, grows, never in self.verdicts:
            here = [place for place in places if place.host.cluster == cluster.name]
            if here:
                hosts = round(sum(place.share for place in here), 3)
                pending.append({"id": request.id, "hosts": hosts, "never": never})
                wanted |= {place.host.rank for place in here} if grows else set()
        unusable = sorted(self.unusable & ranks)
        return {
            "allocated": len(busy),
            "running": sum(bool(job & ranks) for job in self.running),
            "pending": pending,
            "needed": max(wanted) + 1 - cluster.first if wanted else 0,
            "drained": len((self.drained - self.unusable) & set(self.status.online) & ranks),
            "unusable": len(unusable),
            "reason": printable(self.reasons[unusable[0]]) if unusable else "",
            "closedFrom": self.closed_from(cluster, size),
            "leaving": sum(self.reasons.get(rank) == LEAVING for rank in cluster.ranks[:size]),
        }

    def closed_from(self, cluster: Cluster, size: int) -> int:
        """Number of hosts of a size without the hosts at its end that any client has drained for a while."""
        closed = set(self.status.exclude)
        for info in self.status.drain_info:
            if self.at - info.timestamp >= CLOSED_AFTER:
                closed |= set(info.ranks)
        while size > 0 and cluster.first + size - 1 in closed:
            size -= 1
        return size


def running_jobs(handle: flux.Flux) -> List[JobInfo]:
    """All jobs that have hosts."""
    return JobList(handle, attrs=["ranks"], filters=["running"], user="all", max_entries=0).jobs()


def started_queues(handle: flux.Flux) -> List[Optional[str]]:
    """Queues whose jobs may start. An instance without named queues has one queue without a name."""
    names: List[Optional[str]] = list(handle.rpc("config.get").get().get("queues", {})) or [None]
    asked = {name: {} if name is None else {"name": name} for name in names}
    return [name for name in names if handle.rpc("job-manager.queue-status", asked[name]).get()["start"]]


def pending_requests(
    handle: flux.Flux, resources: ResourceSet, queues: List[Optional[str]], jobspecs: Jobspecs
) -> List[Request]:
    """Jobs that wait only for hosts, in the order of their start. Held and dependent jobs are not included."""
    jobs: List[JobInfo] = []
    for name in queues:
        attrs = ["priority", "queue", "t_submit"]
        jobs += JobList(handle, attrs=attrs, filters=["sched"], user="all", queue=name, max_entries=MOST_JOBS).jobs()
    ready = [job for job in jobs if job.priority and job.priority > 0]
    ready.sort(key=lambda job: (-job.priority, int(job.id)))
    known = jobspecs.read(handle, ready)
    ranks: Dict[str, FrozenSet[int]] = {}
    requests = []
    for job in ready:
        if int(job.id) not in known:
            continue
        try:
            requests.append(request_of(job, known[int(job.id)], resources, ranks))
        except JOBSPEC_ERRORS as error:
            report(f"the size of the cluster does not follow job {job.id.f58}: {type(error).__name__}: {error}")
    return requests


def request_of(
    job: JobInfo, jobspec: Dict[str, Any], resources: ResourceSet, ranks: Dict[str, FrozenSet[int]]
) -> Request:
    """The request of a job. Its constraint includes the constraint of its queue (flux-config-queues(5))."""
    constraint = part_of(jobspec, "attributes", "system").get("constraints")
    key = json.dumps(constraint)
    if constraint and key not in ranks:
        ranks[key] = frozenset(resources.copy_constraint(constraint).ranks)
    shape = shape_of(jobspec["resources"])
    return Request(str(job.id.f58), job.queue, shape, ranks[key] if constraint else None, job.t_submit)


def say(text: str) -> None:
    """Writes a line of the lead broker's log."""
    print(f"minicluster: {text}", file=sys.stderr, flush=True)


def add_memo(handle: flux.Flux, job: int, memo: Dict[str, Any]) -> None:
    """Adds a memo to a job, which `flux jobs` shows as an annotation. An ended job gets no memo."""
    handle.rpc("job-manager.memo", {"id": job, "volatile": False, "memo": memo}).get()


@lru_cache(maxsize=4096)
def report(text: str) -> None:
    """Writes a line of the log once."""
    say(text)


def keep(handle: flux.Flux, status: ResourceStatus, cluster: Cluster, hosts: int, size: int) -> None:
    """Drains all but a number of hosts of a size, from the last one on, and undrains the others."""
    reasons = held_back(status)
    stay = [rank for rank in cluster.ranks[:hosts] if reasons.get(rank) == LEAVING]
    leave = [rank for rank in cluster.ranks[hosts:size] if rank not in reasons and rank not in status.exclude]
    if stay:
        handle.rpc("resource.undrain", {"targets": str(IDset(stay)), "mode": "update"}).get()
    if leave:
        # If another user drains one of these hosts meanwhile, that reason is kept.
        handle.rpc("resource.drain", {"targets": str(IDset(leave)), "reason": LEAVING, "mode": "update"}).get()


def release(handle: flux.Flux, clusters: List[Cluster]) -> None:
    """Undrains all hosts that an agent has drained."""
    status = resource_status(handle).get()
    for cluster in clusters:
        keep(handle, status, cluster, cluster.hosts, cluster.hosts)
