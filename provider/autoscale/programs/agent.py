"""Keeps the size of a MiniCluster, or of each of its groups, to what its queue needs.

Every few seconds it reads the demand from the lead broker's pod, and patches both counts of a Job. Before hosts are
removed, it has them drained, and reads the demand again. Its permission in Kubernetes is only to get and to patch these
Jobs. A forged demand could change the size only between min and max.
"""

import errno
import http.client
import json
import math
import signal
import socket
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from hmac import compare_digest
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

from autoscale.programs.deciding import Decider, described
from autoscale.programs.reporting import Report, printable
from budget.programs.budget import ANNOTATION, Budget
from core.programs.contract import AGENT_READY, ANNOTATIONS, AUTOSCALED, DEMAND_KEY_FILE, PEERS, PROBLEMS, REASONS
from core.programs.signing import TOKEN, Session, sign

# Seconds for which a demand allows the removal of hosts: the lead broker's program keeps them drained for twice as
# long.
VALID = 30.0
# Seconds to wait for a response of the API server or of the lead broker's pod.
TIMEOUT = 10
# Seconds for which the API server may ask for no request, and bytes of a Status object that are read.
LONGEST_SILENCE, LONGEST_STATUS = 60.0, 100_000
# Errors of a network without a route to the other side, or with a policy that rejects the connection.
NO_ROUTE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN, errno.EACCES, errno.EPERM)


@contextmanager
def limited() -> Iterator[None]:
    """Ends a read that takes too long, even if bytes keep arriving."""
    signal.alarm(TIMEOUT)
    try:
        yield
    finally:
        signal.alarm(0)


def too_slow(*_: Any) -> None:
    """Ends a call that takes too long."""
    raise TimeoutError("it is too slow")


class StatusError(OSError):
    """A response that rejects a request."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Job:
    """The Job, read from the API server."""

    def __init__(self, settings: Dict[str, Any], server: str, token: Callable[[], str], context: Any) -> None:
        self.url = f"{server}/apis/batch/v1/namespaces/{settings['namespace']}/jobs/{settings['name']}"
        self.suspends_at_zero = settings["suspendsAtZero"]
        # If the agent has several Jobs, each message names its Job.
        self.label = f"{settings['name']}: " if "jobs" in settings else ""
        self.budget = Budget(settings["budget"]) if "budget" in settings else None
        self.token = token
        self.context = context
        # Seconds by which the clock of the API server is ahead of the monotonic clock of this process.
        self.ahead: Optional[float] = None
        # The Job is read once for every six readings of the queue, to spare the API server.
        self.patience = 6 * settings["intervalSeconds"]
        self.seen: Any = None
        self.seen_at = 0.0
        # The time until which the API server has asked for no request (Retry-After).
        self.silent_until = -math.inf
        self.report = Report(self.patience, self.now)

    def ask(self, method: str, body: Optional[Dict[str, Any]] = None) -> Any:
        """Reads or patches it."""
        url = self.url if body is None else f"{self.url}?fieldManager=minicluster-autoscale"
        headers = {"Authorization": f"Bearer {self.token()}", "Content-Type": "application/merge-patch+json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data=data, method=method, headers=headers)
        try:
            with limited(), self.send(request) as answer:
                self.hear(answer.headers["Date"])
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise self.rejection(error) from error

    def send(self, request: urllib.request.Request) -> Any:
        """The response of the API server."""
        return urllib.request.urlopen(request, timeout=TIMEOUT, context=self.context)

    def rejection(self, error: urllib.error.HTTPError) -> "StatusError":
        """The error of a request that the API server has rejected, with the message of its Status object."""
        with suppress(ValueError, TypeError):
            self.silent_until = time.monotonic() + min(LONGEST_SILENCE, float(error.headers["Retry-After"]))
        message = error.reason
        with suppress(OSError, ValueError, LookupError, TypeError, RecursionError), limited():
            message = json.loads(error.read(LONGEST_STATUS))["message"]
        return StatusError(error.code, f"the API server answers with status {error.code}: {message}")

    def hear(self, date: Optional[str]) -> None:
        """Records the time of the API server, which does not depend on the clocks of nodes."""
        with suppress(ValueError, TypeError, IndexError):
            self.ahead = parsedate_to_datetime(date or "").timestamp() - time.monotonic()

    def now(self) -> float:
        """The time of the API server."""
        return time.time() if self.ahead is None else time.monotonic() + self.ahead

    def look(self, now: float) -> Any:
        """The Job, as read recently."""
        if self.seen is None or now - self.seen_at >= self.patience:
            self.seen, self.seen_at = self.ask("GET"), now
        return self.seen

    def resize(self, old: int, size: int, until: float) -> None:
        """Sets both counts, unless another client has set them. A change of any other field is not a conflict."""
        self.seen = None
        for _ in range(5):
            live = self.ask("GET")
            if self.size(live) != old or has_ended(live) or not follows_queue(live):
                raise ValueError("the Job has changed")
            if time.monotonic() > until:
                raise ValueError("the API server was too slow, the demand is out of date")
            try:
                self.patch_size(live["metadata"]["resourceVersion"], size)
                return
            except StatusError as error:
                if error.code != 409:
                    raise
        raise ValueError("the Job changes all the time")

    def patch_size(self, version: str, size: int) -> None:
        """Patches both counts of a version of the Job, with what its hosts have cost and the agent's state."""
        state = self.report.for_resize()
        annotations = {**self.spent(), **state}
        metadata = {"resourceVersion": version, **({"annotations": annotations} if annotations else {})}
        try:
            self.ask("PATCH", {"metadata": metadata, **self.spec(size)})
        except StatusError as error:
            # A policy may reject the annotation: the next patch omits it.
            if state and is_rejection(error):
                self.report.is_rejected = True
            raise
        if state:
            self.report.end(is_rejected=False)

    def record(self, now: float) -> None:
        """Writes the agent's state if its reason has changed. This undoes no other change."""
        if not self.report.is_due(now):
            return
        self.report.begin(now)
        try:
            self.ask("PATCH", {"metadata": {"annotations": self.report.annotations()}})
        except StatusError as error:
            if not is_rejection(error):
                raise
            self.report.end(is_rejected=True)
            raise
        self.report.end(is_rejected=False)

    def save(self, spent: str) -> None:
        """Writes what its hosts have cost. This undoes no other change."""
        self.ask("PATCH", {"metadata": {"annotations": {ANNOTATION: spent}}})

    def spent(self) -> Dict[str, str]:
        """The annotation with what its hosts have cost until now."""
        return {ANNOTATION: self.budget.record()} if self.budget else {}

    def spec(self, size: int) -> Dict[str, Any]:
        """The patch of a size. For Kubernetes a Job without pods is complete: it is suspended instead."""
        count = max(1, size)
        suspend = {"suspend": size == 0} if self.suspends_at_zero else {}
        return {"spec": {"completions": count, "parallelism": count, **suspend}}

    def size(self, job: Any) -> Optional[int]:
        """Its size, or None if another client has suspended it."""
        if not job["spec"].get("suspend"):
            return int(job["spec"]["parallelism"])
        return 0 if self.suspends_at_zero else None


