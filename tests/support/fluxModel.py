"""Random histories of an elastic cluster: the real programs of agent and lead broker's pod, and a model of all else.

Jobs come and end, hosts join late, answers are late or lost, the API server, the agent and the lead's program are away
or start again. No job may ever be on a host that the agent takes away. Prints the histories in which one was, and those
in which a job waited in vain.
"""

import json
import random
import sys
import time
from typing import Any, Callable, Dict, List, Optional, Set

import flux
from autoscale.programs import agent, demand
from core.programs import state
from core.programs.decisions import Decisions
from core.programs.instance import Instance

HOSTS, CORES, TICK = 6, 4, 0.5
# Seconds for which the scheduler may still start a job on a host that has been drained.
ON_ITS_WAY = 0.5
SETTINGS = {"min": 1, "max": HOSTS, "idleSeconds": 20, "cooldownSeconds": 5, "maxStep": 100, "suspendsAtZero": False}


class World:
    """Kubernetes, the hosts, Flux's scheduler and its jobs, in simulated time."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.now = 1000.0
        self.size = 1
        self.version = 1
        # When the pod of a rank joins, or has joined, and since when it ends.
        self.joins: Dict[int, float] = {0: 0.0}
        self.ends: Dict[int, float] = {}
        self.jobs: List[Dict[str, Any]] = []
        self.lost: List[str] = []
        self.came = 0
        self.calm = False
        self.beside: Callable[[], None] = lambda: None
        flux.INSTANCE = {
            "hosts": [f"demo-{rank}" for rank in range(HOSTS)],
            "cores": CORES,
            "gpus": 0,
            "drained": [],
            "config": {},
            "stats": {},
            "online": [0],
            "allocated": {},
            "jobs": self.jobs,
        }
        self.flux = flux.INSTANCE

    def advance(self, seconds: float) -> None:
        """Lets time pass."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + (2 if self.calm else TICK))
            self.pods()
            self.finish()
            self.arrive()
            self.schedule()
            if self.now % 5 < 2:
                self.beside()

    def drain(self, rank: int, reason: Optional[str]) -> None:
        """Drains a rank, or ends the drain; as the hook of a pod does."""
        had = [one for one in self.flux["drained"] if one["rank"] == rank]
        others = [one for one in self.flux["drained"] if one["rank"] != rank]
        at = had[0]["at"] if had else self.now
        self.flux["drained"] = others + ([{"rank": rank, "reason": reason, "at": at}] if reason else [])

    def pods(self) -> None:
        """Pods come, join, and go when they have no job."""
        for rank in range(HOSTS):
            if rank < self.size and rank not in self.joins:
                self.joins[rank] = self.now + self.chance.choice([1, 3, 10, 25])
            if rank >= self.size and rank in self.joins and rank not in self.ends:
                self.ends[rank] = self.now
                if self.joins[rank] <= self.now:
                    self.drain(rank, state.POD_LEAVES)
            if rank in self.ends and not self.busy({rank}) and self.now - self.ends[rank] >= 2:
                del self.ends[rank], self.joins[rank]
        online = [rank for rank, at in self.joins.items() if at <= self.now]
        for one in list(self.flux["drained"]):
            rank = one["rank"]
            if one["reason"] == state.POD_LEAVES and rank in online and rank not in self.ends:
                self.drain(rank, None)
        self.flux["online"] = online

    def busy(self, ranks: Set[int]) -> List[str]:
        """Jobs on some ranks."""
        return [job["id"] for job in self.jobs if ranks & set(job.get("on_ranks", []))]

    def finish(self) -> None:
        """Jobs end in their time."""
        for job in [job for job in self.jobs if job.get("until", self.now) < self.now]:
            self.jobs.remove(job)
            for rank in job["on_ranks"]:
                left = self.flux["allocated"][rank] - job["each"]
                self.flux["allocated"][rank] = left
                if left == 0:
                    del self.flux["allocated"][rank]

    def arrive(self) -> None:
        """Jobs of some shapes come."""
        if self.calm or self.chance.random() > 0.04:
            return
        self.came += 1
        hosts, each = self.chance.choice([(1, 1), (1, 4), (1, 2), (2, 4), (3, 4), (4, 4), (6, 4), (8, 4)])
        slot = {"type": "slot", "count": each, "with": [{"type": "core", "count": 1}]}
        self.jobs.append(
            {
                "id": f"f{self.came}",
                "state": "SCHED",
                "each": each,
                "hosts": hosts,
                "resources": [{"type": "node", "count": hosts, "with": [slot]}],
                "priority": self.chance.choice([16, 16, 16, 16, 0]),
                "lasts": self.chance.choice([1, 5, 20, 90]),
            }
        )

    def open_ranks(self) -> List[int]:
        """Ranks on which the scheduler starts jobs: it may not have heard yet of what was just drained."""
        closed = {one["rank"] for one in self.flux["drained"] if self.now - one["at"] > ON_ITS_WAY}
        late = {one["rank"] for one in self.flux["drained"]} - closed
        heard = {rank for rank in late if self.chance.random() < 0.5}
        return [rank for rank in sorted(self.flux["online"]) if rank not in closed | heard]

    def schedule(self) -> None:
        """Starts jobs on the lowest ranks that fit."""
        used = self.flux["allocated"]
        waiting = [job for job in self.jobs if job["state"] == "SCHED" and job["priority"]]
        open_ranks = self.open_ranks() if waiting else []
        for job in waiting:
            ranks = [rank for rank in open_ranks if used.get(rank, 0) + job["each"] <= CORES][: job["hosts"]]
            if len(ranks) < job["hosts"]:
                continue
            job.update(state="RUN", on_ranks=ranks, ranks=",".join(map(str, ranks)), until=self.now + job["lasts"])
            for rank in ranks:
                used[rank] = used.get(rank, 0) + job["each"]
            self.lost += [job["id"] for rank in ranks if rank in self.ends]

    def resize(self, size: int) -> None:
        """A patch of the Job arrives."""
        if size < self.size:
            self.lost += self.busy(set(range(size, HOSTS)) & set(self.joins))
        self.size = size
        self.version += 1


