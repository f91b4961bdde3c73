"""Jobs."""

import json
from typing import Any, Dict, List, Optional, Union

from flux import Flux, state

STATES = {"sched": ("SCHED",), "running": ("RUN", "CLEANUP")}


class JobID(str):
    def __new__(cls, given: Union[int, str]) -> "JobID":
        return super().__new__(cls, f"f{given}" if isinstance(given, int) else given)

    @property
    def f58(self) -> str:
        return str(self)

    def __int__(self) -> int:
        return int(self[1:])


class JobInfo:
    def __init__(self, given: Dict[str, Any]) -> None:
        self.id = JobID(given["id"])
        self.queue: str = given.get("queue", "")
        self.priority: int = given.get("priority", 16)
        self.ranks: str = given.get("ranks", "")


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
        self.queue = queue
        self.most = max_entries

    def jobs(self) -> List[JobInfo]:
        found = [
            JobInfo(given)
            for given in state()["jobs"]
            if given["state"] in self.states and self.queue in (None, given.get("queue", ""))
        ]
        found.sort(key=lambda job: -job.priority)
        return found[: self.most] if self.most else found


def job_kvs_lookup(_handle: Flux, jobid: int, keys: List[str], original: bool = False) -> Optional[Dict[str, Any]]:
    assert keys == ["jobspec"]
    job = next((job for job in state()["jobs"] if job["id"] == f"f{jobid}"), None)
    if job is None:
        return None
    clusters = job.get("on") or ([job["queue"]] if job.get("queue") else [])
    properties = {"properties": clusters} if clusters else None
    constraints = job.get("constraints", properties)
    system = {"constraints": constraints} if constraints else {}
    return {"jobspec": {"resources": job["resources"], "attributes": {"system": system}}}


def submit(handle: Flux, jobspec: str, urgency: int) -> int:
    return handle.submit(json.loads(jobspec), urgency)
