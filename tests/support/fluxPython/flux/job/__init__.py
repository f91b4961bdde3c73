"""Jobs."""

import errno
import json
from typing import Any, Dict, List, Optional, Union

from flux import Flux, fail, state
from flux.reactor import Future, Reactor
from flux.running import as_entry

STATES = {"sched": ("SCHED",), "running": ("RUN", "CLEANUP"), "inactive": ("INACTIVE",)}


class JobID(str):
    def __new__(cls, given: Union[int, str]) -> "JobID":
        number = str(given).lstrip("f")
        if not number.lstrip("-").isdecimal():
            raise ValueError(f"cannot parse {given}")
        return super().__new__(cls, f"f{number}")

    @property
    def f58(self) -> str:
        return str(self)

    @property
    def kvs(self) -> str:
        return f"job.{int(self)}"

    def __int__(self) -> int:
        return int(self[1:])


class JobInfo:
    def __init__(self, given: Dict[str, Any]) -> None:
        self.id = JobID(given["id"])
        self.queue: str = given.get("queue", "")
        self.priority: int = given.get("priority", 16)
        self.ranks: str = given.get("ranks", "")
        self.t_submit: float = given.get("t_submit", 0.0)


class JobListRPC:
    """The jobs as job-list writes them: without an attribute that a job does not have."""

    def __init__(self, jobs: List[Dict[str, Any]], attrs: List[str]) -> None:
        self.jobs = [
            {"id": int(JobID(job["id"])), **{name: value for name, value in job.items() if name in attrs}}
            for job in jobs
        ]

    def get_jobs(self) -> List[Dict[str, Any]]:
        return self.jobs


class JobList:
    def __init__(
        self,
        _handle: Flux,
        attrs: List[str],
        filters: List[str],
        user: str,
        max_entries: int,
        queue: Optional[str] = None,
    ) -> None:
        assert user == "all"
        self.states = [one for name in filters for one in STATES[name]]
        self.attrs = attrs
        self.queue = queue
        self.most = max_entries

    def chosen(self) -> List[Dict[str, Any]]:
        """The jobs in the order of their priorities. A maximum of 0 is none."""
        found = [
            {"priority": 16, "userid": 0, "name": "", **job}
            for job in state()["jobs"]
            if job["state"] in self.states and self.queue in (None, job.get("queue", ""))
        ]
        found.sort(key=lambda job: -job["priority"])
        return found[: self.most] if self.most else found

    def jobs(self) -> List[JobInfo]:
        return [JobInfo(given) for given in self.chosen()]

    def fetch_jobs(self) -> JobListRPC:
        fail("job-list.list")
        return JobListRPC(self.chosen(), self.attrs)


