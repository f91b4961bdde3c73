"""The handlers of the console."""

import asyncio
from types import SimpleNamespace

import pytest
from console.programs import console
from console.programs.accounts import User
from console.programs.arguments import Arguments


@pytest.fixture
def search():
    """Searches among ten jobs."""
    jobs = list(range(10))

    async def find(_):
        return jobs

    async def answer(_user, build):
        return await build()

    board = SimpleNamespace(jobs=dict.fromkeys(jobs), search=lambda _: jobs)
    server = SimpleNamespace(board=board, jobs=find, large=SimpleNamespace(answer=answer))

    def run(**values):
        call = console.Call(User("ann", "viewer"), Arguments(values), None)
        return asyncio.run(console.search_jobs(server, call))

    return run


@pytest.mark.parametrize(
    ("page", "data"),
    [
        ({}, list(range(10))),
        ({"length": 4}, [0, 1, 2, 3]),
        ({"start": 4, "length": 4}, [4, 5, 6, 7]),
        ({"start": 8, "length": 4}, [8, 9]),
    ],
)
def test_a_search_has_the_requested_page(search, page, data):
    found = search(**page)
    assert found["data"] == data
    assert (found["recordsTotal"], found["recordsFiltered"]) == (10, 10)


def test_each_change_requires_a_role():
    roles = {one.pattern.pattern: one.role for one in console.ROUTES if one.method == "POST"}
    assert {role for path, role in roles.items() if "/hosts/" in path or "/service/" in path} == {"admin"}
    assert {role for path, role in roles.items() if "/jobs/" in path} == {"user"}
