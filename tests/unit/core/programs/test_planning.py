"""The shapes of jobspecs. The forecast in TypeScript is tested with the same table."""

import json
from pathlib import Path

import pytest
from core.programs import planning

TABLE = json.loads((Path(__file__).parents[3] / "data/shapes.json").read_text())


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: json.dumps(case["resources"]))
def test_finds_the_shape_of_a_jobspec_and_its_units_on_a_host(case):
    if case["shape"] is None:
        with pytest.raises((LookupError, TypeError, ValueError, AttributeError)):
            planning.shape_of(case["resources"])
        return
    shape = planning.shape_of(case["resources"])
    assert list(shape) == case["shape"]
    host = planning.Host(0, "demo", **TABLE["host"])
    assert host.room(shape) == host.room(shape, idle=True) == case["idle"]
    for cores, gpus, units in case["free"]:
        host.free_cores, host.free_gpus = cores, gpus
        assert host.room(shape) == units
        assert host.room(shape, idle=True) == case["idle"]
