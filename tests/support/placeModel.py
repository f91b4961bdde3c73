"""Random histories of jobs in one queue over several clusters: the real programs, and a model of Flux and its hosts.

Machines come late or not at all, jobs have hosts or queues of their users' choice, are held, canceled or moved by hand,
Flux refuses or loses an answer, and the program is killed between two steps. Each cluster grows within a budget. Prints
what went wrong: a job that moved while it ran, or twice to one place in a round, too early, against its user's choice,
or that waited in vain, and a cluster that grew beyond its budget.
"""

import json
import random
import sys
from types import SimpleNamespace
from typing import Any, Dict, List, Set

import flux
from budget.programs.budget import Budget
from bursting.programs import placing
from core.programs import state
from core.programs.planning import Request, Shape

STEP, AFTER, GIVE_UP = 15.0, 60.0, 120.0
# Steps with trouble, and then at most without.
TROUBLE, CALM = 40, 400
CORES = 4
HOME = "home"


class Killed(Exception):
    """The program was killed."""


class World:
    """Flux with its queues and jobs, the hosts of all clusters, and what they cost."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.now = 86_400.0 * 20_000
        self.calm = False
        self.jobs: Dict[str, Dict[str, Any]] = {}
        self.faults: List[str] = []
        sizes = {HOME: chance.choice([1, 2, 4]), "near": 2, "far": chance.choice([2, 6])}
        self.clusters: List[state.Cluster] = []
        for name, hosts in sizes.items():
            first = sum(cluster.hosts for cluster in self.clusters)
            # The lead broker's cluster may have fewer hosts than the configuration has for it.
            most = chance.choice([1, hosts]) if name == HOME else hosts
            self.clusters.append(state.Cluster(name, first, hosts, most))
        # Machines that the cloud has, for longer or for ever, and hosts that are there.
        self.machines = {name: chance.choice([0, hosts]) for name, hosts in sizes.items()}
        self.machines[HOME] = self.most(HOME)
        self.online: Dict[str, int] = dict.fromkeys(sizes, 0)
        self.prices = {name: chance.choice([0.5, 1.0, 4.0]) for name in sizes}
        self.limit = chance.choice([0.05, 0.5, 1e9])
        self.spent = dict.fromkeys(sizes, 0.0)
        self.kept: Dict[str, str] = {}
        self.budgets: Dict[str, Budget] = {}

    def ranks(self, queue: str) -> range:
        return next(cluster.ranks for cluster in self.clusters if cluster.name == queue)

    def most(self, queue: str) -> int:
        return next(cluster.most for cluster in self.clusters if cluster.name == queue)

    def up(self) -> Set[int]:
        """Ranks that are online."""
        return {rank for cluster in self.clusters for rank in cluster.ranks[: self.online[cluster.name]]}

    def waiting(self) -> List[Dict[str, Any]]:
        return [job for job in self.jobs.values() if job["state"] == "SCHED" and not job["held"]]

    def post(self, job: Dict[str, Any], name: str, **context: Any) -> None:
        job["events"].append({"timestamp": self.now, "name": name, "context": context})

    def arrive(self) -> None:
        """A job comes, some with hosts or a queue of the user's choice."""
        chance = self.chance
        job: Dict[str, Any] = {
            "id": f"f{len(self.jobs) + 1}",
            "hosts": chance.choice([1, 1, 2, 4, 6]),
            "cores": chance.choice([1, CORES]),
            "state": "SCHED",
            "queue": HOME,
            "held": chance.random() < 0.1,
            "chosen": chance.random() < 0.2,
            "lasts": chance.choice([15, 60, 200]),
            "events": [],
            "at": self.now,
            "by_hand": False,
        }
        if job["chosen"]:
            job["queue"] = chance.choice([HOME, "near", "far"])
        if job["hosts"] > len(self.ranks(HOME)) and not job["chosen"]:
            # The intake puts it where it has room.
            job["queue"] = next((name for name in ("near", "far") if job["hosts"] <= len(self.ranks(name))), HOME)
        # Fluxion ends jobs for which the queue has too few hosts in total; jobs without room in any cluster wait
        # indefinitely.
        if job["hosts"] > len(self.ranks(job["queue"])) or job["hosts"] > max(one.most for one in self.clusters):
            return
        job["first"] = job["queue"]
        self.jobs[job["id"]] = job
        self.post(job, "priority", priority=0 if job["held"] else 16)

    def meddle(self) -> None:
        """Users hold, release, cancel and move their jobs."""
        for job in self.jobs.values():
            if job["state"] != "SCHED":
                continue
            if job["held"] and (self.calm or self.chance.random() < 0.1):
                job["held"] = False
                self.post(job, "priority", priority=16)
            elif not self.calm and self.chance.random() < 0.01:
                job["state"] = "INACTIVE"
            elif not self.calm and self.chance.random() < 0.01:
                queue = self.chance.choice(["near", "far"])
                if queue != job["queue"] and job["hosts"] <= len(self.ranks(queue)):
                    # Where the program had put it as well, either may take it for a job of the other.
                    memos = [one["context"]["place"]["queue"] for one in job["events"] if one["name"] == "memo"]
                    job["queue"], job["by_hand"] = queue, True if (memos or [job["first"]])[-1] != queue else None
                    self.post(job, "jobspec-update", **{"attributes.system.queue": queue})

    def used(self) -> Dict[int, int]:
        """Cores that jobs have."""
        found: Dict[int, int] = {}
        for job in self.jobs.values():
            for rank in job["ranks"] if job["state"] == "RUN" else ():
                found[rank] = found.get(rank, 0) + job["cores"]
        return found

    def run(self) -> None:
        """Jobs end, and others start in the order of their queues, each on hosts of one cluster."""
        for job in self.jobs.values():
            if job["state"] == "RUN" and job["until"] <= self.now:
                job["state"] = "INACTIVE"
        used, up, closed = self.used(), self.up(), set()
        for job in self.waiting():
            free = [
                rank for rank in self.ranks(job["queue"]) if rank in up and CORES - used.get(rank, 0) >= job["cores"]
            ]
            if job["queue"] in closed or len(free) < job["hosts"]:
                closed.add(job["queue"])
                continue
            job.update(state="RUN", ranks=free[: job["hosts"]], until=self.now + job["lasts"])
            for rank in job["ranks"]:
                used[rank] = used.get(rank, 0) + job["cores"]

    def resize(self, reading: state.Reading) -> None:
        """The agents of all clusters have their turn: hosts come where there are machines and a budget for them."""
        for cluster in self.clusters:
            name, hosts = cluster.name, self.online[cluster.name]
            if not self.calm and self.chance.random() < 0.1:
                self.machines[name] = self.chance.choice([0, 1, cluster.most])
            budget = self.budgets.get(name)
            if budget is None or self.chance.random() < 0.02:
                budget = Budget({"pricePerHour": self.prices[name], "perDay": 1e9 if self.calm else self.limit})
                budget.load(self.kept.get(name), self.now)
                self.budgets[name] = budget
            budget.charge(self.now, self.now, hosts)
            self.kept[name] = budget.text() or self.kept[name]
            needed = reading.part(cluster, hosts)["needed"]
            if needed > hosts and not budget.reached(self.now):
                if not self.calm and self.spent[name] > self.limit + STEP * hosts * self.prices[name] / 3600:
                    self.faults.append(f"{name} grows beyond its budget")
                needed = min(needed, max(hosts, self.machines[name]))
            elif needed > hosts:
                needed = hosts
            self.online[name] = max(needed, hosts if self.chance.random() < 0.5 else 0)
            if self.online[name] != hosts:
                self.kept[name] = budget.record()
            self.spent[name] += STEP * self.online[name] * self.prices[name] / 3600

    def check(self, job: Dict[str, Any], queue: str) -> None:
        """What may not be where the program moves a job."""
        name = f"{job['id']} => {queue}"
        if job["chosen"] or job["by_hand"]:
            self.faults.append(f"{name} against its user's choice")
        since = max(one["timestamp"] for one in job["events"] if one["name"] == "priority")
        if not job["moves"] and self.now - since < AFTER and job["hosts"] <= self.most(HOME):
            self.faults.append(f"{name} too early")
        turn = job["events"][-1]["context"]["place"]["round"]
        if (turn, queue) in job["moves"]:
            self.faults.append(f"{name} twice in round {turn}")
        if job["hosts"] > len(self.ranks(queue)):
            self.faults.append(f"{name}, which has too few hosts")


