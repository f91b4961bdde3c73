"""Random histories of jobs that opt in to be requeued: the real program, and a model of Flux, its hosts and its state.

Hosts leave with notice or are lost, and the program itself starts again, also in the middle of a submission. Each job
has so much work to do, and saves what it has done when it is signalled. Prints the histories in which a job was lost,
ran twice at the same time, or ended twice. The clock of the lead broker is set back and forth meanwhile.
"""

import copy
import functools
import json
import random
import sys
import time
from typing import Any, Dict, List, Optional, Set

import flux
from core.programs.journal import END_OF_HISTORY, Event, event_of
from flux.idset import IDset
from requeue.programs import requeue

HOSTS = 4
ENVIRONMENT = {"CASE": "a"}
TICK = 0.5
RESTARTS = 50
GRACE = 5.0


class Broken(Exception):
    """The program was killed."""


class World:
    """Flux: its jobs and their events, and the hosts. What a job has saved is outside of Flux."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.now = 1000.0
        # The clock of the lead broker is ahead by so much.
        self.ahead = 0.0
        self.last_id = 0
        self.jobs: Dict[int, Dict[str, Any]] = {}
        self.queue: List[Event] = []
        self.online: Set[int] = set(range(HOSTS))
        self.back: Dict[int, float] = {}
        self.leaving: Dict[int, float] = {}
        # Of each first job: work that is saved, work that has been done for nothing, and how often it has ended well.
        self.work: Dict[str, Dict[str, float]] = {}
        self.faults: List[str] = []

    # The program's requests.

    def submit(self, jobspec: Dict[str, Any], urgency: int) -> Optional[int]:
        assert "dependencies" not in jobspec["attributes"]["system"]
        assert jobspec["attributes"]["system"]["environment"] == ENVIRONMENT
        self.last_id += 1
        self.jobs[self.last_id] = {"spec": jobspec, "events": [], "state": "SCHED", "urgency": urgency}
        self.post(self.last_id, "submit", {"userid": requeue.os.getuid(), "urgency": urgency, "flags": 0, "version": 1})
        if self.chance.random() < 0.05:
            raise Broken()
        # An answer is lost when a validator of jobs ends.
        return None if self.chance.random() < 0.05 else self.last_id

    def post(self, job: int, name: str, context: Dict[str, Any]) -> None:
        event = {"name": name, "timestamp": self.now + self.ahead, "context": context}
        self.jobs[job]["events"].append(event)
        self.queue.append(self.event(job, event))

    def event(self, job: int, event: Dict[str, Any]) -> Event:
        ranks = str(IDset(self.jobs[job].get("ranks", [])))
        data = {"jobspec": self.jobs[job]["spec"], "R": {"execution": {"R_lite": [{"rank": ranks}]}}}
        return event_of({"id": job, **data}, event)

    def history(self) -> None:
        """What a new consumer of the journal gets first: the events of one job after the other."""
        jobs = list(self.jobs.items())
        self.chance.shuffle(jobs)
        self.queue = [self.event(job, event) for job, one in jobs for event in one["events"]]
        if "sorted" in sys.argv:
            # As Flux's own consumer does.
            self.queue.sort(key=lambda event: event.timestamp)
        self.queue.append(END_OF_HISTORY)

    def rpc(self, topic: str, payload: Dict[str, Any]) -> flux.Answer:
        job = payload["id"]
        if self.jobs[job]["state"] == "INACTIVE":
            raise OSError("job is inactive")
        if topic == "job-manager.memo":
            self.post(job, "memo", payload["memo"])
        elif topic == "job-manager.kill":
            # Most save their work and end, some only save it, and some ignore the signal.
            self.save(job)
            if self.chance.random() < 0.6:
                self.end(job, 138)
        elif topic == "job-manager.raise":
            self.post(job, "exception", {"type": payload["type"], "severity": 0, "note": ""})
            self.end(job, 15)
        return flux.Answer({})

    # What happens.

    def root(self, job: int) -> str:
        return str(self.jobs[job]["spec"]["attributes"].get("user", {}).get("requeue", {}).get("of", f"f{job}"))

    def save(self, job: int) -> None:
        work = self.work[self.root(job)]
        work["saved"] = work["done"]

    def end(self, job: int, status: Optional[int]) -> None:
        one = self.jobs[job]
        if status is not None:
            self.post(job, "finish", {"status": status})
        self.post(job, "clean", {})
        one["state"] = "INACTIVE"
        work = self.work[self.root(job)]
        work["running"] -= 1
        if status == 0 and not any(event["name"] == "exception" for event in one["events"]):
            work["ended"] += 1
        work["done"] = work["saved"]

    def lose(self, rank: int) -> None:
        """A host is gone, and the jobs on it."""
        self.online.discard(rank)
        self.leaving.pop(rank, None)
        self.back[rank] = self.now + self.chance.choice([3, 8, 20])
        for job, one in list(self.jobs.items()):
            if one["state"] == "RUN" and rank in one["ranks"]:
                note = "node failure on a host"
                if self.chance.random() < 0.5:
                    self.post(job, "exception", {"type": "node-failure", "severity": 2, "note": note})
                    note = ""
                self.post(job, "exception", {"type": "exec", "severity": 0, "note": note})
                self.end(job, self.chance.choice([None, 9]))

    def lose_lead(self) -> None:
        """The lead broker is gone, and the next one continues no job."""
        for job, one in list(self.jobs.items()):
            if one["state"] == "RUN":
                note = "failed to create guest ns: No such file or directory"
                self.post(job, "exception", {"type": "exec", "severity": 0, "note": note})
                self.end(job, None)

    def schedule(self) -> None:
        free = self.online - set(self.leaving)
        free -= {rank for one in self.jobs.values() if one["state"] == "RUN" for rank in one["ranks"]}
        for job, one in list(self.jobs.items()):
            wide = one["spec"]["hosts"]
            if one["state"] == "SCHED" and len(free) >= wide:
                ranks = set(sorted(free)[:wide])
                free -= ranks
                one.update(state="RUN", ranks=ranks)
                self.post(job, "alloc", {})
                self.post(job, "start", {})
                work = self.work[self.root(job)]
                work["running"] += 1
                if work["running"] > 1:
                    self.faults.append(f"{self.root(job)} runs twice")

    def run(self) -> None:
        for job, one in list(self.jobs.items()):
            if one["state"] != "RUN":
                continue
            work = self.work[self.root(job)]
            work["done"] += TICK
            if work["done"] >= work["needs"]:
                work["saved"] = work["needs"]
                self.end(job, 0)

    def trouble(self) -> None:
        chance = self.chance
        if chance.random() < 0.01:
            self.ahead = chance.choice([-86400.0, -600.0, -20.0, 0.0, 0.0, 40.0, 600.0])
        for rank in list(self.online):
            if chance.random() < 0.004:
                self.lose(rank)
            elif rank not in self.leaving and chance.random() < 0.006:
                self.leaving[rank] = self.now + chance.choice([3, 10])
        for rank, until in list(self.leaving.items()):
            if self.now >= until:
                self.lose(rank)
        for rank, at in list(self.back.items()):
            if self.now >= at:
                del self.back[rank]
                self.online.add(rank)


class Handle(flux.Flux):
    """A handle of the model."""

    def __init__(self, world: World) -> None:
        self.world = world

    def rpc(self, topic: str, payload: Optional[Dict[str, Any]] = None) -> flux.Answer:
        return self.world.rpc(topic, payload or {})

    def submit(self, jobspec: Dict[str, Any], urgency: int) -> Optional[int]:
        return self.world.submit(jobspec, urgency)


class Status:
    def __init__(self, world: World) -> None:
        self.online = IDset(world.online)
        self.drain_info = [Drain(IDset([rank])) for rank in world.leaving]


class Drain:
    reason = requeue.POD_LEAVES

    def __init__(self, ranks: IDset) -> None:
        self.ranks = ranks


def history(seed: int) -> Dict[str, Any]:
    """One history: what went wrong in it."""
    chance = random.Random(seed)
    world = World(chance)
    handle = Handle(world)
    setattr(requeue, "resource_status", lambda _: flux.Answer(Status(world)))
    setattr(requeue, "job_kvs_lookup", functools.partial(lookup, world))
    setattr(time, "monotonic", lambda: world.now)
    setattr(time, "time", lambda: world.now + world.ahead)
    keeper = started(world, handle)
    calm_from = 240.0 + world.now
    submitted = 0
    while world.now < calm_from + 600:
        world.now += TICK
        is_calm = world.now > calm_from
        try:
            if not is_calm and chance.random() < 0.02:
                submitted += 1
                opted = chance.random() < 0.9
                new_job(world, opted)
            world.schedule()
            world.run()
            if is_calm:
                world.leaving.clear()
                world.online = set(range(HOSTS))
            else:
                world.trouble()
            take(world, keeper)
            if not is_calm and chance.random() < 0.01:
                if chance.random() < 0.3:
                    world.lose_lead()
                keeper = started(world, handle)
        except (Broken, TimeoutError):
            keeper = started(world, handle)
        is_over = all(one["state"] == "INACTIVE" for one in world.jobs.values())
        if is_calm and is_over and not keeper.ended and not world.queue:
            break
    for root, work in world.work.items():
        if work["opted"] and work["ended"] != 1:
            world.faults.append(f"{root} ended {work['ended']:g} times")
    return {"seed": seed, "faults": world.faults, "restarts": sum(keeper.counts.values())}


def lookup(world: World, _: Any, job: int, keys: List[str], original: bool = False) -> Dict[str, Any]:
    """The jobspec of a job. Flux removes the environment from its own copy, and keeps it in the original alone."""
    spec = copy.deepcopy(world.jobs[job]["spec"])
    if not original:
        del spec["attributes"]["system"]["environment"]
    return {"jobspec": spec}


def new_job(world: World, opted: bool) -> None:
    root = f"f{world.last_id + 1}"
    work = {"needs": world.chance.choice([2, 10, 40]), "done": 0, "saved": 0, "ended": 0, "running": 0, "opted": opted}
    world.work[root] = work
    system = {"environment": ENVIRONMENT, **({"requeue": 1, "dependencies": []} if opted else {})}
    world.last_id += 1
    spec = {"hosts": world.chance.choice([1, 1, 2, 4]), "attributes": {"system": system}}
    world.jobs[world.last_id] = {"spec": spec, "events": [], "state": "SCHED", "urgency": 16}
    context = {"userid": requeue.os.getuid(), "urgency": 16, "flags": 0, "version": 1}
    world.post(world.last_id, "submit", context)


def started(world: World, handle: Handle) -> requeue.Requeue:
    """The program, started again."""
    world.history()
    return requeue.Requeue(handle, requeue.Policy(RESTARTS, 10, GRACE))


def take(world: World, keeper: requeue.Requeue) -> None:
    """What the program does at a time."""
    events, world.queue = world.queue, []
    for event in events:
        if not event.is_empty():
            keeper.take(event)
    keeper.look(world.now)


def nothing(*_: Any) -> None:
    """In place of what a rule does."""


if "forgetful" in sys.argv:
    # As if a program that starts again did not look for the successors of lost jobs.
    setattr(requeue.Requeue, "follows", nothing)
first, count = int(sys.argv[1]), int(sys.argv[2])
found = [history(seed) for seed in range(first, first + count)]
print(
    json.dumps({"faults": [one for one in found if one["faults"]], "restarts": sum(one["restarts"] for one in found)})
)
