"""The REST API of a Flux instance for its users: jobs, their output, hosts, and all changes as they happen.

One thread has a handle of Flux, and follows the journal of the job manager. Another thread answers requests, and passes
calls of Flux to the first. The endpoints below /v1 include all endpoints of flux-restful-api, so that its client works
unchanged.
"""

import asyncio
import errno
import functools
import json
import os
import re
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, List, NamedTuple, Optional, Tuple, Union
from urllib.parse import unquote

import flux
import flux.job
from budget.programs.costs import Costs, priced_hosts
from console.programs.accounts import Accounts, Limited, User
from console.programs.arguments import Arguments, Refused, read_arguments
from console.programs.board import Board, as_view, compact
from console.programs.bridge import Bridge, Hub, Later
from console.programs.hosts import Look, hosts_of, look
from console.programs.outputs import Outputs, Piece
from console.programs.page import HEADERS as PAGE_HEADERS
from console.programs.page import Curves, keep_copy, read_decisions
from console.programs.readings import Readings
from console.programs.submission import jobspec_of
from core.programs import serving
from core.programs.decisions import decisions_file
from core.programs.files import data_of, own_file, read_files
from core.programs.journal import Journal, attempt
from core.programs.planning import amounts
from core.programs.serving import Answer, Busy, Request, Stream

# Bytes of a request's head, and connections without a valid token: all pages reconnect at once to a new lead
# broker.
LONGEST_HEAD, MOST_UNAUTHENTICATED = 65_536, 256
# Seconds between two messages with changes, two readings of the hosts, and two copies of the page.
PUBLISH_PERIOD, HOSTS_PERIOD, COPY_PERIOD = 0.25, 2.0, 30.0
# Seconds after which a reading of the hosts is old.
OLD = 10.0
# Jobs that are sent per second.
JOBS_PER_SECOND = 1000
# Answers from this number of bytes are written to a few clients at a time, and to each user one at a time.
LARGE, MOST_LARGE = 262_144, 4
# Hundredths of a second in which the journal reports a submitted job.
JOURNAL_DELAY = 500
# Attempts to reach a starting broker, one a second.
CONNECT_ATTEMPTS = 30
# Seconds to wait for the answer to a submission, which Flux loses when a validator of jobs ends.
SUBMIT_TIMEOUT = 60.0
JSON = "application/json"
HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def answer(value: Any, status: int = 200, headers: Optional[Dict[str, str]] = None) -> Answer:
    """A response in JSON."""
    return Answer(status, as_json(value), JSON, {**HEADERS, **(headers or {})})


def as_json(value: Any) -> str:
    """A value in JSON."""
    return json.dumps(value, separators=(",", ":"))


class Settings(NamedTuple):
    """Settings of a console."""

    name: str
    clusters: List[Tuple[str, int]]
    # Price of a host per hour, by cluster, for clusters with a price.
    prices: Dict[str, float]
    # File with the size of the first cluster, unless that has an agent.
    size_file: Optional[Path]
    # File for a copy of the page.
    keep: Optional[str]
    # Whether the queue is read, by which the page forecasts starts.
    forecast: bool
    description: str
    page: str


