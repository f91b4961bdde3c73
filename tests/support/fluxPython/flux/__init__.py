"""Stand-in of Flux's Python bindings: an instance as FLUX_STAND_IN says, a file of JSON that is read at each question.

It has the names that the programs of the lead broker's pod use, and no others.
"""

import json
import os


def state():
    """The instance: hosts, what they have and do, and its jobs."""
    with open(os.environ["FLUX_STAND_IN"], encoding="utf-8") as file:
        return json.load(file)


def of_rank(name, rank):
    """What each host has, all the same, or by their ranks."""
    given = state()[name]
    return given[rank] if isinstance(given, list) else given


class Answer:
    """A future that is there."""

    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value


class Flux:
    """A handle. Without the file there is no broker."""

    def __init__(self):
        state()

    def attr_get(self, name):
        return {"version": "0.88.0", "broker.starttime": "1700000000.25"}[name]

    def rpc(self, topic, payload=None):
        return Answer({"config.get": state()["config"], "job-list.job-stats": state()["stats"]}[topic])
