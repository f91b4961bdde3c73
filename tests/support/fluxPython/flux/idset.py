"""Sets of ranks."""

from typing import Any, Iterable, Iterator, List, Set, Union


class IDset(Set[int]):
    def __init__(self, ranks: Union[str, Iterable[int]] = "") -> None:
        if isinstance(ranks, str):
            ends = [part.split("-") for part in ranks.split(",") if part]
            ranks = [rank for part in ends for rank in range(int(part[0]), int(part[-1]) + 1)]
        super().__init__(ranks)

    def __and__(self, other: Any) -> "IDset":
        return IDset(super().__and__(other))

    def __sub__(self, other: Any) -> "IDset":
        return IDset(super().__sub__(other))

    def __iter__(self) -> Iterator[int]:
        return iter(sorted(super().__iter__()))

    def __str__(self) -> str:
        """The ranks as RFC 22 writes them."""
        ranges: List[List[int]] = []
        for rank in self:
            if ranges and ranges[-1][-1] == rank - 1:
                ranges[-1] = [ranges[-1][0], rank]
            else:
                ranges.append([rank])
        return ",".join("-".join(map(str, ends)) for ends in ranges)
