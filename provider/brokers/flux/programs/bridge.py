"""Work for the thread with a handle of Flux, and changes for the clients of a server in another thread."""

import asyncio
import base64
import collections
import errno
import functools
import os
import queue
from concurrent.futures import Future
from typing import Any, AsyncIterator, Callable, Deque, Dict, List, NamedTuple, Optional, Tuple, Union

import flux
import flux.constants
import flux.job

# Changes that are kept for a client that reconnects, and the seconds between keep-alives.
MOST_CHANGES, ALIVE = 1000, 15.0
# Seconds between two checks for the output of a starting job.
PAUSE = 0.2


class Bridge:
    """Passes work to the thread with the handle of Flux."""

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
    """Passes all changes to all clients, in the thread of the server."""

    def __init__(self) -> None:
        self.changes: Deque[Tuple[int, bytes]] = collections.deque(maxlen=MOST_CHANGES)
        self.last = 0
        self.arrived = asyncio.Event()

    def publish(self, kind: str, text: str) -> None:
        """Adds a change."""
        self.last += 1
        self.changes.append((self.last, f"id: {self.last}\nevent: {kind}\ndata: {text}\n\n".encode()))
        arrived, self.arrived = self.arrived, asyncio.Event()
        arrived.set()

    async def follow(self, since: Optional[int]) -> AsyncIterator[bytes]:
        """The changes after a number, or from now on. A number that is too old leads to a reset."""
        place = self.last if since is None else since
        yield f"retry: 1000\nid: {place}\nevent: hello\ndata: {self.last}\n\n".encode()
        while True:
            oldest = self.changes[0][0] if self.changes else self.last + 1
            if place > self.last or place + 1 < oldest:
                place = self.last
                yield f"id: {place}\nevent: reset\ndata: {place}\n\n".encode()
            waiting = self.last - place
            if waiting > 0:
                arrived = [piece for _, piece in list(self.changes)[-waiting:]]
                place = self.last
                for piece in arrived:
                    yield piece
                continue
            try:
                await asyncio.wait_for(self.arrived.wait(), ALIVE)
            except asyncio.TimeoutError:
                yield b": alive\n\n"


class Outputs:
    """Follows the output of jobs."""

    def __init__(self, bridge: Bridge, loop: asyncio.AbstractEventLoop) -> None:
        self.bridge = bridge
        self.loop = loop

    async def follow(self, job: int, has_ended: Callable[[], bool]) -> AsyncIterator[Tuple[str, str]]:
        """The pieces of a job's output as they are written, each with its stream, until the job has ended."""
        while True:
            was_ended = has_ended()
            try:
                async for piece in self.follow_once(job):
                    yield piece
                return
            except FileNotFoundError:
                # The job shell creates the output's log shortly after the job has started.
                if was_ended:
                    return
            await asyncio.sleep(PAUSE)

    async def follow_once(self, job: int) -> AsyncIterator[Tuple[str, str]]:
        """The pieces, or a FileNotFoundError if there is no output yet."""
        arrived: "asyncio.Queue[Union[List[Tuple[str, str]], Exception, None]]" = asyncio.Queue()

        def arrive(future: Any) -> None:
            found: Union[List[Tuple[str, str]], Exception, None]
            try:
                event = future.get_event()
                found = None if event is None else output_of(event.name, event.context)
            except OSError as error:
                found = error if error.errno == errno.ENOENT else None
            self.loop.call_soon_threadsafe(arrived.put_nowait, found)

        def watch(handle: flux.Flux) -> Any:
            future = flux.job.event_watch_async(handle, job, eventlog="guest.output")
            future.then(arrive)
            return future

        future = await self.bridge.call(watch)
        try:
            while True:
                found = await arrived.get()
                if isinstance(found, Exception):
                    raise FileNotFoundError(str(found))
                if found is None:
                    return
                for piece in found:
                    yield piece
        finally:
            await asyncio.shield(self.bridge.call(functools.partial(stop_watching, future)))


def stop_watching(future: Any, _handle: flux.Flux) -> None:
    """Ends a watch."""
    future.cancel(stop=True)


def output_of(name: str, context: Dict[str, Any]) -> List[Tuple[str, str]]:
    """The output in an event of a job's output (RFC 24 of Flux)."""
    if name == "redirect":
        return [(context["stream"], f"The output is in the file {context['path']}.\n")]
    if name == "log":
        return [("stderr", f"flux-shell: {context.get('message', '')}\n")]
    if name != "data" or "data" not in context:
        return []
    text = context["data"]
    if context.get("encoding") == "base64":
        text = base64.b64decode(text).decode("utf-8", "replace")
    return [(context["stream"], text * context.get("repeat", 1))]
