"""Runs a study in a Flux instance, one run after another, and reports each.

`pulumi up` starts it in the container of the lead broker with two lines of standard input: this program, and a request.
The first start leaves a process behind that goes on when the connection ends. It writes what becomes of each run to a
journal, which every later start reads from its beginning.
"""

import base64
import contextlib
import errno
import fcntl
import json
import math
import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, NoReturn, Optional, Tuple

import flux
import flux.job
from flux.job import JobID, job_kvs_lookup
from flux.job.journal import JournalConsumer

# Seconds between two readings of the journal, between signs of life, and between two readings of the request.
JOURNAL_PERIOD, ALIVE_PERIOD, REQUEST_PERIOD = 0.2, 10.0, 1.0
# Seconds that a study has to end its run when it is stopped.
STOPPED_WITHIN = 30.0
# Seconds to wait for the answer to a submission. Flux loses it when a validator of jobs ends.
SUBMIT_TIMEOUT = 60.0
# Seconds for which the job shell collects input. A job ends no earlier: Flux's default of 0.5 would extend each
# wall time.
INPUT_PAUSE = 0.01
# Seconds of processor time for the search of one output. A pattern may need exponentially many steps.
SEARCH_SECONDS = 5.0
# Lines of output, and characters per line, in the report of a failed run.
LAST_LINES, LINE_LENGTH = 10, 200
# Variables of this program that no run needs.
OWN_VARIABLES = ("FLUX_URI", "MINICLUSTER_")


class Files(NamedTuple):
    """Files of a study, beside the socket of the broker."""

    request: Path
    journal: Path
    lock: Path
    log: Path


def files_of(study: str) -> Files:
    """The files of a study: they last as long as the instance."""
    folder = Path(os.environ["FLUX_URI"].split("://", 1)[1]).parent
    return Files(*(folder / f"study-{study}.{name}" for name in Files._fields))


def write_whole(file: Path, value: Any) -> None:
    """Replaces a file at once."""
    other = file.with_name(f"{file.name}.{os.getpid()}")
    other.write_text(json.dumps(value))
    other.replace(file)


def read_request(files: Files) -> Dict[str, Any]:
    """The last request of `pulumi up`."""
    found: Dict[str, Any] = json.loads(files.request.read_text())
    return found


def entry_in(line: bytes) -> Optional[Dict[str, Any]]:
    """The entry in a line of the journal. A full disk may have cut the line, and older programs wrote NaN."""
    try:
        entry = json.loads(line.decode(), parse_constant=lambda _: None)
    except ValueError:
        return None
    if not isinstance(entry, dict) or not {"at", "run", "attempt"} <= set(entry):
        return None
    if entry.get("figure", 0) is None:
        del entry["figure"]
        entry["error"] = "the pattern finds a number that is not finite"
    return entry


class Journal:
    """The journal, from the position of the last read."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.position = 0
        # The last report of each run, the last attempt, and the attempts without a report.
        self.reports: Dict[str, Dict[str, Any]] = {}
        self.attempts: Dict[str, int] = {}
        self.pending: Dict[str, Dict[str, Any]] = {}

    def read(self) -> List[Dict[str, Any]]:
        """The new entries. The last line may be incomplete."""
        if not self.file.exists():
            return []
        with self.file.open("rb") as journal:
            journal.seek(self.position)
            lines = journal.read().split(b"\n")[:-1]
        self.position += sum(len(line) + 1 for line in lines)
        entries = [entry for entry in map(entry_in, lines) if entry is not None]
        for entry in entries:
            run, attempt = entry["run"], entry["attempt"]
            self.attempts[run] = attempt - 1 if entry["at"] == "cancel" else attempt
            if entry["at"] == "submit":
                self.pending[run] = entry
            elif entry["at"] in ("end", "cancel"):
                self.pending.pop(run, None)
            if entry["at"] == "end":
                self.reports[run] = entry
        return entries

    def write(self, entry: Dict[str, Any]) -> None:
        """Adds an entry."""
        with self.file.open("a") as journal:
            journal.write(json.dumps(entry, allow_nan=False) + "\n")


def is_final(ok: bool, attempts: int, retries: int) -> bool:
    """Whether no further attempt replaces a result. A test checks that `up` decides the same (`isFinal`)."""
    return ok or attempts > retries


def unfinished(request: Dict[str, Any], journal: Journal) -> Iterator[Tuple[Dict[str, Any], int]]:
    """Runs of a request without a result, each with the number of its next attempt."""
    for run in request["runs"]:
        report = journal.reports.get(run["id"])
        reported = max(run["attempts"], report["attempt"] if report else 0)
        if not is_final(bool(report and report["ok"]), reported, request["retries"]):
            yield run, max(reported, journal.attempts.get(run["id"], 0)) + 1


def text_of(event: Dict[str, Any]) -> str:
    """The text in an event of a job's output (RFC 24 of Flux)."""
    context = event.get("context") or {}
    if event["name"] == "log":
        return f"flux-shell: {context.get('message', '')}\n"
    if event["name"] != "data" or "data" not in context:
        return ""
    text: str = context["data"]
    if context.get("encoding") == "base64":
        text = base64.b64decode(text).decode("utf-8", "replace")
    return text * int(context.get("repeat", 1))


