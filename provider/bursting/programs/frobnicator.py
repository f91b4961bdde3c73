"""Changes the queue of a job that the default queue can never run, when the job is submitted.

Fluxion ends such a job at once (`unsatisfiable`), before it can move. This is a plugin of the frobnicator of Flux
(flux-config-ingest(5)), which runs it with Flux's own plugins in the lead broker's pod. A job for which its user
has chosen a queue or hosts is not changed.
"""

import json
import sys
from pathlib import Path
from typing import Any, Dict, List

from flux.job.frobnicator import FrobnicatorPlugin

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from core.programs.planning import Host, Plan, Request, part_of, shape_of  # noqa: E402

# Queues with their hosts, the default one first and the others in the order of preference.
SETTINGS = "queues.json"


class Frobnicator(FrobnicatorPlugin):
    """The plugin, by the name that Flux requires."""

    queues: List[Dict[str, Any]] = []

    def configure(self, args: Any, config: Dict[str, Any]) -> None:
        """Reads the queues. Flux starts its plugins again with each change of its configuration."""
        self.queues = json.loads((HERE / SETTINGS).read_text())

    def frob(self, jobspec: Any, *_: Any) -> None:
        """Sets the queue of a job, if the default one has too few hosts for it."""
        system = part_of(jobspec.attributes, "system")
        if not system.get("queue") and not system.get("constraints"):
            queue = first_with_room(self.queues, jobspec.resources)
            if queue and queue != self.queues[0]["name"]:
                jobspec.setattr("system.queue", queue)


def first_with_room(queues: List[Dict[str, Any]], resources: List[Dict[str, Any]]) -> str:
    """The first queue with enough hosts for a job if all are idle, or an empty string."""
    try:
        shape = shape_of(resources)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        return ""
    for queue in queues:
        plan = Plan([Host(rank, queue["name"], *amount) for rank, amount in enumerate(queue["hosts"])])
        if plan.search(Request("", queue["name"], shape, None), idle=True):
            return str(queue["name"])
    return ""
