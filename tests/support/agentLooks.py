"""Looks of the real agent at a Job that is kept here.

Each look has its time, what another client changes before it, and the status with which the API server answers its
next patches.
"""

import json
import signal
import sys
import urllib.error

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

    def ask(self, method, body=None):
        if self.failing and self.failing[0] == "away":
            self.failing.pop(0)
            raise OSError("connection refused")
        self.asked.append(method)
        if method == "PATCH" and "spec" not in body:
            self.mark.update(body["metadata"]["annotations"])
        elif method == "PATCH":
            self.versions.append(body["metadata"]["resourceVersion"])
            status = self.failing.pop(0) if self.failing else 200
            if status == 409:
                self.live["metadata"]["resourceVersion"] += "1"
            if status != 200:
                raise urllib.error.HTTPError("", status, "Conflict", None, None)
            self.live["spec"].update(body["spec"])
        return json.loads(json.dumps(self.live))


job = Job({**settings, "namespace": "default", "name": "demo"}, "", None, None)
lead = agent.Lead(settings["url"], lambda: settings["key"].encode())
decider = agent.Decider(settings)
sizes, read = [], []
for now, change, failing in settings["looks"]:
    agent.time.time = lambda now=now: settings.get("began", 0) + now
    job.mark["minicluster/template-hash"] = change.pop("mark", job.mark["minicluster/template-hash"])
    job.live["spec"].update(change)
    job.failing = failing
    read.append(agent.attempt(job, lead, decider, now))
    sizes.append(job.live["spec"]["parallelism"])
became = {"job": job.live["spec"], "asked": job.asked, "sizes": sizes, "versions": job.versions, "read": read}
became["spent"] = json.loads(job.mark.get("minicluster/spent", "null"))
print(json.dumps(became))
