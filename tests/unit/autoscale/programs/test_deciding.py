"""The sizes that the agent sets over time, by the demands that it reads."""

import pytest
from agentBench import look_text

SETTINGS = {"idleSeconds": 60, "cooldownSeconds": 10, "intervalSeconds": 0}
WIDE = {"pending": [6]}


@pytest.mark.parametrize(
    ("looks", "sizes", "settings"),
    [
        pytest.param(
            [(0, WIDE), (5, WIDE), (20, {"busy": 6}), (50, {}), (70, {}), (81, {})],
            [6, 6, 6, 6, 6, 1],
            {},
            id="a wide job grows it at once, and it shrinks after the idle time",
        ),
        pytest.param([(0, {"busy": 2, "pending": [3]})], [5], {}, id="hosts are added to hosts with jobs"),
        pytest.param(
            [(at, {"pending": [4] if at % 40 == 0 else []}) for at in range(0, 121, 20)],
            [4] * 7,
            {},
            id="a queue that flaps keeps its hosts",
        ),
        pytest.param(
            [(0, WIDE), (20, {"busy": 1, "needed": 6}), (100, {"busy": 1, "needed": 6}), (200, {})],
            [6, 6, 6, 1],
            {},
            id="a host with a job never leaves",
        ),
        pytest.param(
            [*((at, {"pending": [8]}) for at in (0, 5, 10, 20)), (100, {}), (110, {})],
            [4, 4, 7, 8, 5, 2],
            {"maxStep": 3},
            id="two changes are a pause apart, and of so many hosts at most",
        ),
        pytest.param([(0, {"busy": 1})], [2], {"min": 2}, id="it keeps to its least size"),
        pytest.param([(0, {}, {"parallelism": 20})], [8], {}, id="a size above its bounds is brought back"),
        pytest.param([(0, {}, {"parallelism": 1})], [3], {"min": 3}, id="a size below its bounds as well"),
        pytest.param(
            [(0, WIDE), (30, {"busy": 6}), (65, {}, {"parallelism": 3})],
            [6, 6, 3],
            {},
            id="a size that was wanted once is no reason to grow",
        ),
        pytest.param(
            [(0, {"pending": [4]}), (10, {"busy": 4}), (60, "unknown"), (100, {}), (130, {}), (165, {})],
            [4, 4, 4, 4, 4, 1],
            {},
            id="idle time begins again after a time without a demand",
        ),
        pytest.param(
            [(0, {"pending": [4]}), (10, {"busy": 4}), (60, None, {}, "away"), (100, {}), (130, {}), (165, {})],
            [4, 4, 4, 4, 4, 1],
            {},
            id="idle time begins again after a time without an API server",
        ),
        pytest.param(
            [(0, {"pending": [4]}, {}, 409, 409), (20, {"pending": [8]}, {}, *[409] * 5), (21, {"pending": [8]})],
            [4, 4, 8],
            {},
            id="a change that the API server refuses is tried again at once, and then at the next look",
        ),
    ],
)
def test_sizes(bench, looks, sizes, settings):
    own = {"min": 1, **SETTINGS, **settings}
    demands = [look[1] for look in looks if look[1] is not None]
    bench.lead.texts = [one if isinstance(one, str) else look_text(**one) for one in demands]
    job = {"parallelism": own["min"], "completions": own["min"]}
    each = [(now, *(rest or ({},))) for now, _, *rest in looks]
    assert bench.run(each, job=job, **own).sizes == sizes