def exit_status(status: int) -> int:
    """The exit status in a wait status, by the rule of a shell."""
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def pattern_problem(pattern: str) -> str:
    """The problem with a pattern, which has to be valid in JavaScript already."""
    try:
        groups = re.compile(pattern, re.MULTILINE).groups
    except (re.error, OverflowError, RecursionError) as error:
        return f"is not valid in Python: {error}"
    return "" if groups == 1 else f"has {groups} groups in Python, and needs one"


def check_patterns(request: Dict[str, Any]) -> None:
    """Ends the program if a pattern of a request is not valid, before any run."""
    patterns = {run["app"]: run["pattern"] for run in request["runs"] if "pattern" in run}
    problems = {app: pattern_problem(pattern) for app, pattern in patterns.items()}
    wrong = [f"apps.{app}.figure.pattern {problem}" for app, problem in problems.items() if problem]
    if wrong:
        raise SystemExit("; ".join(wrong) + "; no run was started")


def last_match(output: str, pattern: str) -> Optional[str]:
    """What the group of a pattern has found last. Raises TimeoutError if the search takes too long."""

    def end(*_: Any) -> None:
        raise TimeoutError

    # The module checks for signals while it searches.
    signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, SEARCH_SECONDS)
    try:
        found = None
        for match in re.finditer(pattern, output, re.MULTILINE):
            found = match.group(1)
        return found
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def figure_in(output: str, pattern: str) -> Tuple[Optional[float], str]:
    """The last number that a pattern finds in an output, or the problem."""
    try:
        found = last_match(output, pattern)
    except TimeoutError:
        return (
            None,
            f"the search for the pattern was ended after {SEARCH_SECONDS:g} s of processor time; simplify the pattern",
        )
    if found is None:
        return None, "the pattern matches nothing in the output"
    with contextlib.suppress(ValueError):
        figure = float(found)
        # A solver that diverges prints "nan", "inf" or a number that is too large.
        if math.isfinite(figure):
            return figure, ""
    return None, f"the pattern finds {found[:LINE_LENGTH]!r}, which is not a number"


def last_lines(output: str) -> List[str]:
    """The end of an output."""
    return [line[:LINE_LENGTH] for line in output.rstrip("\n").split("\n")[-LAST_LINES:]] if output else []


def failure(problem: str) -> Dict[str, Any]:
    """The report of an attempt without a job that has ended."""
    return {"ok": False, "hosts": "", "startedAt": 0.0, "wallSeconds": 0.0, "error": problem}