def follows_queue(job: Any) -> bool:
    """Whether the agent sets the size. Pulumi overwrites or removes the mark before it sets a size itself."""
    return bool(job["metadata"].get("annotations", {}).get(ANNOTATIONS.templateHash) == AUTOSCALED)


def has_ended(job: Any) -> bool:
    """Whether the Job has ended."""
    conditions = job.get("status", {}).get("conditions", [])
    return any(one["type"] in ("Complete", "Failed") and one["status"] == "True" for one in conditions)


COUNTS = ("running", "allocated", "drained", "unusable", "needed", "closedFrom", "leaving")


def checked(demand: Any) -> Dict[str, Any]:
    """The demand, if it is valid: a client with the key may still send invalid data."""
    try:
        pending = [{"id": job["id"], "hosts": job["hosts"], "never": bool(job["never"])} for job in demand["pending"]]
        # The lead broker's pod of an earlier version sends no number of moved jobs.
        counts = {"moved": demand.get("moved", 0), **{key: demand[key] for key in COUNTS}}
        texts = {key: demand[key] for key in ("reason", "ticket")}
    except (KeyError, TypeError) as error:
        raise ValueError(f"it lacks {error}") from error
    for number in [*counts.values(), *(job["hosts"] for job in pending)]:
        if type(number) not in (int, float) or not 0 <= number <= 1_000_000:
            raise ValueError("number out of range")
    for text in [*texts.values(), *(job["id"] for job in pending)]:
        if not isinstance(text, str) or len(text) > 200 or not text.isprintable():
            raise ValueError("unprintable text")
    return {**counts, **texts, "needed": int(counts["needed"]), "pending": pending}


class LeadError(Exception):
    """A problem of the lead broker's pod."""


@contextmanager
def from_lead() -> Iterator[None]:
    """Separates errors of the lead broker's pod from errors of the API server."""
    try:
        yield
    except (OSError, http.client.HTTPException) as error:
        raise LeadError(f"does not serve the demand: {error}") from error
    except (ValueError, RecursionError) as error:
        raise LeadError(f"sends an invalid answer: {error}") from error


def is_rejection(error: StatusError) -> bool:
    """Whether the API server rejects the content of a patch, by a policy or its own rules."""
    return error.code in (403, 422)


