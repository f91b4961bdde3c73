"""The output of jobs for the clients of a server.

Flux passes the output of a job on as a whole, up to 1 GiB, and several times over in the memory of the lead broker. So
this reads the parts of the output's log from the key value store, one at a time, and keeps the end of each output that
has a reader.
"""

import asyncio
import base64
import functools
import itertools
import json
import time
from collections import deque
from typing import (
    Any,
    AsyncIterator,
    Callable,
    Deque,
    Dict,
    Iterable,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Tuple,
    Union,
)

import flux
import flux.constants
from console.programs.bridge import Bridge, Later
from flux.core.inner import ffi, lib, raw
from flux.future import Future
from flux.job import JobID

# Bytes of the end of an output, and of the ends of all outputs with a reader.
LONGEST, LONGEST_TOTAL = 8 * 1_048_576, 64 * 1_048_576
# Characters of a piece.
PIECE = 16_384
# Seconds between two reads of the output of a job, and between two messages to a reader of a job that writes nothing.
PAUSE, ALIVE = 0.2, 15.0
# Maximum share of the time in which an output is read, and maximum number of seconds between two reads.
LARGEST_SHARE, LONGEST_PAUSE = 0.05, 2.0
# Failed reads of the output of an ended job after which no further attempt is made.
ATTEMPTS = 10


class Piece(NamedTuple):
    """A piece of output with its stream. Without a stream, output before the next piece was left out."""

    stream: str
    text: bytes


# Piece that a reader receives in place of output that is no longer kept.
LEFT_OUT = Piece("", b"")


def find_parts(job: int, handle: flux.Flux) -> Later:
    """The references of the parts of an output's log. A small log may be in the answer instead."""
    key = f"{JobID(job).kvs}.guest.output"
    request = {"key": key, "namespace": "primary", "flags": flux.constants.FLUX_KVS_TREEOBJ}
    return Later(handle.rpc("kvs.lookup", request), read_parts)


def read_parts(future: Any) -> List[Union[str, bytes]]:
    """The parts in an answer of the store. Before the job has started there are none."""
    try:
        found = future.get()["val"]
    except OSError:
        return []
    if found["type"] == "val":
        return [base64.b64decode(found["data"])]
    return found["data"] if found["type"] == "valref" else []


def load_part(reference: str, handle: flux.Flux) -> Later:
    """The bytes of a part, by its reference: the name of a hash, and its digits."""
    digest = bytes.fromhex(reference.partition("-")[2])
    request = raw.flux_rpc_raw(handle, "content.load", digest, len(digest), flux.constants.FLUX_NODEID_ANY, 0)
    return Later(Future(request), read_bytes)


def read_bytes(future: Any) -> bytes:
    """The bytes of an answer. The type of their number depends on the version of Flux."""
    kinds = ffi.typeof(lib.flux_rpc_get_raw).args
    data, size = ffi.new(kinds[1]), ffi.new(kinds[2])
    raw.flux_rpc_get_raw(future, data, size)
    return bytes(ffi.buffer(data[0], size[0]))


def pieces_of(log: bytes, room: int) -> List[Piece]:
    """The output in the last bytes of a log, in pieces of one stream and of a similar size."""
    found: Deque[Piece] = deque()
    left = room
    for stream, group in itertools.groupby(texts_of(log, room), key=lambda one: one[0]):
        for text in joined(text for _, text in group):
            found.append(Piece(stream, text.encode("utf-8", "replace")))
            left -= len(found[-1].text)
            while left < 0:
                left += len(found.popleft().text)
    return list(found)


def joined(texts: Iterable[str]) -> Iterator[str]:
    """The same text in pieces of a similar size."""
    waiting: List[str] = []
    size = 0
    for text in texts:
        for start in range(0, len(text), PIECE):
            waiting.append(text[start : start + PIECE])
            size += len(waiting[-1])
            if size >= PIECE:
                yield "".join(waiting)
                waiting, size = [], 0
    if waiting:
        yield "".join(waiting)


def texts_of(log: bytes, room: int) -> Iterator[Tuple[str, str]]:
    """The output in the last bytes of a log, each text with its stream. An entry ends only at a newline."""
    start = 0 if len(log) <= room else log.find(b"\n", len(log) - room) + 1 or len(log)
    while start < len(log):
        end = log.find(b"\n", start) + 1 or len(log)
        try:
            event = json.loads(log[start:end])
            yield from output_of(event["name"], event.get("context") or {}, room)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            # An entry that the job itself has written.
            pass
        start = end


