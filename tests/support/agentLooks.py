"""Looks of the real agent at a Job that is kept here.

Each look has its time, what another client changes before it, and how the API server answers its next requests: a
status, or the kind of a connection that fails.
"""

import io
import json
import signal
import socket
import sys
import urllib.error
from email.message import Message
from urllib.response import addinfourl

import agent

settings = json.load(sys.stdin)
signal.signal(signal.SIGALRM, agent.too_slow)
agent.PATIENCE = 1


class Job(agent.Job):
    mark = {"minicluster/template-hash": "autoscale", **settings.get("annotations", {})}
    live = {
        "metadata": {"resourceVersion": "1", "annotations": mark},
        "spec": settings["job"],
        "status": settings["status"],
    }
    asked = []
    versions = []
    failing = []

    def send(self, request):
        failure = self.failing.pop(0) if self.failing and self.fails(request) else None
        if isinstance(failure, str):
            raise CONNECTIONS[failure]
        body = json.loads(request.data) if request.data else None
        self.asked.append(request.method)
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

    def fails(self, request):
        """A connection fails at any request, and a status is for a patch, unless it is a status of every request."""
        return isinstance(self.failing[0], str) or request.method == "PATCH" or settings.get("failsAll", False)


CONNECTIONS = {
    "away": urllib.error.URLError(ConnectionRefusedError(111, "Connection refused")),
    "slow": TimeoutError("it is too slow"),
    "unnamed": urllib.error.URLError(socket.gaierror(-3, "Temporary failure in name resolution")),
    "noRoute": urllib.error.URLError(OSError(113, "No route to host")),
    "closed": ConnectionResetError(104, "Connection reset by peer"),
}
# The messages of Kubernetes, and the headers of a server that is busy (API priority and fairness).
MESSAGES = {
    409: "Operation cannot be fulfilled on jobs.batch: the object has been modified",
    422: 'Job.batch "demo" is invalid: spec.completions: field is immutable',
    429: "too many requests, please try again later",
    403: 'jobs.batch "demo" is forbidden: ValidatingAdmissionPolicy denied request: no annotation',
}


def refused(status):
    headers = Message()
    if status == 429:
        headers["Retry-After"] = "30"
    text = {"kind": "Status", "message": MESSAGES.get(status, "internal error"), "code": status}
    return urllib.error.HTTPError("", status, "Reason", headers, io.BytesIO(json.dumps(text).encode()))


job = Job({**settings, "namespace": "default", "name": "demo"}, "http://server", lambda: "", None)
lead = agent.Lead(settings["url"], lambda: settings["key"].encode())
decider = agent.Decider(settings)
sizes, read = [], []
for now, change, failing in settings["looks"]:
    agent.time.time = lambda now=now: settings.get("began", 0) + now
    agent.time.monotonic = lambda now=now: now
    job.mark["minicluster/template-hash"] = change.pop("mark", job.mark["minicluster/template-hash"])
    job.live["spec"].update(change)
    job.failing = failing
    read.append(agent.attempt(job, lead, decider, now))
    sizes.append(job.live["spec"]["parallelism"])
became = {"job": job.live["spec"], "asked": job.asked, "sizes": sizes, "versions": job.versions, "read": read}
became["spent"] = json.loads(job.mark.get("minicluster/spent", "null"))
print(json.dumps(became))
