"""Submits the jobs of a random queue while no job is scheduled, so that all of them wait when scheduling begins.

The argument is a list of jobs in JSON. The output is the list of their ids, in JSON.
"""

import json
import os
import sys

import flux
from flux.job import JobID, JobspecV1, submit_async, submit_get_id

handle = flux.Flux()
futures = []
for job in json.loads(sys.argv[1]):
    jobspec = JobspecV1.from_command(
        ["sleep", str(job["sleeps"])],
        num_tasks=job["tasks"],
        cores_per_task=job["cores"],
        num_nodes=job.get("nodes"),
        exclusive=job.get("exclusive", False),
        name=job["name"],
    )
    jobspec.duration = job["limit"]
    jobspec.cwd = "/"
    jobspec.environment = dict(os.environ)
    futures.append(submit_async(handle, jobspec, urgency=job["urgency"]))
print(json.dumps([JobID(submit_get_id(future)).f58 for future in futures]))
