"""The journal of the job manager (RFC 21 of Flux), with the events of each job in the order of their arrival.

Flux's own consumer keeps the whole history in memory and sorts it by time: after a clock was set back, a job would end
before it was submitted.
"""

import errno
import sys
from collections import deque
from typing import Any, Callable, Deque, Dict, NamedTuple, Optional, Set, TypeVar

import flux
from flux.constants import FLUX_RPC_STREAMING
from flux.job import JobID

Found = TypeVar("Found")

# Flux takes JSON of 2048 levels, for example in a memo, and Python reads 1000 levels by default.
sys.setrecursionlimit(5000)


class Event(NamedTuple):
    """An event of a job. The event that ends the history is empty."""

    jobid: int
    name: str
    timestamp: float
    context: Dict[str, Any]
    # The jobspec of a submission, and the resources of an allocation.
    jobspec: Optional[Dict[str, Any]] = None
    R: Optional[Dict[str, Any]] = None

    def is_empty(self) -> bool:
        """Whether it ends the history."""
        return self.name == ""


END_OF_HISTORY = Event(-1, "", 0.0, {})


class Journal:
    """Follows the journal: first the history of each job after the other, then each event as it is posted."""

    def __init__(self, handle: flux.Flux, full: bool = True) -> None:
        # Without `full`, the history has no ended jobs.
        self.stream = handle.rpc("job-manager.events-journal", {"full": full}, 0, FLUX_RPC_STREAMING)
        self.arrived: Deque[Event] = deque()

    def poll(self, timeout: float = -1.0) -> Optional[Event]:
        """The next event, None after the end of the journal, or a TimeoutError."""
        while not self.arrived:
            if not self.read(timeout):
                return None
        return self.arrived.popleft()

    def then(self, callback: Callable[[Optional[Event]], None]) -> None:
        """Calls a function in the reactor for each event, and with None at the end."""

        def arrive(_stream: Any) -> None:
            is_open = self.read(0.0)
            while self.arrived:
                callback(self.arrived.popleft())
            if not is_open:
                callback(None)

        self.stream.then(arrive)

    def read(self, timeout: float) -> bool:
        """Reads a response. Returns whether the journal continues."""
        try:
            response = self.stream.wait_for(timeout).get()
        except OSError as error:
            if error.errno != errno.ENODATA:
                raise
            return False
        self.stream.reset()
        entries = response["events"]
        self.arrived.extend(event_of(response, entry) for entry in entries)
        if not entries:
            self.arrived.append(END_OF_HISTORY)
        return True


def event_of(response: Dict[str, Any], entry: Dict[str, Any]) -> Event:
    """An event of a response."""
    name = entry["name"]
    return Event(
        response["id"],
        name,
        entry["timestamp"],
        entry.get("context") or {},
        response.get("jobspec") if name == "submit" else None,
        response.get("R") if name == "alloc" else None,
    )


# Jobs with an event that was skipped.
skipped: Set[int] = set()


def attempt(take: Callable[[Event], Found], event: Event) -> Optional[Found]:
    """Gives an event to a function. If that fails, the log names the job, and the event is skipped."""
    try:
        return take(event)
    except Exception as error:
        if event.jobid not in skipped:
            skipped.add(event.jobid)
            text = f"minicluster: an event of job {JobID(event.jobid).f58} is skipped: {event.name}"
            print(f"{text}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        return None