class Trouble:
    """What goes wrong between two programs."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.away_until = 0.0

    def __call__(self, act: Callable[[], Any]) -> Any:
        """Does something late, or not, or loses the answer."""
        world = self.world
        if world.calm:
            return act()
        chance = world.chance
        if chance.random() < 0.01:
            self.away_until = world.now + chance.choice([10, 60, 120])
        world.advance(chance.choice([0, 0, 0, 0.5, 2, 4]))
        if world.now < self.away_until or chance.random() < 0.02:
            raise OSError("no answer")
        found = act()
        world.advance(chance.choice([0, 0, 0, 0.5, 2, 4]))
        if chance.random() < 0.02:
            raise OSError("the answer is lost")
        # Somebody may stop the agent, and let it go on.
        if chance.random() < 0.03:
            world.advance(chance.choice([20, 100]))
        return found


class ModelJob(agent.Job):
    """The Job, in the model."""

    def __init__(self, world: World) -> None:
        super().__init__({**SETTINGS, "namespace": "n", "name": "demo", "intervalSeconds": 5}, "", str, None)
        self.world = world
        self.trouble = Trouble(world)

    def ask(self, method: str, body: Optional[Dict[str, Any]] = None) -> Any:
        return self.trouble(lambda: self.answer(body))

    def answer(self, body: Optional[Dict[str, Any]]) -> Any:
        if self.world.chance.random() < 0.1 and not self.world.calm:
            self.world.version += 1
        if body and "spec" in body:
            if body["metadata"]["resourceVersion"] != str(self.world.version):
                raise agent.StatusError(409, "Conflict")
            self.world.resize(body["spec"]["parallelism"])
        size = self.world.size
        spec = {"parallelism": size, "completions": size}
        marks = {"minicluster/template-hash": "autoscale"}
        return {"metadata": {"resourceVersion": str(self.world.version), "annotations": marks}, "spec": spec}


class ModelLead(agent.Lead):
    """The lead broker's program, reached by the model."""

    def __init__(self, world: World) -> None:
        super().__init__("http://lead/demand/demo", bytes)
        self.trouble = Trouble(world)
        self.start()

    def start(self) -> None:
        """Starts the program again."""
        instance = Instance(flux.Flux(), [{"name": "demo", "hosts": HOSTS, "max": HOSTS}], "")
        self.served = demand.Demand(instance, Decisions(None))

    def ask(self, method: str, path: str) -> bytes:
        return bytes(self.trouble(lambda: self.answer(path)))

    def answer(self, path: str) -> bytes:
        url = demand.urlsplit(path)
        values = dict(demand.parse_qsl(url.query))
        about = url.path.split("/")[1]
        numbers = (int(values.get(name, 0)) for name in ("hosts", "size"))
        question = demand.Question(about, "demo", *numbers, ticket=values.get("ticket", ""))
        answer = self.served.answer(question)
        if answer.status != 200:
            raise OSError(f"it answers with status {answer.status}")
        return answer.text.encode()


def history(seed: int) -> Dict[str, Any]:
    """One history: what was lost, and what waited in vain in the end."""
    chance = random.Random(seed)
    world = World(chance)
    time.monotonic = time.time = lambda: world.now  # type: ignore[assignment]
    job, lead, decider = ModelJob(world), ModelLead(world), agent.Decider(SETTINGS)
    world.beside = lambda: lead.served.expire()

    def look() -> None:
        world.advance(5)
        agent.attempt(job, lead, decider, world.now)

    for _ in range(40):
        if chance.random() < 0.02:
            job, decider = ModelJob(world), agent.Decider(SETTINGS)
        if chance.random() < 0.02:
            lead.start()
        look()
    # Then nothing goes wrong any more: jobs that fit run, and idle hosts leave.
    world.calm = True
    idle = 0
    for _ in range(1000):
        look()
        waiting = [one["id"] for one in world.jobs if one["priority"] and one["hosts"] <= HOSTS]
        idle = 0 if waiting else idle + 1
        if idle > 12:
            break
    return {"seed": seed, "lost": world.lost, "waiting": waiting, "size": world.size}


class Silent(agent.Log):
    @classmethod
    def say(cls, label: str, text: str) -> None:
        pass


agent.Log = Silent  # type: ignore[misc]
first, count = int(sys.argv[1]), int(sys.argv[2])
for change in sys.argv[3:]:
    if change == "unasked":
        # As if every host might leave at once, by a demand that may be seconds old.
        state.Reading.closed_from = lambda *_: 0  # type: ignore[method-assign]
        continue
    name, _, value = change.partition("=")
    module, _, attribute = name.partition(".")
    setattr({"agent": agent, "demand": demand, "state": state}[module], attribute, float(value))
found: List[Dict[str, Any]] = []
for seed in range(first, first + count):
    one = history(seed)
    if one["lost"] or one["waiting"] or one["size"] != 1:
        found.append(one)
    # Of a changed program, one lost job is enough.
    if one["lost"] and len(sys.argv) > 3:
        break
print(json.dumps(found))
