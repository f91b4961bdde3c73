"""The features that the settings of the lead broker's program request."""

import errno
import threading
from types import SimpleNamespace

import flux
import pytest
from core.programs import serving
from minicluster.programs import lead

CLUSTERS = [{"name": "home", "hosts": 2, "max": 2}, {"name": "far", "hosts": 1, "max": 1}]
NOTHING = {"clusters": CLUSTERS, "demandPort": None, "metricsPort": None}
FEATURES = {
    "requeue": {"restarts": 3, "signal": "USR1", "graceSeconds": 20},
    "place": {
        "queues": [{"name": "home", "cluster": "home", "price": 0}, {"name": "far", "cluster": "far", "price": 2}],
        "order": "listed",
        "afterSeconds": 120,
        "giveUpSeconds": 600,
    },
    "prices": {"far": 2.0},
    "stored": True,
}
WORK = {
    "requeue": ["jobs are not requeued"],
    "place": [],
    "prices": ["the cost of jobs is not counted"],
    "stored": ["the state is not written to its volume", "the volume of the state is not watched"],
}
METRICS = {
    "requeue": {"flux_jobs_requeued_total"},
    "place": {"flux_jobs_moved_total", "flux_jobs_unplaceable"},
    "prices": {"flux_cost_per_hour", "flux_cost_today", "flux_cost_month"},
    "stored": {"flux_storage_bytes"},
}


@pytest.fixture
def begun(monkeypatch, tmp_path):
    """A program that has begun with some settings, and the work in its background."""
    instance = {
        "hosts": ["home-0", "home-1", "far-0"],
        "cores": 4,
        "gpus": 0,
        "online": [0, 1, 2],
        "drained": [],
        "allocated": {},
        "jobs": [],
        "config": {"queues": {"home": {}, "far": {}}},
        "stats": {},
    }
    monkeypatch.setattr(flux, "INSTANCE", instance)
    monkeypatch.setenv("FLUX_URI", f"local://{tmp_path}/local")
    found = []
    monkeypatch.setattr(lead, "in_background", lambda failure, _: found.append(failure))
    monkeypatch.setattr("storage.programs.volume.space_of", lambda _: SimpleNamespace(size=2, free=1, state=1))

    def begin(settings):
        program = lead.Lead({**NOTHING, **settings}, flux.Flux(), str(tmp_path / "size"))
        program.begin()
        return program, found

    return begin


@pytest.mark.parametrize("names", [[], *([name] for name in FEATURES), list(FEATURES)], ids="-".join)
def test_begins_the_features_of_its_settings_and_no_other(begun, names):
    program, work = begun({name: FEATURES[name] for name in names})
    assert sorted(work) == sorted(one for name in names for one in WORK[name])
    families = {family[0] for families in program.metrics.others for family in families()}
    assert families == set().union(*(METRICS[name] for name in names))
    assert (program.placing is None) == ("place" not in names)


def test_reports_the_number_of_moved_jobs_to_agents(begun):
    assert begun({})[0].demand.moved is None
    assert begun({"place": FEATURES["place"]})[0].demand.moved("far") == 0


@pytest.mark.parametrize(("demand", "metrics"), [(None, None), (8060, None), (None, 8061), (8060, 8061)])
def test_opens_the_ports_of_its_settings(begun, monkeypatch, demand, metrics):
    opened = []
    monkeypatch.setattr(serving, "start", opened.append)
    begun({"demandPort": demand, "metricsPort": metrics})[0].serve(b"key")
    assert list(opened[0]) == [port for port in (demand, metrics) if port is not None]


def test_waits_in_the_background_for_the_job_manager_of_a_starting_broker(monkeypatch):
    monkeypatch.setattr(lead, "PAUSE", 0.01)
    done, attempts = threading.Event(), []

    def work():
        attempts.append(1)
        if len(attempts) < 3:
            raise OSError(errno.ENOSYS, "Function not implemented")
        done.set()

    lead.in_background("it fails", work)
    assert done.wait(10)


def test_ends_the_program_when_work_in_the_background_fails(monkeypatch, capsys):
    ended = threading.Event()
    monkeypatch.setattr(lead.os, "_exit", lambda status: ended.set() if status == 1 else None)

    def work():
        raise OSError("the journal has ended")

    lead.in_background("jobs are not requeued", work)
    assert ended.wait(10)
    assert capsys.readouterr().err == "minicluster: jobs are not requeued: OSError: the journal has ended\n"


def test_ends_the_program_if_flux_does_not_answer(monkeypatch):
    ended = threading.Event()
    monkeypatch.setattr(lead, "CALL_TIMEOUT", 0.01)
    monkeypatch.setattr(lead.os, "_exit", lambda _: ended.set())
    lead.watched(lambda: ended.wait(10))
    assert ended.is_set()
