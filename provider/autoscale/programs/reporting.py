"""The state of the agent, which an annotation of each Job has as JSON, and the console as well.

`{"size": 3, "reason": "hostsNeeded", "message": "size 3: 1 running on 3 hosts", "since": "2026-01-31T09:12:00Z"}`, and
`"problem": {"peer": "leadPod", "code": "peerNotReached"}` if the agent does not reach a peer. `size` is the size that
the agent has set or is about to set, and `since` the time since which this agent has had this reason. The codes are in
`core/contract.json`, and `autoscale/diagnostics/state.ts` has the schema.
"""

import json
import math
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Optional, Tuple

from core.programs.contract import ANNOTATIONS

# Maximum number of characters of a message.
LONGEST = 500

# The parts of a state whose change is recorded: its numbers change with each job.
Key = Tuple[str, Optional[Dict[str, str]]]


def printable(text: str) -> str:
    """The beginning of a text, on one line."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:LONGEST]).rstrip()


def as_time(seconds: float) -> str:
    """A time in UTC, as Kubernetes writes it."""
    return f"{datetime.fromtimestamp(seconds, timezone.utc):%Y-%m-%dT%H:%M:%SZ}"


class Report:
    """The state of the agent for a Job, and the part of it that its annotation has."""

    def __init__(self, pause: float, now: Callable[[], float]) -> None:
        # Seconds between two patches of only the annotation.
        self.pause = pause
        self.now = now
        self.state: Dict[str, Any] = {}
        self.recorded: Optional[Key] = None
        self.recorded_at = -math.inf
        # Whether the API server has rejected the last patch with the annotation.
        self.is_rejected = False

    def set(self, size: int, reason: str, message: str, problem: Optional[Dict[str, str]] = None) -> None:
        """Sets the state."""
        found: Dict[str, Any] = {"size": size, "reason": reason, "message": printable(message)}
        if problem:
            found["problem"] = problem
        is_same = self.state != {} and key_of(self.state) == key_of(found)
        self.state = {**found, "since": self.state["since"] if is_same else as_time(self.now())}

    def forget(self) -> None:
        """Removes the state: the agent does not set the size."""
        self.state, self.recorded = {}, None

    def text(self) -> str:
        """The state as JSON, or an empty string without a state."""
        return json.dumps(self.state) if self.state else ""

    def annotations(self) -> Dict[str, str]:
        """The annotation."""
        return {ANNOTATIONS.autoscaleState: self.text()} if self.state else {}

    def for_resize(self) -> Dict[str, str]:
        """The annotation for the patch of a size. The patch omits it if a policy may have rejected it before."""
        return {} if self.is_rejected else self.annotations()

    def is_due(self, now: float) -> bool:
        """Whether a patch of only the annotation is due: its reason or its problem has changed."""
        return self.state != {} and key_of(self.state) != self.recorded and now - self.recorded_at >= self.pause

    def begin(self, now: float) -> None:
        """Records a patch of only the annotation."""
        self.recorded_at = now

    def end(self, is_rejected: bool) -> None:
        """Records the response to a patch with the annotation. A rejected patch is not repeated with the same state."""
        self.is_rejected = is_rejected
        self.recorded = key_of(self.state)


def key_of(state: Dict[str, Any]) -> Key:
    """The parts of a state whose change is recorded."""
    return state["reason"], state.get("problem")
