"""Fixtures of the tests of the pods' programs, which run with pytest and a stand-in of Flux's bindings."""

import pytest


@pytest.fixture
def bench(monkeypatch, capsys):
    """The agent, and a stand-in of the lead broker's pod."""
    from agentBench import Bench, StandInLead

    lead = StandInLead()
    yield Bench(lead, monkeypatch, capsys)
    lead.stop()
