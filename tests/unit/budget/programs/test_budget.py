"""The budget of a Job, as the agent counts it."""

import json
import re
from datetime import datetime, timezone

import pytest
from agentBench import demand_text, look_text

HOUR, DAY = 3600, 86_400
BEGAN = datetime(2026, 11, 30, 20, tzinfo=timezone.utc).timestamp()


def spent_on(count, at=BEGAN):
    return {"minicluster/spent": json.dumps({"at": at, **count})}


@pytest.fixture
def busy(bench):
    """Looks with a queue that needs all hosts, at 1 an hour for each host."""

    def run(limits, looks=1, **own):
        bench.lead.texts = [look_text(pending=[8])]
        return bench.run(looks, **{"began": BEGAN, "budget": {**limits, "pricePerHour": 1}, **own})

    return run


def test_counts_the_hosts_of_each_look_for_a_day_and_a_month_in_utc(busy):
    became = busy({"perDay": 1000, "perMonth": 1000}, [(now, {}) for now in (0, 2 * HOUR, 5 * HOUR)])
    assert became.sizes == [8, 8, 8]
    # 8 hosts from 20:00 on; the month ends with the day.
    days = {"2026-11-30": 32, "2026-11": 32, "2026-12-01": 8, "2026-12": 8}
    assert became.spent == {"at": BEGAN + 5 * HOUR, **days}


def test_keeps_a_size_from_growing_when_the_budget_is_spent_and_takes_no_host_away(busy):
    looks = [(now, {}) for now in (0, HOUR, 4.1 * HOUR)]
    became = busy({"perDay": 20}, looks, annotations=spent_on({"2026-11-30": 20}))
    assert became.sizes == [3, 3, 8]
    says = r"; the budget of 20 for 2026-11-30 is spent \(20\.00\), .* again from 2026-12-01 UTC$"
    assert re.search(says, became.said[0])


def test_lets_hosts_leave_where_the_api_server_rejects_the_record(bench):
    bench.lead.texts = [look_text(busy=3), look_text()]
    budget = {"perDay": 1000, "pricePerHour": 1}
    became = bench.run([(0, {}), (600, {}, 500)], began=BEGAN, budget=budget)
    assert became.sizes == [3, 1]
    rejected = "the API server answers with status 500: internal error"
    assert f"the cost of the hosts is not recorded: {rejected}" in became.said


def test_names_the_limit_that_ends_last(busy):
    began = BEGAN - 15 * DAY
    annotations = spent_on({"2026-11-15": 9, "2026-11": 90}, began)
    became = busy({"perDay": 5, "perMonth": 50}, annotations=annotations, began=began)
    assert re.search(r"the budget of 50 for 2026-11 is spent \(90\.00\), .* from 2026-12-01 UTC$", became.said[0])


def test_continues_the_count_of_a_former_agent_with_the_cost_since_then(busy):
    became = busy({"perDay": 16}, annotations=spent_on({"2026-11-30": 10}, BEGAN - 2 * HOUR))
    assert became.spent == {"at": BEGAN, "2026-11-30": 16}


def test_has_the_smallest_size_with_a_spent_budget_and_lets_hosts_leave(bench, busy):
    annotations = spent_on({"2026-11-30": 20})
    assert busy({"perDay": 20}, annotations=annotations, min=5).sizes == [5]
    bench.lead.texts = [demand_text()]
    budget = {"perDay": 20, "pricePerHour": 1}
    assert bench.run(3, began=BEGAN, budget=budget, annotations=annotations).sizes[-1] == 1


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{",
        '{"at": "x"}',
        '{"at": 1e300}',
        f'{{"at": {BEGAN}, "2026-11-30": -5}}',
        '{"at": 1, "b": null}',
    ],
)
def test_ignores_an_annotation_that_is_not_a_count(busy, text):
    became = busy({"perDay": 20}, annotations={"minicluster/spent": text})
    assert (became.sizes, became.spent) == ([8], {"at": BEGAN, "2026-11-30": 0})


def test_is_written_once_a_minute(busy):
    eight = {"parallelism": 8, "completions": 8}
    became = busy({"perDay": 20}, [(now, {}) for now in (0, 10, 20, 61)], min=8, job=eight)
    assert became.asked.count("PATCH") == 2
