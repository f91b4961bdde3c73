"""The users of the console: their roles and their tokens.

A token is sent as it is, as a bearer token, or in a login as flux-restful-client does it: a JSON Web Token (RFC 7519,
HS256) of the user, the token and a scope, signed with a key that the server and its users share. The response to a
login is a token that the server signs, which is valid for an hour.
"""

import base64
import hashlib
import hmac
import json
import secrets
from typing import Any, Dict, NamedTuple, Optional

# Roles, each with all rights of the roles before it.
ROLES = ("viewer", "user", "admin")
# Seconds for which a login is valid.
VALID = 3600.0
# Rate limit of a user: the burst, and the requests per second.
BURST, RATE = 2000.0, 100.0
# Characters from which a token cannot be guessed, and the rate limit of wrong tokens that are shorter: the burst, and
# the number per second. Without attempts left, short tokens are not checked at all.
GUESSABLE, GUESSES, GUESSES_RATE = 32, 100.0, 1.0


class Limited(Exception):
    """There were too many requests."""


class User(NamedTuple):
    """A user with a role."""

    name: str
    role: str

    def may(self, role: str) -> bool:
        """Whether the user has the rights of a role."""
        return ROLES.index(self.role) >= ROLES.index(role)


def encode(data: bytes) -> str:
    """Bytes as a part of a JSON Web Token."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> bytes:
    """The bytes of a part of a JSON Web Token."""
    return base64.urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4))


def sign_claims(key: bytes, claims: Dict[str, Any]) -> str:
    """A JSON Web Token."""
    parts = ({"alg": "HS256", "typ": "JWT"}, claims)
    text = ".".join(encode(json.dumps(part).encode()) for part in parts)
    return f"{text}.{encode(hmac.digest(key, text.encode(), 'sha256'))}"


def read_claims(key: bytes, token: str) -> Dict[str, Any]:
    """The claims of a JSON Web Token. Empty unless it is signed with the key, by this algorithm."""
    head, _, rest = token.partition(".")
    payload, _, signature = rest.partition(".")
    try:
        if not hmac.compare_digest(hmac.digest(key, f"{head}.{payload}".encode(), "sha256"), decode(signature)):
            return {}
        if json.loads(decode(head)).get("alg") != "HS256":
            return {}
        claims = json.loads(decode(payload))
    except (ValueError, AttributeError):
        return {}
    return claims if isinstance(claims, dict) else {}


class Allowance:
    """The requests that may be sent now."""

    def __init__(self, now: float, burst: float = BURST, rate: float = RATE) -> None:
        self.left = self.burst = burst
        self.rate = rate
        self.at = now

    def has(self, now: float) -> bool:
        """Whether a request is left."""
        # A clock may have been set back.
        self.left = min(self.burst, self.left + max(0.0, now - self.at) * self.rate)
        self.at = now
        return self.left >= 1

    def take(self, now: float) -> bool:
        """Takes one request, if one is left."""
        if not self.has(now):
            return False
        self.left -= 1
        return True


class Accounts:
    """The users of a console, by its settings."""

    def __init__(self, settings: Dict[str, Any]) -> None:
        self.users = {name: User(name, one["role"]) for name, one in settings["users"].items()}
        self.hashes = {name: one["hash"] for name, one in settings["users"].items()}
        self.shared_key: bytes = settings["secretKey"].encode()
        self.own_key = secrets.token_bytes(32)
        self.allowances: Dict[str, Allowance] = {}
        self.guesses: Optional[Allowance] = None

    def by_token(self, token: str, now: float) -> Optional[User]:
        """The user of a token. The time that this takes is the same for every user."""
        is_guess = 0 < len(token) < GUESSABLE
        self.guesses = self.guesses or Allowance(now, GUESSES, GUESSES_RATE)
        if is_guess and not self.guesses.has(now):
            raise Limited("There were too many wrong tokens; try again in a few seconds.")
        given = hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
        found = [name for name, known in self.hashes.items() if hmac.compare_digest(known, given)]
        if is_guess and not found:
            self.guesses.take(now)
        return self.users[found[0]] if found else None

    def log_in(self, token: str, now: float) -> Optional[str]:
        """The response to a login, if the user and the token in it belong together."""
        claims = read_claims(self.shared_key, token) if self.shared_key else {}
        user = self.by_token(str(claims.get("pass", "")), now)
        if user is None or claims.get("scope") != "token" or claims.get("user") != user.name:
            return None
        self.limit(user, now)
        return sign_claims(self.own_key, {"sub": user.name, "exp": now + VALID})

    def authenticate(self, header: str, now: float) -> Optional[User]:
        """The user whose token is in the header of a request."""
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer":
            return None
        user = self.by_token(token.strip(), now)
        if user:
            return user
        claims = read_claims(self.own_key, token.strip())
        return self.users.get(claims["sub"]) if claims and claims["exp"] > now else None

    def limit(self, user: User, now: float) -> None:
        """Counts a request of a user. Raises Limited if there are too many."""
        if not self.allowances.setdefault(user.name, Allowance(now)).take(now):
            raise Limited("There are too many requests; try again in a second.")