class Console:
    """Serves the users of an instance."""

    def __init__(self, handle: flux.Flux, accounts: Accounts, settings: Settings) -> None:
        self.handle = handle
        self.settings = settings
        self.accounts = accounts
        self.board = Board()
        self.bridge = Bridge(handle)
        self.hosts: List[Dict[str, Any]] = []
        self.queues: Dict[str, str] = {}
        self.decisions = decisions_file(os.environ["FLUX_URI"])
        self.decided: Dict[str, Any] = {"sizes": {}, "said": []}
        self.curves = Curves()
        self.costs: Optional[Costs] = None
        self.readings = Readings() if settings.forecast else None
        self.cost: Dict[str, Any] = {}
        self.kept_at = self.next_at = 0.0
        self.published = 0
        self.is_kept = True
        # The size of the first cluster, when the hosts were read, and since when that is too long ago.
        self.size = 0
        self.seen_at = time.time()
        self.old_since: Optional[float] = None
        # Both are set once the server runs.
        self.loop: asyncio.AbstractEventLoop
        self.hub: Hub
        self.outputs: Outputs
        self.large: Large
        self.journal = Journal(handle)

    async def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Publishes changes to the clients of a server, in its loop."""
        self.loop = self.bridge.loop = loop
        self.hub = Hub()
        self.published = self.hub.last
        self.outputs = Outputs(self.bridge)
        self.large = Large()

    def follow(self, event: Any) -> None:
        """Records an event of the journal."""
        if event is None:
            # The server ends with its broker, and starts again with the next one.
            raise BrokenPipeError("the job manager has ended")
        attempt(self.board.take, event)
        if self.costs:
            attempt(self.costs.take, event)
        self.is_kept = False

    def publish_changes(self, *_: Any) -> None:
        """Publishes the changes."""
        now = time.monotonic()
        old_since = self.seen_at if abs(time.time() - self.seen_at) > OLD else None
        if old_since != self.old_since:
            self.old_since = old_since
            self.publish("old", {"since": old_since})
        if now >= self.next_at:
            jobs = self.board.changes(self.queues)
            if jobs:
                self.publish("jobs", jobs)
            # A job that starts and ends between two messages is sent once.
            self.next_at = now + min(1.0, len(jobs) / JOBS_PER_SECOND)
        if now - self.kept_at >= COPY_PERIOD:
            self.kept_at = now
            self.keep()

    def watch_hosts(self) -> None:
        """Reads the hosts repeatedly, in a separate thread: the broker may respond late."""
        handle: Optional[flux.Flux] = None
        said = ""
        while True:
            problem = ""
            try:
                handle = handle or flux.Flux()
                self.bridge.hand(functools.partial(self.see, look(handle))).result()
            except Exception as error:
                # The broker is starting or ending, or one of the files is being written.
                problem = f"{type(error).__name__}: {error}"
            if problem and problem != said:
                print(f"minicluster: the hosts are not read: {problem}"[:500], file=sys.stderr, flush=True)
            said = problem
            time.sleep(HOSTS_PERIOD)

    def see(self, seen: Look, _handle: flux.Flux) -> None:
        """Records the facts that the journal does not report."""
        decided = read_decisions(self.decisions)
        if decided["said"] != self.decided["said"]:
            self.publish("decisions", decided["said"])
        self.decided = decided
        sizes = dict(decided["sizes"])
        if self.settings.size_file:
            # The file may be about to be replaced.
            with suppress(OSError, ValueError):
                self.size = int(self.settings.size_file.read_text())
            sizes[self.settings.clusters[0][0]] = self.size
        hosts, queues = hosts_of(seen, self.settings.clusters, sizes), seen.queues
        self.seen_at = time.time()
        known = {host["rank"]: host for host in self.hosts}
        changed = [host for host in hosts if known.get(host["rank"]) != host]
        self.hosts = hosts
        if changed:
            self.publish("hosts", changed)
        if queues != self.queues:
            self.queues = queues
            self.publish("queues", queues)
        cost = self.cost_now(hosts)
        if cost != self.cost:
            self.cost = cost
            self.publish("cost", cost)
        sample = self.curves.take(hosts, self.board.jobs.values())
        if sample:
            self.publish("sample", sample)

    def cost_now(self, hosts: List[Dict[str, Any]]) -> Dict[str, Any]:
        """Cost of the present hosts per hour, and costs of the jobs by queue and user. Nothing without prices."""
        if self.costs is None:
            return {}
        there = [
            self.costs.hosts[one["rank"]].price for one in hosts if is_paid(one) and one["rank"] in self.costs.hosts
        ]
        return {"hosts": round(sum(there), 2), "jobs": self.costs.rows(time.time())}

    def publish(self, kind: str, what: Any) -> None:
        """Sends a change to all clients."""
        self.published += 1
        self.is_kept = False
        self.loop.call_soon_threadsafe(self.hub.publish, kind, json.dumps(what, separators=(",", ":")))

    def shown(self) -> Dict[str, Any]:
        """The whole content of the page, with the number of the last change in it."""
        return {
            "name": self.settings.name,
            "at": time.time(),
            "last": self.published,
            "hosts": self.hosts,
            "oldSince": self.old_since,
            "queues": self.queues,
            "decisions": self.decided["said"],
            "samples": list(self.curves.samples),
            "cost": self.cost,
            "jobs": [compact(as_view(job, self.queues)) for job in self.board.newest()],
        }

    def keep(self) -> None:
        """Writes a copy of the page, if it is enabled."""
        if self.settings.keep and not self.is_kept:
            try:
                keep_copy(self.settings.page, self.settings.keep, self.shown())
                self.is_kept = True
            except OSError as error:
                print(f"minicluster: the page is not kept: {error}", file=sys.stderr, flush=True)

    async def respond(self, request: Request) -> Union[Answer, Stream]:
        """The response to a request."""
        try:
            return await self.route(request)
        except Limited as error:
            return answer({"Message": str(error)}, 429, {"Retry-After": "1"})
        except Busy as error:
            return answer({"Message": str(error)}, 503, {"Retry-After": "1"})
        except Refused as refusal:
            headers = {"WWW-Authenticate": 'Bearer realm="minicluster"'} if refusal.status == 401 else None
            return answer({"Message": str(refusal), **refusal.details}, refusal.status, headers)
        except OSError as error:
            # Flux's own message.
            return answer({"Message": str(error)}, 400)

    async def route(self, request: Request) -> Union[Answer, Stream]:
        """Finds the handler of a request, and whether its user may use it."""
        # A target that begins with two slashes is also a path.
        path, _, query = request.path.partition("?")
        if (request.method, path) == ("POST", "/v1/token"):
            return self.log_in(request)
        if (request.method, path) == ("GET", "/openapi.json"):
            return Answer(200, self.settings.description, JSON, HEADERS)
        if (request.method, path) == ("GET", "/"):
            return Answer(200, self.settings.page, "text/html; charset=utf-8", PAGE_HEADERS)
        user = self.accounts.authenticate(request.headers.get("authorization", ""), time.time())
        if user is None:
            raise Refused(401, "A valid token is required.")
        request.trust(user.name, user.may("admin"))
        self.accounts.limit(user, time.time())
        found = [(one, one.pattern.fullmatch(path)) for one in ROUTES]
        matching = [(one, match) for one, match in found if match]
        if not matching:
            raise Refused(404, "There is no such resource.")
        for one, match in matching:
            if one.method == request.method:
                if not user.may(one.role):
                    raise Refused(403, f"This requires the role {one.role}; yours is {user.role}.")
                parts = [unquote(part) for part in match.groups()]
                return await one.handler(self, Call(user, await read_arguments(request, query), request), *parts)
        raise Refused(405, f"{request.method} is not supported here.")

    def log_in(self, request: Request) -> Answer:
        """A token for a user with a token, as flux-restful-client requests it."""
        _, _, token = request.headers.get("authorization", "").partition(" ")
        access = self.accounts.log_in(token.strip(), time.time())
        if access is None:
            return answer({"Message": "Denied"}, 400)
        return answer({"access_token": access, "token_type": "Bearer"})

    async def job(self, text: str) -> Dict[str, Any]:
        """A job by its id, in any notation of Flux."""
        try:
            number = int(flux.job.JobID(text))
        except (ValueError, TypeError) as error:
            raise Refused(404, f"{text[:100]!r} is not the id of a job.") from error
        found: Optional[Dict[str, Any]] = await self.bridge.call(lambda _: self.view(number))
        if found is None:
            raise Refused(404, f"There is no job {text}.")
        return found

    def view(self, number: int) -> Optional[Dict[str, Any]]:
        """A job in the API."""
        job = self.board.jobs.get(number)
        return job and as_view(job, self.queues)

    async def jobs(self, find: Callable[[], List[Dict[str, Any]]]) -> List[Dict[str, Any]]:
        """Jobs of the board."""
        found: List[Dict[str, Any]] = await self.bridge.call(lambda _: [as_view(job, self.queues) for job in find()])
        return found

    def phase(self, number: int) -> str:
        """Whether a job is pending, running or ended."""
        job = self.board.jobs.get(number)
        state = job["state"] if job else "INACTIVE"
        return "ended" if state == "INACTIVE" else "running" if state in ("RUN", "CLEANUP") else "pending"


class Large:
    """Limits the memory of answers that are large, until their clients have read them."""

    def __init__(self) -> None:
        # Administrators have separate places.
        self.places = {is_admin: asyncio.Semaphore(MOST_LARGE) for is_admin in (False, True)}
        self.users: Dict[str, asyncio.Lock] = {}
        self.building = asyncio.Lock()

    async def answer(self, user: User, build: Callable[[], Awaitable[Any]]) -> Answer:
        """The answer of a function. Nothing is built before there is room for it."""
        own, places = self.users.setdefault(user.name, asyncio.Lock()), self.places[user.may("admin")]
        await own.acquire()
        try:
            await places.acquire()
        except BaseException:
            own.release()
            raise

        def release() -> None:
            places.release()
            own.release()

        try:
            async with self.building:
                data = as_json(await build()).encode()
        except BaseException:
            release()
            raise
        if len(data) < LARGE:
            release()
            return Answer(200, "", JSON, HEADERS, data=data)
        return Answer(200, "", JSON, HEADERS, release, data)


def is_paid(host: Dict[str, Any]) -> bool:
    """Whether a host is up."""
    return host["state"] not in ("expected", "down")


class Call(NamedTuple):
    """A request of a user."""

    user: User
    arguments: Arguments
    request: Request


def audit(user: User, what: str) -> None:
    """Writes a line of the lead broker's log."""
    print(f"minicluster: console: {user.name} {what}", file=sys.stderr, flush=True)


