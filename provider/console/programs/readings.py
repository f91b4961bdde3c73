"""Readings of the queue for all clients: each has many requests, so a separate thread with a handle makes them."""

import asyncio
import json
import queue
import sys
import threading
import time
from concurrent.futures import Future
from typing import Optional

import flux
from forecast.programs.queue import reading

# Seconds for which clients receive the same reading.
PERIOD = 5.0


class Readings:
    """The newest reading of the queue."""

    def __init__(self) -> None:
        self.wanted: "queue.SimpleQueue[Future[bytes]]" = queue.SimpleQueue()
        self.newest: "Optional[Future[bytes]]" = None
        # When the newest reading, or the attempt, has ended.
        self.read_at = 0.0
        threading.Thread(target=self.serve, daemon=True).start()

    async def get(self) -> bytes:
        """A reading in JSON. One that fails is not repeated earlier than another."""
        if not self.newest or (self.newest.done() and time.monotonic() - self.read_at >= PERIOD):
            self.newest = Future()
            self.wanted.put(self.newest)
        # The other clients also wait for it if this one leaves.
        return await asyncio.shield(asyncio.wrap_future(self.newest))

    def serve(self) -> None:
        """Makes the readings."""
        handle: Optional[flux.Flux] = None
        while True:
            result = self.wanted.get()
            try:
                handle = handle or flux.Flux()
                found = json.dumps(reading(handle), separators=(",", ":")).encode()
                self.read_at = time.monotonic()
                result.set_result(found)
            except Exception as error:
                handle = None
                print(f"minicluster: the queue is not read: {error}"[:500], file=sys.stderr, flush=True)
                self.read_at = time.monotonic()
                result.set_exception(OSError("The queue cannot be read now."))
