"""The content of an instance's web page, and its copy on a volume, which opens without a server."""

import json
import os
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any, Deque, Dict, Iterable, List, Optional

# Seconds between two samples of the curves, and samples per day.
PAUSE = 30.0
DAY = 2880
# Bytes of the jobs in a copy: the newest take precedence.
LONGEST = 1_500_000
# Marker that the page's data replace.
PLACE = '<script type="application/json" id="kept">null</script>'

HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Curves:
    """Hosts and jobs of the last day, a sample for each half minute."""

    def __init__(self) -> None:
        self.samples: Deque[List[int]] = deque(maxlen=DAY)
        self.taken_at = -PAUSE

    def take(self, hosts: List[Dict[str, Any]], jobs: Iterable[Dict[str, Any]]) -> Optional[List[int]]:
        """A sample, if it is due: time, hosts that are free, allocated or drained, jobs pending or running."""
        now = time.monotonic()
        if now - self.taken_at < PAUSE:
            return None
        self.taken_at = now
        states = [host["state"] for host in hosts]
        active = [job["state"] for job in jobs if job["state"] != "INACTIVE"]
        running = sum(state in ("RUN", "CLEANUP") for state in active)
        counts = [states.count("free"), states.count("allocated"), states.count("drained") + states.count("excluded")]
        sample = [int(time.time()), *counts, len(active) - running, running]
        self.samples.append(sample)
        return sample


def embedded(value: Any) -> str:
    """JSON that contains no end tag."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def keep_copy(html: str, path: str, board: Dict[str, Any]) -> None:
    """Writes a copy of the page that contains its data."""
    jobs: List[Dict[str, Any]] = []
    room = LONGEST
    for job in board["jobs"]:
        room -= len(embedded(job))
        if room < 0:
            break
        jobs.append(job)
    data = embedded({**board, "jobs": jobs, "left": len(board["jobs"]) - len(jobs)})
    target = Path(path)
    other = target.with_name(f".{target.name}.new")
    target.parent.mkdir(parents=True, exist_ok=True)
    other.write_text(html.replace(PLACE, PLACE.replace("null", data)), "utf-8")
    os.replace(other, target)


def read_decisions(path: Path) -> Dict[str, Any]:
    """Decisions of agents, and the sizes of their clusters."""
    with suppress(OSError, ValueError):
        found: Dict[str, Any] = json.loads(path.read_text("utf-8"))
        return found
    return {"sizes": {}, "said": []}
