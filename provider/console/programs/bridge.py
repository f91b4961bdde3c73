"""Work for the thread with a handle of Flux, and changes for the clients of a server in another thread."""

import asyncio
import collections
import functools
import os
import queue
import secrets
from concurrent.futures import Future
from typing import Any, AsyncIterator, Callable, Deque, NamedTuple, Optional, Tuple

import flux
import flux.constants

# Changes that are kept for a client that reconnects, and their bytes.
MOST_CHANGES, LARGEST = 1000, 8 * 1_048_576
# Seconds between keep-alives.
ALIVE = 15.0


class Bridge:
    """Passes work to the thread with the handle of Flux."""

    # The loop of the server, once it runs.
    loop: asyncio.AbstractEventLoop

    def __init__(self, handle: flux.Flux) -> None:
        self.handle = handle
        self.work: "queue.SimpleQueue[Tuple[Callable[[flux.Flux], Any], Future[Any]]]" = queue.SimpleQueue()
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        self.watcher = handle.fd_watcher_create(self.reader, self.wake, flux.constants.FLUX_POLLIN)
        self.watcher.start()

    async def call(self, work: Callable[[flux.Flux], Any]) -> Any:
        """The result of some work, or of the future of Flux that it returns, once it is available."""
        return await asyncio.wrap_future(self.hand(work))

    def hand(self, work: Callable[[flux.Flux], Any]) -> "Future[Any]":
        """Passes on some work, and returns at once."""
        result: "Future[Any]" = Future()
        self.work.put((work, result))
        os.write(self.writer, b".")
        return result

    def wake(self, *_: Any) -> None:
        """Runs the waiting work."""
        os.read(self.reader, 4096)
        while not self.work.empty():
            work, result = self.work.get_nowait()
            if not result.set_running_or_notify_cancel():
                continue
            try:
                found = work(self.handle)
                if isinstance(found, Later):
                    found.future.then(functools.partial(fulfil, result, found.read))
                else:
                    result.set_result(found)
            except Exception as error:
                result.set_exception(error)


class Later(NamedTuple):
    """A future of Flux, and the function that reads it."""

    future: Any
    read: Callable[[Any], Any]


def fulfil(result: "Future[Any]", read: Callable[[Any], Any], future: Any) -> None:
    """Passes on the result of a future of Flux."""
    try:
        result.set_result(read(future))
    except Exception as error:
        result.set_exception(error)


class Hub:
    """Passes all changes to all clients, in the thread of the server.

    The changes of each process have other numbers, so that a client of an earlier process receives a reset.
    """

    def __init__(self) -> None:
        self.changes: Deque[Tuple[int, bytes]] = collections.deque()
        self.size = 0
        # JavaScript has these numbers exactly.
        self.last = secrets.randbelow(2**31) << 20
        self.arrived = asyncio.Event()

    def publish(self, kind: str, text: str) -> None:
        """Adds a change."""
        self.last += 1
        change = f"id: {self.last}\nevent: {kind}\ndata: {text}\n\n".encode()
        self.changes.append((self.last, change))
        self.size += len(change)
        while len(self.changes) > MOST_CHANGES or self.size > LARGEST:
            self.size -= len(self.changes.popleft()[1])
        arrived, self.arrived = self.arrived, asyncio.Event()
        arrived.set()

    async def follow(self, since: Optional[int]) -> AsyncIterator[bytes]:
        """The changes after a number, or from now on. A number without the next change leads to a reset."""
        place = self.last if since is None else since
        yield f"retry: 1000\nid: {place}\nevent: hello\ndata: {self.last}\n\n".encode()
        while True:
            # A client that is slower than the changes also has to read everything again.
            if not self.last - len(self.changes) <= place <= self.last:
                place = self.last
                yield f"id: {place}\nevent: reset\ndata: {place}\n\n".encode()
            elif place < self.last:
                place += 1
                yield self.changes[place - self.last - 1][1]
            else:
                try:
                    await asyncio.wait_for(self.arrived.wait(), ALIVE)
                except asyncio.TimeoutError:
                    yield b": alive\n\n"
