"""The instance in a pod of the sandbox, by the stand-in of flux(1) that runs there."""

import json
import subprocess
from typing import Any, Dict


def state() -> Dict[str, Any]:
    """The instance as the lead broker has it."""
    asked = subprocess.run(["flux", "state"], stdout=subprocess.PIPE, check=False)
    if asked.returncode != 0:
        raise FileNotFoundError("there is no broker")
    found: Dict[str, Any] = json.loads(asked.stdout)
    return found


def broker_state() -> str:
    """The state of the broker of this pod."""
    asked = subprocess.run(["flux", "getattr", "state"], stdout=subprocess.PIPE, check=True)
    return asked.stdout.decode().strip()


def keep(changed: Dict[str, Any]) -> None:
    """Drains the hosts that another state has drained, and lets the others take jobs again."""
    had = {one["rank"] for one in state()["drained"]}
    wanted = {one["rank"]: one["reason"] for one in changed["drained"]}
    for rank in had - set(wanted):
        subprocess.run(["flux", "resource", "undrain", str(rank)], check=True)
    for rank in set(wanted) - had:
        subprocess.run(["flux", "resource", "drain", str(rank), wanted[rank]], check=True)
