"""The checkpoints of the state of an instance."""

import errno

import flux
import flux.kvs
import pytest
from storage.programs import checkpoint

# FLUX_KVS_SYNC of flux_kvs_commit(3): the commit is a checkpoint.
SYNC = 4


class Handle:
    """The journal with events that come at once or after a pause (PAUSE), until it ends."""

    def __init__(self, events):
        self.events = [*events, "PAUSE", None]

    def rpc(self, topic, payload, _node, flags):
        assert (topic, payload, flags) == ("job-manager.events-journal", {"full": False}, 2)
        return self

    def wait_for(self, timeout):
        if self.events[0] == "PAUSE":
            self.events.pop(0)
            if timeout > 0:
                raise TimeoutError
        return self

    def get(self):
        if self.events[0] is None:
            raise OSError(errno.ENODATA, "No data available")
        return {"id": 1, "events": [{"name": self.events[0], "timestamp": 1.0}]}

    def reset(self):
        self.events.pop(0)


@pytest.mark.parametrize(("events", "count"), [("abc", 1), (["a", "b", "PAUSE", "c"], 2)])
def test_one_checkpoint_for_the_events_that_come_together(monkeypatch, events, count):
    monkeypatch.setattr(flux, "Flux", lambda: Handle(events))
    monkeypatch.setattr(flux.kvs, "commits", [])
    with pytest.raises(OSError, match="the journal has ended"):
        checkpoint.follow()
    assert flux.kvs.commits == [(SYNC, {"minicluster.checkpoint": number + 1}) for number in range(count)]
