"""The real agent beside a stand-in of the lead broker's pod, and a Job that is kept here.

Each look of the agent has its time, the fields of the Job that another client changes before it, and how the API server
answers its next requests: a status, or the kind of a connection that fails.
"""

import io
import json
import math
import signal
import socket
import threading
import urllib.error
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import unquote_plus
from urllib.response import addinfourl

from autoscale.programs import agent
from core.programs.signing import sign

KEY = b"the key"
STATE = "minicluster/autoscale-state"
BOUNDS = {
    "min": 1,
    "max": 8,
    "idleSeconds": 0,
    "cooldownSeconds": 0,
    "maxStep": 100_000,
    "suspendsAtZero": False,
    "intervalSeconds": 1,
}
THREE = {"parallelism": 3, "completions": 3}


def demand_text(allocated=0, pending=(), **demand):
    """The document of a demand, as the lead broker's program writes it. Absent values are 0."""
    jobs = [{"never": False, **job} for job in pending]
    asked = sum(job["hosts"] for job in jobs if not job["never"])
    empty = {"running": 0, "drained": 0, "unusable": 0, "reason": "", "ticket": "1", "closedFrom": 0, "leaving": 0}
    needed = math.ceil(allocated + asked)
    return json.dumps({**empty, "allocated": allocated, "pending": jobs, "needed": needed, **demand})


def look_text(busy=0, pending=(), **demand):
    """The demand of a queue with a job on some hosts, and with pending jobs that request numbers of hosts."""
    jobs = [{"id": f"f{index}", "hosts": hosts} for index, hosts in enumerate(pending)]
    return demand_text(allocated=busy, pending=jobs, running=1 if busy else 0, **demand)


class Handler(BaseHTTPRequestHandler):
    """Answers requests that are signed with the key, each once."""

    def do_GET(self):
        lead = self.server.lead
        nonce, _, proof = self.headers.get("Authorization", "").partition(" ")
        if proof != sign(KEY, b"request", nonce.encode(), self.command.encode(), self.path.encode()):
            self.reply(403)
        elif not nonce.startswith("stand-in.") or nonce in lead.nonces:
            self.reply(401, {"Token": "stand-in"})
        else:
            lead.nonces.add(nonce)
            lead.asked.append(unquote_plus(self.path if self.command == "GET" else f"POST {self.path}"))
            if lead.respond:
                lead.respond(self)
            else:
                text = "" if self.command == "POST" else lead.texts.pop(0) if len(lead.texts) > 1 else lead.texts[0]
                self.reply(200, {"Proof": sign(KEY, b"answer", nonce.encode(), text.encode())}, text.encode())

    do_POST = do_GET

    def reply(self, status, headers=None, body=b""):
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """The agent closes connections that are too slow."""


class StandInLead:
    """A stand-in of the lead broker's pod, with the demands that a test sets. The last one stays."""

    def __init__(self):
        self.texts = [demand_text()]
        self.respond = None
        self.asked = []
        self.nonces = set()
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.lead = self
        self.url = f"http://127.0.0.1:{self.server.server_port}/demand/demo"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


# Errors of connections to the API server, and the messages of Kubernetes.
CONNECTIONS = {
    "away": urllib.error.URLError(ConnectionRefusedError(111, "Connection refused")),
    "slow": TimeoutError("it is too slow"),
    "unnamed": urllib.error.URLError(socket.gaierror(-3, "Temporary failure in name resolution")),
    "noRoute": urllib.error.URLError(OSError(113, "No route to host")),
    "closed": ConnectionResetError(104, "Connection reset by peer"),
}
MESSAGES = {
    409: "Operation cannot be fulfilled on jobs.batch: the object has been modified",
    422: 'Job.batch "demo" is invalid: spec.completions: field is immutable',
    429: "too many requests, please try again later",
    403: 'jobs.batch "demo" is forbidden: ValidatingAdmissionPolicy denied request: no annotation',
}


def refused(status):
    """The error of a request that the API server rejects, in priority and fairness with the time of the next one."""
    headers = Message()
    if status == 429:
        headers["Retry-After"] = "30"
    text = {"kind": "Status", "message": MESSAGES.get(status, "internal error"), "code": status}
    return urllib.error.HTTPError("", status, "Reason", headers, io.BytesIO(json.dumps(text).encode()))


class Job(agent.Job):
    """The Job at the API server."""

    def __init__(self, settings, job, status, annotations):
        super().__init__({**settings, "namespace": "default", "name": "demo"}, "http://server", lambda: "", None)
        self.mark = {"minicluster/template-hash": "autoscale", **annotations}
        metadata = {"resourceVersion": "1", "annotations": self.mark}
        self.live = {"metadata": metadata, "spec": dict(job), "status": status}
        self.asked, self.versions, self.failing = [], [], []

    def send(self, request):
        failure = None
        if self.failing and (isinstance(self.failing[0], str) or request.method == "PATCH"):
            failure = self.failing.pop(0)
        if isinstance(failure, str):
            raise CONNECTIONS[failure]
        body = json.loads(request.data) if request.data else None
        is_state = body is not None and "spec" not in body and STATE in body["metadata"].get("annotations", {})
        self.asked.append("STATE" if is_state else request.method)
        if failure == 409:
            self.live["metadata"]["resourceVersion"] += "1"
        if body is not None and "spec" in body:
            self.versions.append(body["metadata"]["resourceVersion"])
        if failure is not None:
            raise refused(failure)
        if body is not None:
            self.mark.update(body["metadata"].get("annotations", {}))
            self.live["spec"].update(body.get("spec", {}))
        return addinfourl(io.BytesIO(json.dumps(self.live).encode()), Message(), request.full_url, 200)


class Bench:
    """Runs looks of the agent, and returns what has become of the Job."""

    def __init__(self, lead, monkeypatch, capsys):
        self.lead = lead
        self.monkeypatch = monkeypatch
        self.capsys = capsys
        monkeypatch.setattr(agent, "TIMEOUT", 1)
        signal.signal(signal.SIGALRM, agent.too_slow)

    def run(self, looks=1, job=THREE, status=None, annotations=None, key=KEY, began=0.0, **own):
        """The log, the state in the annotation, the sizes after the looks, and the requests to the API server."""
        settings = {**BOUNDS, **own}
        live = Job(settings, job, status or {}, annotations or {})
        lead, decider = agent.Lead(self.lead.url, lambda: key), agent.Decider(settings)
        self.monkeypatch.setattr(agent.Log, "last", {})
        sizes, read = [], []
        for now, change, *failing in [(at, {}) for at in range(looks)] if isinstance(looks, int) else looks:
            clock = SimpleNamespace(time=lambda now=now: began + now, monotonic=lambda now=now: now)
            self.monkeypatch.setattr(agent, "time", clock)
            change = dict(change)
            live.mark["minicluster/template-hash"] = change.pop("mark", live.mark["minicluster/template-hash"])
            live.live["spec"].update(change)
            live.failing = list(failing)
            read.append(agent.attempt(live, lead, decider, now))
            sizes.append(live.live["spec"]["parallelism"])
        return SimpleNamespace(
            said=self.capsys.readouterr().out.splitlines(),
            state=json.loads(live.mark.get(STATE, "null")),
            job=live.live["spec"],
            asked=live.asked,
            versions=live.versions,
            sizes=sizes,
            read=read,
            spent=json.loads(live.mark.get("minicluster/spent", "null")),
        )
