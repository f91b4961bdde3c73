"""Jobs that run on this machine as their jobspecs say, with the events that Flux has of them."""

import base64
import errno
import functools
import hashlib
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Dict, List, Optional

from flux.reactor import Future, Reactor


def as_entry(event: Dict[str, Any]) -> str:
    """An entry of an eventlog. Flux leaves UTF-8 as it is."""
    return json.dumps(event, ensure_ascii=False)


class Event:
    def __init__(self, name: str, context: Optional[Dict[str, Any]] = None) -> None:
        self.name = name
        self.context = context or {}
        self.timestamp = time.time()


class RunningJob:
    """A job, with its events and its output."""

    def __init__(self, jobs: "RunningJobs", number: int, jobspec: Any, urgency: int) -> None:
        self.jobs, self.number, self.jobspec, self.urgency = jobs, number, jobspec, urgency
        # References of the parts of its output. The job shell makes the first one when it has started.
        self.output: List[str] = []
        self.process: Optional["subprocess.Popen[bytes]"] = None
        self.ranks: List[int] = []
        self.is_canceled = self.has_ended = False

    def run(self) -> None:
        attributes, task = self.jobspec["attributes"], self.jobspec["tasks"][0]
        slot = self.jobspec["resources"][0]
        nodes = slot["count"] if slot["type"] == "node" else 1
        ranks = {"rank": f"0-{nodes - 1}" if nodes > 1 else "0", "children": {"core": "0"}}
        hosts = ",".join(self.jobs.hosts[:nodes])
        for event in (Event("depend"), Event("priority", {"priority": 16})):
            self.post(event)
        if nodes > len(self.jobs.hosts):
            note = 'alloc denied due to type="unsatisfiable"'
            self.post(Event("exception", {"type": "alloc", "severity": 0, "note": note}))
            self.end()
            return
        while self.urgency == 0 and not self.is_canceled:
            # It is held.
            time.sleep(0.05)
        if self.is_canceled:
            self.end()
            return
        verbose = attributes["system"].get("shell", {}).get("options", {}).get("verbose", 0)
        resources = {"execution": {"R_lite": [ranks], "nodelist": [hosts], "expiration": 0}}
        self.ranks = list(range(nodes))
        self.post(Event("alloc"), resources)
        if not isinstance(verbose, int):
            note = "failed to parse attributes.system.shell.verbose"
            self.post(Event("exception", {"type": "exec", "severity": 0, "note": note}))
            self.end()
            return
        time.sleep(0.2)
        self.write([Event("header", {"version": 1, "encoding": {"stdout": "UTF-8", "stderr": "UTF-8"}})])
        # One that is cancelled meanwhile ends at once.
        command = ["false"] if self.is_canceled else task["command"]
        # A command that reads its input waits for ever, unless the jobspec names a file.
        options = attributes["system"].get("shell", {}).get("options", {})
        stdin = options.get("input", {}).get("stdin", {})
        self.post(Event("start"))
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL if stdin.get("path") == os.devnull else subprocess.PIPE,
            cwd=attributes["system"]["cwd"],
            env=attributes["system"]["environment"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        assert self.process.stdout
        left = b""
        while True:
            piece = os.read(self.process.stdout.fileno(), 2**20)
            *lines, left = (left + piece).split(b"\n")
            ended = [left] if left and not piece else []
            self.write([as_data(line) for line in [*(line + b"\n" for line in lines), *ended]])
            if not piece:
                break
        status = self.process.wait()
        self.post(Event("finish", {"status": -status if status < 0 else status << 8}))
        self.end()

    def end(self) -> None:
        self.has_ended, self.ranks = True, []
        self.post(Event("clean"))

    def post(self, event: Any, resources: Optional[Dict[str, Any]] = None) -> None:
        self.jobs.post(self.number, event, resources=resources)

    def write(self, events: List[Event]) -> None:
        """Writes events in one commit, as the job shell does for those of half a second."""
        entries = [{"timestamp": one.timestamp, "name": one.name, "context": one.context} for one in events]
        text = "".join(as_entry(entry) + "\n" for entry in entries)
        if text:
            self.output.append(self.jobs.store(text.encode()))

    def whole_output(self) -> str:
        if not self.output:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        digests = [bytes.fromhex(reference.partition("-")[2]) for reference in self.output]
        return b"".join(self.jobs.load(digest) for digest in digests).decode()

    def cancel(self) -> None:
        self.post(Event("exception", {"type": "cancel", "severity": 0, "note": ""}))
        self.is_canceled = True
        if self.process:
            os.killpg(self.process.pid, signal.SIGTERM)


def as_data(line: bytes) -> Event:
    """An event of output (RFC 24 of Flux)."""
    where: Dict[str, Any] = {"stream": "stdout", "rank": "0"}
    try:
        return Event("data", {**where, "data": line.decode()})
    except UnicodeDecodeError:
        return Event("data", {**where, "encoding": "base64", "data": base64.b64encode(line).decode()})


class RunningJobs:
    """The jobs of an instance, who follows their events, and the content store, which is outside of this process."""

    def __init__(self, reactor: Reactor, hosts: List[str]) -> None:
        self.reactor, self.hosts = reactor, hosts
        self.jobs: Dict[int, RunningJob] = {}
        self.followers: List[Any] = []
        self.directory = tempfile.TemporaryDirectory()

    def store(self, blob: bytes) -> str:
        """Stores some bytes, and returns their reference."""
        name = hashlib.sha1(blob).hexdigest()
        Path(self.directory.name, name).write_bytes(blob)
        return f"sha1-{name}"

    def load(self, digest: bytes) -> bytes:
        return Path(self.directory.name, digest.hex()).read_bytes()

    def lookup(self, request: Dict[str, Any]) -> Dict[str, Any]:
        """The references of a job's output."""
        assert request["namespace"] == "primary" and request["flags"] == 16
        kind, number, *name = request["key"].split(".")
        assert (kind, name) == ("job", ["guest", "output"])
        job = self.jobs.get(int(number))
        if not job or not job.output:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        return {"val": {"ver": 1, "type": "valref", "data": list(job.output)}}

    def submit(self, jobspec: Any, urgency: int) -> Future:
        answer = Future(self.reactor)
        number = 2**40 + len(self.jobs)
        if "queue" in jobspec["attributes"]["system"]:
            answer.fulfil(OSError(22, "no queues are configured"))
            return answer
        job = self.jobs[number] = RunningJob(self, number, jobspec, urgency)
        self.post(number, Event("submit", {"userid": 0, "urgency": urgency}), jobspec=jobspec)
        threading.Thread(target=job.run, daemon=True).start()
        answer.fulfil(number)
        return answer

    def busy(self) -> List[int]:
        """Ranks with a job."""
        return [rank for job in self.jobs.values() for rank in job.ranks]

    def post(self, number: int, event: Any, **more: Any) -> None:
        """Hands an event to those who follow the journal."""
        event.jobid = number
        event.jobspec, event.R = more.get("jobspec"), more.get("resources")
        for follow in self.followers:
            self.reactor.calls.put(functools.partial(follow, event))

    def cancel(self, number: int) -> Future:
        answer, job = Future(self.reactor), self.jobs.get(number)
        if job is None or job.has_ended:
            answer.fulfil(OSError(22, "job is inactive" if job else "unknown job"))
        else:
            job.cancel()
            answer.fulfil({})
        return answer
