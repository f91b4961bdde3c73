"""The plugin of Flux that chooses the queue of a job, as the intake writes it for Flux."""

import importlib.util
import json
import subprocess
import sys
from types import SimpleNamespace

import flux
import pytest
from bursting.programs.intake import Intake

LOAD = """
import importlib.util, json, sys
from types import SimpleNamespace
spec = importlib.util.spec_from_file_location("plugin", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
plugin = module.Frobnicator()
plugin.configure(None, {})
for words in json.loads(sys.argv[2]):
    system = dict(words[1])
    set_queue = lambda key, value: system.update({key.split(".")[1]: value})
    slot = {"type": "slot", "count": 1, "with": [{"type": "core"}]}
    resources = [{"type": "node", "count": words[0], "with": [slot]}]
    plugin.frob(SimpleNamespace(resources=resources, attributes={"system": system}, setattr=set_queue), 0, 16, 0)
    print(system.get("queue", ""))
"""


@pytest.fixture
def plugin(monkeypatch, tmp_path):
    """The file of the plugin for two queues, with one and three hosts."""
    monkeypatch.setenv("FLUX_URI", f"local://{tmp_path}/local")
    loaded = []
    config = {"ingest": {"validator": {}}}
    answers = {"config.get": lambda _: config, "config.load": loaded.append}
    handle = SimpleNamespace(rpc=lambda topic, payload=None: SimpleNamespace(get=lambda: answers[topic](payload)))
    queues = [SimpleNamespace(name=name, cluster=name) for name in ("home", "far")]
    clusters = [SimpleNamespace(name="home", ranks=range(1)), SimpleNamespace(name="far", ranks=range(1, 4))]
    reading = SimpleNamespace(clusters=clusters, capacity=dict.fromkeys(range(4), (2, 0)))
    Intake(handle).start(reading, queues)
    plugins = loaded[0]["ingest"]["frobnicator"]["plugins"]
    assert plugins[1:] == ["defaults", "constraints"]
    assert "validator" in loaded[0]["ingest"]
    return plugins[0]


def test_sets_the_first_queue_with_enough_hosts_for_a_job(plugin, tmp_path):
    # Other packages of these names are on the path of Flux.
    other = tmp_path / "other" / "core"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("raise ImportError('of another package')")
    jobs = [(1, {}), (3, {}), (4, {}), (3, {"queue": "home"}), (3, {"constraints": {"properties": ["big"]}})]
    bindings = importlib.util.find_spec("flux").submodule_search_locations[0]
    words = [sys.executable, "-B", "-c", LOAD, plugin, json.dumps(jobs)]
    path = f"{other.parent}:{bindings}/.."
    run = subprocess.run(words, env={"PYTHONPATH": path}, stdout=subprocess.PIPE, universal_newlines=True, check=True)
    assert run.stdout.split("\n") == ["", "far", "", "home", "", ""]
    assert flux.__file__.startswith(bindings)
