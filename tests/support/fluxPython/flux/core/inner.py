"""Functions of the library in C, by cffi: those for a request of bytes."""

from typing import Any, List

from flux import Flux, fail
from flux.reactor import Future


class Kinds:
    """The types of a function's arguments."""

    def __init__(self, function: Any) -> None:
        self.args = [function, "void **", "size_t *"]


class Ffi:
    NULL = None

    def typeof(self, function: Any) -> Kinds:
        return Kinds(function)

    def new(self, _kind: Any) -> List[Any]:
        return [None]

    def buffer(self, data: bytes, size: int) -> bytes:
        return data[:size]


class Library:
    def flux_rpc_raw(self, handle: Flux, topic: str, data: bytes, size: int, _nodeid: int, _flags: int) -> Future:
        handle.check_thread()
        assert topic == "content.load" and len(data) == size
        future = Future(handle.reactor)
        try:
            fail(topic)
            future.fulfil(handle.running.load(data))
        except OSError as error:
            future.fulfil(error)
        return future

    def flux_rpc_get_raw(self, future: Future, data: List[Any], size: List[Any]) -> int:
        data[0] = future.get()
        size[0] = len(data[0])
        return 0


ffi = Ffi()
lib = raw = Library()
