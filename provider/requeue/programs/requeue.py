"""Submits jobs again that have lost a host.

It follows the journal of the job manager (RFC 21 of Flux). A job that opts in by the attribute `requeue` receives a
signal before one of its hosts leaves, and is submitted again after that, or after a host of it was lost.
"""

import errno
import json
import os
import signal
import time
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Set

import flux
from core.programs.families import Family, Sample
from core.programs.journal import Event, Journal, attempt
from core.programs.planning import part_of, text_of
from core.programs.state import POD_LEAVES, say
from flux.idset import IDset
from flux.job import JobID, job_kvs_lookup, submit_async
from flux.resource import resource_status

# Seconds between two checks of the hosts, and the longest wait for an event.
PAUSE = 0.5
# Seconds to wait for the response to a submission, which Flux loses if a validator of jobs ends. After that this
# program ends, and its next run reads in the journal whether the job was accepted.
SUBMIT_TIMEOUT = 60.0
# Seconds from the end of a job to the decision on it: the loss of its host may be reported a little later.
DECIDED_AFTER = 1.0
# Beginning of the job execution system's note on a lost host whose shell the job needs.
NODE_FAILURE = ("node failure", "lost contact")

# Beginnings of its notes on a job that the next lead broker cannot continue, in different versions.
LEAD_FAILURE = ("reattach", "job is not recoverable", "failed to create guest", "could not recover guest")

HOST_LEAVES = "its host was about to leave"
HOST_LOST = "a host was lost"
LEAD_LOST = "the lead broker was lost"
CAUSES = {"leave": HOST_LEAVES, "host": HOST_LOST, "lead": LEAD_LOST}


# Errors with which Flux rejects a job. Any other error means that Flux does not respond.
REFUSALS = (errno.EINVAL, errno.EPERM, errno.ENOENT, errno.E2BIG)


class Policy(NamedTuple):
    """How often a job is submitted again, and how it ends before its host is removed."""

    restarts: int
    signal: int
    grace: float


def policy_of(given: Any, default: Policy) -> Optional[Policy]:
    """The policy of a job that has opted in: the policy of the cluster, with the values that its attribute sets."""
    if not given:
        return None
    if not isinstance(given, dict):
        return default
    restarts, name, grace = given.get("restarts"), text_of(given.get("signal")), given.get("graceSeconds")
    number = signal.Signals.__members__.get(f"SIG{name}")
    return Policy(
        restarts if type(restarts) is int and restarts >= 0 else default.restarts,
        int(number) if number else default.signal,
        float(grace) if isinstance(grace, (int, float)) and grace >= 0 else default.grace,
    )


class Origin(NamedTuple):
    """The first and the last job that a job replaces, and the number and the cause of its restarts."""

    of: str = ""
    after: str = ""
    restarts: int = 0
    cause: str = ""


def origin_of(attributes: Dict[str, Any]) -> Origin:
    """The origin of a job, in an attribute that any user may set."""
    given = part_of(attributes, "user", "requeue")
    of, after, cause = (text_of(given.get(key)) for key in ("of", "after", "cause"))
    restarts = given.get("restarts")
    return Origin(of, after, restarts if type(restarts) is int and restarts > 0 else 0, cause)


class Job:
    """A job that has opted in, from its events. Its times are from the monotonic clock of this program."""

    def __init__(self, job: int, policy: Policy, context: Dict[str, Any], origin: Origin) -> None:
        self.id = job
        self.policy = policy
        self.owner: int = context["userid"]
        self.urgency: int = context.get("urgency", 16)
        self.origin = origin
        self.began: Optional[float] = None
        self.ended: Optional[float] = None
        self.ranks: Set[int] = set()
        self.status: Optional[int] = None
        self.fatal = ""
        self.lost_host = False
        self.lost_lead = False
        self.signalled: Optional[float] = None
        self.stopped = False

    @property
    def name(self) -> str:
        """The id as users write it."""
        return str(JobID(self.id).f58)

    @property
    def runs(self) -> bool:
        """Whether the job has hosts."""
        return self.began is not None and self.ended is None

    def take(self, event: Event, now: float) -> None:
        """Records an event."""
        context = event.context
        if event.name == "alloc":
            self.began, self.ranks = now, ranks_of(event.R)
        elif event.name == "finish":
            self.status = context["status"]
        elif event.name == "exception":
            note = text_of(context.get("note"))
            self.lost_host |= context["type"] == "node-failure" or note.startswith(NODE_FAILURE)
            self.lost_lead |= note.startswith(LEAD_FAILURE)
            if context["severity"] == 0 and not self.fatal:
                self.fatal = context["type"]
        elif event.name == "memo" and "signalled" in part_of(context, "requeue"):
            # A former run of this program may have sent the signal: the grace period continues.
            age = time.time() - event.timestamp
            self.signalled = now - max(0.0, min(age, self.policy.grace))
        elif event.name == "urgency":
            self.urgency = context["urgency"]
        elif event.name == "clean":
            self.ended = now


