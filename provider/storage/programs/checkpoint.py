"""Writes the state of a Flux instance to its volume after each change of a job.

The content store writes to the disk at once, but a broker starts from the last checkpoint of the key value store. Later
changes are lost if the broker is killed (flux-config-kvs(5), `checkpoint-period`).
"""

import errno
import sys
import time

import flux
import flux.constants
import flux.kvs
from core.programs.journal import Journal

# Seconds for which a checkpoint waits for further events, and the pause between events that ends the wait.
GATHER_SECONDS = 0.1
PAUSE = 0.01
# Seconds until the next attempt on a full volume.
FULL_PAUSE = 5.0


def follow() -> None:
    """Follows the journal of the job manager (RFC 21 of Flux), until it ends."""
    handle = flux.Flux()
    journal = Journal(handle, full=False)
    number = 0
    while journal.poll() is not None:
        until = time.monotonic() + GATHER_SECONDS
        try:
            while time.monotonic() < until and journal.poll(PAUSE) is not None:
                pass
        except TimeoutError:
            pass
        number += 1
        try:
            flux.kvs.put(handle, "minicluster.checkpoint", number)
            flux.kvs.commit(handle, flux.constants.FLUX_KVS_SYNC)
        except OSError as error:
            # A full volume. The program that watches it closes the queues until there is room.
            if error.errno not in (errno.ENOSPC, errno.EIO):
                raise
            print(f"minicluster: the state is not written to its volume: {error}", file=sys.stderr, flush=True)
            time.sleep(FULL_PAUSE)
    raise OSError("the journal has ended")
