"""Moves jobs that wait too long to the queue of another cluster, each as a whole.

A job waits in the queue of the lead broker's cluster, then in one queue after the other until hosts join. A pass
through all queues is a round. A job for which its user has chosen a queue or hosts is not moved. The moves of a job are
in its memos (RFC 21 of Flux), so that this program continues with them after a restart.
"""

import json
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Set

import flux
from bursting.programs.intake import Intake
from core.programs.decisions import Decisions
from core.programs.families import Family, Sample
from core.programs.instance import Instance
from core.programs.planning import Request, Verdict, part_of
from core.programs.state import JOBSPEC_ERRORS, Reading, add_memo, report, say
from flux.job import JobID, job_kvs_lookup

# Seconds between two checks for jobs to move.
PERIOD = 2.0
# Moves per round: each takes some milliseconds, in which no agent gets a response.
MOST_MOVES = 50


class Queue(NamedTuple):
    """A queue, the cluster of its hosts, and the price of a host per hour."""

    name: str
    cluster: str
    price: float


class Past(NamedTuple):
    """The past of a pending job."""

    # Whether its user left the choice of queue to Flux.
    is_free: bool
    # Time since which it has waited only for hosts.
    since: float
    # Its last move, as recorded in its memo.
    memo: Dict[str, Any]
    # Whether the program ended between the memo and the move, and whether the job has ever moved.
    is_unfinished: bool = False
    has_moved: bool = False


class Move(NamedTuple):
    """The next queue of a job, the round, the queues tried in it, and the reason."""

    queue: str
    round: int
    tried: List[str]
    why: str


def past_of(found: Dict[str, Any]) -> Past:
    """The past of a job, by its original jobspec and its events."""
    system = part_of(found["jobspec"], "attributes", "system")
    is_free = not system.get("queue") and not system.get("constraints")
    since, memo, is_unfinished, has_moved = 0.0, {}, False, False
    # Texts of users may have other line separators of Unicode.
    for line in filter(None, found["eventlog"].split("\n")):
        event = json.loads(line)
        context = event.get("context") or {}
        if event["name"] == "priority":
            # An urgency of 0 holds the job.
            since = (since or event["timestamp"]) if context["priority"] > 0 else 0.0
        elif event["name"] == "memo" and is_memo(context.get("place")):
            memo = context["place"]
            is_unfinished = memo.get("left") not in (None, memo["queue"])
        elif event["name"] == "jobspec-update" and "attributes.system.queue" in context:
            is_unfinished, has_moved = False, True
    return Past(is_free, since, memo, is_unfinished, has_moved)


def is_memo(given: Any) -> bool:
    """Whether this program has written a memo. Any user may write other memos."""
    if not isinstance(given, dict):
        return False
    tried, at = given.get("tried"), given.get("at")
    texts = [
        given.get("queue"),
        given.get("why"),
        given.get("left") or "",
        *(tried if isinstance(tried, list) else [0]),
    ]
    numbers = type(given.get("round")) is int and type(at) in (int, float)
    return numbers and all(isinstance(text, str) for text in texts)


