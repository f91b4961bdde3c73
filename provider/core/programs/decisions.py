"""Decisions of an instance's agents, in a file that the program of the console reads."""

import json
import os
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any, Deque, Dict, Optional

# Decisions that are kept.
MOST = 200
# Characters of a decision.
LONGEST = 500


def decisions_file(uri: str) -> Path:
    """The file, beside the socket of the lead broker."""
    return Path(f"{uri.partition('://')[2]}.decisions")


def printable(text: str) -> str:
    """The beginning of a text, on one line."""
    return "".join(letter for letter in text[:LONGEST] if letter.isprintable())


class Decisions:
    """Keeps the decisions of agents, and the sizes of their clusters."""

    def __init__(self, path: Optional[Path]) -> None:
        self.path = path
        self.sizes: Dict[str, int] = {}
        self.last: Dict[str, str] = {}
        self.said: Deque[Dict[str, Any]] = deque(maxlen=MOST)

    def note(self, cluster: str, size: int, text: str) -> None:
        """Records a size, and a decision unless it repeats the last one."""
        text = printable(text)
        is_new = bool(text) and text != self.last.get(cluster)
        if not is_new and self.sizes.get(cluster) == size:
            return
        self.sizes[cluster] = size
        if is_new:
            self.last[cluster] = text
            self.add(cluster, text)
        self.write()

    def add(self, cluster: str, text: str) -> None:
        """Adds a decision on a cluster."""
        self.said.append({"at": time.time(), "cluster": cluster, "text": printable(text)})

    def write(self) -> None:
        """Replaces the file. Without room on the disk, the console has no decisions."""
        if self.path is None:
            return
        with suppress(OSError):
            other = self.path.with_name(f"{self.path.name}.new")
            other.write_text(json.dumps({"sizes": self.sizes, "said": list(self.said)}))
            os.replace(other, self.path)