def events_of(job: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Events of a job: it has waited since its submission."""
    ready = {"timestamp": job.get("t_submit", 0.0), "name": "priority", "context": {"priority": 16}}
    return [ready, *job.get("events", [])]


def job_kvs_lookup(
    handle: Flux, jobid: int, keys: List[str], original: bool = False, decode: bool = True
) -> Optional[Dict[str, Any]]:
    handle.check_thread()
    if keys == ["guest.output"]:
        return {"guest.output": handle.running.jobs[jobid].whole_output()}
    job = next((job for job in state()["jobs"] if job["id"] == f"f{jobid}"), None)
    if job is None:
        return None
    if original and keys == ["jobspec"]:
        return {"jobspec": job["jobspec"]}
    if original:
        assert keys == ["jobspec", "eventlog"]
        chosen = {"queue": job["queue"]} if job.get("chosen") else {}
        log = "".join(f"{as_entry(event)}\n" for event in events_of(job))
        return {"jobspec": job.get("jobspec", {"attributes": {"system": chosen}}), "eventlog": log}
    assert keys == ["jobspec"]
    if "jobspec" in job:
        return {"jobspec": job["jobspec"]}
    clusters = job.get("on") or ([job["queue"]] if job.get("queue") else [])
    properties = {"properties": clusters} if clusters else None
    constraints = job.get("constraints", properties)
    system = {**({"constraints": constraints} if constraints else {}), "duration": job.get("duration", 0)}
    return {"jobspec": {"resources": job["resources"], "attributes": {"system": system}}}


class JobspecV1:
    """A jobspec, with what Flux checks of its counts."""

    def __init__(self, jobspec: Dict[str, Any]) -> None:
        self.jobspec = jobspec

    @classmethod
    def from_command(
        cls,
        command: List[str],
        num_tasks: int = 1,
        cores_per_task: int = 1,
        gpus_per_task: Optional[int] = None,
        num_nodes: Optional[int] = None,
        exclusive: bool = False,
    ) -> "JobspecV1":
        if num_nodes and num_nodes > num_tasks:
            raise ValueError("node count must not be greater than task count")
        parts = [{"type": "core", "count": cores_per_task}]
        if gpus_per_task:
            parts.append({"type": "gpu", "count": gpus_per_task})
        slot: Dict[str, Any] = {"type": "slot", "label": "task", "count": num_tasks, "with": parts}
        if num_nodes:
            slot = {**slot, "count": num_tasks // num_nodes}
            slot = {"type": "node", "count": num_nodes, "exclusive": exclusive, "with": [slot]}
        tasks = [{"command": command, "slot": "task", "count": {"per_slot": 1}}]
        return cls({"resources": [slot], "tasks": tasks, "attributes": {"system": {"duration": 0}}, "version": 1})

    def setattr(self, key: str, value: Any) -> None:
        at = self.jobspec["attributes"]
        *above, last = key.split(".")
        for part in above:
            at = at.setdefault(part, {})
        at[last] = value

    def setattr_shell_option(self, key: str, value: Any) -> None:
        self.setattr(f"system.shell.options.{key}", value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "jobspec":
            super().__setattr__(name, value)
        else:
            self.setattr(f"system.{name}", value)


def as_flux_reads(jobspec: Dict[str, Any]) -> Any:
    """A jobspec as the library in C reads it: strict JSON in UTF-8, without NUL, of 2048 levels at most."""

    def refuse(name: str) -> Any:
        raise ValueError(f"invalid token near '{name}'")

    def depth(value: Any) -> int:
        values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
        return 0 if values is None else 1 + max(map(depth, values), default=0)

    # The bindings raise a ValueError here. Then the library in C has other rules than the module of Python.
    text = json.dumps(jobspec, ensure_ascii=False).encode("utf-8", "surrogateescape")
    try:
        found = json.loads(text.decode(), parse_constant=refuse)
        if b"\\u0000" in text:
            raise ValueError("\\u0000 is not allowed")
        if depth(found) > 2048:
            raise ValueError("maximum parsing depth reached")
    except ValueError as error:
        raise OSError(errno.EINVAL, f"jobspec: invalid JSON: {error}") from error
    return found


def submit(handle: Flux, jobspec: JobspecV1, urgency: int = 16, waitable: bool = False) -> int:
    # A user's program waits for its job, and none of ours waits without a limit for the answer to a submission.
    assert not waitable
    return int(submit_async(handle, jobspec, urgency).get())


class JobResult:
    returncode: int


def result(handle: Flux, jobid: int) -> JobResult:
    """For the types of a user's program: jobs do not run here."""
    raise NotImplementedError


def submit_async(handle: Flux, jobspec: Union[str, JobspecV1], urgency: int = 16) -> Future:
    handle.check_thread()
    answer = Future(getattr(handle, "reactor", None) or Reactor())
    try:
        fail("job-ingest.submit")
        if isinstance(jobspec, JobspecV1):
            return handle.running.submit(as_flux_reads(jobspec.jobspec), urgency)
        job = handle.submit(json.loads(jobspec), urgency)
        if job is not None:
            answer.fulfil(job)
    except OSError as error:
        answer.fulfil(error)
    return answer


def cancel_async(handle: Flux, jobid: int) -> Future:
    handle.check_thread()
    return handle.running.cancel(jobid)


def cancel(handle: Flux, jobid: int) -> None:
    cancel_async(handle, jobid).get()