def ranks_of(resources: Optional[Dict[str, Any]]) -> Set[int]:
    """Ranks of a set of resources (RFC 20 of Flux)."""
    entries = resources["execution"]["R_lite"] if resources else []
    return {rank for entry in entries for rank in IDset(str(entry["rank"]))}


class Requeue:
    """Decides which jobs are signalled, stopped and submitted again."""

    def __init__(self, handle: flux.Flux, default: Policy) -> None:
        self.handle = handle
        self.default = default
        self.jobs: Dict[int, Job] = {}
        # Ended jobs that are not decided yet, and jobs that another job has replaced.
        self.ended: List[int] = []
        self.followed: Set[str] = set()
        # Restarts by cause, for metrics. They are read from the attributes of the jobs, so no restart is lost.
        self.counts = dict.fromkeys(CAUSES, 0)
        self.online: Set[int] = set()
        self.offline_since: Dict[int, float] = {}

    def take(self, event: Event) -> None:
        """Records an event of the journal."""
        job, now = event.jobid, time.monotonic()
        if event.name == "submit":
            attributes = part_of(event.jobspec, "attributes")
            policy = policy_of(part_of(attributes, "system").get("requeue"), self.default)
            if policy:
                self.jobs[job] = Job(job, policy, event.context, origin_of(attributes))
                self.follows(self.jobs[job].origin)
        elif job in self.jobs:
            self.jobs[job].take(event, now)
            if event.name == "clean":
                self.ended.append(job)

    def follows(self, origin: Origin) -> None:
        """Records the job that another job replaces."""
        self.followed.add(origin.after)
        if origin.cause in self.counts:
            self.counts[origin.cause] += 1

    def look(self, now: float) -> None:
        """Reads the hosts: signals jobs whose host is closing, stops them in time, and submits lost jobs again."""
        status = resource_status(self.handle).get()
        online = set(status.online)
        for rank in self.online - online:
            self.offline_since[rank] = now
        self.online = online
        leaving = {rank for info in status.drain_info if info.reason == POD_LEAVES for rank in info.ranks}
        for job in [job for job in self.jobs.values() if job.runs]:
            self.warn(job, leaving, now)
        for job_id in [one for one in self.ended if now - (self.jobs[one].ended or 0.0) >= DECIDED_AFTER]:
            job = self.jobs[job_id]
            try:
                self.decide(job)
            except OSError as error:
                if error.errno not in REFUSALS:
                    raise
                say(f"job {job.name} is not requeued, because Flux rejects it: {error}")
            self.ended.remove(job_id)
            del self.jobs[job_id]

    def warn(self, job: Job, leaving: Iterable[int], now: float) -> None:
        """Signals a job when one of its hosts is closing, and stops it after its grace period."""
        if job.signalled is None and job.ranks.intersection(leaving):
            job.signalled = now
            # This program reads the note in the journal when it starts again.
            self.note(job.id, {"signalled": job.policy.signal})
            self.ask("job-manager.kill", {"id": job.id, "signum": job.policy.signal})
            say(f"job {job.name} receives signal {job.policy.signal}: {HOST_LEAVES}")
        elif job.signalled is not None and not job.stopped and now - job.signalled >= job.policy.grace:
            job.stopped = True
            stop = {"id": job.id, "type": "requeue", "severity": 0, "note": HOST_LEAVES}
            self.ask("job-manager.raise", stop)

    def cause(self, job: Job) -> Optional[str]:
        """The reason why a job that has ended has to run again, or None."""
        if job.began is None or job.ended is None or job.fatal in ("cancel", "timeout"):
            return None
        if job.status == 0 and not job.fatal:
            return None
        if job.signalled is not None:
            return "leave"
        if job.lost_lead:
            return "lead"
        gone = any(self.offline_since.get(rank, 0.0) >= job.began for rank in job.ranks)
        return "host" if job.lost_host or gone else None

    def decide(self, job: Job) -> None:
        """Submits a lost job again, as the same user, once, and at most as often as its policy allows."""
        cause = None if job.name in self.followed else self.cause(job)
        if cause is None:
            return
        number = job.origin.restarts + 1
        if number > job.policy.restarts:
            say(f"job {job.name} is not requeued after {job.policy.restarts} restarts: {CAUSES[cause]}")
            return
        if job.owner != os.getuid():
            say(f"job {job.name} is not requeued, because it belongs to user {job.owner}: {CAUSES[cause]}")
            return
        origin = {"of": job.origin.of or job.name, "after": job.name, "restarts": number, "cause": cause}
        # Flux removes the environment from its copy of the jobspec, and keeps the original.
        found = job_kvs_lookup(self.handle, job.id, keys=["jobspec"])
        given = job_kvs_lookup(self.handle, job.id, keys=["jobspec"], original=True)
        if found is None or given is None:
            return
        environment = part_of(given["jobspec"], "attributes", "system").get("environment", {})
        jobspec = again(found["jobspec"], environment, origin)
        answer = submit_async(self.handle, json.dumps(jobspec), urgency=job.urgency)
        after = JobID(answer.wait_for(SUBMIT_TIMEOUT).get_id())
        self.followed.add(job.name)
        self.note(int(after), {"of": origin["of"], "restart": number, "cause": CAUSES[cause]})
        say(f"job {job.name} is requeued as {after.f58}, restart {number} of {job.policy.restarts}: {CAUSES[cause]}")

    def note(self, job: int, memo: Dict[str, Any]) -> None:
        """Adds a memo to a job, which `flux jobs` shows as an annotation."""
        self.ask("job-manager.memo", {"id": job, "volatile": False, "memo": {"requeue": memo}})

    def ask(self, topic: str, payload: Dict[str, Any]) -> None:
        """Sends a request to the job manager, which rejects it after the end of a job."""
        try:
            self.handle.rpc(topic, payload).get()
        except OSError as error:
            say(f"{topic} of job {JobID(payload['id']).f58}: {error}")