class Placer:
    """Decides in which queues pending jobs wait, and moves them."""

    def __init__(self, handle: flux.Flux, settings: Dict[str, Any], report: Callable[[str, str], None]) -> None:
        self.handle = handle
        self.report = report
        self.home, *self.others = (Queue(**queue) for queue in settings["queues"])
        self.after, self.give_up = float(settings["afterSeconds"]), float(settings["giveUpSeconds"])
        self.by_price = settings["order"] == "price"
        self.pasts: Dict[str, Past] = {}
        # Moves by queue, and jobs still waiting after a whole round, for metrics.
        self.moves = {queue.name: 0 for queue in (self.home, *self.others)}
        self.unplaceable = 0

    def look(self, reading: Reading, now: float) -> bool:
        """Moves the jobs that are due. Returns whether there were any."""
        verdicts = [verdict for verdict in reading.verdicts if verdict.request.queue in self.moves]
        pending = {verdict.request.id for verdict in verdicts}
        self.pasts = {job: past for job, past in self.pasts.items() if job in pending}
        # While a job waits for others to end, no later job of its queue starts before it.
        blocked = {verdict.request.queue for verdict in verdicts if not verdict.starts}
        room = ClusterRoom(self, reading, blocked)
        left = MOST_MOVES
        for verdict in verdicts:
            request = verdict.request
            try:
                past = self.past(verdict, now)
            except JOBSPEC_ERRORS as error:
                report(f"job {request.id} stays in its queue: {type(error).__name__}: {error}")
                continue
            move = self.decide(verdict, past, room, now) if past and past.is_free else None
            if move and left > 0:
                self.move(request, move, now)
                left -= 1
        self.unplaceable = sum(past.memo.get("round", 1) > 1 for past in self.pasts.values())
        return left < MOST_MOVES

    def preferred(self) -> List[Queue]:
        """The default queue, and the others in the order of preference for any job."""
        others = sorted(self.others, key=lambda queue: queue.price) if self.by_price else self.others
        return [self.home, *others]

    def moved(self, cluster: str) -> int:
        """Pending jobs that were moved to a cluster."""
        names = [queue.name for queue in self.others if queue.cluster == cluster]
        return sum(past.memo.get("queue") in names for past in self.pasts.values())

    def past(self, verdict: Verdict, now: float) -> Optional[Past]:
        """The past of a job, unless it is too early to read it."""
        request = verdict.request
        if request.id not in self.pasts:
            is_new = request.queue == self.home.name and now - request.submitted < self.after
            if is_new and not verdict.never:
                return None
            found = job_kvs_lookup(self.handle, int(JobID(request.id)), keys=["jobspec", "eventlog"], original=True)
            if found is None:
                return None
            past = past_of(found)
            if not past.memo and not past.has_moved and request.queue != self.home.name:
                # The plugin of the job ingest has put it there.
                past = past._replace(memo={"queue": request.queue, "tried": [request.queue], "at": past.since})
            self.pasts[request.id] = past
        return self.pasts[request.id]

    def decide(self, verdict: Verdict, past: Past, room: "ClusterRoom", now: float) -> Optional[Move]:
        """The next move of a job, if it is due."""
        request, memo = verdict.request, past.memo
        if past.is_unfinished and memo.get("left") == request.queue:
            return Move(memo["queue"], memo["round"], memo["tried"], memo["why"])
        at_home = request.queue == self.home.name
        # Another program or user has moved it since.
        if memo.get("queue", self.home.name) != request.queue:
            return None
        waited = now - memo.get("at", past.since)
        patience = self.after if not memo else max(self.after, self.give_up) if at_home else self.give_up
        if not verdict.never and waited < patience:
            return None
        tried, turn = memo.get("tried", []), memo.get("round", 1)
        targets = [queue for queue in self.ordered(request, room) if queue.name not in (request.queue, *tried)]
        # In a queue with running jobs it starts when they end, and leaves only for a cluster with room.
        is_stuck = verdict.never or (not at_home and room.lacks_hosts(verdict))
        why = self.reason(verdict, room, waited)
        for queue in targets:
            if room.has_room(request, queue):
                return Move(queue.name, turn, [*tried, queue.name], why)
        if not is_stuck:
            return None
        if targets:
            return Move(targets[0].name, turn, [*tried, targets[0].name], why)
        return self.next_round(request, room, turn, tried)

    def ordered(self, request: Request, room: "ClusterRoom") -> List[Queue]:
        """The queues whose clusters may have room for a job at some time, in the order of preference."""
        hosts = {queue: room.hosts_for(request, queue) for queue in self.others}
        found = [queue for queue in self.others if hosts[queue] > 0]
        return sorted(found, key=lambda queue: hosts[queue] * queue.price) if self.by_price else found

    def reason(self, verdict: Verdict, room: "ClusterRoom", waited: float) -> str:
        """The reason why a job leaves its queue."""
        queue = verdict.request.queue
        if verdict.never:
            return f"{queue} can never have room for it"
        if room.lacks_hosts(verdict):
            return f"no hosts joined in {queue} for {waited:.0f} s"
        return f"it waited {waited:.0f} s in {queue}"

    def next_round(self, request: Request, room: "ClusterRoom", turn: int, tried: List[str]) -> Optional[Move]:
        """The queue of a job in the next round: the default queue, or the first other queue that can run it."""
        why = f"no hosts joined in {' or '.join(tried)}; the job is unplaceable for now" if tried else ""
        why = why or "no cluster can have room for it; the job is unplaceable"
        if request.queue != self.home.name and room.hosts_for(request, self.home) > 0:
            return Move(self.home.name, turn + 1, [], why)
        others = [queue.name for queue in self.ordered(request, room) if queue.name != request.queue]
        if others:
            return Move(others[0], turn + 1, [others[0]], why)
        return Move(request.queue, turn + 1, tried, why) if turn == 1 else None

    def move(self, request: Request, move: Move, now: float) -> None:
        """Moves a job. Its memo is written first, so that a program that ends between both can finish the move."""
        job = int(JobID(request.id))
        past = self.pasts[request.id]
        memo = {**move._asdict(), "left": request.queue, "at": now}
        try:
            add_memo(self.handle, job, {"place": memo})
            if move.queue != request.queue:
                updates = {"attributes.system.queue": move.queue}
                self.handle.rpc("job-manager.update", {"id": job, "updates": updates}).get()
                self.moves[move.queue] += 1
        except OSError as error:
            # The job has started or ended, or Flux rejects it in that queue: no other attempt is made in this round.
            memo = {**memo, "queue": request.queue, "why": f"Flux rejects {move.queue}: {error}"}
            del memo["left"]
            self.note_late(job, memo)
        self.pasts[request.id] = past._replace(memo=memo, is_unfinished=False)
        text = f"job {request.id} waits in {memo['queue']}: {memo['why']}"
        say(text)
        self.report(memo["queue"], text)

    def note_late(self, job: int, memo: Dict[str, Any]) -> None:
        """Adds the memo to a job that may have ended."""
        try:
            # Otherwise a deleted key would remain.
            add_memo(self.handle, job, {"place": {**memo, "left": None}})
        except OSError as error:
            say(f"job {JobID(job).f58}: {error}")


