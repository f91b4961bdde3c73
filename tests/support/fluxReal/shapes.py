"""Tries shapes of jobs at a real scheduler: is the size that the demand program finds the least on which the jobs run?

A host is away while it is drained as by its own pod. Jobs run by the test executor of Flux, which starts no program.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, List

programs, table = sys.argv[1:]
sys.path.insert(0, programs)

import flux  # noqa: E402
import flux.job  # noqa: E402
from core.programs import state  # noqa: E402
from flux.resource import resource_status  # noqa: E402

HOSTS = json.loads(Path(table).read_text())["hosts"]
handle = flux.Flux()


def set_size(size: int) -> None:
    """Has so many hosts take jobs."""
    drained = set(state.held_back(resource_status(handle).get()))
    away = set(range(size, HOSTS))
    for verb, ranks in (("drain", away - drained), ("undrain", drained - away)):
        if ranks:
            targets = ",".join(str(rank) for rank in sorted(ranks))
            reason = {"reason": state.POD_LEAVES} if verb == "drain" else {}
            handle.rpc(f"resource.{verb}", {"targets": targets, "mode": "update", **reason}).get()


def submit(words: str) -> str:
    """Submits a job, and gives its id."""
    command = ["flux", "submit", "--setattr=exec.test.run_duration=1000s", *words.split(), "true"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout.strip()


def state_of(job: str) -> str:
    """Where a job is in its life."""
    found = flux.job.get_job(handle, flux.job.JobID(job))
    return str(found["state"]) if found else ""


def until(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return condition()


def clean() -> None:
    """Ends all jobs."""
    subprocess.run(["flux", "cancel", "--all", "--quiet"], check=False)
    active = ["flux", "jobs", "--no-header", "--format={id}"]
    until(lambda: not subprocess.run(active, stdout=subprocess.PIPE, check=True).stdout.strip(), 60)


def attempt(shape: Dict[str, Any]) -> Dict[str, Any]:
    """What becomes of a shape."""
    most = shape.get("max", HOSTS)
    set_size(HOSTS)
    before = [submit(words) for words in shape.get("running", {}).get("jobs", [])]
    assert until(lambda: all(state_of(job) == "RUN" for job in before), 30)
    set_size(0)
    jobs: List[str] = []
    for words in shape["pending"]:
        jobs.append(submit(words.replace("<id>", jobs[0] if jobs else "")))
    free = [job for job, words in zip(jobs, shape["pending"]) if "--urgency=hold" not in words]
    until(lambda: all(state_of(job) in ("SCHED", "DEPEND", "INACTIVE") for job in jobs), 30)
    cluster = state.Cluster("demo", 0, HOSTS, most)
    part = state.Reading(handle, [cluster], state.Arrivals(), state.Jobspecs()).part(cluster, HOSTS)
    needed = part["needed"]
    found = {"needed": needed, "never": any(job["never"] for job in part["pending"])}

    def run() -> bool:
        return all(state_of(job) == "RUN" for job in (jobs if shape.get("waits") else free))

    if shape.get("waits"):
        set_size(most)
        found["ran"] = until(run, 1.5)
        if shape["waits"] == "others":
            handle_ended = ["flux", "cancel", "--quiet", *before]
            subprocess.run(handle_ended, check=True)
            found["ran"] = not found["ran"] and until(run, 30)
        return found
    set_size(needed - 1)
    found["least"] = not until(run, 1.5)
    set_size(needed)
    found["ran"] = until(run, 30)
    return found


results = []
for one in json.loads(Path(table).read_text())["shapes"]:
    try:
        results.append(attempt(one))
    except Exception as error:
        results.append({"error": f"{type(error).__name__}: {error}"})
    clean()
print(json.dumps(results))