class Handle(flux.Flux):
    """A handle of the model, which loses answers, and on which the program may be killed."""

    def __init__(self, world: World) -> None:
        self.world = world

    def rpc(self, topic: str, payload: Any = None) -> flux.Answer:
        world, job = self.world, self.world.jobs[f"f{payload['id']}"]
        job.setdefault("moves", [])
        trouble = 1.0 if world.calm else world.chance.random()
        if trouble < 0.02:
            raise Killed
        if trouble < 0.04:
            # It starts or ends after it was read, and before it is moved.
            job["state"] = "INACTIVE"
        if job["state"] == "INACTIVE":
            raise OSError("job is inactive")
        if topic == "job-manager.memo":
            world.post(job, "memo", **payload["memo"])
        else:
            queue = payload["updates"]["attributes.system.queue"]
            if job["state"] == "RUN":
                world.faults.append(f"{job['id']} moves while it runs")
            if trouble < 0.06:
                raise OSError("unsatisfiable request")
            world.check(job, queue)
            job["moves"].append((job["events"][-1]["context"]["place"]["round"], queue))
            job["queue"] = queue
            world.post(job, "jobspec-update", **payload["updates"])
        if trouble > 0.98 and not world.calm:
            raise Killed
        return flux.Answer({})


def reading_of(world: World) -> state.Reading:
    """The real reading, of the model."""
    reading = state.Reading.__new__(state.Reading)
    reading.clusters, reading.at, reading.reasons = world.clusters, world.now, {}
    reading.status = SimpleNamespace(online=world.up(), exclude=[], drain_info=[])  # type: ignore[assignment]
    reading.capacity = {rank: (CORES, 0) for cluster in world.clusters for rank in cluster.ranks}
    reading.used = {rank: (cores, 0) for rank, cores in world.used().items()}
    reading.drained, reading.unusable, reading.running = set(), set(), []
    reading.queues = [cluster.name for cluster in world.clusters]
    reading.plan = reading.present_plan()
    requests = []
    for job in world.waiting():
        shape = Shape(True, job["hosts"], job["cores"], 0, exclusive=False)
        requests.append(Request(job["id"], job["queue"], shape, frozenset(world.ranks(job["queue"])), job["at"]))
    reading.verdicts = [reading.plan.place(request) for request in requests]
    return reading


