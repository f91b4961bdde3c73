"""The users of the console."""

import hashlib

import pytest
from console.programs import accounts

KEY = b"k" * 9
SHORT, LONG = "short-one", "l" * 64


def accounts_of(**tokens):
    users = {name: {"role": "user", "hash": hashlib.sha256(one.encode()).hexdigest()} for name, one in tokens.items()}
    return accounts.Accounts({"secretKey": KEY.decode(), "users": users})


def log_in(known, user, token, now):
    """The answer to a login, or "limited"."""
    try:
        return known.log_in(accounts.sign_claims(KEY, {"user": user, "pass": token, "scope": "token"}), now)
    except accounts.Limited:
        return "limited"


def get(known, token, now):
    """Whether a token is accepted, or "limited"."""
    try:
        return known.authenticate(f"Bearer {token}", now) is not None
    except accounts.Limited:
        return "limited"


def test_a_login_is_valid_for_an_hour():
    known = accounts_of(a="t")
    token = log_in(known, "a", "t", 1000.0)
    assert [get(known, token, 1000.0 + age) for age in (0, 3599, 3600)] == [True, True, False]


@pytest.mark.parametrize("claims", [{"user": "b"}, {"pass": LONG}, {"scope": "all"}])
def test_a_login_is_rejected_unless_the_user_and_the_token_belong_together(claims):
    known = accounts_of(a=SHORT, b=LONG)
    token = accounts.sign_claims(KEY, {"user": "a", "pass": SHORT, "scope": "token", **claims})
    assert known.log_in(token, 0.0) is None


def test_each_user_has_a_rate():
    known = accounts_of(a="t")
    user = known.by_token("t", 1000.0)

    def allowed(now):
        for count in range(5000):
            try:
                known.limit(user, now)
            except accounts.Limited:
                return count
        return None

    assert (allowed(3000.0), allowed(3002.0)) == (2000, 200)


def test_limits_wrong_tokens_that_are_short_and_never_those_that_are_long():
    known = accounts_of(a=SHORT, b=LONG)
    guesses = [get(known, f"guess-{at}", 0.0) for at in range(60)]
    guesses += [log_in(known, "a", f"guess-{at}", 0.0) or False for at in range(60)]
    assert (guesses.count(False), guesses.count("limited")) == (100, 20)
    assert [get(known, SHORT, 0.0), log_in(known, "a", SHORT, 0.0)] == ["limited", "limited"]
    assert get(known, LONG, 0.0) is True
    assert log_in(known, "b", LONG, 0.0) not in (None, "limited")
    assert get(known, "", 0.0) is False
    later = [get(known, token, 2.0) for token in (SHORT, SHORT, "wrong-one", "wrong-one", "wrong-one")]
    assert later == [True, True, False, False, "limited"]
    # A clock that was set back gives no attempts, and takes none for ever.
    assert [get(known, "wrong-one", -1000.0), get(known, SHORT, -997.0)] == ["limited", True]
    logins = [log_in(known, "b", LONG, 5.0) for _ in range(3000)]
    assert logins.count("limited") == 1000
    assert None not in logins
