"""The loop of a handle: timers, file descriptors, and calls from other threads."""

import errno
import os
import queue
import selectors
import time
from typing import Any, Callable, List, Optional


class Watcher:
    """What a callback is called for: at a time, or where a file descriptor has something to read."""

    def __init__(self, reactor: "Reactor", callback: Callable[..., Any], after: float, repeat: float, fd: int) -> None:
        self.reactor, self.callback, self.repeat, self.fd = reactor, callback, repeat, fd
        self.at = time.monotonic() + after

    def start(self) -> "Watcher":
        if self.fd < 0:
            self.reactor.timers.append(self)
        else:
            self.reactor.selector.register(self.fd, selectors.EVENT_READ, self)
        return self


class Reactor:
    def __init__(self) -> None:
        self.selector = selectors.DefaultSelector()
        self.timers: List[Watcher] = []
        self.calls: "queue.SimpleQueue[Callable[[], None]]" = queue.SimpleQueue()

    def run(self) -> None:
        broker = os.environ.get("FLUX_STAND_IN")
        while True:
            if broker and not os.path.exists(broker):
                raise BrokenPipeError(errno.EPIPE, "EPIPE: Broken pipe")
            for key, _ in self.selector.select(0.01):
                key.data.callback(None, key.data, key.fd, 1, None)
            while not self.calls.empty():
                self.calls.get()()
            for timer in [timer for timer in self.timers if timer.at <= time.monotonic()]:
                timer.at += timer.repeat
                timer.callback(None, timer, 0, None)


class Future:
    """A result, or one result after another, of which None is the last."""

    def __init__(self, reactor: Reactor) -> None:
        self.reactor = reactor
        self.waiting: List[Any] = []
        self.callback: Optional[Callable[["Future"], None]] = None

    def fulfil(self, value: Any) -> None:
        self.waiting.append(value)
        if self.callback:
            self.reactor.calls.put(self.call)

    def call(self) -> None:
        if self.callback and self.waiting:
            self.callback(self)

    def then(self, callback: Callable[["Future"], None]) -> "Future":
        self.callback = callback
        for _ in self.waiting:
            self.reactor.calls.put(self.call)
        return self

    def get(self) -> Any:
        value = self.waiting.pop(0)
        if isinstance(value, Exception):
            raise value
        return value

    def wait_for(self, timeout: float) -> "Future":
        """Flux waits for ever for an answer that is lost, unless the caller has a limit."""
        assert timeout > 0
        if not self.waiting:
            raise OSError(errno.ETIMEDOUT, "Connection timed out")
        return self

    get_id = get
