"""The state of an instance."""

from types import SimpleNamespace

from core.programs import state


def test_reads_the_jobspec_of_each_pending_job_once_and_again_in_another_queue(monkeypatch):
    asked = []
    monkeypatch.setattr(state, "jobspec_of", lambda _, job: asked.append(job) or {"resources": []})
    jobs = [SimpleNamespace(id=number, queue="home") for number in range(20_000)]
    specs = state.Jobspecs()

    def look():
        asked.clear()
        return len(specs.read(None, jobs)), len(asked)

    assert look() == (20_000, 20_000)
    assert look() == (20_000, 0)
    jobs[7].queue = "far"
    assert look() == (20_000, 1)
    del jobs[100:]
    assert look() == (100, 0)
    assert len(specs.known) == 100
