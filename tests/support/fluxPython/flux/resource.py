"""Hosts and what they have."""

import json
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Set

from flux import Answer, Flux, drains, fail, of_rank, state
from flux.idset import IDset


class ResourceSet:
    """Cores and GPUs of ranks, each by its number."""

    def __init__(self, cores: Mapping[int, Iterable[int]], gpus: Mapping[int, Iterable[int]]) -> None:
        self.cores: Dict[int, Set[int]] = {rank: set(has) for rank, has in cores.items() if has}
        self.gpus: Dict[int, Set[int]] = {rank: set(gpus.get(rank, ())) for rank in self.cores}

    @property
    def ranks(self) -> IDset:
        return IDset(self.cores)

    @property
    def nnodes(self) -> int:
        return len(self.cores)

    @property
    def ncores(self) -> int:
        return sum(len(has) for has in self.cores.values())

    @property
    def ngpus(self) -> int:
        return sum(len(has) for has in self.gpus.values())

    def encode(self) -> str:
        """The set as RFC 20 writes it."""
        hosts = [
            {"rank": str(rank), "children": {"core": str(IDset(has)), "gpu": str(IDset(self.gpus[rank]))}}
            for rank, has in self.cores.items()
        ]
        for host in hosts:
            children: Any = host["children"]
            host["children"] = {kind: ids for kind, ids in children.items() if ids}
        return json.dumps({"version": 1, "execution": {"R_lite": hosts}})

    def copy_ranks(self, ranks: Iterable[int]) -> "ResourceSet":
        known = set(ranks)
        return ResourceSet({rank: has for rank, has in self.cores.items() if rank in known}, dict(self.gpus))

    def copy_constraint(self, constraint: Dict[str, List[Any]]) -> "ResourceSet":
        """Ranks that one operator of RFC 31 leaves. The name of its cluster is a property of each host."""
        [(kind, values)] = constraint.items()
        hosts = list(enumerate(state()["hosts"]))
        if kind == "not":
            other = self.copy_constraint(values[0])
            return self.copy_ranks(set(self.cores) - set(other.cores))
        if kind == "properties":
            given = state().get("properties", {})
            named = {rank for value in values for rank in given.get(value, [])}
            return self.copy_ranks(named | {rank for rank, host in hosts if host.rpartition("-")[0] in values})
        if kind == "ranks":
            return self.copy_ranks([rank for value in values for rank in IDset(value)])
        if kind != "hostlist":
            raise ValueError(f"unknown operator {kind}")
        return self.copy_ranks([rank for rank, host in hosts if host in values])

    def __sub__(self, other: "ResourceSet") -> "ResourceSet":
        left = {rank: has - other.cores.get(rank, set()) for rank, has in self.cores.items()}
        return ResourceSet(left, {rank: has - other.gpus.get(rank, set()) for rank, has in self.gpus.items()})


class Lists:
    def __init__(self, **sets: ResourceSet) -> None:
        self.sets = sets

    def __getattr__(self, name: str) -> ResourceSet:
        return self.sets[name]

    def __getitem__(self, name: str) -> ResourceSet:
        return self.sets[name]


class ListFuture(Answer):
    """What hosts have, and what jobs have of it: those of the file, and those that run."""

    def get(self) -> Lists:
        fail("resource.list")
        now = state()
        ranks = range(len(now["hosts"]))
        cores = {rank: range(of_rank("cores", rank)) for rank in ranks}
        gpus = {rank: range(of_rank("gpus", rank)) for rank in ranks}
        away = (set(ranks) - set(now["online"])) | {one["rank"] for one in drains()}
        running = dict.fromkeys(self.value, 1)
        taken = {**running, **{int(rank): count for rank, count in now["allocated"].items()}}
        # Where a test does not say how many, a job has the GPUs that belong to its cores.
        share = {rank: range(int(count * len(gpus[rank]) / len(cores[rank]))) for rank, count in taken.items()}
        given = {int(rank): range(count) for rank, count in now.get("allocatedGpus", {}).items()}
        return Lists(
            all=ResourceSet(cores, gpus),
            down=ResourceSet({rank: cores[rank] for rank in away}, gpus),
            allocated=ResourceSet({rank: range(count) for rank, count in taken.items()}, {**share, **given}),
        )


def resource_list(handle: Flux) -> ListFuture:
    handle.check_thread()
    return ListFuture(handle.running.busy())


class DrainInfo(NamedTuple):
    ranks: IDset
    timestamp: float
    reason: str


class ResourceStatus:
    def __init__(self, now: Dict[str, Any]) -> None:
        self.nodelist: List[str] = now["hosts"]
        self.all = IDset(range(len(now["hosts"])))
        self.online = IDset(now["online"])
        self.exclude = IDset(now.get("exclude", []))
        busy = {int(rank) for rank in now["allocated"]}
        ranks = {one["rank"] for one in drains()}
        self.draining = IDset(ranks & busy)
        self.drained = IDset(ranks - busy)
        self.drain_info = [DrainInfo(IDset([one["rank"]]), one["at"], one["reason"]) for one in drains()]

    def get_idset(self, *names: str) -> IDset:
        return IDset(rank for name in names for rank in getattr(self, name))


class StatusFuture(Answer):
    def get(self) -> ResourceStatus:
        fail("resource.status")
        return ResourceStatus(state())


def resource_status(handle: Flux) -> StatusFuture:
    handle.check_thread()
    return StatusFuture(None)