class ClusterRoom:
    """The room for a job in clusters, at one point in time."""

    def __init__(self, placer: Placer, reading: Reading, blocked: Set[str]) -> None:
        self.plan = reading.plan
        self.blocked = blocked
        self.online = set(reading.status.online)
        self.started = set(reading.queues)
        self.ranks = {cluster.name: frozenset(cluster.ranks) for cluster in reading.clusters}
        self.clusters = {queue.name: queue.cluster for queue in (placer.home, *placer.others)}
        self.used = set(reading.used)

    def inside(self, request: Request, queue: Queue) -> Request:
        """The job with the constraint of a queue."""
        return request._replace(queue=queue.name, ranks=self.ranks[queue.cluster])

    def hosts_for(self, request: Request, queue: Queue) -> int:
        """Hosts that a job needs in a cluster, or 0 if the cluster can never have them."""
        if queue.name not in self.started:
            return 0
        return len(self.plan.search(self.inside(request, queue), idle=True))

    def has_room(self, request: Request, queue: Queue) -> bool:
        """Whether a job has room in a cluster beside its running and waiting jobs. The job then takes the room."""
        return queue.name not in self.blocked and bool(self.plan.start(self.inside(request, queue)))

    def lacks_hosts(self, verdict: Verdict) -> bool:
        """Whether a job waits for hosts that have not joined, or behind jobs that do: no job there will end soon."""
        is_away = verdict.starts and any(place.host.rank not in self.online for place in verdict.places)
        return is_away or not self.used & self.ranks[self.clusters[verdict.request.queue]]


class Placing:
    """Moves jobs, and adds the plugin that sets the queue of new jobs, in the thread with the handle of Flux."""

    PERIOD = PERIOD

    def __init__(self, instance: Instance, decisions: Decisions, settings: Dict[str, Any]) -> None:
        self.instance = instance
        self.decisions = decisions
        self.placer = Placer(instance.handle, settings, decisions.add)
        self.intake = Intake(instance.handle)
        self.placed_at = -PERIOD

    def is_due(self) -> bool:
        """Whether the next check is due."""
        return time.monotonic() - self.placed_at >= PERIOD

    def step(self) -> None:
        """Moves jobs that have waited too long."""
        self.intake.start(self.instance.read(), self.placer.preferred())
        if self.placer.look(self.instance.read(), time.time()):
            self.instance.changed()
            self.decisions.write()
        self.placed_at = time.monotonic()

    def stop(self) -> None:
        """Removes the plugin from Flux."""
        self.intake.stop()

    def families(self) -> List[Family]:
        """The metrics of the moves."""
        return place_families(self.placer.moves, self.placer.unplaceable)


def place_families(moves: Dict[str, int], unplaceable: int) -> List[Family]:
    """Jobs that have moved to other clusters, and jobs for which no cluster has enough hosts."""
    samples: List[Sample] = [({"queue": queue}, count) for queue, count in sorted(moves.items())]
    return [
        ("flux_jobs_moved_total", "counter", "Jobs moved to a queue to find hosts.", samples),
        ("flux_jobs_unplaceable", "gauge", "Jobs that wait after all clusters were tried.", [({}, unplaceable)]),
    ]
