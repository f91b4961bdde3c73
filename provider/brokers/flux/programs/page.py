"""What the web page of an instance shows, and its copy on a volume, which opens without a server."""

import json
import os
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any, Deque, Dict, Iterable, List, Optional

# Seconds between two samples of the curves, and samples of a day.
PAUSE = 30.0
DAY = 2880
# Bytes of the jobs in a copy: the newest ones have precedence.
LONGEST = 1_500_000
# Where the page has its data.
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
        """A sample, if one is due: time, hosts that are free, allocated or take no job, jobs that wait or run."""
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
    """JSON in which no text ends the element that it is in."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def keep_copy(html: str, path: str, board: Dict[str, Any]) -> None:
    """Writes the page with its data, as a whole."""
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
    """What agents have decided, and the sizes of their clusters."""
    with suppress(OSError, ValueError):
        found: Dict[str, Any] = json.loads(path.read_text("utf-8"))
        return found
    return {"sizes": {}, "said": []}
