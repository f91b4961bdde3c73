"""Serves the demand of a Flux instance's queue in hosts, and metrics, each at a separate port.

/demand/<cluster> is JSON for the agent that resizes that cluster. /keep/<cluster> drains the hosts that the agent is
about to take away, and no other host. Both require a request that is signed with the key of the instance, and answer it
once. /metrics is text for Prometheus.
"""

import errno
import functools
import hmac
import json
import os
import secrets
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional
from urllib.parse import parse_qsl, urlsplit

import flux
import serving
from decisions import Decisions, decisions_file
from flux.resource import resource_status
from metrics import Family, place_families, price_family, read_metrics, restart_family
from serving import Answer, Desk, Request
from signing import TOKEN, Once, sign
from state import Arrivals, Cluster, Jobspecs, Reading, keep, release

# Seconds for which one reading of Flux answers all requests.
FRESH = 1.0
# Seconds between two checks for jobs to move.
PLACES = 2.0
# Seconds after an agent's last request after which its hosts take jobs again.
LEASE = 60.0
# Seconds after which a call of Flux without a response is abandoned.
STUCK = 30.0
# Attempts to reach a starting broker, and the seconds between them.
TRIES = 50
PAUSE = 0.2


@contextmanager
def watchdog() -> Iterator[None]:
    """Ends the program if Flux does not respond: the pod's script starts it again."""
    timer = threading.Timer(STUCK, os._exit, (1,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class Question(NamedTuple):
    """The kind of a request, with its numbers."""

    about: str
    cluster: str = ""
    hosts: int = 0
    size: int = 0
    ticket: str = ""
    said: str = ""


class Instance:
    """Answers questions about the instance, in the thread with its handle."""

    def __init__(
        self,
        handle: flux.Flux,
        settings: Dict[str, Any],
        size_file: str,
        restarts: Optional[Dict[str, int]] = None,
        decisions: Optional[Path] = None,
    ) -> None:
        self.handle = handle
        self.restarts = restarts or {}
        self.settings = settings["clusters"]
        self.prices = settings.get("prices", {})
        self.size_file = size_file
        self.arrivals = Arrivals()
        self.jobspecs = Jobspecs()
        self.tickets: Dict[str, str] = {}
        self.decisions = Decisions(decisions)
        self.placer: Any = None
        self.intake: Any = None
        self.charging: Any = None
        self.volume: Any = None
        self.placed_at = -PLACES
        self.leases = {cluster["name"]: time.monotonic() + LEASE for cluster in self.settings}
        self.reading: Optional[Reading] = None
        self.read_at = self.metrics_at = -FRESH
        self.metrics = ""

    def clusters(self) -> List[Cluster]:
        """The clusters of the instance. That of the lead broker has its present size, unless it has an agent."""
        found: List[Cluster] = []
        first = 0
        for one in self.settings:
            most = one["max"]
            if most is None:
                most = int(Path(self.size_file).read_text())
            found.append(Cluster(one["name"], first, one["hosts"], most))
            first += one["hosts"]
        return found

    def read(self) -> Reading:
        """The state of the instance, read once a second at most."""
        if self.reading is None or time.monotonic() - self.read_at >= FRESH:
            self.reading = Reading(self.handle, self.clusters(), self.arrivals, self.jobspecs)
            self.read_at = time.monotonic()
        return self.reading

    def respond(self, question: Question) -> Answer:
        """The answer to a question."""
        with watchdog():
            if question.about == "metrics":
                return self.answer_metrics()
            cluster = next((one for one in self.clusters() if one.name == question.cluster), None)
            if cluster is None:
                return Answer(404)
            self.leases[cluster.name] = time.monotonic() + LEASE
            return self.answer_demand(cluster, question) if question.about == "demand" else self.keep(cluster, question)

    def answer_demand(self, cluster: Cluster, question: Question) -> Answer:
        """The demand on a cluster. Its ticket allows one request that drains hosts, so that none can be repeated."""
        self.decisions.note(cluster.name, question.size, question.said)
        self.tickets[cluster.name] = secrets.token_hex(16)
        part = self.read().part(cluster, min(question.size, cluster.hosts))
        if self.placer:
            part["moved"] = self.placer.moved(cluster.name)
        return Answer(200, json.dumps({**part, "ticket": self.tickets[cluster.name]}), "application/json")

    def keep(self, cluster: Cluster, question: Question) -> Answer:
        """Drains hosts to be removed, and undrains the others. The lead broker's host always stays."""
        ticket = self.tickets.pop(cluster.name, "")
        if not ticket or not hmac.compare_digest(ticket.encode(), question.ticket.encode()):
            return Answer(409)
        if not (1 if cluster.first == 0 else 0) <= question.hosts <= question.size <= cluster.hosts:
            return Answer(400)
        self.reading = None
        keep(self.handle, resource_status(self.handle).get(), cluster, question.hosts, question.size)
        return Answer(200)

    def answer_metrics(self) -> Answer:
        """The metrics, with the sizes from agents, and a fixed size from its file."""
        if time.monotonic() - self.metrics_at >= FRESH:
            home = self.clusters()[0]
            fixed = {} if self.settings[0]["max"] is not None else {home.name: home.most}
            sizes = {**self.decisions.sizes, **fixed}
            self.metrics = read_metrics(self.handle, self.read().pending(), sizes, self.counted())
            self.metrics_at = time.monotonic()
        return Answer(200, self.metrics, "text/plain; version=0.0.4; charset=utf-8")

    def counted(self) -> List[Family]:
        """Counts of this program."""
        found = [restart_family(self.restarts)]
        if self.placer:
            found += place_families(self.placer.moves, self.placer.unplaceable)
        if self.charging:
            found += self.charging.families()
        if self.volume:
            found += self.volume.families()
        return [*found, price_family(self.prices)] if self.prices else found

    def place(self) -> None:
        """Moves jobs that have waited too long to other clusters."""
        if self.placer is None or time.monotonic() - self.placed_at < PLACES:
            return
        with watchdog():
            self.intake.start(self.read(), self.placer.preferred())
            has_moved = self.placer.look(self.read(), time.time())
        if has_moved:
            self.reading = None
            self.decisions.write()
        self.placed_at = time.monotonic()

    def expire(self) -> None:
        """Undrains hosts that a former agent has drained."""
        late = [name for name, until in self.leases.items() if until < time.monotonic()]
        if late:
            release(self.handle, [cluster for cluster in self.clusters() if cluster.name in late])
            self.leases = {name: until for name, until in self.leases.items() if name not in late}


async def answer_agent(key: bytes, once: Once, desk: Desk, request: Request) -> Answer:
    """Answers an agent, at a port that may be reachable from outside, and proves that it has the key as well."""
    nonce, _, proof = request.headers.get("authorization", "").partition(" ")
    parts = [text.encode() for text in (nonce, request.method, request.path)]
    if not hmac.compare_digest(proof.encode(), sign(key, b"request", *parts).encode()):
        return Answer(403)
    if not once.admits(nonce):
        # An agent repeats its request with the token.
        return Answer(401, headers={TOKEN: once.token})
    request.trust()
    url = urlsplit(request.path)
    known = {("GET", "demand"), ("POST", "keep")}
    about, _, cluster = url.path.strip("/").partition("/")
    if (request.method, about) not in known:
        return Answer(404)
    values = dict(parse_qsl(url.query))
    numbers = {name: values.get(name, "0") for name in ("hosts", "size")}
    if not all(text.isdecimal() and len(text) < 9 for text in numbers.values()):
        return Answer(400)
    hosts, size = int(numbers["hosts"]), int(numbers["size"])
    question = Question(about, cluster, hosts, size, values.get("ticket", ""), values.get("said", ""))
    answer: Answer = await desk.ask(question, 0)
    return answer._replace(headers={"Proof": sign(key, b"answer", nonce.encode(), answer.text.encode())})


async def answer_prometheus(desk: Desk, request: Request) -> Answer:
    """Answers Prometheus, and any other client of the port."""
    if request.path != "/metrics":
        return Answer(404)
    answer: Answer = await desk.ask(Question("metrics"), 1)
    return answer


def read_texts(directory: Path) -> Dict[str, str]:
    """The texts of all settings. When they change, the program ends, and the pod's script starts it again if needed."""
    return {path.name: path.read_text("utf-8") for kind in ("*.py", "demand.json") for path in directory.glob(kind)}


def connect() -> flux.Flux:
    """A handle of the broker, which may still be starting."""
    for _ in range(TRIES):
        try:
            return flux.Flux()
        except OSError:
            time.sleep(PAUSE)
    sys.exit(1)


def in_background(failure: str, work: Callable[[], None]) -> None:
    """Runs in a separate thread. If that fails, the program ends, and the script starts it again."""

    def works() -> bool:
        try:
            work()
        except OSError as error:
            # A starting broker has no job manager yet.
            if error.errno != errno.ENOSYS:
                raise
            return False
        return True

    def run() -> None:
        try:
            while not works():
                time.sleep(PAUSE)
        except BaseException as error:
            print(f"minicluster: {failure}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            os._exit(1)

    threading.Thread(target=run, daemon=True).start()


def charge(settings: Dict[str, Any]) -> Any:
    """Counts the cost of jobs, if Flux has a journal in Python."""
    try:
        import charging

        found = charging.Charging(settings["clusters"], settings["prices"])
    except ImportError as error:
        print(f"minicluster: the cost of jobs is not counted: {error}", file=sys.stderr, flush=True)
        return None
    in_background("the cost of jobs is not counted", found.follow)
    return found


def main(settings_file: str, certificate: str, size_file: str) -> None:
    """Answers requests until the settings change."""
    directory = Path(settings_file).parent
    texts = read_texts(directory)
    settings = json.loads(texts["demand.json"])
    key = hmac.new(Path(certificate).read_bytes(), b"demand", "sha256").digest()
    handle = connect()
    keeper = None
    if settings.get("requeue"):
        # Imported only when needed: Flux before 0.68 has no journal in Python.
        import requeue

        keeper = requeue.keeper_of(settings["requeue"])
        in_background("jobs are not requeued", functools.partial(requeue.follow, keeper))
    decisions = decisions_file(os.environ["FLUX_URI"])
    instance, desk = Instance(handle, settings, size_file, keeper.counts if keeper else {}, decisions), Desk()
    if settings.get("stored"):
        import checkpoint
        import volume

        in_background("the state is not written to its volume", checkpoint.follow)
        instance.volume = volume.Volume(flux.Flux())
        in_background("the volume of the state is not watched", instance.volume.follow)
    if settings.get("prices"):
        instance.charging = charge(settings)
    if settings.get("place"):
        import intake
        import placing

        instance.placer = placing.Placer(handle, settings["place"], instance.decisions.add)
        instance.intake = intake.Intake(handle)
    responders = {
        settings["demandPort"]: functools.partial(answer_agent, key, Once(), desk),
        settings["metricsPort"]: functools.partial(answer_prometheus, desk),
    }
    serving.start({port: respond for port, respond in responders.items() if port is not None})
    while read_texts(directory) == texts:
        desk.serve(instance.respond, PLACES if instance.placer else 5)
        instance.place()
        instance.expire()
    if instance.intake:
        instance.intake.stop()
    release(instance.handle, instance.clusters())


if __name__ == "__main__":
    if sys.version_info < (3, 8):
        sys.exit("minicluster: this program requires Python 3.8 or later, and here is " + sys.version.split()[0])
    try:
        main(*sys.argv[1:])
    except (OSError, EOFError) as failure:
        print(f"minicluster: the demand is not served: {failure}", file=sys.stderr)
        sys.exit(1)
