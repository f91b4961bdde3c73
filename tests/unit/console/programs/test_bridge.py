"""The changes that the console sends to its clients."""

import asyncio

from console.programs import bridge


async def kinds(hub, since, count):
    """The kinds of the first messages to a client that has the changes until a number."""
    found = []
    stream = hub.follow(since)
    async for piece in stream:
        found.append(next(line[7:] for line in piece.decode().split("\n") if line.startswith("event: ")))
        if len(found) == count:
            break
    await stream.aclose()
    return found


async def with_changes():
    """A hub with twenty changes."""
    hub = bridge.Hub()
    for at in range(20):
        hub.publish("jobs", str(at))
    # Each is a number that JavaScript has.
    assert 0 < hub.last < 2**53
    return hub


def test_sends_the_missed_changes_and_resets_a_client_of_an_earlier_process():
    async def main():
        old, new = await with_changes(), await with_changes()
        assert await kinds(old, old.last - 2, 3) == ["hello", "jobs", "jobs"]
        assert await kinds(new, old.last - 2, 2) == ["hello", "reset"]
        assert await kinds(new, old.last, 2) == ["hello", "reset"]

    asyncio.run(main())


def test_resets_a_client_that_is_slower_than_the_changes():
    async def main():
        hub = await with_changes()
        stream = hub.follow(hub.last)
        await stream.__anext__()
        for _ in range(40):
            hub.publish("jobs", "x" * 1_000_000)
        assert hub.size <= bridge.LARGEST
        assert "event: reset" in (await stream.__anext__()).decode()
        await stream.aclose()
        assert await kinds(hub, hub.last - 3, 4) == ["hello", "jobs", "jobs", "jobs"]

    asyncio.run(main())