def looked_up(world: World, job: int) -> Dict[str, Any]:
    """What the program reads of a job."""
    found = world.jobs[f"f{job}"]
    system = {"queue": found["queue"]} if found["chosen"] else {}
    log = "\n".join(json.dumps(event) for event in found["events"])
    return {"jobspec": {"attributes": {"system": system}}, "eventlog": log}


def started(world: World) -> placing.Placer:
    """The program, started again."""
    queues = [{"name": one.name, "cluster": one.name, "price": world.prices[one.name]} for one in world.clusters]
    order = "price" if world.prices[HOME] > 0.5 else "listed"
    settings = {"queues": queues, "order": order, "afterSeconds": AFTER, "giveUpSeconds": GIVE_UP}
    return placing.Placer(Handle(world), settings, lambda *_: None)


def history(seed: int) -> List[str]:
    """What went wrong in one history."""
    world = World(random.Random(seed))
    setattr(placing, "job_kvs_lookup", lambda _, job, **__: looked_up(world, job))
    placer = started(world)
    for step in range(TROUBLE + CALM):
        world.now += STEP
        if step == TROUBLE:
            # From then on every cloud but one has machines, and there is no budget.
            world.calm = True
            world.machines = {cluster.name: cluster.most for cluster in world.clusters}
            if world.chance.random() < 0.5:
                world.machines["near"] = 0
            world.budgets = {}
        if not world.calm and world.chance.random() < 0.25:
            world.arrive()
        world.meddle()
        world.run()
        reading = reading_of(world)
        try:
            placer.look(reading, world.now)
        except Killed:
            placer = started(world)
        world.resize(reading)
        if not world.calm and world.chance.random() < 0.03:
            placer = started(world)
        if world.calm and not world.waiting():
            break
    # A job that its user has moved keeps its cluster, and those behind it in the only queue for them wait as well.
    fixed = {job["queue"] for job in world.waiting() if job["chosen"] or job["by_hand"] is not False}
    largest = max(machines for name, machines in world.machines.items() if name not in fixed)
    for job in world.waiting():
        if not job["chosen"] and job["by_hand"] is False and job["hosts"] <= largest:
            world.faults.append(f"{job['id']} waits in vain in {job['queue']}")
    return world.faults


if len(sys.argv) > 3:
    name, _, value = sys.argv[3].partition("=")
    CHANGES = {
        # As if memos were not read again, a user's choice or a budget did not count, or the first round was the last.
        "forgetful": lambda: setattr(placing, "past_of", lambda found: past_of(found)._replace(memo={})),
        "heedless": lambda: setattr(placing, "past_of", lambda found: past_of(found)._replace(is_free=True)),
        "oneRound": lambda: setattr(placing.Placer, "next_round", lambda *_: None),
        "unpriced": lambda: setattr(Budget, "reached", lambda *_: None),
    }
    past_of = placing.past_of
    CHANGES[name]()
setattr(placing, "say", lambda _: None)
first, count = int(sys.argv[1]), int(sys.argv[2])
found = {seed: faults for seed in range(first, first + count) for faults in [history(seed)] if faults}
print(json.dumps([{"seed": seed, "faults": faults} for seed, faults in found.items()]))
