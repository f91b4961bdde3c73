"""Lists of hosts."""


class Hostlist:
    """Host names with commas, without ranges."""

    def __init__(self, text: str) -> None:
        self.text = text

    def encode(self) -> str:
        return self.text
