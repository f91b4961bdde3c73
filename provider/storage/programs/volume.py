"""Keeps the volume with the state of a Flux instance from filling up, and its queues closed while it is full.

Flux's content store only grows (flux-content(1)). Data that no checkpoint refers to is removed by flux-gc(1), in Flux
0.87 and newer, or by a dump that the next broker restores. After a write that did not fit, the store never becomes
complete again: its cache keeps such entries in memory, and writes no checkpoint while it has any (cache.c of 0.88).
"""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional

import flux
from core.programs.families import Family
from core.programs.state import say

# Seconds between two checks, minimum seconds between two collections, and seconds after which a grown state is
# collected.
CHECK_PERIOD, COLLECTION_PAUSE, COLLECTION_PERIOD = 5.0, 60.0, 3600.0
# Share of the free space by which the state grows before it is collected.
GROWTH = 0.1
# Growth in bytes below which nothing is collected.
SMALLEST_GROWTH = 4 * 2**20
# Share of the volume that stays free for running jobs and for the collection, and its minimum in bytes.
RESERVE, SMALLEST_RESERVE = 0.05, 16 * 2**20
# Shares of the volume at which a line is logged.
LEVELS = (0.7, 0.8, 0.9)
# First version of Flux that collects while it runs.
COLLECTS = (0, 87)

FULL = "the volume of the instance's state is full"


class Space(NamedTuple):
    """Bytes of the volume, bytes that are free for the state, and bytes of the state."""

    size: int
    free: int
    state: int

    @property
    def reserve(self) -> int:
        """Bytes below which the volume counts as full."""
        return max(int(self.size * RESERVE), SMALLEST_RESERVE)

    @property
    def used(self) -> float:
        """Share of the volume that is in use."""
        return 1 - self.free / self.size if self.size else 1.0


def space_of(directory: Path) -> Space:
    """The space of the volume. The database keeps its size and reuses unused pages: its header has their number."""
    disk = os.statvfs(directory)
    size, unused = 0, 0
    database = directory / "content.sqlite"
    if database.exists():
        size = database.stat().st_size
        with database.open("rb") as file:
            header = file.read(40)
        # 65536 does not fit into the two bytes (https://www.sqlite.org/fileformat.html).
        page = int.from_bytes(header[16:18], "big")
        unused = min(size, (65536 if page == 1 else page) * int.from_bytes(header[36:40], "big"))
    return Space(disk.f_blocks * disk.f_frsize, disk.f_bavail * disk.f_frsize + unused, size - unused)


def text_of(count: int) -> str:
    """A number of bytes as text."""
    return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{count / 2**20:.0f} MiB"


def collects(version: str) -> bool:
    """Whether a version of Flux has flux-gc(1)."""
    numbers = re.match(r"(\d+)\.(\d+)", version)
    return numbers is not None and (int(numbers[1]), int(numbers[2])) >= COLLECTS


