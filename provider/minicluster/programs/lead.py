"""Program of the lead broker's pod, beside the broker: it does what its settings request.

It serves the demand of the queue to agents and metrics to Prometheus, each at a separate port, submits jobs again that
have lost a host, moves jobs between clusters, counts what jobs cost, and writes the state of the instance to a volume.
A module is imported when its feature is requested.
"""

import errno
import functools
import hmac
import json
import os
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, TypeVar

import flux
from autoscale.programs.demand import Demand, answer_agent
from core.programs import serving
from core.programs.contract import DEMAND_KEY_LABEL
from core.programs.decisions import Decisions, decisions_file
from core.programs.files import own_file, read_files
from core.programs.instance import Instance
from core.programs.serving import Calls
from core.programs.signing import Once
from core.programs.state import release
from metrics.programs.metrics import Metrics, answer_prometheus

Result = TypeVar("Result")

# Seconds after which a call of Flux without a response is abandoned.
CALL_TIMEOUT = 30.0
# Attempts to reach a starting broker, and the seconds between them.
ATTEMPTS = 50
PAUSE = 0.2
# Seconds between two checks of the files of the program.
CHECK = 5.0


@contextmanager
def watchdog() -> Iterator[None]:
    """Ends the program if Flux does not respond: the pod's script starts it again."""
    timer = threading.Timer(CALL_TIMEOUT, os._exit, (1,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def watched(call: Callable[[], Result]) -> Result:
    """The result of a call of Flux, in the time of the watchdog."""
    with watchdog():
        return call()


def connect() -> flux.Flux:
    """A handle of the broker, which may still be starting."""
    for _ in range(ATTEMPTS):
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

    def run_until_done() -> None:
        try:
            while not works():
                time.sleep(PAUSE)
        except BaseException as error:
            print(f"minicluster: {failure}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            os._exit(1)

    threading.Thread(target=run_until_done, daemon=True).start()


class Lead:
    """The features of an instance that its settings request."""

    def __init__(self, settings: Dict[str, Any], handle: flux.Flux, size_file: str) -> None:
        self.settings = settings
        self.instance = Instance(handle, settings["clusters"], size_file)
        self.decisions = Decisions(decisions_file(os.environ["FLUX_URI"]))
        self.demand = Demand(self.instance, self.decisions)
        self.metrics = Metrics(self.instance, self.decisions, settings.get("prices", {}))
        self.calls = Calls()
        self.placing: Any = None

    def begin(self) -> None:
        """Starts the features that run in the background."""
        if self.settings.get("requeue"):
            self.begin_requeue(self.settings["requeue"])
        if self.settings.get("place"):
            self.begin_placing(self.settings["place"])
        if self.settings.get("prices"):
            self.begin_charging()
        if self.settings.get("stored"):
            self.begin_storing()

    def begin_requeue(self, policy: Dict[str, Any]) -> None:
        """Submits jobs again that have lost a host."""
        from requeue.programs import requeue

        keeper = requeue.keeper_of(policy)
        in_background("jobs are not requeued", functools.partial(requeue.follow, keeper))
        self.metrics.add(lambda: [requeue.restart_family(keeper.counts)])

    def begin_placing(self, order: Dict[str, Any]) -> None:
        """Moves jobs that wait too long to other clusters."""
        from bursting.programs.placing import Placing

        self.placing = Placing(self.instance, self.decisions, order)
        self.demand.moved = self.placing.placer.moved
        self.metrics.add(self.placing.families)

    def begin_charging(self) -> None:
        """Counts what jobs cost."""
        try:
            from budget.programs.charging import Charging

            charging = Charging(self.settings["clusters"], self.settings["prices"])
        except ImportError as error:
            # An early Flux has no journal in Python.
            print(f"minicluster: the cost of jobs is not counted: {error}", file=sys.stderr, flush=True)
            return
        in_background("the cost of jobs is not counted", charging.follow)
        self.metrics.add(charging.families)

    def begin_storing(self) -> None:
        """Writes the state of the instance to its volume, and watches the volume."""
        from storage.programs import checkpoint, volume

        in_background("the state is not written to its volume", checkpoint.follow)
        watcher = volume.Volume(flux.Flux())
        in_background("the volume of the state is not watched", watcher.follow)
        self.metrics.add(watcher.families)

    def serve(self, key: bytes) -> None:
        """Opens the ports that the settings name."""
        responders = {
            self.settings["demandPort"]: functools.partial(answer_agent, self.demand, key, Once(), self.calls),
            self.settings["metricsPort"]: functools.partial(answer_prometheus, self.metrics, self.calls),
        }
        serving.start({port: respond for port, respond in responders.items() if port is not None})

    def step(self) -> None:
        """Answers requests for a while, and moves jobs if a move is due."""
        self.calls.serve(watched, CHECK if self.placing is None else self.placing.PERIOD)
        if self.placing is not None and self.placing.is_due():
            watched(self.placing.step)
        self.demand.expire()

    def end(self) -> None:
        """Lets Flux run without this program."""
        if self.placing is not None:
            self.placing.stop()
        release(self.instance.handle, self.instance.clusters())


def main(settings_file: str, certificate: str, size_file: str) -> None:
    """Runs until the program or its settings change."""
    files = [own_file(), Path(settings_file)]
    contents = read_files(*files)
    key = hmac.new(Path(certificate).read_bytes(), DEMAND_KEY_LABEL.encode(), "sha256").digest()
    lead = Lead(json.loads(Path(settings_file).read_bytes()), connect(), size_file)
    lead.begin()
    lead.serve(key)
    while read_files(*files) == contents:
        lead.step()
    lead.end()


def run() -> None:
    """Runs with the arguments of the process."""
    try:
        main(*sys.argv[1:])
    except (OSError, EOFError) as failure:
        print(f"minicluster: the demand is not served: {failure}", file=sys.stderr)
        sys.exit(1)
