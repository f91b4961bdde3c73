"""The journal of the job manager."""

import errno
import json
import time
from collections import deque
from typing import Any, Callable, Deque, Dict, List, Optional

from flux import Flux, state
from flux.job import JobID
from flux.reactor import Watcher


def history_of(full: bool) -> List[Dict[str, Any]]:
    """The history of the instance: all events of a job in one response, and the jobs in no certain order."""
    jobs: Dict[int, Dict[str, Any]] = {}
    for event in state().get("history", []):
        job = jobs.setdefault(event["job"], {"id": event["job"], "events": []})
        job["events"].append(entry_of(event))
        job.update({key: event[key] for key in ("jobspec", "R") if key in event})
    given = [job for job in jobs.values() if full or job["events"][-1]["name"] != "clean"]
    return [*reversed(given), {"id": -1, "events": []}]


def entry_of(event: Dict[str, Any]) -> Dict[str, Any]:
    """The entry of an event. One without data has no context."""
    found = {"timestamp": event["timestamp"], "name": event["name"]}
    return {**found, "context": event["context"]} if event.get("context") else found


class JournalStream:
    """The responses of `job-manager.events-journal`. The same one is read until the future is reset."""

    def __init__(self, handle: Flux, full: bool) -> None:
        self.handle = handle
        self.responses: Deque[str] = deque(json.dumps(one, ensure_ascii=False) for one in history_of(full))
        self.seen = 0
        self.callback: Optional[Callable[["JournalStream"], None]] = None
        handle.running.followers.append(self.follow)

    def follow(self, event: Any) -> None:
        """An event of a job that runs here."""
        given = {"id": int(event.jobid), "events": [entry_of(vars(event))]}
        self.arrive({**given, **{key: value for key, value in vars(event).items() if key in ("jobspec", "R")}})

    def arrive(self, response: Dict[str, Any]) -> None:
        self.responses.append(json.dumps(response, ensure_ascii=False))
        self.call()

    def look(self, *_: Any) -> None:
        """Events that a test has added."""
        events = state().get("journal", [])
        for event in events[self.seen :]:
            data = {key: event[key] for key in ("jobspec", "R") if key in event}
            self.seen += 1
            self.arrive({"id": event["job"], "events": [entry_of(event)], **data})

    def call(self) -> None:
        if self.callback and self.responses:
            self.callback(self)

    def then(self, callback: Callable[["JournalStream"], None]) -> "JournalStream":
        self.callback = callback
        for _ in self.responses:
            self.handle.reactor.calls.put(self.call)
        Watcher(self.handle.reactor, self.look, 0.0, 0.05, -1).start()
        return self

    def wait_for(self, timeout: float) -> "JournalStream":
        until = time.monotonic() + timeout
        while not self.responses:
            calls = self.handle.running.reactor.calls
            while not calls.empty():
                calls.get()()
            self.look()
            if not self.responses:
                if timeout >= 0 and time.monotonic() >= until:
                    raise TimeoutError(errno.ETIMEDOUT, "Connection timed out")
                time.sleep(0.01)
        return self

    def get(self) -> Any:
        return json.loads(self.responses[0])

    def reset(self) -> None:
        self.responses.popleft()


class JournalEvent:
    """One event of a job. The one that ends the history is empty."""

    def __init__(self, response: Dict[str, Any], entry: Dict[str, Any]) -> None:
        self.jobid = JobID(response["id"])
        self.name: str = entry.get("name", "")
        self.timestamp: float = entry.get("timestamp", 0.0)
        self.context: Dict[str, Any] = entry.get("context", {})
        self.jobspec: Optional[Dict[str, Any]] = response.get("jobspec") if self.name == "submit" else None
        self.R: Optional[Dict[str, Any]] = response.get("R") if self.name == "alloc" else None

    def is_empty(self) -> bool:
        return self.name == ""


class JournalConsumer:
    """Flux's own consumer: it holds the whole history, and sorts it by time."""

    rpc: JournalStream

    def __init__(self, handle: Flux, full: bool = True, include_sentinel: bool = False) -> None:
        self.handle, self.full, self.include_sentinel = handle, full, include_sentinel
        self.backlog: Deque[JournalEvent] = deque()
        self.is_history = full

    def start(self) -> "JournalConsumer":
        self.rpc = self.handle.rpc("job-manager.events-journal", {"full": self.full})
        return self

    def poll(self, timeout: float = -1.0) -> Optional[JournalEvent]:
        while self.is_history or not self.backlog:
            response = self.rpc.wait_for(timeout).get()
            self.backlog.extend(JournalEvent(response, entry) for entry in response["events"])
            if self.is_history and not response["events"]:
                self.is_history = False
                self.backlog = deque(sorted(self.backlog, key=lambda event: event.timestamp))
                if self.include_sentinel:
                    self.backlog.append(JournalEvent({"id": -1}, {}))
            self.rpc.reset()
        return self.backlog.popleft()
