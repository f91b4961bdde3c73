"""A small HTTP server that no client can block: few connections, and one deadline for each request."""

import asyncio
import functools
import itertools
import queue
import socket
import threading
from collections import OrderedDict
from concurrent.futures import Future
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, NamedTuple, Optional, Set, Tuple, Union

# Open connections of a port. The oldest unauthenticated one is closed for a new one.
MOST_CONNECTIONS = 64
# Authenticated connections of a port.
MOST_STREAMS = 512
# Connections that wait to be accepted. A kernel without room for more ignores the last packet of a handshake: that
# connection is accepted later, and counts as newer than a request that arrived after it.
MOST_WAITING = 1024
# Seconds for a request, from its first byte to the last byte of its response, and for each piece of a stream.
DEADLINE = 10
# Bytes of a request without its body.
LONGEST = 8192


async def no_body(_most: int) -> bytes:
    """The body of a request without one."""
    return b""


class Request(NamedTuple):
    """A request. Its body is read only when a responder reads it."""

    method: str
    path: str
    headers: Dict[str, str]
    # Called once the request is authenticated: the connection is no longer closed in favor of another one.
    trust: Callable[[], None]
    # Reads the body, or raises a ValueError if it exceeds the given number of bytes.
    body: Callable[[int], Awaitable[bytes]] = no_body


class Answer(NamedTuple):
    """A status, a text and its type."""

    status: int
    text: str = ""
    kind: str = "text/plain"
    headers: Optional[Dict[str, str]] = None


class Stream(NamedTuple):
    """A response in pieces. The connection is open until one side closes it."""

    pieces: AsyncIterator[bytes]
    kind: str


class Desk:
    """Passes questions to the single thread with the handle of Flux, those of agents first."""

    def __init__(self) -> None:
        self.waiting: "queue.PriorityQueue[Tuple[int, int, Any, Future[Any]]]" = queue.PriorityQueue()
        self.number = itertools.count()

    async def ask(self, question: Any, rank: int) -> Any:
        """The answer to a question. Questions with the lowest rank are answered first."""
        answer: "Future[Any]" = Future()
        self.waiting.put((rank, next(self.number), question, answer))
        return await asyncio.wrap_future(answer)

    def serve(self, respond: Callable[[Any], Any], patience: float) -> None:
        """Answers one question, or none within the patience. Errors are raised here as well."""
        try:
            _, _, question, answer = self.waiting.get(timeout=patience)
        except queue.Empty:
            return
        if not answer.set_running_or_notify_cancel():
            return
        try:
            answer.set_result(respond(question))
        except BaseException as error:
            answer.set_exception(OSError("Flux does not answer"))
            raise error


Respond = Callable[[Request], Awaitable[Union[Answer, Stream]]]


class Port:
    """The connections of one port."""

    def __init__(self, respond: Respond, most: int = MOST_CONNECTIONS) -> None:
        self.respond = respond
        self.most = most
        self.unproved: "OrderedDict[asyncio.StreamWriter, None]" = OrderedDict()
        self.proved: Set[asyncio.StreamWriter] = set()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one request, and closes the connection."""
        self.unproved[writer] = None
        while len(self.unproved) > self.most:
            oldest, _ = self.unproved.popitem(last=False)
            oldest.transport.abort()
        try:
            stream = await asyncio.wait_for(self.answer(reader, writer), DEADLINE)
            if stream:
                await self.send(writer, stream)
        except (OSError, EOFError, ValueError, asyncio.TimeoutError, asyncio.LimitOverrunError):
            writer.transport.abort()
        finally:
            self.unproved.pop(writer, None)
            self.proved.discard(writer)
            writer.close()

    def trust(self, writer: asyncio.StreamWriter) -> None:
        """Keeps an authenticated connection, unless there are too many of them."""
        self.unproved.pop(writer, None)
        if len(self.proved) >= MOST_STREAMS:
            raise OSError("too many connections")
        self.proved.add(writer)

    async def send(self, writer: asyncio.StreamWriter, stream: Stream) -> None:
        """Writes a stream. A client that does not keep up is disconnected, and may reconnect."""
        fields = f"Content-Type: {stream.kind}\r\nCache-Control: no-store\r\nConnection: close\r\n"
        writer.write(f"HTTP/1.1 200 -\r\n{fields}\r\n".encode())
        try:
            async for piece in stream.pieces:
                writer.write(piece)
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
        except OSError as error:
            answer = Answer(503, f"{error}\n")
        if isinstance(answer, Stream):
            return answer
        body = answer.text.encode()
        sent = {
            "Content-Type": answer.kind,
            "Content-Length": len(body),
            "Connection": "close",
            **(answer.headers or {}),
        }
        fields = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        writer.write(f"HTTP/1.1 {answer.status} -\r\n{fields}\r\n".encode() + body)
        await writer.drain()
        # Unread bytes stay in the connection, which ends by the same deadline.
        while writer.transport.get_write_buffer_size() > 0:
            await asyncio.sleep(0.05)
        return None


def listener(port: int) -> socket.socket:
    """A socket at a port of every address, of both families if available."""
    if socket.has_ipv6:
        try:
            both = socket.socket(socket.AF_INET6)
            both.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            both.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            both.bind(("::", port))
            return both
        except OSError:
            pass
    one = socket.socket(socket.AF_INET)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.bind(("", port))
    return one


def start(ports: Dict[int, Respond], longest: int = LONGEST, most: int = MOST_CONNECTIONS) -> asyncio.AbstractEventLoop:
    """Serves ports in a separate thread, and returns its loop."""
    loop = asyncio.new_event_loop()
    for port, respond in ports.items():
        server = asyncio.start_server(
            Port(respond, most).connected, sock=listener(port), limit=longest, backlog=MOST_WAITING
        )
        loop.run_until_complete(server)
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop
