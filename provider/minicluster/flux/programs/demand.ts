import { signFunction } from "./agent";

/**
 * Python program of the lead broker's pod, by the Python and the bindings of Flux (`flux python`): it serves what the queue
 * needs in hosts, to whoever asks its port.
 */
export const demandProgram = String.raw`"""Serves what the queue of a Flux instance needs in hosts.

/demand/<cluster> is JSON for the agent that resizes that cluster, told only to whoever proves to have the key. /metrics, at a
port of its own, which is led nowhere, is text for Prometheus. It reads and changes nothing of Flux.
"""

import hmac
import json
import math
import os
import queue
import sys
import threading
from concurrent.futures import Future
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import ThreadingMixIn

import flux
from flux.idset import IDset
from flux.job import JobList, job_kvs_lookup
from flux.resource import resource_list, resource_status
from metrics import read_metrics


def count_gpus(resources, times=1):
    """GPUs of the resources of a jobspec (RFC 14 of Flux), whose counts multiply from level to level."""
    total = 0
    for part in resources:
        count = part.get("count", 1)
        count = times * (count if isinstance(count, int) else count.get("min", 1))
        total += count if part["type"] == "gpu" else count_gpus(part.get("with", []), count)
    return total


@lru_cache(maxsize=4096)
def jobspec_of(handle, job, _queue):
    """The jobspec of a job. It stays the same, unless somebody moves the job to another queue."""
    return job_kvs_lookup(handle, job, keys=["jobspec"])["jobspec"]


def need_of(job, gpus, there):
    """What a pending job needs of hosts like these: whole ones that it asks for, or a share that others may use, too."""
    if job.nnodes:
        return int(job.nnodes)
    hosts = there.nnodes
    need = int(job.ncores or job.ntasks or 1) * hosts / max(1, there.ncores)
    return max(need, gpus * hosts / there.ngpus if there.ngpus else 0)


def needs_of(handle, job, clusters, everything):
    """Hosts that a pending job needs of each cluster that it may run in, in the order of their ranks."""
    if len(clusters) == 1 and not everything.ngpus:
        return {clusters[0]["name"]: need_of(job, 0, everything)}
    jobspec = jobspec_of(handle, int(job.id), job.queue)
    # That of its queue is one of them (flux-config-queues(5)).
    constraint = jobspec["attributes"]["system"].get("constraints")
    fitting = everything.copy_constraint(constraint) if constraint else everything
    parts = {cluster["name"]: fitting.copy_ranks(cluster["ranks"]) for cluster in clusters}
    gpus = count_gpus(jobspec["resources"])
    return {name: need_of(job, gpus, part) for name, part in parts.items() if part.nnodes}


def share_out(clusters, jobs):
    """What each cluster is asked for: each job takes what room the first cluster has that fits it, and the rest of the next."""
    most = {cluster["name"]: cluster["max"] for cluster in clusters}
    room = {cluster["name"]: cluster["max"] - cluster["taken"] for cluster in clusters}
    asked = {name: [] for name in room}
    for job in jobs:
        needs = job["needs"]
        can_run = sum(most[name] / need for name, need in needs.items()) >= 1
        rest = 1.0
        for place, (name, need) in enumerate(needs.items(), 1):
            hosts = rest * need
            # The last one is asked for more than it has: the job waits, or never runs, and its agent says so.
            if can_run and place < len(needs):
                hosts = min(hosts, math.floor(room[name]) if job["whole"] else room[name])
            if hosts > 0:
                asked[name].append({"id": job["id"], "hosts": round(hosts, 3)})
                room[name] -= hosts if can_run else 0
                rest -= hosts / need if can_run else 0
    return asked


def read_demand(handle, clusters):
    """The demand of the queue: what runs, what waits for hosts, and the hosts that are there."""
    resources = resource_list(handle).get()
    wanted = ["state", "priority", "nnodes", "ncores", "ntasks", "ranks", "queue"]
    jobs = JobList(handle, attrs=wanted, filters=["pending", "running"], user="all", max_entries=1000).jobs()
    # What is held, or waits for another job, waits for no host.
    ready = [job for job in jobs if job.state == "SCHED" and job.priority > 0]
    running = [set(IDset(job.ranks)) for job in jobs if job.state in ("RUN", "CLEANUP")]
    used = set(resources.allocated.ranks)
    status = resource_status(handle).get()
    drained = set(status.drained) & set(status.online)
    for cluster in clusters:
        cluster["taken"] = len((used | drained) & set(cluster["ranks"]))
    needs = [
        {"id": str(job.id.f58), "queue": job.queue, "whole": bool(job.nnodes), "needs": needs_of(handle, job, clusters, resources.all)}
        for job in ready
    ]
    asked = share_out(clusters, needs)
    return {
        "hosts": resources.all.nnodes,
        "up": resources.up.nnodes,
        "drained": len(drained),
        "allocated": len(used),
        "running": len(running),
        "pending": [{"id": job["id"], "queue": job["queue"], "hosts": max(job["needs"].values(), default=0)} for job in needs],
        "held": sum(job.state in ("DEPEND", "PRIORITY", "SCHED") for job in jobs) - len(ready),
        "clusters": {
            cluster["name"]: part_of(set(cluster["ranks"]), used, drained, running, asked[cluster["name"]])
            for cluster in clusters
        },
    }


def part_of(ranks, used, drained, running, pending):
    """The demand on one cluster, by its own ranks, of which the first is 0."""
    return {
        "drained": len(drained & ranks),
        "allocated": len(used & ranks),
        "highestRank": max(used & ranks, default=min(ranks)) - min(ranks),
        "running": sum(bool(job & ranks) for job in running),
        "pending": pending,
    }


def read_clusters(settings, size_file):
    """The clusters of the instance, each with its ranks and the most hosts that it may have."""
    clusters, first = [], 0
    for cluster in settings["clusters"]:
        # That of the lead broker has its present size, where it follows no queue.
        most = cluster["max"]
        if most is None:
            with open(size_file, encoding="utf-8") as file:
                most = int(file.read())
        clusters.append({"name": cluster["name"], "max": most, "ranks": IDset(f"{first}-{first + cluster['hosts'] - 1}")})
        first += cluster["hosts"]
    return clusters


${signFunction}


class Server(ThreadingMixIn, HTTPServer):
    """Answers each in a thread of its own: one who says nothing keeps no other waiting."""

    daemon_threads = True


class Handler(BaseHTTPRequestHandler):
    """Answers whoever may ask. What it reads of Flux is read by the one thread that a handle of Flux belongs to."""

    timeout = 5
    asked = queue.Queue()

    def read(self, what):
        answer = Future()
        self.asked.put((what, answer))
        return answer.result(timeout=10)

    def answer(self, kind, body, **headers):
        self.send_response(200)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """A request is no news."""


class DemandHandler(Handler):
    """Answers agents, at a port that may be led outside."""

    key = None
    sizes = {}

    def do_GET(self):
        nonce, _, proof = self.headers.get("Authorization", "").partition(" ")
        is_known = hmac.compare_digest(proof.encode(), sign(self.key, b"ask", nonce.encode(), self.path.encode()).encode())
        if not is_known:
            self.send_error(403)
            return
        demand = self.read("demand")
        paths = {f"/demand/{name}": name for name in demand["clusters"]}
        if self.path not in paths:
            self.send_error(404)
            return
        name, size = paths[self.path], self.headers.get("Size", "")
        if size.isdecimal():
            self.sizes[name] = int(size)
        body = json.dumps(demand["clusters"][name]).encode()
        self.answer("application/json", body, Proof=sign(self.key, b"tell", nonce.encode(), body))


class MetricsHandler(Handler):
    """Answers Prometheus."""

    def do_GET(self):
        if self.path != "/metrics":
            self.send_error(404)
            return
        self.answer("text/plain; version=0.0.4; charset=utf-8", self.read("metrics").encode())


def read_files(directory):
    """The texts that this runs by. With another one, or with none, it ends: the pod's script runs it anew, or not."""
    texts = {}
    for name in ("demand.py", "metrics.py", "demand.json"):
        path = os.path.join(directory, name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                texts[name] = file.read()
    return texts


def read_for(handle, what, settings, size_file):
    """What somebody has asked for."""
    clusters = read_clusters(settings, size_file)
    demand = read_demand(handle, clusters)
    if what == "demand":
        return demand
    # Agents have told the sizes that they have set.
    home = {} if settings["clusters"][0]["max"] is not None else {clusters[0]["name"]: clusters[0]["max"]}
    return read_metrics(handle, demand["pending"], {**DemandHandler.sizes, **home})


def main(settings_file, certificate, size_file):
    """Reads for whoever asks, in the one thread that a handle of Flux belongs to."""
    directory = os.path.dirname(settings_file)
    files = read_files(directory)
    settings = json.loads(files["demand.json"])
    with open(certificate, "rb") as file:
        DemandHandler.key = hmac.new(file.read(), b"demand", "sha256").digest()
    handle = flux.Flux()
    for port, handler in ((settings["demandPort"], DemandHandler), (settings["metricsPort"], MetricsHandler)):
        if port is not None:
            threading.Thread(target=Server(("", port), handler).serve_forever, daemon=True).start()
    while read_files(directory) == files:
        try:
            what, answer = Handler.asked.get(timeout=5)
        except queue.Empty:
            continue
        try:
            answer.set_result(read_for(handle, what, settings, size_file))
        except OSError as error:
            answer.set_exception(error)
            raise


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError:
        # The broker is not there yet, or not any more.
        sys.exit(1)
`;
