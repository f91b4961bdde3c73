"""Decisions of an instance's agents, in a file that the program of the console reads.

An agent sends its state as in the annotation of its Job (`autoscale/programs/reporting.py`): the message is the text of
the decision, which also has the state.
"""

import json
import os
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any, Deque, Dict, Optional

from core.programs.contract import PEERS, PROBLEMS, REASONS

# Number of decisions that are kept.
MOST = 200
# Maximum number of characters of a decision.
LONGEST = 500


def decisions_file(uri: str) -> Path:
    """The file, beside the socket of the lead broker."""
    return Path(f"{uri.partition('://')[2]}.decisions")


def printable(text: str) -> str:
    """The beginning of a text, on one line."""
    return "".join(letter for letter in text[:LONGEST] if letter.isprintable())


def state_in(text: str) -> Dict[str, Any]:
    """The state in the JSON of an agent, or an empty one. The agent of another version may have other codes."""
    try:
        found = json.loads(text)
        state = {
            "size": int(found["size"]),
            "reason": known(found["reason"], REASONS),
            "message": printable(found["message"]),
            "since": printable(found["since"]),
        }
        if "problem" in found:
            problem = found["problem"]
            state["problem"] = {"peer": known(problem["peer"], PEERS), "code": known(problem["code"], PROBLEMS)}
    except (LookupError, TypeError, ValueError, RecursionError):
        return {}
    return state


def known(code: Any, codes: Any) -> str:
    """A code, if the contract has it."""
    if not isinstance(code, str) or not hasattr(codes, code):
        raise ValueError(f"unknown code {code!r}")
    return code


class Decisions:
    """Keeps the decisions of agents, and the sizes of their clusters."""

    def __init__(self, path: Optional[Path]) -> None:
        self.path = path
        self.sizes: Dict[str, int] = {}
        self.last: Dict[str, str] = {}
        self.said: Deque[Dict[str, Any]] = deque(maxlen=MOST)

    def note(self, cluster: str, size: int, given: str) -> None:
        """Records a size, and the decision of a state, unless its text repeats the last one."""
        state = state_in(given)
        text = state.get("message", "")
        is_new = bool(text) and text != self.last.get(cluster)
        if not is_new and self.sizes.get(cluster) == size:
            return
        self.sizes[cluster] = size
        if is_new:
            self.last[cluster] = text
            self.add(cluster, text, state)
        self.write()

    def add(self, cluster: str, text: str, state: Optional[Dict[str, Any]] = None) -> None:
        """Adds a decision on a cluster, with the state of its agent if it is an agent's."""
        decision = {"at": time.time(), "cluster": cluster, "text": printable(text)}
        self.said.append({**decision, "state": state} if state else decision)

    def write(self) -> None:
        """Replaces the file. Without room on the disk, the console has no decisions."""
        if self.path is None:
            return
        with suppress(OSError):
            other = self.path.with_name(f"{self.path.name}.new")
            other.write_text(json.dumps({"sizes": self.sizes, "said": list(self.said)}))
            os.replace(other, self.path)
