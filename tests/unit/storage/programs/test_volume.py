"""The watcher of the volume with the state of an instance."""

from types import SimpleNamespace

import pytest
from storage.programs import volume

OPEN = {"enable": True, "start": True}
REASON = "the volume of the instance's state is full"
CLOSED = {"enable": False, "start": False, "disable_reason": REASON, "stop_reason": REASON}


class Handle:
    """Flux with some queues, and with the numbers of the present look."""

    def __init__(self, watch, version, queues):
        self.watch = watch
        self.version = version
        self.queues = queues

    def attr_get(self, name):
        return {"statedir": "/nowhere", "version": self.version, "broker.pid": "77"}[name]

    def rpc(self, topic, payload=None):
        return SimpleNamespace(get=lambda: self.answer(topic, payload))

    def answer(self, topic, payload):
        now = self.watch.now
        if topic == "content.stats-get":
            return {"dirty": now.get("stuck", 0), "flush-batch-count": 0}
        if topic == "job-list.job-stats":
            return {"job_states": {"run": now.get("running", 0), "cleanup": 0}}
        if topic == "kvs.getroot":
            return {"rootref": "sha1-1"}
        if topic == "job-manager.queue-list":
            return {"queues": [name for name in self.queues if name]}
        queue = self.queues[payload.get("name", "")]
        if topic == "job-manager.queue-status":
            return dict(queue)
        # As Flux, each needs all three, and a reason to close a queue.
        assert payload["all"] is False
        kind, verb = ("enable", "disable") if topic == "job-manager.queue-enable" else ("start", "stop")
        queue[kind] = payload[kind]
        queue.pop(f"{verb}_reason", None)
        if not payload[kind]:
            queue[f"{verb}_reason"] = payload["reason"]
        return {}


@pytest.fixture
def watch(monkeypatch, tmp_path):
    """Looks at a volume of 1000 MiB: seconds, free MiB, and other numbers. Returns commands, lines and queues."""
    seen = SimpleNamespace(now={}, number=0)

    def run(looks, version="0.88.0", queues=None):
        found = SimpleNamespace(commands=[], lines=[], queues=[])
        present = {name: dict(queue) for name, queue in (queues or {"": OPEN}).items()}

        def command(words, **_):
            found.commands.append((seen.number, " ".join(words[:2])))
            return SimpleNamespace(returncode=0, poll=lambda: 0)

        def space_of(_):
            return volume.Space(1000 << 20, seen.now["free"] << 20, seen.now.get("state", 0) << 20)

        def kill(pid, signal):
            found.commands.append((seen.number, f"kill {pid} {int(signal)}"))

        monkeypatch.setattr(volume, "subprocess", SimpleNamespace(Popen=command, run=command, DEVNULL=None))
        monkeypatch.setattr(volume, "say", lambda line: found.lines.append((seen.number, line)))
        monkeypatch.setattr(volume, "os", SimpleNamespace(kill=kill, fsync=lambda _: None))
        monkeypatch.setattr(volume, "space_of", space_of)
        monkeypatch.setattr(volume, "time", SimpleNamespace(monotonic=lambda: 0.0))
        seen.number, seen.now = 0, looks[0][1]
        watcher = volume.Volume(Handle(seen, version, present))
        watcher.directory = tmp_path
        for seen.number, (now, seen.now) in enumerate(looks):
            watcher.look(now)
            found.queues.append({name: dict(queue) for name, queue in present.items()})
        return found

    return run


def free(*amounts):
    return [(index, {"free": amount}) for index, amount in enumerate(amounts)]


def test_collects_after_a_growth_at_most_once_a_minute_and_after_an_hour(watch):
    sizes = [(0, 900, 10), (59, 800, 110), (60, 810, 100), (65, 810, 100), (3000, 750, 160), (3666, 750, 160)]
    sizes += [(3670, 750, 161), (9000, 750, 161)]
    found = watch([(now, {"free": left, "state": state}) for now, left, state in sizes])
    assert found.commands == [(2, "flux gc"), (5, "flux gc")]


@pytest.mark.parametrize(
    ("version", "collects"),
    [("0.86.0", False), ("0.9.1", False), ("0.87.0", True), ("0.90.0-12-gabc", True), ("1.0.0", True)],
)
def test_starts_no_command_that_the_version_of_flux_does_not_have(watch, version, collects):
    found = watch([(0, {"free": 900}), (99, {"free": 500, "state": 400})], version=version)
    assert found.commands == ([(1, "flux gc")] if collects else [])


def test_logs_once_that_the_volume_fills_up(watch):
    assert watch(free(299, 200, 195, 99, 250)).lines == [
        (0, "the volume of the state is 70% full: 299 MiB of 1000 MiB are free"),
        (1, "the volume of the state is 80% full: 200 MiB of 1000 MiB are free"),
        (3, "the volume of the state is 90% full: 99 MiB of 1000 MiB are free"),
    ]


def test_closes_the_queues_before_a_write_fails_and_opens_them_when_there_is_room(watch):
    found = watch(free(51, 49, 60, 99, 100))
    assert [queues[""] for queues in found.queues] == [OPEN, CLOSED, CLOSED, CLOSED, OPEN]
    says = "49 MiB of 1000 MiB are free. No job is accepted or started until 100 MiB are free"
    assert (1, f"{REASON}: {says}") in found.lines
    assert any(look == 4 and "has room again" in line for look, line in found.lines)


def test_leaves_a_queue_as_it_is_that_another_user_has_closed(watch):
    by_hand = {"enable": False, "start": False, "disable_reason": "repair", "stop_reason": "repair"}
    found = watch(free(10, 500), queues={"cpu": OPEN, "gpu": by_hand})
    assert found.queues == [{"cpu": CLOSED, "gpu": by_hand}, {"cpu": OPEN, "gpu": by_hand}]


def test_restarts_from_a_dump_after_a_failed_write_once_there_is_room_and_no_job_runs(watch):
    found = watch(
        [
            (0, {"free": 0, "stuck": 3}),
            (5, {"free": 0, "stuck": 3}),
            (10, {"free": 500, "stuck": 3, "running": 1}),
            (15, {"free": 500, "stuck": 3}),
        ]
    )
    assert found.commands == [(3, "flux dump"), (3, "kill 77 9")]
    # The next broker opens them.
    assert found.queues[3] == {"": CLOSED}


def test_restarts_from_a_dump_if_this_version_of_flux_cannot_collect_a_full_state(watch):
    looks = [(0, {"free": 51}), (5, {"free": 40, "running": 1}), (10, {"free": 40})]
    assert watch(looks, version="0.86.0").commands == [(2, "flux dump"), (2, "kill 77 9")]
    assert watch(looks).commands == []


@pytest.mark.parametrize(("page", "size"), [(4096, 4096), (1, 65536)])
def test_the_unused_pages_of_the_database_are_free(tmp_path, page, size):
    header = b"SQLite format 3\0" + page.to_bytes(2, "big") + bytes(18) + (3).to_bytes(4, "big")
    (tmp_path / "content.sqlite").write_bytes(header.ljust(10 * size, b"\0"))
    assert volume.space_of(tmp_path).state == 7 * size
