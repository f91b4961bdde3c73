"""The proofs of the agent and the lead broker's pod."""

import pytest
from core.programs.signing import Once, Session


def test_admits_each_nonce_once_and_in_the_order_of_its_session():
    once, session = Once(), Session()
    first = session.next()
    assert not once.admits(first)
    session.token = once.token
    second, third = session.next(), session.next()
    assert once.admits(second)
    assert not once.admits(second)
    assert once.admits(third)
    assert not once.admits(second)
    other = Session()
    other.token = once.token
    assert once.admits(other.next())


@pytest.mark.parametrize("number", ["", "x", "-1", "1.5", "9" * 16])
def test_admits_no_other_number(number):
    once = Once()
    assert not once.admits(f"{once.token}.session.{number}")
