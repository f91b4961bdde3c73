"""Sets of ranks."""


class IDset(set):
    def __init__(self, ranks=""):
        if isinstance(ranks, str):
            ends = [part.split("-") for part in ranks.split(",") if part]
            ranks = [rank for part in ends for rank in range(int(part[0]), int(part[-1]) + 1)]
        super().__init__(ranks)

    def __and__(self, other):
        return IDset(super().__and__(other))

    def __sub__(self, other):
        return IDset(super().__sub__(other))

    def __iter__(self):
        return iter(sorted(super().__iter__()))
