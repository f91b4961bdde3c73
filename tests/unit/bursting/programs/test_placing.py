"""The queues in which pending jobs wait."""

import json
from types import SimpleNamespace

import pytest
from bursting.programs import placing


def past_of(*events, jobspec=None):
    log = "".join(f"{json.dumps(event, ensure_ascii=False)}\n" for event in events)
    return placing.past_of({"jobspec": jobspec or {"attributes": {}}, "eventlog": log})


def priority(at, value):
    return {"name": "priority", "timestamp": at, "context": {"priority": value}}


def test_reads_a_memo_whose_texts_have_line_separators_of_unicode():
    texts = "\n \r \v \f \x1c \x1d \x1e \x85 \u2028 \u2029"
    memo = {"queue": texts, "round": 1, "tried": [texts], "why": texts, "at": 1.0}
    past = past_of({"name": "memo", "timestamp": 1.0, "context": {"place": memo}}, priority(2.0, 16))
    assert (past.memo, past.since) == (memo, 2.0)


def test_a_job_waits_since_it_was_released():
    assert past_of(priority(1.0, 16), priority(2.0, 16)).since == 1.0
    assert past_of(priority(1.0, 16), priority(2.0, 0)).since == 0.0
    assert past_of(priority(1.0, 16), priority(2.0, 0), priority(3.0, 16)).since == 3.0


def test_a_job_stays_where_its_user_has_put_it():
    for system in ({"queue": "home"}, {"constraints": {"properties": ["big"]}}):
        assert not past_of(jobspec={"attributes": {"system": system}}).is_free
    assert past_of().is_free


@pytest.mark.parametrize(
    ("order", "queues"), [("price", ["few", "many"]), ("listed", ["many", "few"])], ids=["price", "listed"]
)
def test_the_price_of_a_cluster_is_that_of_all_hosts_of_the_job(order, queues):
    # Four hosts at 1 an hour, or one at 3.
    given = [("home", 0), ("many", 1), ("few", 3), ("none", 0)]
    settings = {
        "queues": [{"name": name, "cluster": name, "price": price} for name, price in given],
        "order": order,
        "afterSeconds": 1,
        "giveUpSeconds": 1,
    }
    placer = placing.Placer(None, settings, lambda *_: None)
    hosts = {"many": 4, "few": 1, "none": 0}
    room = SimpleNamespace(hosts_for=lambda _, queue: hosts[queue.name])
    assert [queue.name for queue in placer.ordered(None, room)] == queues