async def show_user(_console: Console, call: Call) -> Answer:
    """The user of the request."""
    return answer({"name": call.user.name, "role": call.user.role})


async def show_board(console: Console, call: Call) -> Answer:
    """The whole content of the page."""

    async def build() -> Any:
        shown = await console.bridge.call(lambda _: console.shown())
        return {**shown, "user": {"name": call.user.name, "role": call.user.role}}

    return await console.large.answer(call.user, build)


async def list_jobs(console: Console, call: Call) -> Answer:
    """The newest jobs."""
    arguments = call.arguments
    limit = arguments.number("limit", 1, 100_000) or 1000
    is_detailed = arguments.flag("details") or arguments.flag("detail")
    is_listing = arguments.flag("listing")
    if arguments.problems:
        raise Refused(400, "The request is not valid.", Errors=arguments.problems)

    async def build() -> Any:
        found = await console.jobs(lambda: console.board.newest(limit))
        if is_detailed:
            return found if is_listing else {str(job["id"]): job for job in found}
        return {"jobs": found}

    return await console.large.answer(call.user, build)


async def search_jobs(console: Console, call: Call) -> Answer:
    """Jobs that contain a text, in the form of DataTables."""
    arguments = call.arguments
    text = arguments.text("query") or arguments.text("search[value]") or arguments.text("search") or ""
    start, length = arguments.number("start", 0) or 0, arguments.number("length", 1, 100_000) or 1000
    if arguments.problems:
        raise Refused(400, "The request is not valid.", Errors=arguments.problems)

    async def build() -> Any:
        found = await console.jobs(lambda: console.board.search(text))
        data = found[start : start + length]
        total = len(console.board.jobs)
        return {"data": data, "draw": 1, "recordsTotal": total, "recordsFiltered": len(found)}

    return await console.large.answer(call.user, build)