class Volume:
    """The volume, with a separate handle of the broker."""

    def __init__(self, handle: flux.Flux) -> None:
        self.handle = handle
        self.directory = Path(handle.attr_get("statedir"))
        self.collects = collects(handle.attr_get("version"))
        self.space = space_of(self.directory)
        self.collector: Optional["subprocess.Popen[bytes]"] = None
        self.collected_at, self.collected_state = time.monotonic(), self.space.state
        self.level = 0.0
        self.said_at = self.renewed_at = -COLLECTION_PERIOD
        self.stuck = 0

    def follow(self) -> None:
        """Checks the volume until the broker ends."""
        while True:
            self.look(time.monotonic())
            time.sleep(CHECK_PERIOD)

    def look(self, now: float) -> None:
        """Collects, reports and closes the queues, if needed."""
        self.space = space_of(self.directory)
        self.collect(now)
        self.report()
        is_broken = self.is_broken()
        if is_broken or self.space.free < self.space.reserve:
            self.close(now, is_broken)
        if self.space.free >= 2 * self.space.reserve and not is_broken:
            self.open()
        if is_broken or not self.collects:
            self.renew(now, is_broken)
        if not (self.directory / "dump/RESTORE").is_symlink():
            shutil.rmtree(self.directory / "dump", ignore_errors=True)

    def collect(self, now: float) -> None:
        """Starts a collection if the state has grown."""
        if self.collector is not None:
            if self.collector.poll() is None:
                return
            if self.collector.returncode != 0:
                say(f"the state is not collected: flux gc has ended with status {self.collector.returncode}")
            self.collector = None
            self.collected_at, self.collected_state = now, self.space.state
        grown, since = self.space.state - self.collected_state, now - self.collected_at
        is_due = grown >= self.space.free * GROWTH and since >= COLLECTION_PAUSE
        if self.collects and grown >= SMALLEST_GROWTH and (is_due or since >= COLLECTION_PERIOD):
            self.collector = subprocess.Popen(["flux", "gc"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def report(self) -> None:
        """Logs that the volume fills up, once at each level."""
        level = max((one for one in LEVELS if self.space.used >= one), default=0.0)
        if level > self.level:
            say(f"the volume of the state is {level:.0%} full: {self.sizes()}")
        self.level = level

    def sizes(self) -> str:
        """The free space as text."""
        return f"{text_of(self.space.free)} of {text_of(self.space.size)} are free"

    def is_broken(self) -> bool:
        """Whether entries wait for a write that the content store has given up."""
        stats = self.handle.rpc("content.stats-get").get()
        self.stuck = self.stuck + 1 if stats["dirty"] > 0 and stats["flush-batch-count"] == 0 else 0
        return self.stuck > 1

    def queues(self) -> List[Dict[str, Any]]:
        """The payloads that name the queues. An instance without named queues has one queue without a name."""
        names = self.handle.rpc("job-manager.queue-list").get()["queues"]
        return [{"name": name} for name in names] or [{}]

    def close(self, now: float, is_broken: bool) -> None:
        """Closes the queues that are open, so that no job is accepted that could be lost."""
        for queue in self.queues():
            status = self.handle.rpc("job-manager.queue-status", queue).get()
            change = {**queue, "all": False, "reason": FULL}
            if status["enable"]:
                self.handle.rpc("job-manager.queue-enable", {**change, "enable": False}).get()
            if status["start"]:
                self.handle.rpc("job-manager.queue-start", {**change, "start": False}).get()
        if now - self.said_at >= COLLECTION_PAUSE:
            self.said_at = now
            needed = text_of(2 * self.space.reserve)
            after = ". The latest jobs are only in memory: do not delete the lead broker's pod" if is_broken else ""
            say(f"{FULL}: {self.sizes()}. No job is accepted or started until {needed} are free{after}")

    def open(self) -> None:
        """Opens the queues that this program has closed."""
        for queue in self.queues():
            status = self.handle.rpc("job-manager.queue-status", queue).get()
            change = {**queue, "all": False}
            if not status["start"] and status.get("stop_reason") == FULL:
                self.handle.rpc("job-manager.queue-start", {**change, "start": True}).get()
            if not status["enable"] and status.get("disable_reason") == FULL:
                self.handle.rpc("job-manager.queue-enable", {**change, "enable": True}).get()
                say(f"the volume of the state has room again: {self.sizes()}")

    def renew(self, now: float, is_broken: bool) -> None:
        """Dumps the state and kills the broker, so that the next one restores it, once no job runs."""
        if self.space.free >= self.space.reserve and not is_broken:
            return
        if is_broken and self.space.free < self.space.reserve:
            return
        states = self.handle.rpc("job-list.job-stats", {}).get()["job_states"]
        if any(states.get(state, 0) for state in ("run", "cleanup")) or now - self.renewed_at < COLLECTION_PAUSE:
            return
        self.renewed_at = now
        target = self.directory / "dump"
        target.mkdir(exist_ok=True)
        root = self.handle.rpc("kvs.getroot", {"namespace": "primary"}).get()["rootref"]
        dump = subprocess.run(["flux", "dump", "--quiet", str(target / "state.tgz")])
        if dump.returncode != 0 or self.handle.rpc("kvs.getroot", {"namespace": "primary"}).get()["rootref"] != root:
            shutil.rmtree(target, ignore_errors=True)
            return
        (target / "RESTORE").symlink_to("state.tgz")
        say("the lead broker restarts from a dump of its state, without data that is no longer needed")
        os.kill(int(self.handle.attr_get("broker.pid")), signal.SIGKILL)

    def families(self) -> List[Family]:
        """Metrics of the volume."""
        used = self.space.size - self.space.free
        samples = [({"state": "used"}, float(used)), ({"state": "free"}, float(self.space.free))]
        return [("flux_storage_bytes", "gauge", "Bytes of the volume with the state.", samples)]
