"""How the agent and the lead broker's pod prove to each other that they have the key."""

import hmac


def sign(key: bytes, *parts: bytes) -> str:
    """Proof that the sender of these parts has the key."""
    return hmac.new(key, b"\n".join(parts), "sha256").hexdigest()
