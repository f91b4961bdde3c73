"""Signatures with which the agent and the lead broker's pod prove to each other that they have the key.

A signed request has a nonce: a token of the program that answers, a session of the agent, and the number of the request
in it. A recorded request has a former token or a former number, so that it is not answered again. No clock is needed.
"""

import hmac
import secrets
from typing import Dict

# The header with the token, in an answer with the status 401.
TOKEN = "Token"


def sign(key: bytes, *parts: bytes) -> str:
    """Proof that the sender of these parts has the key."""
    return hmac.new(key, b"\n".join(parts), "sha256").hexdigest()


class Session:
    """The nonces of an agent, one after the other."""

    def __init__(self) -> None:
        self.token = ""
        self.name = secrets.token_hex(16)
        self.number = 0

    def next(self) -> str:
        """The nonce of the next request."""
        self.number += 1
        return f"{self.token}.{self.name}.{self.number}"


class Once:
    """Admits each nonce once, and only in the order of a session."""

    def __init__(self) -> None:
        self.token = secrets.token_hex(16)
        self.last: Dict[str, int] = {}

    def admits(self, nonce: str) -> bool:
        """Whether the nonce of a signed request is new."""
        token, _, rest = nonce.partition(".")
        session, _, number = rest.partition(".")
        if token != self.token or not number.isdecimal() or len(number) > 15:
            return False
        if int(number) <= self.last.get(session, 0):
            return False
        self.last[session] = int(number)
        return True
