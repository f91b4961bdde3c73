/** Python function by which the agent and the lead broker's pod each prove to the other that they have the key. */
export const signFunction = String.raw`def sign(key, *parts):
    """Proof of who has the key and says these parts."""
    return hmac.new(key, b"\n".join(parts), "sha256").hexdigest()`;