def output_of(name: str, context: Dict[str, Any], room: int) -> Iterator[Tuple[str, str]]:
    """The output in an entry of an output's log (RFC 24 of Flux)."""
    if name == "redirect":
        yield (context["stream"], f"The output is in the file {context['path']}.\n")
    elif name == "log":
        yield ("stderr", f"flux-shell: {context.get('message', '')}\n")
    elif name == "data" and "data" in context:
        text = str(context["data"])
        if context.get("encoding") == "base64":
            text = base64.b64decode(text).decode("utf-8", "replace")
        times = min(int(context.get("repeat", 1)), room // max(1, len(text)) + 1)
        yield (str(context["stream"]), text * times)


class Output:
    """The end of a job's output, which all of its readers share."""

    def __init__(self) -> None:
        self.pieces: Deque[Piece] = deque()
        self.size = 0
        # Number of the first of the pieces. Pieces with lower numbers were left out.
        self.first = 0
        # Parts of the log that have been read.
        self.seen = 0
        self.has_ended = False
        self.readers = 0
        self.arrived = asyncio.Event()
        self.reading: Optional["asyncio.Future[None]"] = None

    def add(self, pieces: List[Piece]) -> None:
        """Adds pieces, and wakes the readers."""
        self.pieces.extend(pieces)
        self.size += sum(len(piece.text) for piece in pieces)
        self.wake()

    def leave_out(self) -> None:
        """Marks a gap in the output after the present pieces, and drops these pieces."""
        self.first += len(self.pieces) + 1
        self.pieces.clear()
        self.size = 0

    def trim(self, room: int) -> None:
        """Drops the oldest pieces."""
        while self.size > room:
            self.size -= len(self.pieces.popleft().text)
            self.first += 1

    def wake(self) -> None:
        """Wakes the readers."""
        arrived, self.arrived = self.arrived, asyncio.Event()
        arrived.set()


class Outputs:
    """The outputs that have a reader, in the thread of the server."""

    def __init__(self, bridge: Bridge) -> None:
        self.bridge = bridge
        self.known: Dict[int, Output] = {}
        # A part of a log may be large: one is in memory at a time.
        self.loading = asyncio.Lock()

    def room(self) -> int:
        """Bytes of an output that are kept."""
        return min(LONGEST, LONGEST_TOTAL // max(1, len(self.known)))

    async def follow(self, job: int, phase: Callable[[], str]) -> AsyncIterator[Optional[Piece]]:
        """The end of an output and then its pieces as they are written, or None after a while without one."""
        output = self.open(job, phase)
        place = 0
        try:
            while True:
                if place < output.first:
                    place = output.first
                    yield LEFT_OUT
                elif place < output.first + len(output.pieces):
                    place += 1
                    yield output.pieces[place - output.first - 1]
                elif output.has_ended:
                    return
                else:
                    try:
                        await asyncio.wait_for(output.arrived.wait(), ALIVE)
                    except asyncio.TimeoutError:
                        yield None
        finally:
            self.close(job)

    async def read(self, job: int, phase: Callable[[], str]) -> List[Piece]:
        """The end of an output so far."""
        output = self.open(job, phase)
        try:
            await self.look(job, output)
            return list(output.pieces)
        finally:
            self.close(job)

    def open(self, job: int, phase: Callable[[], str]) -> Output:
        """The output for one more reader."""
        if job not in self.known:
            output = self.known[job] = Output()
            for other in self.known.values():
                other.trim(self.room())
            output.reading = asyncio.ensure_future(self.keep_reading(job, output, phase))
        self.known[job].readers += 1
        return self.known[job]

    def close(self, job: int) -> None:
        """Drops the output after its last reader."""
        output = self.known[job]
        output.readers -= 1
        if output.readers == 0:
            del self.known[job]
            if output.reading:
                output.reading.cancel()

    async def keep_reading(self, job: int, output: Output, phase: Callable[[], str]) -> None:
        """Reads an output until its job has ended."""
        tries = ATTEMPTS
        try:
            while not output.has_ended:
                before, begun = phase(), time.monotonic()
                is_read = True
                # A job that has not started has no output.
                if before != "pending":
                    is_read = await self.has_looked(job, output)
                tries -= not is_read
                output.has_ended = before == "ended" and (is_read or tries <= 0)
                if not output.has_ended:
                    await asyncio.sleep(min(LONGEST_PAUSE, max(PAUSE, (time.monotonic() - begun) / LARGEST_SHARE)))
        finally:
            output.has_ended = True
            output.wake()

    async def has_looked(self, job: int, output: Output) -> bool:
        """Reads an output, and returns whether the store has responded."""
        try:
            await self.look(job, output)
        except OSError:
            return False
        return True

    async def look(self, job: int, output: Output) -> None:
        """Reads the new parts of the log, or as many of the last parts as there is room for."""
        async with self.loading:
            parts = await self.bridge.call(functools.partial(find_parts, job))
            fresh: List[List[Piece]] = []
            left, is_whole = self.room(), True
            for part in reversed(parts[output.seen :]):
                is_whole = left > 0
                if is_whole:
                    log = await self.bridge.call(functools.partial(load_part, part)) if isinstance(part, str) else part
                    is_whole = len(log) <= left
                    # The end of a part has many entries: another thread reads them.
                    pieces = await self.bridge.loop.run_in_executor(None, pieces_of, log, left)
                    del log
                    fresh.append(pieces)
                    left -= sum(len(piece.text) for piece in pieces)
                if not is_whole:
                    output.leave_out()
                    break
            output.seen = max(output.seen, len(parts))
            for pieces in reversed(fresh):
                output.add(pieces)
            output.trim(self.room())
