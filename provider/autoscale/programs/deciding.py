"""Decides on the size of a MiniCluster, from the demand of its queue over time."""

from collections import deque
from typing import Any, Deque, Dict, NamedTuple, Optional, Tuple

from core.programs.contract import REASONS


class Decision(NamedTuple):
    """A decision: the next size, or None to keep the size, and the reason."""

    target: Optional[int]
    reason: str


class Decider:
    """Decides on the next size, from the demand over time. Its callers pass the time."""

    def __init__(self, settings: Dict[str, Any]) -> None:
        self.settings = settings
        self.seen: Deque[Tuple[float, int]] = deque()
        self.began: Optional[float] = None
        self.changed_at: Optional[float] = None

    def forget(self) -> None:
        """Starts again after a time without a demand or a Job: the idle time of the hosts is unknown."""
        self.seen.clear()
        self.began = None

    def changed(self, now: float) -> None:
        """Records a change that has succeeded."""
        self.changed_at = now

    def bounded(self, size: int) -> int:
        """The nearest size within the bounds."""
        return int(max(self.settings["min"], min(self.settings["max"], size)))

    def decide(self, now: float, size: int, demand: Dict[str, Any]) -> Decision:
        """Decides on the size."""
        wanted = self.bounded(demand["needed"])
        idle = self.settings["idleSeconds"]
        if self.began is None:
            self.began = now
        self.seen.append((now, wanted))
        while self.seen[0][0] < now - idle:
            self.seen.popleft()
        needed = wanted
        if self.changed_at is not None and now - self.changed_at < self.settings["cooldownSeconds"]:
            return Decision(None, REASONS.hostsNeeded if wanted == size else REASONS.coolingDown)
        # A recently needed size may be needed again soon: hosts are removed only after a period of idleness.
        if wanted < size:
            wanted = min(size, max(want for _, want in self.seen)) if now - self.began >= idle else size
            target = max(wanted, size - self.settings["maxStep"])
        else:
            target = min(wanted, size + self.settings["maxStep"])
        # A size outside the bounds was set by another client, or under earlier bounds.
        target = self.bounded(target)
        if target != size:
            return Decision(target, self.reason_to_change(size, target))
        return Decision(None, self.reason_to_stay(size, needed, demand))

    def reason_to_change(self, size: int, target: int) -> str:
        """The reason for another size."""
        if size != self.bounded(size):
            return str(REASONS.outOfBounds)
        return str(REASONS.jobsPending if target > size else REASONS.hostsIdle)

    def reason_to_stay(self, size: int, needed: int, demand: Dict[str, Any]) -> str:
        """The reason for the present size."""
        if needed < size:
            return str(REASONS.hostsUsedRecently)
        if size == self.settings["max"] and any(not job["never"] for job in demand["pending"]):
            return str(REASONS.maxReached)
        return str(REASONS.hostsNeeded if demand["needed"] >= size and demand["needed"] > 0 else REASONS.hostsIdle)


def described(demand: Dict[str, Any], most: int) -> str:
    """A demand as a sentence."""
    pending = demand["pending"]
    needs = sum(job["hosts"] for job in pending)
    text = f"{demand['running']} running on {demand['allocated']} hosts, {len(pending)} pending for {needs:g}"
    never = [job["id"] for job in pending if job["never"]]
    if never:
        text += f" ({', '.join(never[:5])} cannot run on {most} hosts)"
    if demand["moved"]:
        text += f", {demand['moved']} moved here"
    if demand["drained"]:
        text += f", {demand['drained']} drained"
    if demand["unusable"]:
        text += f", {demand['unusable']} drained as they joined, and not replaced: {demand['reason']}"
    return text
