"""How the agent and the lead broker's pod each prove to the other that they have the key."""

import hmac


def sign(key: bytes, *parts: bytes) -> str:
    """Proof of who has the key and says these parts."""
    return hmac.new(key, b"\n".join(parts), "sha256").hexdigest()
