"""The Flux instance of the lead broker's pod, as one handle reads it."""

import time
from pathlib import Path
from typing import Any, Dict, List, Optional

import flux
from core.programs.state import Arrivals, Cluster, Jobspecs, Reading

# Seconds for which one reading of Flux answers all requests.
FRESH = 1.0


class Instance:
    """The clusters of the instance and its state, in the thread with the handle."""

    def __init__(self, handle: flux.Flux, clusters: List[Dict[str, Any]], size_file: str) -> None:
        self.handle = handle
        self.settings = clusters
        self.size_file = size_file
        self.arrivals = Arrivals()
        self.jobspecs = Jobspecs()
        self.reading: Optional[Reading] = None
        self.read_at = -FRESH

    @property
    def has_fixed_size(self) -> bool:
        """Whether the user sets the size of the lead broker's cluster."""
        return self.settings[0]["max"] is None

    def clusters(self) -> List[Cluster]:
        """The clusters of the instance. The lead broker's cluster has its present size, unless it has an agent."""
        found: List[Cluster] = []
        first = 0
        for one in self.settings:
            most = one["max"]
            if most is None:
                most = int(Path(self.size_file).read_text())
            found.append(Cluster(one["name"], first, one["hosts"], most))
            first += one["hosts"]
        return found

    def read(self) -> Reading:
        """The state of the instance, read once a second at most."""
        if self.reading is None or time.monotonic() - self.read_at >= FRESH:
            self.reading = Reading(self.handle, self.clusters(), self.arrivals, self.jobspecs)
            self.read_at = time.monotonic()
        return self.reading

    def changed(self) -> None:
        """Forgets the reading after a change of the instance."""
        self.reading = None
