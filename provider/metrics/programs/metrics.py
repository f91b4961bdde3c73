"""The state of a Flux instance in the text format of Prometheus."""

import time
from itertools import groupby
from typing import Any, Callable, Dict, List

import flux
from core.programs.contract import METRICS
from core.programs.decisions import Decisions
from core.programs.families import Family, Sample, as_text
from core.programs.instance import FRESH, Instance
from core.programs.serving import Answer, Calls, Request
from flux.idset import IDset
from flux.resource import ResourceStatus, resource_list, resource_status

STATES = ("depend", "priority", "sched", "run", "cleanup")
RESULTS = {"completed": "successful", "failed": "failed", "canceled": "canceled", "timeout": "timeout"}


def ranks_by_cluster(status: ResourceStatus) -> Dict[str, IDset]:
    """Ranks of each cluster of the instance, by the stem of its host names."""
    pairs = zip(status.nodelist, status.all)
    groups = groupby(pairs, key=lambda pair: pair[0].rpartition("-")[0] or pair[0])
    return {stem: IDset(",".join(str(rank) for _, rank in members)) for stem, members in groups}


def host_families(handle: flux.Flux, expected: Dict[str, int]) -> List[Family]:
    """Brokers of each cluster, and the scheduler's view of their hosts."""
    status = resource_status(handle).get()
    resources = resource_list(handle).get()
    drained = status.get_idset("drained", "draining")
    brokers: List[Sample] = []
    wanted: List[Sample] = []
    drains: List[Sample] = []
    nodes: List[Sample] = []
    cores: List[Sample] = []
    gpus: List[Sample] = []

    def add(samples: List[Sample], name: str, whole: int, allocated: int, down: int) -> None:
        counts = {"free": whole - allocated - down, "allocated": allocated, "down": down}
        samples.extend(({"minicluster": name, "state": state}, count) for state, count in counts.items())

    for name, ranks in ranks_by_cluster(status).items():
        online = ranks & status.online
        brokers.append(({"minicluster": name, "state": "online"}, len(online)))
        brokers.append(({"minicluster": name, "state": "offline"}, len(ranks) - len(online)))
        drains.append(({"minicluster": name}, len(drained & online)))
        if name in expected:
            wanted.append(({"minicluster": name}, expected[name]))
        everything, taken, down = (resources[of].copy_ranks(ranks) for of in ("all", "allocated", "down"))
        idle = down - taken
        add(nodes, name, everything.nnodes, taken.nnodes, len(down.ranks - taken.ranks))
        add(cores, name, everything.ncores, taken.ncores, idle.ncores)
        add(gpus, name, everything.ngpus, taken.ngpus, idle.ngpus)
    # A host with a job counts as allocated, even if it is drained or has free cores.
    return [
        ("flux_brokers", "gauge", "Brokers of the instance.", brokers),
        ("flux_brokers_expected", "gauge", "Brokers that the Kubernetes Job should have.", wanted),
        ("flux_brokers_drained", "gauge", "Online brokers whose hosts are drained.", drains),
        ("flux_nodes", "gauge", "Nodes that are allocated, free or down (drained or offline).", nodes),
        ("flux_cores", "gauge", "Cores, as flux_nodes.", cores),
        ("flux_gpus", "gauge", "GPUs, as flux_nodes.", gpus),
    ]


def job_families(handle: flux.Flux, pending: List[Dict[str, Any]]) -> List[Family]:
    """Jobs of each queue. An instance without named queues has one queue without a name."""
    stats = handle.rpc("job-list.job-stats", {}).get()
    names = handle.rpc("config.get").get().get("queues", {})
    nothing: Dict[str, Any] = {"job_states": {}, "inactive_purged": 0}
    queues = dict.fromkeys(names, nothing) or {"": stats}
    queues.update({queue["name"]: queue for queue in stats["queues"]})
    active: List[Sample] = []
    inactive: List[Sample] = []
    finished: List[Sample] = []
    waiting: List[Sample] = []
    for name, queue in sorted(queues.items()):
        states = queue["job_states"]
        active.extend(({"queue": name, "state": state}, states.get(state, 0)) for state in STATES)
        inactive.extend(({"queue": name, "result": result}, queue.get(key, 0)) for result, key in RESULTS.items())
        # Jobs that Flux has removed since also count as finished.
        finished.append(({"queue": name}, states.get("inactive", 0) + queue["inactive_purged"]))
        hosts = sum(job["hosts"] for job in pending if job["queue"] == name)
        waiting.append(({"queue": name}, round(hosts, 3)))
    return [
        ("flux_jobs", "gauge", "Jobs that have not ended.", active),
        ("flux_jobs_inactive", "gauge", "Jobs that have ended and that Flux still lists.", inactive),
        ("flux_jobs_finished_total", "counter", "Jobs that have ended.", finished),
        (
            "flux_pending_nodes",
            "gauge",
            "Nodes, or parts of nodes, that the first 1000 jobs of each queue wait for.",
            waiting,
        ),
    ]


def price_family(prices: Dict[str, float]) -> Family:
    """Prices of nodes by cluster."""
    samples: List[Sample] = [({"minicluster": name}, price) for name, price in sorted(prices.items())]
    return "flux_node_price_per_hour", "gauge", "Price per hour of the node of a broker.", samples


def read_metrics(
    handle: flux.Flux, pending: List[Dict[str, Any]], expected: Dict[str, int], others: List[Family]
) -> str:
    """All metrics, with the pending jobs, the sizes of clusters, and other counts."""
    start = float(handle.attr_get("broker.starttime"))
    info: List[Sample] = [({"version": handle.attr_get("version")}, 1)]
    own: List[Family] = [
        ("flux_instance_info", "gauge", "Version of Flux.", info),
        ("flux_instance_start_time_seconds", "gauge", "Unix time at which the lead broker started.", [({}, start)]),
    ]
    return as_text(own + host_families(handle, expected) + job_families(handle, pending) + others)


class Metrics:
    """The metrics of an instance, in the thread with the handle of Flux."""

    def __init__(self, instance: Instance, decisions: Decisions, prices: Dict[str, float]) -> None:
        self.instance = instance
        self.decisions = decisions
        self.prices = prices
        self.others: List[Callable[[], List[Family]]] = []
        self.text = ""
        self.read_at = -FRESH

    def add(self, families: Callable[[], List[Family]]) -> None:
        """Adds the metrics of another feature."""
        self.others.append(families)

    def answer(self) -> Answer:
        """The metrics, with the sizes from agents, and a fixed size from its file."""
        if time.monotonic() - self.read_at >= FRESH:
            instance = self.instance
            home = instance.clusters()[0]
            fixed = {home.name: home.most} if instance.has_fixed_size else {}
            sizes = {**self.decisions.sizes, **fixed}
            others = [family for families in self.others for family in families()]
            prices = [price_family(self.prices)] if self.prices else []
            self.text = read_metrics(instance.handle, instance.read().pending(), sizes, [*others, *prices])
            self.read_at = time.monotonic()
        return Answer(200, self.text, "text/plain; version=0.0.4; charset=utf-8")


async def answer_prometheus(metrics: Metrics, calls: Calls, request: Request) -> Answer:
    """Answers Prometheus, and any other client of the port."""
    if request.path != METRICS:
        return Answer(404)
    answer: Answer = await calls.run(metrics.answer, 1)
    return answer
