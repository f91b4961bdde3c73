"""Adds a plugin to the frobnicator of a running Flux, and removes it: the configuration file stays unchanged."""

import json
import os
from pathlib import Path
from typing import Any, Dict, List

import flux
from core.programs import planning
from core.programs.files import data_of
from core.programs.state import Reading, say

# The plugin, and the queues that it reads.
PLUGIN, SETTINGS = "frobnicator.py", "queues.json"
# Plugins that Flux has without a configuration (flux-config-ingest(5)).
DEFAULT_PLUGINS = ["defaults", "constraints"]


def plugins_of(config: Dict[str, Any]) -> List[str]:
    """The plugins of a configuration."""
    found: List[str] = config.get("ingest", {}).get("frobnicator", {}).get("plugins", DEFAULT_PLUGINS)
    return found


class Intake:
    """Submits jobs that the default queue can never run to another queue, by a plugin of Flux (frobnicator.py)."""

    def __init__(self, handle: flux.Flux) -> None:
        self.handle = handle
        # Files that exist as long as the broker runs: without one of them Flux would accept no job.
        self.directory = Path(f"{os.environ['FLUX_URI'].partition('://')[2]}.intake")
        self.plugin = str(self.directory / PLUGIN)
        self.known = ""
        self.is_refused = False

    def start(self, reading: Reading, queues: List[Any]) -> None:
        """Adds the plugin to the broker's configuration if it is missing."""
        if self.is_refused:
            return
        ranks = {cluster.name: cluster.ranks for cluster in reading.clusters}
        amounts = {
            name: [reading.capacity[rank] for rank in own if rank in reading.capacity] for name, own in ranks.items()
        }
        text = json.dumps([{"name": queue.name, "hosts": amounts[queue.cluster]} for queue in queues])
        config = self.handle.rpc("config.get").get()
        plugins = plugins_of(config)
        if text == self.known and self.plugin in plugins:
            return
        self.directory.mkdir(exist_ok=True)
        self.write_modules()
        (self.directory / SETTINGS).write_text(text)
        self.known = text
        try:
            # Flux starts its plugins again, which then read the queues.
            self.load(config, [self.plugin, *(one for one in plugins if one != self.plugin)])
        except OSError as error:
            # An earlier version of Flux cannot change its plugins. Jobs still move once they are in the queue.
            self.is_refused = True
            say(f"jobs stay in the queue of their submission: {error}")

    def write_modules(self) -> None:
        """Writes the plugin and its module, in regular packages, which no other package on the path of Flux hides."""
        self.write(PLUGIN, data_of(__name__, PLUGIN))
        self.write("core/__init__.py", "")
        self.write("core/programs/__init__.py", "")
        self.write("core/programs/planning.py", data_of(planning.__name__, "planning.py"))

    def write(self, name: str, text: str) -> None:
        """Writes a file of the plugin."""
        file = self.directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def stop(self) -> None:
        """Removes the plugin."""
        if self.is_refused:
            return
        config = self.handle.rpc("config.get").get()
        plugins = plugins_of(config)
        self.load(config, [one for one in plugins if one != self.plugin])

    def load(self, config: Dict[str, Any], plugins: List[str]) -> None:
        """Changes the plugins in the configuration of the lead broker."""
        ingest = config.get("ingest", {})
        changed = {**ingest, "frobnicator": {**ingest.get("frobnicator", {}), "plugins": plugins}}
        self.handle.rpc("config.load", {**config, "ingest": changed}).get()
