"""The hosts and the queues of an instance for its users."""

from typing import Any, Dict, List, NamedTuple, Tuple

import flux
from flux.resource import resource_list, resource_status


class Look(NamedTuple):
    """Facts that the journal does not report."""

    status: Any
    resources: Any
    # Queues that start no job, each with the reason in a sentence.
    queues: Dict[str, str]


def look(handle: flux.Flux) -> Look:
    """Reads these facts. A broker that is starting many jobs responds late."""
    return Look(resource_status(handle).get(), resource_list(handle).get(), queues_of(handle))


def hosts_of(seen: Look, clusters: List[Tuple[str, int]], sizes: Dict[str, int]) -> List[Dict[str, Any]]:
    """The hosts of the instance, each with its state and its cluster. Hosts within a cluster's size are expected."""
    status = seen.status
    taken = set(seen.resources.allocated.ranks)
    online, excluded = set(status.online), set(status.exclude)
    reasons = {rank: str(info.reason or "") for info in status.drain_info for rank in info.ranks}
    names = [name for name, hosts in clusters for _ in range(hosts)]
    wanted = [index < sizes.get(name, 0) for name, hosts in clusters for index in range(hosts)]

    def state(rank: int) -> str:
        if rank not in online:
            return "expected" if rank < len(wanted) and wanted[rank] else "down"
        if rank in excluded:
            return "excluded"
        return "allocated" if rank in taken else "drained" if rank in reasons else "free"

    return [
        {
            "host": host,
            "rank": rank,
            "cluster": names[rank] if rank < len(names) else "",
            "state": state(rank),
            "drained": reasons.get(rank),
        }
        for host, rank in zip(status.nodelist, status.all)
    ]


def queues_of(handle: flux.Flux) -> Dict[str, str]:
    """Queues that do not start jobs, each with the reason in a sentence."""
    found: Dict[str, str] = {}
    for name in handle.rpc("config.get").get().get("queues") or [""]:
        status = handle.rpc("job-manager.queue-status", {"name": name} if name else {}).get()
        if not status.get("start", True):
            reason = status.get("stop_reason")
            found[name] = f"The queue is stopped{': ' + reason if reason else ''}."
    return found
