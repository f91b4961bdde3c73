"""Serves the demand of a Flux instance's queue in hosts, for the agents that resize its clusters.

/demand/<cluster> is JSON for the agent that resizes that cluster. /keep/<cluster> drains the hosts that the agent is
about to remove, and no other host. Both require a request that is signed with the key of the instance, and answer it
once.
"""

import functools
import hmac
import json
import secrets
import time
from typing import Callable, Dict, NamedTuple, Optional
from urllib.parse import parse_qsl, urlsplit

from core.programs.decisions import Decisions
from core.programs.instance import Instance
from core.programs.serving import Answer, Calls, Request
from core.programs.signing import TOKEN, Once, sign
from core.programs.state import Cluster, keep, release
from flux.resource import resource_status

# Seconds after an agent's last request after which its hosts are undrained.
LEASE = 60.0


class Question(NamedTuple):
    """The kind of an agent's request, with its numbers."""

    about: str
    cluster: str = ""
    hosts: int = 0
    size: int = 0
    ticket: str = ""
    state: str = ""


class Demand:
    """Answers the agents, in the thread with the handle of Flux."""

    def __init__(self, instance: Instance, decisions: Decisions) -> None:
        self.instance = instance
        self.decisions = decisions
        self.tickets: Dict[str, str] = {}
        self.leases = {cluster["name"]: time.monotonic() + LEASE for cluster in instance.settings}
        # Number of jobs that have moved to a cluster and are still pending, if jobs move.
        self.moved: Optional[Callable[[str], int]] = None

    def answer(self, question: Question) -> Answer:
        """The answer to a request."""
        cluster = next((one for one in self.instance.clusters() if one.name == question.cluster), None)
        if cluster is None:
            return Answer(404)
        self.leases[cluster.name] = time.monotonic() + LEASE
        return self.answer_demand(cluster, question) if question.about == "demand" else self.keep(cluster, question)

    def answer_demand(self, cluster: Cluster, question: Question) -> Answer:
        """The demand on a cluster. Its ticket allows one request that drains hosts, so that none can be repeated."""
        self.decisions.note(cluster.name, question.size, question.state)
        self.tickets[cluster.name] = secrets.token_hex(16)
        part = self.instance.read().part(cluster, min(question.size, cluster.hosts))
        if self.moved:
            part["moved"] = self.moved(cluster.name)
        return Answer(200, json.dumps({**part, "ticket": self.tickets[cluster.name]}), "application/json")

    def keep(self, cluster: Cluster, question: Question) -> Answer:
        """Drains hosts to be removed, and undrains the others. The lead broker's host always stays."""
        ticket = self.tickets.pop(cluster.name, "")
        if not ticket or not hmac.compare_digest(ticket.encode(), question.ticket.encode()):
            return Answer(409)
        if not (1 if cluster.first == 0 else 0) <= question.hosts <= question.size <= cluster.hosts:
            return Answer(400)
        self.instance.changed()
        handle = self.instance.handle
        keep(handle, resource_status(handle).get(), cluster, question.hosts, question.size)
        return Answer(200)

    def expire(self) -> None:
        """Undrains hosts that a former agent has drained."""
        late = [name for name, until in self.leases.items() if until < time.monotonic()]
        if late:
            release(self.instance.handle, [cluster for cluster in self.instance.clusters() if cluster.name in late])
            self.leases = {name: until for name, until in self.leases.items() if name not in late}


async def answer_agent(demand: Demand, key: bytes, once: Once, calls: Calls, request: Request) -> Answer:
    """Answers an agent, at a port that may be reachable from outside, and proves that it has the key as well."""
    nonce, _, proof = request.headers.get("authorization", "").partition(" ")
    parts = [text.encode() for text in (nonce, request.method, request.path)]
    if not hmac.compare_digest(proof.encode(), sign(key, b"request", *parts).encode()):
        return Answer(403)
    if not once.admits(nonce):
        # An agent repeats its request with the token.
        return Answer(401, headers={TOKEN: once.token})
    request.trust()
    url = urlsplit(request.path)
    known = {("GET", "demand"), ("POST", "keep")}
    about, _, cluster = url.path.strip("/").partition("/")
    if (request.method, about) not in known:
        return Answer(404)
    values = dict(parse_qsl(url.query))
    numbers = {name: values.get(name, "0") for name in ("hosts", "size")}
    if not all(text.isdecimal() and len(text) < 9 for text in numbers.values()):
        return Answer(400)
    hosts, size = int(numbers["hosts"]), int(numbers["size"])
    question = Question(about, cluster, hosts, size, values.get("ticket", ""), values.get("state", ""))
    answer: Answer = await calls.run(functools.partial(demand.answer, question), 0)
    return answer._replace(headers={"Proof": sign(key, b"answer", nonce.encode(), answer.text.encode())})