class Attempt:
    """One job of a run, from its events."""

    def __init__(self) -> None:
        self.hosts: List[str] = []
        self.started: Optional[float] = None
        self.ended: Optional[float] = None
        self.status: Optional[int] = None
        self.problem = ""
        self.is_clean = False

    def take(self, event: Any) -> None:
        """Records an event."""
        if event.name == "alloc" and event.R:
            self.hosts = list(event.R["execution"].get("nodelist", []))
        elif event.name == "start":
            self.started = event.timestamp
        elif event.name == "finish":
            self.ended, self.status = event.timestamp, event.context["status"]
        elif event.name == "exception" and event.context["severity"] == 0 and not self.problem:
            note = event.context.get("note") or ""
            self.problem = f"{event.context['type']}: {note}" if note else str(event.context["type"])
        elif event.name == "clean":
            self.is_clean = True

    def report(self, output: str, pattern: Optional[str]) -> Dict[str, Any]:
        """The result of the run."""
        has_failed = self.status != 0 or self.problem != ""
        figure, wrong = (None, "") if has_failed or pattern is None else figure_in(output, pattern)
        problem = self.problem or wrong
        if has_failed and not problem:
            problem = f"exit status {exit_status(self.status or 0)}"
        return {
            # Another attempt finds no figure either.
            "ok": not has_failed,
            "hosts": ",".join(self.hosts),
            "startedAt": self.started or 0.0,
            "wallSeconds": max(0.0, (self.ended or 0.0) - (self.started or 0.0)) if self.ended else 0.0,
            **({} if self.status is None else {"exitStatus": exit_status(self.status)}),
            **({} if figure is None else {"figure": figure}),
            **({"error": problem, "lastLines": last_lines(output)} if problem else {}),
        }


class Study:
    """The background process: it submits one run after another."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.journal = Journal(files.journal)
        self.handle = flux.Flux()
        self.events = JournalConsumer(self.handle, full=False).start()
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith(OWN_VARIABLES)}

    def work(self) -> None:
        """Runs everything without a result, until all runs have one. A new request takes effect at the next run."""
        self.journal.read()
        retries = read_request(self.files)["retries"]
        # Attempts of an earlier process, which the attempt may have ended: an attempt counts from its submission on.
        for entry in list(self.journal.pending.values()):
            self.cancel(int(JobID(entry["job"])))
            if is_final(False, entry["attempt"], retries):
                problem = failure("the program that runs the study has ended during each attempt")
                self.journal.write({"run": entry["run"], "attempt": entry["attempt"], "at": "end", **problem})
        while True:
            self.journal.read()
            following = next(unfinished(read_request(self.files), self.journal), None)
            if following is None:
                return
            self.attempt(*following)

    def cancel(self, job: int) -> None:
        """Cancels a job, unless it has ended."""
        with contextlib.suppress(OSError):
            flux.job.cancel(self.handle, job)

    def attempt(self, run: Dict[str, Any], number: int) -> None:
        """Runs a run once. One that is no longer requested is cancelled and has no report."""
        entry = {"run": run["id"], "attempt": number}
        try:
            job = int(flux.job.submit_async(self.handle, self.jobspec_of(run)).wait_for(SUBMIT_TIMEOUT).get_id())
        except (OSError, ValueError) as error:
            # Any other error is not about this job.
            if getattr(error, "errno", errno.EINVAL) != errno.EINVAL:
                raise
            problem = failure(f"Flux has refused the job: {error}")
            self.journal.write({**entry, "at": "end", **problem})
            return
        self.journal.write({**entry, "at": "submit", "job": str(JobID(job).f58)})
        attempt, looked_at = Attempt(), time.monotonic()
        is_wanted = True
        while not attempt.is_clean:
            if is_wanted and time.monotonic() - looked_at >= REQUEST_PERIOD:
                looked_at = time.monotonic()
                is_wanted = any(one["id"] == run["id"] for one in read_request(self.files)["runs"])
                if not is_wanted:
                    self.cancel(job)
            try:
                event = self.events.poll(REQUEST_PERIOD)
            except TimeoutError:
                continue
            if event is None:
                raise OSError("the journal of the job manager has ended")
            if int(event.jobid) != job:
                continue
            attempt.take(event)
            if event.name == "start":
                self.journal.write({**entry, "at": "start", "hosts": ",".join(attempt.hosts)})
        if is_wanted:
            report = attempt.report(self.output_of(job), run.get("pattern"))
            self.journal.write({**entry, "at": "end", **report})
        else:
            self.journal.write({**entry, "at": "cancel"})

    def output_of(self, job: int) -> str:
        """The output of a job: both streams in the order in which they were written."""
        try:
            found = job_kvs_lookup(self.handle, job, keys=["guest.output"], decode=False)
        except FileNotFoundError:
            return ""
        # Flux leaves other line separators of Unicode in the data as they are.
        lines = ((found or {}).get("guest.output") or "").split("\n")
        return "".join(text_of(json.loads(line)) for line in lines if line)

    def jobspec_of(self, run: Dict[str, Any]) -> Any:
        """The jobspec of a run: whole hosts, on which bash runs the command, without input."""
        jobspec = flux.job.JobspecV1.from_command(
            ["bash", "-c", run["command"]],
            num_tasks=run["tasks"],
            cores_per_task=1,
            gpus_per_task=run["gpusPerTask"] or None,
            num_nodes=run["size"],
            exclusive=True,
        )
        jobspec.duration = run["timeoutSeconds"]
        jobspec.cwd = os.getcwd()
        numbers = {name: str(run[name]) for name in ("size", "tasks", "repeat")}
        jobspec.environment = {**self.environment, **numbers, **run["environment"]}
        jobspec.setattr("system.job.name", run["name"])
        jobspec.setattr_shell_option("input.stdin.type", "file")
        jobspec.setattr_shell_option("input.stdin.path", "/dev/null")
        jobspec.setattr_shell_option("input.batch-timeout", INPUT_PAUSE)
        return jobspec


def start(files: Files) -> None:
    """Starts a background process that runs the study, unless one is running."""
    lock = os.open(files.lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        pass
    else:
        if os.fork() == 0:
            stay(files)
    # The other process keeps the lock.
    os.close(lock)


def stay(files: Files) -> NoReturn:
    """Runs the study without a terminal, and exits."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    log = os.open(files.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for stream, target in enumerate((nothing, log, log)):
        os.dup2(target, stream)
    status = 0
    try:
        Study(files).work()
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        status = 1
    os._exit(status)


