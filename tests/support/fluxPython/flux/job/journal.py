"""The journal of the job manager."""

from typing import Any, Callable, Dict, List, Optional

from flux import Flux
from flux.job import JobID


class JournalEvent:
    """One event of a job. The one that ends the history is empty."""

    def __init__(self, jobid: JobID, name: str, timestamp: float, context: Dict[str, Any]) -> None:
        self.jobid = jobid
        self.name = name
        self.timestamp = timestamp
        self.context = context
        self.jobspec: Optional[Dict[str, Any]] = None
        self.R: Optional[Dict[str, Any]] = None

    def is_empty(self) -> bool:
        return self.name == ""


def event_of(given: Dict[str, Any]) -> JournalEvent:
    """An event as a test writes it."""
    made = JournalEvent(
        JobID(given.get("job", 0)), given["name"], given.get("timestamp", 0.0), given.get("context", {})
    )
    made.jobspec, made.R = given.get("jobspec"), given.get("R")
    return made


class JournalConsumer:
    """The events of an instance, which the handle of a test has."""

    def __init__(self, handle: Flux, full: bool, include_sentinel: bool = False) -> None:
        self.handle = handle
        # The handle of a test may have no jobs that run.
        self.running = getattr(handle, "running", None)
        self.arrived: List[JournalEvent] = []

    def set_callback(self, callback: Callable[[Any], None]) -> "JournalConsumer":
        self.handle.running.followers.append(callback)
        return self

    def start(self) -> "JournalConsumer":
        if self.running:
            self.running.followers.append(self.arrived.append)
        return self

    def poll(self, timeout: float = -1.0) -> Optional[JournalEvent]:
        while self.running and not self.running.reactor.calls.empty():
            self.running.reactor.calls.get()()
        if self.arrived:
            return self.arrived.pop(0)
        event: Optional[JournalEvent] = self.handle.next_event(timeout)
        return event
