"""Jobs that run on this machine as their jobspecs say, with the events that Flux has of them."""

import functools
import os
import signal
import subprocess
import threading
import time
from typing import Any, Dict, List, Optional

from flux.reactor import Future, Reactor


class Event:
    def __init__(self, name: str, context: Optional[Dict[str, Any]] = None) -> None:
        self.name = name
        self.context = context or {}
        self.timestamp = time.time()


class RunningJob:
    """A job: its events, its output, and who waits for more of it."""

    def __init__(self, jobs: "RunningJobs", number: int, jobspec: Any) -> None:
        self.jobs, self.number, self.jobspec = jobs, number, jobspec
        self.output: List[Event] = []
        self.readers: List[Future] = []
        self.process: Optional["subprocess.Popen[str]"] = None
        self.ranks: List[int] = []
        self.is_canceled = self.has_ended = False
        # The job shell makes the output's log when it has started.
        self.has_output = False

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
        self.has_output = True
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
            text=True,
        )
        for line in self.process.stdout or []:
            self.write(Event("data", {"stream": "stdout", "rank": "0", "data": line}))
        status = self.process.wait()
        self.post(Event("finish", {"status": -status if status < 0 else status << 8}))
        self.end()

    def end(self) -> None:
        self.has_ended, self.ranks = True, []
        self.post(Event("clean"))
        for reader in self.readers:
            reader.fulfil(None)

    def post(self, event: Any, resources: Optional[Dict[str, Any]] = None) -> None:
        self.jobs.post(self.number, event, resources=resources)

    def write(self, event: Event) -> None:
        self.output.append(event)
        for reader in self.readers:
            reader.fulfil(event)

    def cancel(self) -> None:
        self.post(Event("exception", {"type": "cancel", "severity": 0, "note": ""}))
        self.is_canceled = True
        if self.process:
            os.killpg(self.process.pid, signal.SIGTERM)


class RunningJobs:
    """The jobs of an instance, and who follows their events."""

    def __init__(self, reactor: Reactor, hosts: List[str]) -> None:
        self.reactor, self.hosts = reactor, hosts
        self.jobs: Dict[int, RunningJob] = {}
        self.followers: List[Any] = []

    def submit(self, jobspec: Any, urgency: int) -> Future:
        answer = Future(self.reactor)
        number = 2**40 + len(self.jobs)
        if "queue" in jobspec["attributes"]["system"]:
            answer.fulfil(OSError(22, "no queues are configured"))
            return answer
        job = self.jobs[number] = RunningJob(self, number, jobspec)
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

    def watch(self, number: int) -> Future:
        future, job = Future(self.reactor), self.jobs[number]
        if not job.has_output:
            future.fulfil(OSError(2, "No such file or directory"))
            return future
        for event in job.output:
            future.fulfil(event)
        if job.has_ended:
            future.fulfil(None)
        else:
            job.readers.append(future)
        return future

    def cancel(self, number: int) -> Future:
        answer, job = Future(self.reactor), self.jobs.get(number)
        if job is None or job.has_ended:
            answer.fulfil(OSError(22, "job is inactive" if job else "unknown job"))
        else:
            job.cancel()
            answer.fulfil({})
        return answer