def again(jobspec: Dict[str, Any], environment: Dict[str, Any], origin: Dict[str, Any]) -> Dict[str, Any]:
    """The jobspec of the next job: the same, with its origin. The dependencies of the first job are satisfied."""
    attributes = jobspec["attributes"]
    own = {key: value for key, value in attributes["system"].items() if key != "dependencies"}
    system = {**own, "environment": environment}
    user = {**part_of(attributes, "user"), "requeue": origin}
    return {**jobspec, "attributes": {**attributes, "system": system, "user": user}}


def follow(keeper: Requeue) -> None:
    """Follows the journal, until it ends."""
    journal = Journal(keeper.handle)
    is_history, looked_at = True, -PAUSE
    while True:
        try:
            event = journal.poll(PAUSE)
            if event is None:
                raise OSError("the journal has ended")
            if event.is_empty():
                is_history = False
            else:
                attempt(keeper.take, event)
        except TimeoutError:
            pass
        now = time.monotonic()
        if not is_history and now - looked_at >= PAUSE:
            keeper.look(now)
            looked_at = now


def keeper_of(settings: Dict[str, Any]) -> Requeue:
    """The `Requeue` of an instance, by its settings."""
    number = int(getattr(signal, f"SIG{settings['signal']}"))
    return Requeue(flux.Flux(), Policy(settings["restarts"], number, settings["graceSeconds"]))


def restart_family(restarts: Dict[str, int]) -> Family:
    """Restarts of jobs by their causes."""
    samples: List[Sample] = [({"cause": cause}, count) for cause, count in sorted(restarts.items())]
    return "flux_jobs_requeued_total", "counter", "Jobs submitted again after a loss.", samples