def code_of(error: Optional[BaseException]) -> str:
    """The cause of an error of a connection, which the provider explains (autoscale/diagnostics)."""
    if isinstance(error, LeadError):
        return code_of(error.__cause__)
    if isinstance(error, StatusError):
        return str(PROBLEMS.accessRejected if error.code in (401, 403) else PROBLEMS.otherError)
    if isinstance(error, urllib.error.URLError):
        return code_of(error.reason if isinstance(error.reason, BaseException) else None)
    if isinstance(error, socket.gaierror):
        return str(PROBLEMS.nameNotResolved)
    is_away = isinstance(error, (ConnectionError, TimeoutError, socket.timeout))
    has_no_route = isinstance(error, OSError) and error.errno in NO_ROUTE
    return str(PROBLEMS.peerNotReached if is_away or has_no_route else PROBLEMS.otherError)


def problem_of(error: Exception) -> Dict[str, str]:
    """The peer and the cause of an error of a connection."""
    return {"peer": PEERS.leadPod if isinstance(error, LeadError) else PEERS.apiServer, "code": code_of(error)}


class Lead:
    """The lead broker's pod, here or in another cluster: both prove that they have the key."""

    longest = 4_000_000

    def __init__(self, url: str, key: Callable[[], bytes]) -> None:
        # A name below .svc is found with any domain of the Kubernetes cluster, by the search list of the pod.
        self.url = urllib.parse.urlsplit(url.replace(".svc.cluster.local:", ".svc:"))
        self.cluster = self.url.path.rpartition("/")[2]
        self.key = key
        self.session = Session()
        self.asked_at = 0.0

    def demand(self, size: int, state: str) -> Dict[str, Any]:
        """The demand. The request reports the size for metrics, and the agent's state for users."""
        self.asked_at = time.monotonic()
        values = urllib.parse.urlencode({"size": size, **({"state": state} if state else {})})
        with from_lead():
            return checked(json.loads(self.ask("GET", f"/demand/{self.cluster}?{values}")))

    def keep(self, hosts: int, size: int, ticket: str) -> None:
        """Drains all but a number of hosts of a size, and undrains the others."""
        with from_lead():
            self.ask("POST", f"/keep/{self.cluster}?hosts={hosts}&size={size}&ticket={ticket}")

    def ask(self, method: str, path: str) -> bytes:
        """A response that proves that its sender has the key."""
        key = self.key()
        for _ in range(2):
            nonce = self.session.next().encode()
            answer, body = self.send(
                method, path, f"{nonce.decode()} {sign(key, b'request', nonce, method.encode(), path.encode())}"
            )
            if answer.status != 401:
                break
            # The program that answers has been restarted, or has had no request of this agent yet.
            self.session.token = answer.headers.get(TOKEN, "")
        if answer.status != 200:
            raise StatusError(answer.status, f"it answers with status {answer.status}")
        proof = answer.headers.get("Proof", "")
        if not compare_digest(proof.encode(), sign(key, b"answer", nonce, body).encode()):
            raise ValueError("it does not prove to have the key")
        return body

    def send(self, method: str, path: str, authorization: str) -> Tuple[http.client.HTTPResponse, bytes]:
        """Sends a request. Neither a proxy nor a redirection is followed."""
        connection = http.client.HTTPConnection(self.url.hostname or "", self.url.port)
        try:
            with limited():
                connection.request(method, path, headers={"Authorization": authorization})
                answer = connection.getresponse()
                return answer, answer.read(self.longest)
        finally:
            connection.close()


class Log:
    """The agent's log: a line for each change."""

    last: Dict[str, str] = {}

    @classmethod
    def say(cls, label: str, text: str) -> None:
        """Writes one line of any error, unless it repeats the last one with its label."""
        text = printable(text)
        if text != cls.last.get(label):
            print(f"{label}{text}", flush=True)
        cls.last[label] = text


def follow(job: Job, lead: Lead, decider: Decider, now: float, size: int) -> None:
    """Resizes the Job if that is due. Hosts are drained before they are removed, and kept if they got a job."""
    demand = lead.demand(size, job.report.text())
    target, reason = decider.decide(now, size, demand)
    text = described(demand, decider.settings["max"])
    spent = job.budget.reached(job.now()) if job.budget else None
    if spent and target is not None and target > size:
        # The smallest size does not depend on the queue.
        target = decider.settings["min"] if decider.settings["min"] > size else None
        reason = REASONS.budgetSpent if target is None else reason
        text += f"; {spent}"
    if target is not None and target < size and demand["closedFrom"] > target:
        text += f"; the last {size - target} hosts are drained, and removed next"
        set_state(job, target, REASONS.hostsDraining, f"size {size}: {text}")
        lead.keep(target, size, demand["ticket"])
        return
    if demand["leaving"] and (target is None or target > size):
        lead.keep(size, size, demand["ticket"])
    if target is None:
        set_state(job, size, REASONS.unusableHosts if demand["unusable"] else reason, f"size {size}: {text}")
        return
    set_state(job, target, reason, f"size {size} => {target}: {text}")
    try:
        job.resize(size, target, lead.asked_at + VALID if target < size else math.inf)
    except StatusError as error:
        job.report.set(size, REASONS.notResized, f"size {size} => {target}: {error}", problem_of(error))
        raise
    decider.changed(now)


