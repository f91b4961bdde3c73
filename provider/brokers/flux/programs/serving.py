"""A small server of HTTP that nobody can keep busy: few connections, and one deadline for each request."""

import asyncio
import itertools
import queue
import socket
import threading
from collections import OrderedDict
from concurrent.futures import Future
from typing import Any, Awaitable, Callable, Dict, NamedTuple, Optional, Tuple

# Connections that a port has at a time. The oldest that has not proved anything makes room for a new one.
MOST_CONNECTIONS = 64
# Seconds for a request, from its first byte to the last of its answer.
DEADLINE = 10
# Bytes of a request.
LONGEST = 8192


class Request(NamedTuple):
    """A request without its body, which nothing here needs."""

    method: str
    path: str
    headers: Dict[str, str]
    # Called once the request has proved where it comes from: the connection is no longer closed for another one.
    trust: Callable[[], None]


class Answer(NamedTuple):
    """A status, a text and its type."""

    status: int
    text: str = ""
    kind: str = "text/plain"
    headers: Optional[Dict[str, str]] = None


class Desk:
    """Hands questions to the one thread that a handle of Flux belongs to, agents' before all others."""

    def __init__(self) -> None:
        self.waiting: "queue.PriorityQueue[Tuple[int, int, Any, Future[Any]]]" = queue.PriorityQueue()
        self.number = itertools.count()

    async def ask(self, question: Any, rank: int) -> Any:
        """The answer to a question, of which those with the lowest rank come first."""
        answer: "Future[Any]" = Future()
        self.waiting.put((rank, next(self.number), question, answer))
        return await asyncio.wrap_future(answer)

    def serve(self, respond: Callable[[Any], Any], patience: float) -> None:
        """Answers one question, or none within the patience. What goes wrong is raised here, too."""
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


Respond = Callable[[Request], Awaitable[Answer]]


class Port:
    """The connections of one port."""

    def __init__(self, respond: Respond) -> None:
        self.respond = respond
        self.unproved: "OrderedDict[asyncio.StreamWriter, None]" = OrderedDict()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one request, and closes the connection."""
        self.unproved[writer] = None
        while len(self.unproved) > MOST_CONNECTIONS:
            oldest, _ = self.unproved.popitem(last=False)
            oldest.transport.abort()
        try:
            await asyncio.wait_for(self.answer(reader, writer), DEADLINE)
        except (OSError, EOFError, ValueError, asyncio.TimeoutError, asyncio.LimitOverrunError):
            writer.transport.abort()
        finally:
            self.unproved.pop(writer, None)
            writer.close()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Reads the request, and writes the answer."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip("\r\n").split("\r\n")
        method, path, _ = first.split(" ")
        pairs = (line.partition(":") for line in lines)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        try:
            request = Request(method, path, headers, lambda: self.unproved.pop(writer, None))
            answer = await self.respond(request)
        except OSError as error:
            answer = Answer(503, f"{error}\n")
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
        # What is not taken stays in the connection: it ends by the same deadline.
        while writer.transport.get_write_buffer_size() > 0:
            await asyncio.sleep(0.05)


def listener(port: int) -> socket.socket:
    """A socket at a port of every address, of either family where there are both."""
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


def start(ports: Dict[int, Respond]) -> None:
    """Serves ports in a thread beside."""
    loop = asyncio.new_event_loop()
    for port, respond in ports.items():
        server = asyncio.start_server(Port(respond).connected, sock=listener(port), limit=LONGEST)
        loop.run_until_complete(server)
    threading.Thread(target=loop.run_forever, daemon=True).start()
