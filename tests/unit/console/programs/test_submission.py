"""The job that a user of the console submits."""

import pytest
from console.programs.accounts import User
from console.programs.arguments import Arguments, Refused
from console.programs.submission import jobspec_of

ANN = User("ann", "user")


def submitted(**values):
    jobspec, urgency = jobspec_of(Arguments(values), ANN)
    return jobspec.jobspec, urgency


@pytest.fixture(autouse=True)
def variables(monkeypatch):
    monkeypatch.setenv("FLUX_URI", "local:///mnt/flux/config/run/flux/local-lead")
    monkeypatch.setenv("MINICLUSTER_VIEW", "/mnt/flux/view")
    monkeypatch.setenv("CASE", "a")


def test_a_job_has_the_environment_of_the_pod_without_the_variables_of_the_program():
    environment = submitted(command="true", envars={"CASE": "b", "SIZE": 2})[0]["attributes"]["system"]["environment"]
    assert (environment["CASE"], environment["SIZE"]) == ("b", "2")
    assert "PATH" in environment
    assert [name for name in environment if name.startswith(("FLUX_URI", "MINICLUSTER_"))] == []


def test_a_job_belongs_to_its_user_and_has_the_requested_queue_and_name():
    jobspec, urgency = submitted(command="echo 'a b'", queue="gpu", name="long", urgency=3, num_nodes=2)
    assert jobspec["tasks"][0]["command"] == ["echo", "a b"]
    assert jobspec["attributes"]["user"]["owner"] == "ann"
    system = jobspec["attributes"]["system"]
    assert (system["queue"], system["job"]["name"], urgency) == ("gpu", "long", 3)


def test_reports_all_problems_at_once():
    with pytest.raises(Refused) as refused:
        submitted(command="echo 'a", num_tasks=0, is_launcher=True, size=5)
    assert len(refused.value.details["Errors"]) == 4