def set_state(job: Job, size: int, reason: str, text: str, problem: Optional[Dict[str, str]] = None) -> None:
    """Sets the state of the agent, and logs its message."""
    job.report.set(size, reason, text, problem)
    Log.say(job.label, text)


def count_cost(job: Job, live: Any, hosts: int, tick: float) -> None:
    """Counts what the hosts of a Job with a budget cost."""
    if not job.budget:
        return
    now = job.now()
    job.budget.load(live["metadata"].get("annotations", {}).get(ANNOTATION), now)
    job.budget.charge(now, tick, hosts)
    text = job.budget.text()
    if text is None:
        return
    try:
        job.save(text)
    except StatusError as error:
        # This process still has the sum, and a rejected annotation must not keep idle hosts.
        Log.say(job.label, f"the cost of the hosts is not recorded: {error}")


def step(job: Job, lead: Lead, decider: Decider, now: float) -> bool:
    """Reads the Job and the demand, and resizes if that is due. Returns whether it could read both."""
    live = job.look(now)
    size = job.size(live)
    count_cost(job, live, 0 if has_ended(live) else size or 0, now)
    if has_ended(live) or size is None:
        decider.forget()
        job.report.forget()
        Log.say(job.label, f"size {live['spec']['parallelism']}: the Job has ended or is suspended")
        return True
    if not follows_queue(live):
        decider.forget()
        job.report.forget()
        Log.say(job.label, f"size {size}: Pulumi sets it")
        return True
    try:
        follow(job, lead, decider, now, size)
    except LeadError as error:
        decider.forget()
        set_state(job, size, REASONS.noDemand, f"size {size}: the lead broker's pod {error}", problem_of(error))
        return False
    return True


def attempt(job: Job, lead: Lead, decider: Decider, now: float) -> bool:
    """Calls `step`, and logs its errors: the API server may be busy, the Job replaced, or resized by another client."""
    if time.monotonic() < job.silent_until:
        return False
    is_read = False
    try:
        is_read = step(job, lead, decider, now)
    except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
        decider.forget()
        Log.say(job.label, f"skipped this round: {error}")
        # Without an answer of the API server, it is not known whether the size has changed.
        if not isinstance(error, StatusError):
            return False
    record(job, now)
    return is_read


def record(job: Job, now: float) -> None:
    """Records the state of the agent in the Job, and logs errors: the agent sets the size also without this."""
    if time.monotonic() < job.silent_until:
        return
    try:
        job.record(now)
    except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
        Log.say(job.label, f"the state is not recorded in the Job: {error}")


def mark_ready(file: str) -> None:
    """Creates the file that the pod's probe checks."""
    with suppress(OSError):
        Path(file).touch()


def main(
    path: str, url: str, account: str = "/var/run/secrets/kubernetes.io/serviceaccount", ready: str = AGENT_READY
) -> None:
    """Runs until the pod ends."""
    # Token and key are read for each request: Kubernetes writes a new token before the last one expires, and the key
    # may change.
    directory = Path(path).resolve().parent
    settings = json.loads(Path(path).read_text())
    server = settings.get("server", "https://kubernetes.default.svc")
    context = ssl.create_default_context(cafile=f"{account}/ca.crt")
    signal.signal(signal.SIGALRM, too_slow)
    token, key = Path(account, "token").read_text, (directory / DEMAND_KEY_FILE).read_bytes
    # The settings of a cluster with groups list their Jobs, each under its own name at the lead broker's pod.
    jobs = [{**settings, **job} for job in settings.get("jobs", [{}])]
    places = [f"{url}/{job['name']}" for job in jobs] if "jobs" in settings else [url]
    followed = [(Job(job, server, token, context), Lead(place, key), Decider(job)) for job, place in zip(jobs, places)]
    while True:
        # Each Job is handled, also after a failure of the Job before it.
        attempts = [attempt(job, lead, decider, time.monotonic()) for job, lead, decider in followed]
        if all(attempts):
            mark_ready(ready)
        time.sleep(settings["intervalSeconds"])


def run() -> None:
    """Runs with the arguments of the process."""
    main(*sys.argv[1:])
