"""The instance, as the program of the lead broker's pod reads it."""

from types import SimpleNamespace

from core.programs import instance


def test_reads_flux_once_a_second_for_any_number_of_clients(monkeypatch):
    clock, read = SimpleNamespace(now=0.0), []
    monkeypatch.setattr(instance, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(instance, "Reading", lambda *_: read.append(clock.now) or object())
    home = instance.Instance(None, [{"name": "home", "hosts": 3, "max": 3}], "")
    for clock.now in (0, 0.5, 0.9, 1, 1.2, 1.9, 2.5):
        home.read()
    assert read == [0, 1, 2.5]
    home.changed()
    home.read()
    assert read == [0, 1, 2.5, 2.5]


def test_reads_a_size_that_no_agent_sets_from_its_file(tmp_path):
    file = tmp_path / "size"
    clusters = [{"name": "home", "hosts": 3, "max": None}, {"name": "far", "hosts": 2, "max": 1}]
    both = instance.Instance(None, clusters, str(file))
    for size in (2, 3):
        file.write_text(str(size))
        assert [tuple(one) for one in both.clusters()] == [("home", 0, 3, size), ("far", 3, 2, 1)]
