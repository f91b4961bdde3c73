"""Uses the published client of flux-restful-api, unchanged, and prints what it has seen: URL USER TOKEN KEY [stop]."""

import json
import sys
import time
from typing import Any, Dict

import httpx
from flux_restful_client.main import get_client

url, user, token, key = sys.argv[1:5]
client = get_client(host=url, user=user, token=token, secret_key=key)
if sys.argv[5:] == ["stop"]:
    print(json.dumps(client.stop_service()))
    sys.exit()
seen: Dict[str, Any] = {}

# The client may be seconds late where the machine is loaded, and must still read a line before the last is written.
counting = "sh -c 'for i in 1 2 3; do echo $WORD $i; sleep 3; done'"
submitted = client.submit(counting, envars={"WORD": "step"}, num_tasks=1)
seen["submitted"] = submitted["Message"]
# The client's own stream_output needs an httpx that is no longer there.
address = f"{url}/v1/jobs/{submitted['id']}/output/stream"
with httpx.stream("GET", address, headers=client.headers, timeout=60) as stream:
    lines = [(time.monotonic(), line) for line in stream.iter_lines() if line.startswith("step")]
seen["streamed"] = [line for _, line in lines]
# The job shell of Flux collects output for half a second.
seen["isLive"] = lines[-1][0] - lines[0][0] > 1
seen["output"] = [line for line in client.output(submitted["id"])["Output"] if line.startswith("step")]


def state_of(job: int, wanted: str) -> Dict[str, Any]:
    """A job in a state."""
    for _ in range(600):
        found: Dict[str, Any] = client.jobs(job)
        if found["state"] == wanted:
            return found
        time.sleep(0.1)
    raise SystemExit(f"job {job} is not in state {wanted}: {found}")


job = state_of(submitted["id"], "INACTIVE")
seen["job"] = {name: job[name] for name in ("name", "owner", "state", "result", "returncode", "nnodes")}
wide = client.submit(["sleep", 60], num_nodes=2, option_flags={"verbose": 1})
running = state_of(wide["id"], "RUN")
time.sleep(1)
seen["wide"] = [running["nnodes"], client.jobs(wide["id"])["state"]]
seen["cancelled"] = client.cancel(wide["id"])["Message"]
seen["result"] = state_of(wide["id"], "INACTIVE")["result"]
seen["listed"] = sorted(int(one) for one in client.jobs(detail=True)) == sorted([submitted["id"], wide["id"]])
seen["found"] = [one["id"] == wide["id"] for one in client.search("sleep canceled")["data"]]
seen["ids"] = len(client.jobs()["jobs"])
seen["nodes"] = client.list_nodes()["nodes"]
huge = state_of(client.submit("true", num_nodes=1000)["id"], "INACTIVE")
seen["huge"] = [huge["result"], huge["exception"]["type"], "unsatisfiable" in huge["exception"]["note"]]
seen["none"] = client.search("nothing of the kind")["data"]
print(json.dumps(seen))
