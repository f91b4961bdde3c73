"""The jobs that are submitted again."""

import os
from types import SimpleNamespace

import pytest
from core.programs.journal import Event
from requeue.programs import requeue

DEFAULT = requeue.Policy(2, 10, 5.0)


class Bench:
    """A keeper of jobs, and the jobs that it submits."""

    def __init__(self, monkeypatch):
        self.submitted, self.lines = [], []
        self.now = 100.0
        jobspec = {"jobspec": {"attributes": {"system": {}}}}
        status = SimpleNamespace(online=[0, 1], drain_info=[])
        clock = SimpleNamespace(time=lambda: self.now, monotonic=lambda: self.now)
        monkeypatch.setattr(requeue, "time", clock)
        monkeypatch.setattr(requeue, "resource_status", lambda _: SimpleNamespace(get=lambda: status))
        monkeypatch.setattr(requeue, "job_kvs_lookup", lambda *_, **__: jobspec)
        monkeypatch.setattr(requeue, "submit_async", self.submit)
        monkeypatch.setattr(requeue, "say", self.lines.append)
        handle = SimpleNamespace(rpc=lambda *_: SimpleNamespace(get=lambda: None))
        self.keeper = requeue.Requeue(handle, DEFAULT)

    def submit(self, _handle, jobspec, urgency):
        self.submitted.append((jobspec, urgency))
        return SimpleNamespace(wait_for=lambda _: SimpleNamespace(get_id=lambda: 1000 + len(self.submitted)))

    def post(self, name, context=None, jobspec=None, resources=None):
        self.keeper.take(Event(1, name, self.now, context or {}, jobspec, resources))

    def end(self, fatal="exec", note="node failure on a host", attribute=True, restarts=0, owner=None):
        """A job that has run on rank 0, has lost it, and has ended by an exception. Returns the submitted jobs."""
        origin = {"user": {"requeue": {"restarts": restarts, "of": "f0", "after": "f0"}}} if restarts else {}
        jobspec = {"attributes": {"system": {"requeue": attribute}, **origin}}
        context = {"userid": os.getuid() if owner is None else owner, "urgency": 20}
        self.post("submit", context, jobspec)
        self.post("alloc", resources={"execution": {"R_lite": [{"rank": "0"}]}})
        if fatal:
            self.post("exception", {"type": fatal, "severity": 0, "note": note})
        self.post("finish", {"status": 9 if fatal else 0})
        self.post("clean")
        self.keeper.look(self.now)
        assert self.submitted == []
        self.now += 2 * requeue.DECIDED_AFTER
        self.keeper.look(self.now)
        return len(self.submitted)


@pytest.fixture
def bench(monkeypatch):
    return Bench(monkeypatch)


def test_a_job_that_has_lost_a_host_is_submitted_again(bench):
    assert bench.end() == 1
    jobspec, urgency = bench.submitted[0]
    assert '"restarts": 1' in jobspec
    assert urgency == 20
    assert bench.lines == ["job f1 is requeued as f1001, restart 1 of 2: a host was lost"]


@pytest.mark.parametrize("fatal", ["cancel", "timeout"])
def test_a_job_is_not_requeued_that_its_user_has_cancelled_or_that_has_timed_out(bench, fatal):
    assert bench.end(fatal) == 0


def test_a_job_that_has_failed_by_itself_is_not_requeued(bench):
    assert bench.end(note="task exited with 1") == 0


def test_a_job_that_has_succeeded_is_not_requeued(bench):
    assert bench.end(fatal="") == 0


def test_a_job_that_has_not_opted_in_is_not_requeued(bench):
    assert bench.end(attribute=None) == 0


def test_a_job_of_another_user_is_not_requeued(bench):
    assert bench.end(owner=4_000_000) == 0


@pytest.mark.parametrize(
    ("attribute", "restarts", "count"),
    [
        (True, 1, 1),
        (True, 2, 0),
        ({"restarts": 0}, 0, 0),
        ({"restarts": 1}, 0, 1),
        ({"restarts": 1}, 1, 0),
        ({"restarts": 5}, 4, 1),
        ({"restarts": -1}, 1, 1),
        ({"restarts": "5"}, 2, 0),
    ],
)
def test_a_job_is_requeued_as_often_as_its_policy_allows(bench, attribute, restarts, count):
    assert bench.end(attribute=attribute, restarts=restarts) == count


def test_a_policy_has_the_values_of_the_cluster_unless_the_job_sets_them():
    assert requeue.policy_of(None, DEFAULT) is None
    assert requeue.policy_of({}, DEFAULT) is None
    assert requeue.policy_of(True, DEFAULT) == DEFAULT
    assert requeue.policy_of({"signal": "TERM", "graceSeconds": 1}, DEFAULT) == (2, 15, 1.0)
    assert requeue.policy_of({"signal": "NONE", "graceSeconds": "1"}, DEFAULT) == DEFAULT