async def show_job(console: Console, _call: Call, job: str) -> Answer:
    """One job."""
    return answer(await console.job(job))


async def show_output(console: Console, call: Call, job: str) -> Answer:
    """The end of a job's output so far."""
    number = (await console.job(job))["id"]

    async def build() -> Any:
        pieces = await console.outputs.read(number, lambda: console.phase(number))
        if not pieces:
            return {"Message": "There is no output yet.", "Output": []}
        lines = b"".join(piece.text for piece in pieces).decode("utf-8", "replace").split("\n")
        return {"Output": [*(f"{line}\n" for line in lines[:-1]), *filter(None, lines[-1:])]}

    return await console.large.answer(call.user, build)


async def stream_output(console: Console, call: Call, job: str) -> Stream:
    """The output of a job as it is written: plain text, or events if these are accepted."""
    number = (await console.job(job))["id"]
    pieces = console.outputs.follow(number, lambda: console.phase(number))
    if "text/event-stream" not in call.request.headers.get("accept", ""):
        return Stream(Shown(pieces, plain, b""), "text/plain; charset=utf-8")
    return Stream(Shown(pieces, as_event, b"event: end\ndata: {}\n\n"), "text/event-stream")


def plain(piece: Optional[Piece]) -> bytes:
    """A piece of output as text."""
    if piece is None:
        return b""
    return piece.text if piece.stream else b"[minicluster: the output before this line is left out]\n"


