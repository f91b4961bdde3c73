/** Python function by which the agent and the lead broker's pod each prove to the other that they have the key. */
export const signFunction = String.raw`def sign(key, *parts):
    """Proof of who has the key and says these parts."""
    return hmac.new(key, b"\n".join(parts), "sha256").hexdigest()`;

/**
 * Python program of the agent's pod, by the standard library alone: it sets the size of one Job to what the lead broker's pod
 * tells that the queue needs.
 */
export const agentProgram = String.raw`"""Keeps the size of a MiniCluster to what its queue needs.

Every few seconds it asks the lead broker's pod for the demand, and patches both counts of one Job. It may read and patch
that Job, and nothing else; whoever forged the demand could move the size between min and max.
"""

import hmac
import http.client
import json
import math
import os
import secrets
import signal
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import deque


def wanted_size(settings, demand):
    """The size that the demand needs between min and max, and the pending jobs that can never fit."""
    pending = demand["pending"]
    hopeless = [job["id"] for job in pending if job["hosts"] > settings["max"]]
    waiting = sum(job["hosts"] for job in pending if job["hosts"] <= settings["max"])
    hosts = math.ceil(round(demand["allocated"] + demand["drained"] + waiting, 3))
    # Kubernetes removes the highest ranks: none of them may have a job.
    busy = demand["highestRank"] + 1 if demand["allocated"] else 0
    return max(settings["min"], min(settings["max"], max(hosts, busy))), hopeless


class Decider:
    """Decides on the next size, from the demand over time. It knows no clock of its own."""

    def __init__(self, settings):
        self.settings = settings
        self.seen = deque()
        self.began = None
        self.changed = None

    def forget(self):
        """Begins anew where the demand is not known: nobody can tell how long the hosts have been idle."""
        self.seen.clear()
        self.began = None

    def decide(self, now, size, demand):
        """The size to set, or nothing, with what was seen as a sentence."""
        wanted, hopeless = wanted_size(self.settings, demand)
        idle = self.settings["idleSeconds"]
        if self.began is None:
            self.began = now
        self.seen.append((now, wanted))
        while self.seen[0][0] < now - idle:
            self.seen.popleft()
        needs = sum(job["hosts"] for job in demand["pending"])
        text = f"{demand['running']} running on {demand['allocated']} hosts, {len(demand['pending'])} pending for {needs:g}"
        if hopeless:
            text += f" ({', '.join(hopeless[:5])} can never have more than {self.settings['max']})"
        if self.changed is not None and now - self.changed < self.settings["cooldownSeconds"]:
            return None, text
        # A size that was needed a while ago may be needed again soon: hosts go when they were idle for long enough.
        if wanted < size:
            wanted = min(size, max(want for _, want in self.seen)) if now - self.began >= idle else size
            target = max(wanted, size - self.settings["maxStep"])
        else:
            target = min(wanted, size + self.settings["maxStep"])
        # What is outside of the bounds was set by somebody else, or by the bounds of before.
        target = max(self.settings["min"], min(self.settings["max"], target))
        if target == size:
            return None, text
        self.changed = now
        return target, text


class Job:
    """The Job, by the API server."""

    def __init__(self, settings, server, token, context):
        self.url = f"{server}/apis/batch/v1/namespaces/{settings['namespace']}/jobs/{settings['name']}"
        self.rests_at_zero = settings["restsAtZero"]
        self.token = token
        self.context = context
        # The API server has other work: what was seen holds for six looks at the queue.
        self.patience = 6 * settings["intervalSeconds"]
        self.seen = None
        self.seen_at = None

    def ask(self, method, body=None):
        """Reads or patches it."""
        url = self.url if body is None else f"{self.url}?fieldManager=minicluster-autoscale"
        headers = {"Authorization": f"Bearer {self.token()}", "Content-Type": "application/merge-patch+json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data=data, method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=10, context=self.context) as answer:
            return json.load(answer)

    def look(self, now):
        """The Job as it was a while ago at most."""
        if self.seen is None or now - self.seen_at >= self.patience:
            self.seen, self.seen_at = self.ask("GET"), now
        return self.seen

    def resize(self, old, size):
        """Sets both counts, unless somebody else was faster. Kubernetes takes a Job without pods for one that is done: it rests."""
        self.seen = None
        live = self.ask("GET")
        if self.size(live) != old or has_ended(live):
            raise ValueError("the Job has changed")
        count = max(1, size)
        spec = {"completions": count, "parallelism": count}
        if self.rests_at_zero:
            spec["suspend"] = size == 0
        self.ask("PATCH", {"metadata": {"resourceVersion": live["metadata"]["resourceVersion"]}, "spec": spec})

    def size(self, job):
        """Its size, or nothing where somebody else has suspended it."""
        if not job["spec"].get("suspend"):
            return job["spec"]["parallelism"]
        return 0 if self.rests_at_zero else None


def has_ended(job):
    """Whether the Job runs nothing any more."""
    conditions = job.get("status", {}).get("conditions", [])
    return any(one["type"] in ("Complete", "Failed") and one["status"] == "True" for one in conditions)


${signFunction}


def checked(demand):
    """The demand, if it is one: whoever has the key may still tell nonsense."""
    try:
        pending = [{"id": str(job["id"])[:32], "hosts": job["hosts"]} for job in demand["pending"]]
        numbers = [demand[key] for key in ("running", "allocated", "drained", "highestRank")]
    except (KeyError, TypeError) as error:
        raise ValueError(f"it lacks {error}") from error
    for number in numbers + [job["hosts"] for job in pending]:
        if type(number) not in (int, float) or not 0 <= number <= 1_000_000:
            raise ValueError("a number in it is none")
    if not all(job["id"].isprintable() for job in pending):
        raise ValueError("the name of a job in it is none")
    return {**demand, "pending": pending}


class Lead:
    """The lead broker's pod, here or in another cluster: each proves to the other that it has the key."""

    longest = 1_000_000
    patience = 10

    def __init__(self, url, key):
        self.url = urllib.parse.urlsplit(url)
        self.key = key

    def ask(self, size):
        """The demand that it tells. It is told the size, for its metrics."""
        key, nonce = self.key(), secrets.token_hex(16).encode()
        proof = sign(key, b"ask", nonce, self.url.path.encode())
        # Neither a proxy nor a redirection leads there.
        connection = http.client.HTTPConnection(self.url.hostname, self.url.port)
        # It may also be slow without an end, byte by byte.
        signal.alarm(self.patience)
        try:
            connection.request("GET", self.url.path, headers={"Authorization": f"{nonce.decode()} {proof}", "Size": str(size)})
            answer = connection.getresponse()
            body, proof = answer.read(self.longest), answer.headers.get("Proof", "")
        finally:
            signal.alarm(0)
            connection.close()
        if answer.status != 200:
            raise OSError(f"it answers with status {answer.status}")
        if not hmac.compare_digest(proof.encode(), sign(key, b"tell", nonce, body).encode()):
            raise ValueError("it does not prove to have the key")
        return checked(json.loads(body))


def too_slow(*_):
    """Ends what takes too long."""
    raise TimeoutError("it is too slow")


def say(text, last=[None]):
    """Writes one line, whatever an error brings along, unless it was the last one."""
    text = "".join(letter if letter.isprintable() else " " for letter in text[:500]).rstrip()
    if text != last[0]:
        print(text, flush=True)
    last[0] = text


def step(job, lead, decider, now):
    """Looks once, and resizes if that is due."""
    live = job.look(now)
    size = job.size(live)
    if has_ended(live) or size is None:
        say(f"size {live['spec']['parallelism']}: the Job has ended or is suspended")
        return
    try:
        demand = lead.ask(size)
    except (OSError, http.client.HTTPException) as error:
        decider.forget()
        say(f"size {size}: the lead broker's pod does not tell its demand: {error}")
        return
    except (ValueError, RecursionError) as error:
        decider.forget()
        say(f"size {size}: the lead broker's pod tells nonsense: {error}")
        return
    target, seen = decider.decide(now, size, demand)
    if target is None:
        say(f"size {size}: {seen}")
    else:
        say(f"size {size} => {target}: {seen}")
        job.resize(size, target)


def main(path, url, account="/var/run/secrets/kubernetes.io/serviceaccount"):
    """Runs until it is told to end."""
    directory = os.path.dirname(os.path.abspath(path))

    def read(file, mode="r"):
        # Kubernetes writes a new token before the last one expires, and the key anew with the certificate.
        with open(file, mode) as opened:
            return opened.read()

    settings = json.loads(read(path))
    server = settings.get("server", "https://kubernetes.default.svc")
    context = ssl.create_default_context(cafile=f"{account}/ca.crt")
    signal.signal(signal.SIGALRM, too_slow)
    job = Job(settings, server, lambda: read(f"{account}/token"), context)
    lead = Lead(url, lambda: read(f"{directory}/key", "rb"))
    decider = Decider(settings)
    while True:
        try:
            step(job, lead, decider, time.monotonic())
        except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
            # A busy API server, a Job that is made anew, a resize that somebody else has made first.
            say(f"nothing is decided: {error}")
        time.sleep(settings["intervalSeconds"])


if __name__ == "__main__":
    main(*sys.argv[1:])
`;
