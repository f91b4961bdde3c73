"""Hosts and what they have."""

from flux import Answer, of_rank, state
from flux.idset import IDset


class ResourceSet:
    """Cores of ranks, each by its number. A GPU belongs to as many cores as there are for each."""

    def __init__(self, cores):
        self.cores = {rank: set(has) for rank, has in cores.items() if has}

    @property
    def ranks(self):
        return IDset(self.cores)

    @property
    def nnodes(self):
        return len(self.cores)

    @property
    def ncores(self):
        return sum(len(has) for has in self.cores.values())

    @property
    def ngpus(self):
        return int(sum(len(has) * of_rank("gpus", rank) / of_rank("cores", rank) for rank, has in self.cores.items()))

    def copy_ranks(self, ranks):
        return ResourceSet({rank: has for rank, has in self.cores.items() if rank in ranks})

    def copy_constraint(self, constraint):
        clusters = tuple(f"{cluster}-" for cluster in constraint["properties"])
        return self.copy_ranks([rank for rank, host in enumerate(state()["hosts"]) if host.startswith(clusters)])

    def __sub__(self, other):
        return ResourceSet({rank: has - other.cores.get(rank, set()) for rank, has in self.cores.items()})


class Lists(dict):
    def __getattr__(self, name):
        return self[name]


def resource_list(_handle):
    now = state()
    whole = {rank: range(of_rank("cores", rank)) for rank in range(len(now["hosts"]))}
    away = {rank for rank in whole if rank not in now["online"]} | set(now["drained"])
    lists = Lists(
        all=ResourceSet(whole),
        down=ResourceSet({rank: has for rank, has in whole.items() if rank in away}),
        allocated=ResourceSet({int(rank): range(count) for rank, count in now["allocated"].items()}),
    )
    lists["up"] = lists.all - lists.down
    return Answer(lists)


class Status:
    def __init__(self, now):
        self.nodelist = now["hosts"]
        self.all = IDset(range(len(now["hosts"])))
        self.online = IDset(now["online"])
        busy = {int(rank) for rank in now["allocated"]}
        self.draining = IDset(set(now["drained"]) & busy)
        self.drained = IDset(set(now["drained"]) - busy)

    def get_idset(self, *names):
        return IDset(rank for name in names for rank in getattr(self, name))


def resource_status(_handle):
    return Answer(Status(state()))
