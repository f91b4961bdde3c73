"""Places pending jobs on hosts, in the order in which the scheduler starts them, to find how many hosts they need.

It reads nothing by itself. Jobs take the lowest ranks on which they fit, as with Fluxion's policy "lonode". Whether one
job fits at all does not depend on that order.
"""

import json
from typing import Any, Dict, FrozenSet, Iterator, List, NamedTuple, Optional, Set, Tuple

from flux.idset import IDset


class Shape(NamedTuple):
    """The request of a job: hosts with an amount on each, or slots that may share a host."""

    on_hosts: bool
    units: int
    cores: int
    gpus: int
    exclusive: bool


def part_of(value: Any, *keys: str) -> Dict[str, Any]:
    """A part of a jobspec that is an object. A user may have set any other type: that is an empty part."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def text_of(value: Any) -> str:
    """A text of a jobspec, or nothing if it is of another type."""
    return value if isinstance(value, str) else ""


def number_of(value: Any) -> float:
    """A number of a jobspec, or 0 if it is of another type."""
    return value if type(value) in (int, float) else 0


# Whether a host takes a job, or would if it were not drained, or exceeds the maximum of its cluster.
OPEN, DRAINED, OVER_MAX = range(3)


class Host:
    """A host of the instance: its resources, and which of them are free."""

    def __init__(self, rank: int, cluster: str, cores: int, gpus: int, state: int = OPEN) -> None:
        self.rank = rank
        self.cluster = cluster
        self.cores = self.free_cores = cores
        self.gpus = self.free_gpus = gpus
        self.state = state

    def use(self, cores: int, gpus: int) -> None:
        """Marks some resources as taken."""
        self.free_cores -= cores
        self.free_gpus -= gpus

    def room(self, shape: Shape, idle: bool = False) -> int:
        """Units of a shape that fit on it, or would fit if it was idle."""
        cores = self.cores if idle else self.free_cores
        gpus = self.gpus if idle else self.free_gpus
        if shape.on_hosts:
            is_whole = (cores, gpus) == (self.cores, self.gpus)
            return int(cores >= shape.cores and gpus >= shape.gpus and (is_whole or not shape.exclusive))
        fitting = [have // need for have, need in ((cores, shape.cores), (gpus, shape.gpus)) if need > 0]
        return max(0, min(fitting, default=0))

    def take(self, shape: Shape, units: int) -> None:
        """Gives units of a shape to a job."""
        whole = shape.on_hosts and shape.exclusive
        self.use(
            self.free_cores if whole else units * shape.cores,
            self.free_gpus if whole else units * shape.gpus,
        )


def count_of(vertex: Dict[str, Any]) -> int:
    """Minimum count of a vertex of a jobspec."""
    count = vertex.get("count", 1)
    least = count["min"] if isinstance(count, dict) else count
    if type(least) is not int or least < 1:
        raise ValueError(f"unsupported count {least!r}")
    return least


def has_node(vertex: Dict[str, Any]) -> bool:
    """Whether a vertex holds hosts."""
    return any(part["type"] == "node" or has_node(part) for part in vertex.get("with", []))


def contents(parts: List[Dict[str, Any]]) -> Tuple[int, int]:
    """Cores and GPUs of some vertices within one host."""
    cores = gpus = 0
    for part in parts:
        count = count_of(part)
        if part["type"] == "core":
            cores += count
        elif part["type"] == "gpu":
            gpus += count
        elif part["type"] in ("slot", "socket"):
            inner = contents(part.get("with", []))
            cores, gpus = cores + count * inner[0], gpus + count * inner[1]
        else:
            raise ValueError(f"unsupported resource {part['type']!r}")
    return cores, gpus


def shape_of(resources: List[Dict[str, Any]], times: int = 1) -> Shape:
    """Shape of the resources of a jobspec (RFC 14 of Flux), whose counts multiply from level to level."""
    if len(resources) != 1:
        raise ValueError("unsupported: several resources side by side")
    vertex = resources[0]
    count = times * count_of(vertex)
    parts = vertex.get("with", [])
    if vertex["type"] == "node":
        return Shape(True, count, *contents(parts), exclusive=bool(vertex.get("exclusive")))
    if vertex["type"] != "slot":
        raise ValueError(f"unsupported resource {vertex['type']!r}")
    if has_node(vertex):
        return shape_of(parts, count)
    return Shape(False, count, *contents(parts), exclusive=False)


def amounts(resources: Any) -> Dict[int, Tuple[int, int]]:
    """Cores and GPUs of each rank of a set of resources (RFC 20 of Flux)."""
    found: Dict[int, Tuple[int, int]] = {}
    for entry in json.loads(resources.encode())["execution"]["R_lite"]:
        children = entry["children"]
        cores, gpus = (len(IDset(children[kind])) if children.get(kind) else 0 for kind in ("core", "gpu"))
        for rank in IDset(str(entry["rank"])):
            had = found.get(rank, (0, 0))
            found[rank] = (had[0] + cores, had[1] + gpus)
    return found


class Request(NamedTuple):
    """A pending job: its shape, the ranks to which its constraint limits it, and the time of its submission."""

    id: str
    queue: str
    shape: Shape
    ranks: Optional[FrozenSet[int]]
    submitted: float = 0.0


class Place(NamedTuple):
    """The resources of a job on a host, and their share of the host."""

    host: Host
    units: int
    share: float


class Verdict(NamedTuple):
    """Where a pending job is to run, whether it has room beside the jobs before it, and the effect of a size."""

    request: Request
    places: List[Place]
    starts: bool
    # Whether the size grows for it, and whether no size suffices.
    grows: bool
    never: bool


class Plan:
    """All possible hosts in the order of their ranks, and the jobs on them."""

    def __init__(self, hosts: List[Host]) -> None:
        self.hosts = hosts
        # Room only shrinks while jobs are placed: no search begins before the first host that had room for such a job,
        # and none that has failed is repeated.
        self.first: Dict[Tuple[Shape, Optional[FrozenSet[int]]], int] = {}
        self.failed: Set[Tuple[Shape, Optional[FrozenSet[int]]]] = set()

    def candidates(self, request: Request, start: int = 0, state: int = OPEN) -> Iterator[Tuple[int, Host]]:
        """Hosts that its constraint allows."""
        for index in range(start, len(self.hosts)):
            host = self.hosts[index]
            if host.state <= state and (request.ranks is None or host.rank in request.ranks):
                yield index, host

    def search(
        self, request: Request, start: int = 0, idle: bool = False, state: int = OPEN
    ) -> List[Tuple[int, Place]]:
        """The lowest hosts that have room for a job, or would have it if idle; nothing if they are too few."""
        left, found = request.shape.units, []
        for index, host in self.candidates(request, start, state):
            units = min(left, host.room(request.shape, idle))
            if units > 0:
                share = 1.0 if request.shape.on_hosts else units / host.room(request.shape, idle=True)
                found.append((index, Place(host, units, share)))
                left -= units
            if left == 0:
                return found
        return []

    def start(self, request: Request) -> List[Place]:
        """Gives a job the lowest hosts that have room for it beside the jobs before it, or nothing."""
        key = request.shape._replace(units=0), request.ranks
        if (request.shape, request.ranks) in self.failed:
            return []
        found = self.search(request, self.first.get(key, 0))
        if not found:
            self.failed.add((request.shape, request.ranks))
            return []
        for _, place in found:
            place.host.take(request.shape, place.units)
        self.first[key] = found[0][0]
        return [place for _, place in found]

    def place(self, request: Request) -> Verdict:
        """Where a job starts next; or where it starts once others have ended; or why it does not start."""
        places = self.start(request)
        if places:
            return Verdict(request, places, True, True, False)
        for state in (OPEN, DRAINED):
            found = self.search(request, idle=True, state=state)
            if found:
                # If drained hosts are the cause, more hosts do not help.
                return Verdict(request, [place for _, place in found], False, state == OPEN, False)
        return Verdict(request, self.never(request), False, False, True)

    def never(self, request: Request) -> List[Place]:
        """The request of a job to each cluster whose hosts are too few even together."""
        best: Dict[str, Place] = {}
        for _, host in self.candidates(request, state=OVER_MAX):
            room = max(1, host.room(request.shape, idle=True))
            share = request.shape.units / room
            if host.cluster not in best or share < best[host.cluster].share:
                best[host.cluster] = Place(host, request.shape.units, share)
        return list(best.values())
