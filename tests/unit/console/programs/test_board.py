"""The jobs of an instance in the console."""

from console.programs import board


def test_sends_what_has_changed_of_a_job_and_what_it_no_longer_has():
    known = board.Board()
    job = {"f58": "f1", "state": "SCHED", "queue": "", "dependencies": [], "urgency": 16, "annotations": {}}
    known.jobs[1] = {**job, "exception": board.NO_EXCEPTION}

    def after(**change):
        known.jobs[1].update(change)
        known.changed[1] = None
        return known.changes({})

    whole = {"f58": "f1", "urgency": 16, "runtime": 0}
    assert after() == [{**whole, "state": "SCHED", "waits": "It waits for free resources."}]
    assert after(state="RUN") == [{"f58": "f1", "state": "RUN", "waits": None}]
    assert after(urgency=0) == [{"f58": "f1", "urgency": 0}]
    assert after(state="INACTIVE") == [{"f58": "f1", "state": "INACTIVE"}]
    # A job that has ended is sent as a whole.
    assert after(memo=1) == [{**whole, "urgency": 0, "state": "INACTIVE", "memo": 1}]
    assert known.changes({}) == []
