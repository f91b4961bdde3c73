"""The program that runs a study."""

import io
import json
import os
import signal
import stat
import sys

import pytest
from study.programs import study

PATTERN = r"took (\S+) s"


@pytest.mark.parametrize(
    ("output", "figure"),
    [("took 1 s\ntook 2.5 s\n", 2.5), ("took -1e3 s", -1000.0), ("took 1 s\nand then took\n", 1.0)],
)
def test_the_figure_is_the_last_match_of_its_pattern(output, figure):
    assert study.figure_in(output, PATTERN) == (figure, "")


@pytest.mark.parametrize("text", ["nan", "NaN", "-nan", "inf", "-inf", "Infinity", "1e999", "-1e999", "1.2.3"])
def test_a_text_that_is_no_finite_number_is_no_figure(text):
    assert study.figure_in(f"took {text} s", PATTERN) == (
        None,
        f"the pattern finds {text!r}, which is not a number",
    )


def test_a_pattern_may_match_nothing():
    assert study.figure_in("all is well", PATTERN) == (None, "the pattern matches nothing in the output")


def test_a_search_that_takes_too_long_ends_with_its_reason(monkeypatch):
    monkeypatch.setattr(study, "SEARCH_SECONDS", 0.2)
    figure, problem = study.figure_in(f"{'a' * 40}!", "^(?:a+)+ ([0-9]+)$")
    assert figure is None
    assert problem == "the search for the pattern was ended after 0.2 s of processor time; simplify the pattern"
    assert study.figure_in("took 1 s", PATTERN) == (1.0, "")


@pytest.mark.parametrize("pattern", [r"\p{L} ([0-9]+)", r"(?<=a+)([0-9]+)", r"[^]([0-9]+)", r"([0-9]+)\k"])
def test_names_the_problem_with_a_pattern_that_python_refuses(pattern):
    assert study.pattern_problem(pattern).startswith("is not valid in Python: ")


def test_a_pattern_has_one_group():
    assert study.pattern_problem("([0-9]+)") == ""
    assert study.pattern_problem("(a)(b)") == "has 2 groups in Python, and needs one"


@pytest.mark.parametrize(("status", "code"), [(0, 0), (7 << 8, 7), (signal.SIGKILL, 137), (signal.SIGTERM, 143)])
def test_the_exit_status_is_that_of_a_shell(status, code):
    assert study.exit_status(status) == code


def test_repeats_a_failed_run_as_often_as_the_retries_say():
    journal = study.Journal(None)
    run = {"id": "a", "attempts": 0}

    def following(attempt, is_ok, retries):
        journal.reports = {"a": {"attempt": attempt, "ok": is_ok}}
        return [number for _, number in study.unfinished({"runs": [run], "retries": retries}, journal)]

    assert following(1, False, 0) == []
    assert following(1, False, 1) == [2]
    assert following(2, False, 1) == []
    assert following(1, True, 1) == []


def test_a_run_has_its_hosts_for_itself_and_the_numbers_in_its_environment():
    runner = study.Study.__new__(study.Study)
    runner.environment = {"CASE": "a", "SIZE": "b"}
    run = {
        "name": "app-2-1",
        "command": "mpirun",
        "size": 2,
        "tasks": 8,
        "repeat": 1,
        "gpusPerTask": 0,
        "timeoutSeconds": 60,
        "environment": {"CASE": "c"},
    }
    jobspec = runner.jobspec_of(run).jobspec
    assert jobspec["resources"][0]["exclusive"] is True
    assert jobspec["resources"][0]["count"] == 2
    assert jobspec["tasks"][0]["command"] == ["bash", "-c", "mpirun"]
    system = jobspec["attributes"]["system"]
    assert system["duration"] == 60
    assert system["environment"] == {"CASE": "c", "SIZE": "b", "size": "2", "tasks": "8", "repeat": "1"}


def test_other_users_read_no_file_of_a_study(monkeypatch, tmp_path):
    monkeypatch.setenv("FLUX_URI", f"local://{tmp_path}/local")
    request = {"study": "demo", "owner": "", "do": "stop", "retries": 0, "runs": []}
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(request)))
    before = os.umask(0o022)
    try:
        study.main()
    finally:
        os.umask(before)
    files = list(tmp_path.iterdir())
    assert files
    assert [stat.S_IMODE(file.stat().st_mode) & 0o077 for file in files] == [0] * len(files)
