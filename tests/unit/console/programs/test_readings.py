"""The readings of the queue that the clients of the console share."""

import asyncio
import threading

import pytest
from console.programs import readings


class Instance:
    """A reading that a test can hold up, or have fail."""

    def __init__(self):
        self.handles = []
        self.seen = []
        self.goes = threading.Event()
        self.goes.set()
        self.fails = False

    def handle(self):
        self.handles.append(object())
        return self.handles[-1]

    def reading(self, handle):
        self.seen.append(handle)
        assert self.goes.wait(60)
        if self.fails:
            raise OSError("no broker")
        return {"number": len(self.seen)}


@pytest.fixture
def instance(monkeypatch):
    found = Instance()
    monkeypatch.setattr(readings, "reading", found.reading)
    monkeypatch.setattr(readings.flux, "Flux", found.handle)
    return found


def test_all_clients_share_a_reading_until_it_is_old(instance, monkeypatch):
    monkeypatch.setattr(readings, "PERIOD", 3600)
    served = readings.Readings()

    async def main():
        found = await asyncio.gather(*(served.get() for _ in range(50)))
        assert set(found) == {b'{"number":1}'}
        assert await served.get() == b'{"number":1}'
        monkeypatch.setattr(readings, "PERIOD", 0)
        assert await served.get() == b'{"number":2}'

    asyncio.run(main())
    assert len(instance.seen) == 2
    assert len(instance.handles) == 1


def test_a_failed_reading_is_not_repeated_at_once_and_then_has_another_handle(instance, monkeypatch, capsys):
    monkeypatch.setattr(readings, "PERIOD", 3600)
    served = readings.Readings()
    instance.fails = True

    async def main():
        for _ in range(3):
            with pytest.raises(OSError, match="cannot be read now"):
                await served.get()
        assert len(instance.seen) == 1
        instance.fails = False
        monkeypatch.setattr(readings, "PERIOD", 0)
        assert await served.get() == b'{"number":2}'

    asyncio.run(main())
    assert instance.seen[0] is not instance.seen[1]
    assert "the queue is not read: no broker" in capsys.readouterr().err


def test_a_client_that_leaves_takes_the_reading_from_nobody(instance):
    instance.goes.clear()
    served = readings.Readings()

    async def main():
        first, second = (asyncio.ensure_future(served.get()) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        instance.goes.set()
        assert await second == b'{"number":1}'

    asyncio.run(main())