def as_event(piece: Optional[Piece]) -> bytes:
    """A piece of output as a server-sent event."""
    if piece is None:
        return b": alive\n\n"
    if not piece.stream:
        return b"event: skipped\ndata: {}\n\n"
    data = json.dumps({"stream": piece.stream, "data": piece.text.decode("utf-8", "replace")})
    return f"event: output\ndata: {data}\n\n".encode()


class Shown:
    """Pieces of output in the form of a response."""

    def __init__(
        self, pieces: AsyncIterator[Optional[Piece]], form: Callable[[Optional[Piece]], bytes], end: bytes
    ) -> None:
        self.pieces = pieces
        self.form = form
        self.end = end

    def __aiter__(self) -> "Shown":
        return self

    async def __anext__(self) -> bytes:
        try:
            return self.form(await self.pieces.__anext__())
        except StopAsyncIteration:
            if not self.end:
                raise
            end, self.end = self.end, b""
            return end

    async def aclose(self) -> None:
        """Releases the output."""
        await self.pieces.aclose()  # type: ignore[attr-defined]


async def submit(console: Console, call: Call) -> Answer:
    """Submits a job."""
    jobspec, urgency = jobspec_of(call.arguments, call.user)

    def begin(handle: flux.Flux) -> Later:
        return Later(flux.job.submit_async(handle, jobspec, urgency=urgency), lambda future: future.get_id())

    try:
        job = flux.job.JobID(await asyncio.wait_for(console.bridge.call(begin), SUBMIT_TIMEOUT))
    except asyncio.TimeoutError as error:
        raise Refused(503, "Flux has not answered; the list of jobs shows whether it has accepted the job.") from error
    except (OSError, ValueError) as error:
        if getattr(error, "errno", None) in (errno.EPIPE, errno.EPROTO):
            # The validator of jobs has ended on another job, and the next one begins at once.
            raise Busy("Flux cannot validate the job now; try again.") from error
        text = getattr(error, "strerror", None) or str(error)
        raise Refused(400, "Flux refuses the job.", Error=text) from error
    audit(call.user, f"submits job {job.f58}")
    # A client may read the job at once, and the journal may report it later than the response.
    for _ in range(JOURNAL_DELAY):
        if int(job) in console.board.jobs:
            break
        await asyncio.sleep(0.01)
    return answer({"Message": "Job submit.", "id": int(job), "f58": str(job.f58)})


