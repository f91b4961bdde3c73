"""Random histories of the agents of a Job with a budget: the real program, and clocks that are set or wrong.

Agents come one after the other, each on a node with another clock. The clock of the API server is set back and
forth, or gives a wrong time once. Prints the histories in which a second was counted twice, or was lost.
"""

import json
import random
import sys
import time
from email.utils import formatdate
from typing import Any, Dict, Optional

from autoscale.programs import agent

DAY = 86_400.0
PRICE = 3600.0


class ModelJob(agent.Job):
    """The Job at the API server. A host costs 1 a second."""

    def __init__(self, world: "World") -> None:
        settings = {"namespace": "n", "name": "j", "suspendsAtZero": False, "intervalSeconds": 5}
        budget = {"pricePerHour": PRICE, "perDay": 1e12, "perMonth": 1e12}
        super().__init__({**settings, "budget": budget}, "", lambda: "", None)
        self.world = world

    def ask(self, method: str, body: Optional[Dict[str, Any]] = None) -> Any:
        if body:
            self.world.marks.update(body["metadata"]["annotations"])
        self.hear(formatdate(self.world.now + self.world.ahead, usegmt=True))
        return {"metadata": {"annotations": dict(self.world.marks)}}


class World:
    """The hosts, what they have cost, and the clocks."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.now = float(chance.randrange(20_000, 21_000)) * DAY + chance.randrange(86_400)
        self.ahead = 0.0
        # The time between two agents is counted with the hosts that the next one finds.
        self.hosts = chance.randrange(1, 9)
        self.marks: Dict[str, str] = {}
        # Costs while an agent looks, and between two agents.
        self.watched = self.between = 0.0

    def sums(self) -> Dict[str, float]:
        count: Dict[str, float] = json.loads(self.marks.get(agent.ANNOTATION, "{}"))
        return {key: value for key, value in count.items() if key != "at"}


def history(seed: int) -> Dict[str, Any]:
    """One history, with the costs by days and by months, and those of the model."""
    chance = random.Random(seed)
    world = World(chance)
    setattr(time, "monotonic", lambda: world.now)
    faults = []
    for run in range(chance.randrange(1, 6)):
        # The clock of a node plays no part.
        skew = chance.choice([-DAY * 40, -600.0, -40.0, 0.0, 40.0, DAY * 400])
        setattr(time, "time", lambda skew=skew: world.now + skew)
        if run > 0:
            # The next agent comes, while the clock of the server is right, or is behind.
            world.ahead = min(world.ahead, 0.0)
            pause = float(chance.choice([1, 30, 3000]))
            world.now += pause
            world.between += pause * world.hosts
        job = ModelJob(world)
        for look in range(chance.randrange(1, 40)):
            if look > 0:
                world.now += 5.0
                world.watched += 5.0 * world.hosts
            before = world.sums()
            if "local" in sys.argv:
                # As if the clock of the node was read.
                job.hear = lambda _: None  # type: ignore[method-assign]
            live = job.look(world.now)
            agent.count_cost(job, live, world.hosts, world.now)
            job.save(job.budget.record())  # type: ignore[union-attr]
            after = world.sums()
            if any(after.get(key, 0.0) < value - 1e-3 for key, value in before.items()):
                faults.append(f"a sum is lost: {before} => {after}")
            if chance.random() < 0.1:
                world.ahead = chance.choice([0.0, 0.0, -40.0, -600.0, -3 * DAY, 600.0, 31 * DAY])
            job.seen = None if chance.random() < 0.5 else job.seen
    sums = world.sums()
    for length in (len("2026-01-01"), len("2026-01")):
        total = sum(value for key, value in sums.items() if len(key) == length)
        # The server's time is in whole seconds.
        if not world.watched - 9 <= total <= world.watched + world.between + 9 * 6:
            faults.append(f"{total:.1f} are counted of {world.watched:.1f}, and of {world.between:.1f} between agents")
    return {"seed": seed, "faults": faults}


first, count = int(sys.argv[1]), int(sys.argv[2])
found = [history(seed) for seed in range(first, first + count)]
print(json.dumps([one for one in found if one["faults"]]))
