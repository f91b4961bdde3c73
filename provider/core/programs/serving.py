"""A small HTTP server that no client can block: few connections, and one deadline for each request."""

import asyncio
import functools
import itertools
import queue
import socket
import sys
import threading
from collections import OrderedDict
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, NamedTuple, Optional, Tuple, Union

# Open connections of a port. The oldest unauthenticated one is closed for a new one.
MOST_CONNECTIONS = 64
# Authenticated connections of a port. The user with the most of them loses the oldest one for a new one of another
# user.
MOST_AUTHENTICATED = 512
# Connections that wait to be accepted. A kernel without room for more ignores the last packet of a handshake: that
# connection is accepted later, and counts as newer than a request that arrived after it.
MOST_WAITING = 1024
# Seconds for a request, from its first byte to the last byte of its response, and for each part of a stream.
DEADLINE = 10
# Bytes of a request without its body.
LONGEST = 8192
# Bytes that are written at a time, and those that a kernel keeps for a client that does not read them: it counts them
# twice, and as memory of the pod.
PART, UNREAD = 65_536, 65_536
# Seconds until a silent connection is probed, seconds between probes, and probes until it is closed: its client may
# have vanished.
PROBES = (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3))


class Busy(Exception):
    """There is no room for a request now."""


async def no_body(_most: int) -> bytes:
    """The body of a request without one."""
    return b""


class Request(NamedTuple):
    """A request. Its body is read only when a responder reads it."""

    method: str
    path: str
    headers: Dict[str, str]
    # Called once the request is authenticated, with its user, and whether that user is an administrator. Raises Busy if
    # all connections are in use.
    trust: Callable[..., None]
    # Reads the body, or raises a ValueError if it exceeds the given number of bytes.
    body: Callable[[int], Awaitable[bytes]] = no_body


class Answer(NamedTuple):
    """A status, a text and its type. A long text is given as bytes."""

    status: int
    text: str = ""
    kind: str = "text/plain"
    headers: Optional[Dict[str, str]] = None
    # Called once the client has the answer, or has gone.
    sent: Callable[[], None] = lambda: None
    data: bytes = b""


class Stream(NamedTuple):
    """A response in pieces. The connection is open until one side closes it."""

    pieces: AsyncIterator[bytes]
    kind: str


class Calls:
    """Passes calls to the single thread with the handle of Flux, those for agents first."""

    def __init__(self) -> None:
        self.waiting: "queue.PriorityQueue[Tuple[int, int, Callable[[], Any], Future[Any]]]" = queue.PriorityQueue()
        self.number = itertools.count()

    async def run(self, call: Callable[[], Any], rank: int) -> Any:
        """The result of a call. Calls with the lowest rank run first."""
        result: "Future[Any]" = Future()
        self.waiting.put((rank, next(self.number), call, result))
        return await asyncio.wrap_future(result)

    def serve(self, run: Callable[[Callable[[], Any]], Any], patience: float) -> None:
        """Runs one call, or none within the patience. Errors are raised here as well."""
        try:
            _, _, call, result = self.waiting.get(timeout=patience)
        except queue.Empty:
            return
        if not result.set_running_or_notify_cancel():
            return
        try:
            result.set_result(run(call))
        except BaseException as error:
            result.set_exception(OSError("Flux does not answer"))
            raise error


Respond = Callable[[Request], Awaitable[Union[Answer, Stream]]]