async def cancel(console: Console, call: Call, text: str) -> Answer:
    """Cancels a job: the user's own, or as an administrator any job."""
    job = await console.job(text)
    if job["owner"] != call.user.name and not call.user.may("admin"):
        raise Refused(403, "This job belongs to another user.")
    try:
        await console.bridge.call(
            lambda handle: Later(flux.job.cancel_async(handle, job["id"]), lambda future: future.get())
        )
    except OSError as error:
        raise Refused(400, f"Job cannot be cancelled: {error.strerror or error}.", id=text) from error
    audit(call.user, f"cancels job {job['f58']}")
    return answer({"Message": "Job is requested to cancel.", "id": text})


async def list_nodes(console: Console, _call: Call) -> Answer:
    """Names of the hosts that are up."""
    hosts = await console.bridge.call(lambda _: console.hosts)
    return answer({"nodes": [host["host"] for host in hosts if host["state"] != "down"]})


async def list_hosts(console: Console, _call: Call) -> Answer:
    """The hosts with their states."""
    return answer(await console.bridge.call(lambda _: {"hosts": console.hosts, "oldSince": console.old_since}))


async def drain(console: Console, call: Call, name: str, action: str) -> Answer:
    """Drains or undrains a host."""
    hosts: List[Dict[str, Any]] = await console.bridge.call(lambda _: console.hosts)
    ranks = [host["rank"] for host in hosts if host["host"] == name]
    if not ranks:
        raise Refused(404, f"There is no host {name[:100]}.")
    payload: Dict[str, Any] = {"targets": str(ranks[0]), "mode": "update"}
    if action == "drain":
        payload["reason"] = call.arguments.text("reason") or f"by {call.user.name}"
    await console.bridge.call(lambda handle: Later(handle.rpc(f"resource.{action}", payload), lambda one: one.get()))
    audit(call.user, f"{action}s host {name}")
    return answer({"Message": f"The host is {action}ed.", "host": name})


async def list_queues(console: Console, _call: Call) -> Answer:
    """Queues that do not start jobs."""
    return answer({"stopped": await console.bridge.call(lambda _: console.queues)})


async def show_queue(console: Console, _call: Call) -> Answer:
    """The facts by which the start of each waiting job is forecast."""
    if console.readings is None:
        raise Refused(404, "The forecast is switched off.")
    try:
        return Answer(200, "", JSON, HEADERS, data=await console.readings.get())
    except OSError as error:
        raise Busy(str(error)) from error


async def show_cost(console: Console, _call: Call) -> Answer:
    """The cost of the hosts and the jobs."""
    return answer(await console.bridge.call(lambda _: console.cost))


async def follow_changes(console: Console, call: Call) -> Stream:
    """All changes, as server-sent events."""
    last = call.request.headers.get("last-event-id", "")
    return Stream(console.hub.follow(int(last) if last.isdecimal() else None), "text/event-stream")


async def stop(_console: Console, call: Call) -> Answer:
    """Shuts down the instance."""
    audit(call.user, "shuts the instance down")
    # It outlives this program, which ends with the broker.
    subprocess.Popen(["flux", "shutdown", "--background"], start_new_session=True)
    return answer({"Message": "The instance shuts down."})


Handler = Callable[..., Awaitable[Union[Answer, Stream]]]


class Route(NamedTuple):
    """A method and a path, the role that it requires, and its handler."""

    method: str
    pattern: "re.Pattern[str]"
    role: str
    handler: Handler