def is_running(files: Files) -> bool:
    """Whether a process runs the study."""
    lock = os.open(files.lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def say(entry: Dict[str, Any]) -> None:
    """Sends a line to `pulumi up`."""
    print(json.dumps(entry, allow_nan=False), flush=True)


def show(journal: Journal, request: Dict[str, Any]) -> bool:
    """Sends the new entries of the journal, if there are any: entries of attempts after the counted ones."""
    attempts = {run["id"]: run["attempts"] for run in request["runs"]}
    entries = [entry for entry in journal.read() if entry["attempt"] > attempts.get(entry["run"], entry["attempt"])]
    for entry in entries:
        say(entry)
    return len(entries) > 0


def follow(files: Files, request: Dict[str, Any]) -> None:
    """Sends the entries of the journal as they are written, until no run of the request is left."""
    journal, said_at, starts = Journal(files.journal), time.monotonic(), 0
    while True:
        was_running = is_running(files)
        if show(journal, request):
            said_at, starts = time.monotonic(), 0
        if next(unfinished(request, journal), None) is None:
            return
        if not was_running:
            # A request that arrives while the process ends needs another process. A failing request would fail
            # again.
            starts += 1
            if starts > 2:
                raise SystemExit(f"the study has ended early: {files.log.read_text()[-1000:].strip()}")
            start(files)
        if time.monotonic() - said_at >= ALIVE_PERIOD:
            said_at = time.monotonic()
            say({"at": "alive"})
        time.sleep(JOURNAL_PERIOD)


def stop(files: Files, owner: str) -> None:
    """Ends the study and its job, unless the study belongs to another resource by now, which has replaced the first."""
    if files.request.exists() and read_request(files).get("owner", "") != owner:
        return
    write_whole(files.request, {"owner": owner, "retries": 0, "runs": []})
    until = time.monotonic() + STOPPED_WITHIN
    while is_running(files) and time.monotonic() < until:
        time.sleep(JOURNAL_PERIOD)


def main() -> None:
    """Executes the request: "follow" and "start" run a study, "look" reads its journal, "stop" ends it."""
    # Variables of the runs may be secrets.
    os.umask(0o077)
    request = json.loads(sys.stdin.readline())
    files = files_of(request["study"])
    if request["do"] == "look":
        show(Journal(files.journal), request)
    elif request["do"] == "stop":
        stop(files, request["owner"])
    else:
        check_patterns(request)
        write_whole(files.request, request)
        start(files)
        if request["do"] == "follow":
            follow(files, request)
        else:
            show(Journal(files.journal), request)
    say({"at": "done"})


if __name__ == "__main__":
    if sys.version_info < (3, 8):
        sys.exit("minicluster: this program requires Python 3.8 or later, and here is " + sys.version.split()[0])
    main()
