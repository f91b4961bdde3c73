"""The key value store: what is written to it, with each commit."""

from typing import Any, Dict, List, Tuple

from flux import Flux

staged: Dict[str, Any] = {}
commits: List[Tuple[int, Dict[str, Any]]] = []


def put(handle: Flux, key: str, value: Any) -> None:
    staged[key] = value


def commit(handle: Flux, flags: int = 0) -> None:
    commits.append((flags, dict(staged)))
    staged.clear()