def route(method: str, path: str, role: str, handler: Handler) -> Route:
    """A route. A part of the path in braces is an argument of its handler."""
    return Route(method, re.compile(re.sub(r"\{[a-z|]+\}", "([^/]+)", f"/v1/{path}")), role, handler)


async def drain_host(console: Console, call: Call, name: str) -> Answer:
    """Drains a host."""
    return await drain(console, call, name, "drain")


async def undrain_host(console: Console, call: Call, name: str) -> Answer:
    """Undrains a host."""
    return await drain(console, call, name, "undrain")


ROUTES = (
    route("GET", "user", "viewer", show_user),
    route("GET", "board", "viewer", show_board),
    route("GET", "events", "viewer", follow_changes),
    route("GET", "jobs", "viewer", list_jobs),
    route("GET", "jobs/search", "viewer", search_jobs),
    route("POST", "jobs/submit", "user", submit),
    route("GET", "jobs/{job}", "viewer", show_job),
    route("GET", "jobs/{job}/output", "viewer", show_output),
    route("GET", "jobs/{job}/output/stream", "viewer", stream_output),
    route("POST", "jobs/{job}/cancel", "user", cancel),
    route("GET", "nodes", "viewer", list_nodes),
    route("GET", "hosts", "viewer", list_hosts),
    route("POST", "hosts/{host}/drain", "admin", drain_host),
    route("POST", "hosts/{host}/undrain", "admin", undrain_host),
    route("GET", "queues", "viewer", list_queues),
    route("GET", "queue", "viewer", show_queue),
    route("GET", "cost", "viewer", show_cost),
    route("POST", "service/stop", "admin", stop),
)


def connect() -> flux.Flux:
    """A handle of the broker, once the broker can report its hosts and queues: it may still be starting."""
    for _ in range(CONNECT_ATTEMPTS):
        try:
            handle = flux.Flux()
            look(handle)
            return handle
        except OSError:
            time.sleep(1)
    raise OSError("the broker does not answer")


def main(settings_file: str, accounts_file: str, size_file: str) -> None:
    """Serves users until the program, its settings or its users change."""
    users = Path(accounts_file)
    files = [own_file(), Path(settings_file), users]
    contents = read_files(*files)
    given = json.loads(Path(settings_file).read_bytes())
    settings = Settings(
        given["name"],
        [(one["name"], one["hosts"]) for one in given["clusters"]],
        given.get("prices", {}),
        Path(size_file) if given["fixed"] else None,
        given.get("keep"),
        given.get("forecast", False),
        data_of(__name__, "openapi.json"),
        data_of(__name__, "page.html"),
    )
    console = Console(connect(), Accounts(json.loads(users.read_bytes())), settings)
    if settings.prices:
        capacity = amounts(look(console.handle).resources.all)
        console.costs = Costs(priced_hosts(settings.clusters, settings.prices, capacity))
    # Each call of Flux's library releases the interpreter. The short switch interval lets the thread of Flux
    # continue while many clients are served.
    sys.setswitchinterval(0.0005)
    serving.start({given["port"]: console.respond}, LONGEST_HEAD, MOST_UNAUTHENTICATED, console.attach)
    threading.Thread(target=console.watch_hosts, daemon=True).start()
    console.journal.then(console.follow)

    def check(*_: Any) -> None:
        if read_files(*files) != contents:
            os._exit(0)

    console.handle.timer_watcher_create(0.0, console.publish_changes, PUBLISH_PERIOD).start()
    console.handle.timer_watcher_create(5.0, check, 5.0).start()
    try:
        console.handle.reactor_run()
    finally:
        # Its broker has ended.
        console.keep()


def run() -> None:
    """Runs with the arguments of the process."""
    try:
        main(*sys.argv[1:])
    except BrokenPipeError:
        sys.exit(1)
    except (OSError, EOFError, LookupError, ValueError) as failure:
        print(f"minicluster: the console is not served: {failure}", file=sys.stderr)
        sys.exit(1)