class Port:
    """The connections of one port."""

    def __init__(self, respond: Respond, most: int = MOST_CONNECTIONS) -> None:
        self.respond = respond
        self.most = most
        self.unauthenticated: "OrderedDict[asyncio.StreamWriter, None]" = OrderedDict()
        # Authenticated connections, each with its user and whether that is an administrator, the oldest first.
        self.authenticated: "OrderedDict[asyncio.StreamWriter, Tuple[str, bool]]" = OrderedDict()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one request, and closes the connection."""
        self.unauthenticated[writer] = None
        while len(self.unauthenticated) > self.most:
            oldest, _ = self.unauthenticated.popitem(last=False)
            oldest.transport.abort()
        try:
            stream = await asyncio.wait_for(self.answer(reader, writer), DEADLINE)
            if stream:
                await self.send_until_gone(reader, writer, stream)
        except (OSError, EOFError, ValueError, asyncio.TimeoutError, asyncio.LimitOverrunError):
            writer.transport.abort()
        finally:
            self.unauthenticated.pop(writer, None)
            self.authenticated.pop(writer, None)
            writer.close()

    def trust(self, writer: asyncio.StreamWriter, user: str = "", is_admin: bool = False) -> None:
        """Keeps an authenticated connection. If there are too many, the user with the most loses the oldest one."""
        self.unauthenticated.pop(writer, None)
        if len(self.authenticated) >= MOST_AUTHENTICATED:
            self.make_room(user, is_admin)
        self.authenticated[writer] = (user, is_admin)

    def make_room(self, user: str, is_admin: bool) -> None:
        """Closes a connection for a new one of a user, or raises Busy. Administrators lose none to other users."""
        held: Dict[Tuple[str, bool], int] = {}
        for holder in self.authenticated.values():
            held[holder] = held.get(holder, 0) + 1
        others = {holder: count for holder, count in held.items() if not holder[1]}
        if is_admin and others:
            most = max(others, key=lambda holder: others[holder])
        else:
            # The users would take places from each other in turn if one more made a difference.
            own = held.get((user, is_admin), 0)
            large = {holder: count for holder, count in (held if is_admin else others).items() if count > own + 1}
            if not large:
                raise Busy("There are too many connections; close some, or try again later.")
            most = max(large, key=lambda holder: large[holder])
        oldest = next(writer for writer, holder in self.authenticated.items() if holder == most)
        del self.authenticated[oldest]
        oldest.transport.abort()

    async def send_until_gone(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, stream: Stream) -> None:
        """Writes a stream until its end, or until its client has gone, which a quiet stream would not notice."""
        sending, leaving = (asyncio.ensure_future(one) for one in (self.send(writer, stream), has_gone(reader)))
        try:
            await asyncio.wait([sending, leaving], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, leaving):
                # Before Python 3.12, wait_for may ignore that its task is canceled.
                while not task.done():
                    task.cancel()
                    await asyncio.wait([task], timeout=1)
        if not sending.cancelled():
            sending.result()

    async def send(self, writer: asyncio.StreamWriter, stream: Stream) -> None:
        """Writes a stream. A client that does not keep up is disconnected, and may reconnect."""
        fields = f"Content-Type: {stream.kind}\r\nCache-Control: no-store\r\nConnection: close\r\n"
        try:
            writer.write(f"HTTP/1.1 200 -\r\n{fields}\r\n".encode())
            async for piece in stream.pieces:
                for start in range(0, len(piece), PART):
                    writer.write(piece[start : start + PART])
                    await asyncio.wait_for(writer.drain(), DEADLINE)
        finally:
            close = getattr(stream.pieces, "aclose", None)
            if close:
                await close()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Optional[Stream]:
        """Reads the request, and writes the answer, or returns it if it is a stream."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip("\r\n").split("\r\n")
        method, path, _ = first.split(" ")
        pairs = (line.partition(":") for line in lines)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}

        async def read_body(most: int) -> bytes:
            length = headers.get("content-length", "0")
            if not length.isdecimal() or "transfer-encoding" in headers:
                raise ValueError("a body requires a Content-Length")
            if int(length) > most:
                raise ValueError(f"a body has {most} bytes at most")
            return await reader.readexactly(int(length))

        answer: Union[Answer, Stream]
        try:
            request = Request(method, path, headers, functools.partial(self.trust, writer), read_body)
            answer = await self.respond(request)
        except (OSError, Busy) as error:
            answer = Answer(503, f"{error}\n")
        except (ValueError, EOFError):
            raise
        except Exception as error:
            # No request may stay without an answer.
            print(f"minicluster: {method} failed: {type(error).__name__}: {error}"[:500], file=sys.stderr, flush=True)
            answer = Answer(500, "The server could not answer.\n")
        if isinstance(answer, Stream):
            return answer
        try:
            await self.write(writer, answer)
        finally:
            answer.sent()
        return None

    async def write(self, writer: asyncio.StreamWriter, answer: Answer) -> None:
        """Writes an answer."""
        body = answer.data or answer.text.encode()
        sent = {
            "Content-Type": answer.kind,
            "Content-Length": len(body),
            "Connection": "close",
            **(answer.headers or {}),
        }
        fields = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        writer.write(f"HTTP/1.1 {answer.status} -\r\n{fields}\r\n".encode())
        for start in range(0, len(body), PART):
            writer.write(body[start : start + PART])
            await writer.drain()
        await writer.drain()
        # Unread bytes stay in the connection, which ends by the same deadline.
        while writer.transport.get_write_buffer_size() > 0:
            await asyncio.sleep(0.05)


async def has_gone(reader: asyncio.StreamReader) -> None:
    """Returns when a client has closed its connection. It may send more, which is not read."""
    with suppress(OSError):
        while await reader.read(LONGEST):
            pass


def listener(port: int) -> socket.socket:
    """A socket at a port of every address, of both families if available."""
    if socket.has_ipv6:
        try:
            both = socket.socket(socket.AF_INET6)
            both.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            both.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            both.bind(("::", port))
            return with_limits(both)
        except OSError:
            pass
    one = socket.socket(socket.AF_INET)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.bind(("", port))
    return with_limits(one)


def with_limits(listening: socket.socket) -> socket.socket:
    """A socket whose connections keep few unread bytes, and end when their client has vanished."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in PROBES:
        if hasattr(socket, name):
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return listening


async def nothing(_loop: asyncio.AbstractEventLoop) -> None:
    """Prepares nothing."""


def start(
    ports: Dict[int, Respond],
    longest: int = LONGEST,
    most: int = MOST_CONNECTIONS,
    prepare: Callable[[asyncio.AbstractEventLoop], Awaitable[None]] = nothing,
) -> asyncio.AbstractEventLoop:
    """Serves ports in a separate thread, and returns its loop.

    What is used there is made by the preparation, in a task of that loop: before Python 3.10, an event and a lock
    belong to the loop of the thread that makes them.
    """
    loop = asyncio.new_event_loop()
    loop.run_until_complete(prepare(loop))
    for port, respond in ports.items():
        server = asyncio.start_server(
            Port(respond, most).connected, sock=listener(port), limit=longest, backlog=MOST_WAITING
        )
        loop.run_until_complete(server)
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop
