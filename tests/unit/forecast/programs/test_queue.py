"""The reading of the queue."""

import json

import flux
import pytest
from flux.job import JobID
from forecast.programs import queue

CORE = [{"type": "slot", "count": 1, "label": "task", "with": [{"type": "core", "count": 1}]}]


def jobspec(resources=CORE, **system):
    return {"resources": resources, "attributes": {"system": system}}


def waiting(number, **more):
    return {"id": f"f{number}", "state": "SCHED", "jobspec": jobspec(), **more}


def running(number, ranks="0", expiration=0.0, **more):
    entry = {"rank": ranks, "children": {"core": "0-1"}}
    record = {"version": 1, "execution": {"R_lite": [entry], "starttime": 100, "expiration": expiration}}
    return {"id": f"f{number}", "state": "RUN", "t_run": 100.0, "R": record, **more}


def ended(number, seconds, result=1, name="solve", userid=7):
    known = {"t_run": 50.0, "t_cleanup": 50.0 + seconds, "result": result, "name": name, "userid": userid}
    return {"id": f"f{number}", "state": "INACTIVE", "priority": number, **known}


@pytest.fixture
def instance(monkeypatch):
    """An instance of four hosts, whose jobs and configuration a test sets."""
    hosts = {"hosts": ["demo-0", "demo-1", "demo-2", "demo-3"], "cores": 4, "gpus": 0, "online": [0, 1, 2, 3]}
    given = {**hosts, "drained": [], "allocated": {}, "config": {}, "jobs": []}
    monkeypatch.setattr(flux, "INSTANCE", given)
    return given


def read():
    """A reading as another program gets it."""
    return json.loads(json.dumps(queue.reading(flux.Flux()), allow_nan=False))


def ids(jobs):
    return [int(JobID(job["id"])) for job in jobs]


def test_lists_only_jobs_that_the_scheduler_may_start_in_its_order_and_counts_the_others(instance):
    instance["jobs"] = [
        waiting(3),
        waiting(5, priority=20),
        waiting(2),
        waiting(4, priority=0),
        {"id": "f6", "state": "DEPEND"},
        running(7),
    ]
    found = read()
    assert ids(found["waiting"]) == [5, 2, 3]
    assert ids(found["running"]) == [7]
    assert found["counts"] == {"waiting": 3, "held": 1, "dependent": 1, "stopped": 0, "unread": 0}
    assert found["queues"] == {"": True}


def test_has_the_time_of_the_submission_of_each_waiting_job(instance):
    instance["jobs"] = [waiting(1, t_submit=1764480000.1234), waiting(2)]
    assert [job["submitted"] for job in read()["waiting"]] == [1764480000.123, 0]


def test_lists_no_job_of_a_stopped_queue(instance):
    instance["config"] = {"queues": {"day": {}, "night": {"stopped": True}}}
    held = [waiting(3, queue="night", priority=0), waiting(4, queue="day", priority=0)]
    instance["jobs"] = [waiting(1, queue="day"), waiting(2, queue="night"), *held]
    found = read()
    assert [(job["queue"], int(JobID(job["id"]))) for job in found["waiting"]] == [("day", 1)]
    assert found["counts"] == {"waiting": 1, "held": 1, "dependent": 0, "stopped": 2, "unread": 0}
    assert found["queues"] == {"day": True, "night": False}


def test_lists_no_job_of_an_instance_whose_only_queue_is_stopped_and_has_no_median_without_ended_jobs(instance):
    instance.update(stopped=True, jobs=[waiting(1)])
    found = read()
    assert (found["queues"], found["waiting"], found["counts"]["stopped"]) == ({"": False}, [], 1)
    assert found["ended"] == {"count": 0, "median": None}


@pytest.mark.parametrize(
    ("lengths", "want"),
    [
        ({"a": 1500, "b": 10, "c": 0}, {"a": 990, "b": 10}),
        ({"a": 600, "b": 600, "c": 600}, {"a": 333, "b": 333, "c": 334}),
        ({"a": 2, "b": 3, "c": 4}, {"a": 2, "b": 3, "c": 4}),
    ],
)
def test_a_long_queue_does_not_displace_another_one(instance, lengths, want):
    instance["config"] = {"queues": {name: {} for name in lengths}}
    names = [name for name, length in lengths.items() for _ in range(length)]
    instance["jobs"] = [waiting(number, queue=name) for number, name in enumerate(names, 1)]
    found = read()
    shown = [job["queue"] for job in found["waiting"]]
    assert {name: shown.count(name) for name in set(shown)} == want
    assert found["counts"]["waiting"] == len(names)


def test_survives_a_job_that_ends_between_the_list_and_its_jobspec(instance, monkeypatch):
    instance["jobs"] = [waiting(1), waiting(2)]
    look_up = flux.look_up

    def look_up_later(handle, payload):
        if payload["id"] == 1:
            raise FileNotFoundError("No such file or directory")
        return look_up(handle, payload)

    monkeypatch.setattr(flux, "look_up", look_up_later)
    assert ids(read()["waiting"]) == [2]


def test_does_not_list_a_job_twice_that_starts_between_the_lists(instance, monkeypatch):
    instance["jobs"] = [waiting(1), waiting(2)]
    running_jobs = queue.running_jobs

    def running_later(handle):
        instance["jobs"][0] = running(1)
        return running_jobs(handle)

    monkeypatch.setattr(queue, "running_jobs", running_later)
    found = read()
    assert (ids(found["running"]), ids(found["waiting"])) == ([1], [2])


@pytest.mark.parametrize(
    "odd",
    [
        "[" * 5000 + "]" * 5000,
        "no JSON",
        "[]",
        {},
        jobspec(resources=["node"]),
        jobspec(resources=7),
        jobspec(resources=[{"type": "slot", "with": 3}]),
        jobspec(constraints={"unknown": ["a"]}),
        jobspec(constraints=["a"]),
        jobspec(resources=CORE * 200),
    ],
)
def test_counts_a_jobspec_that_it_does_not_understand_and_reads_the_others(instance, odd):
    instance["jobs"] = [waiting(1, jobspec=odd), waiting(2)]
    found = read()
    assert ids(found["waiting"]) == [2]
    assert (found["counts"]["waiting"], found["counts"]["unread"]) == (2, 1)


@pytest.mark.parametrize("attributes", [None, 7, {"system": []}, {"system": {"duration": "1h", "constraints": 0}}])
def test_reads_the_resources_of_a_job_with_odd_attributes(instance, attributes):
    instance["jobs"] = [waiting(1, jobspec={"resources": CORE, "attributes": attributes})]
    (job,) = read()["waiting"]
    assert (job["limit"], job["constraint"], job["typical"]) == (0, None, None)


def test_has_what_a_forecast_reads_of_the_resources_and_no_text_of_a_user(instance):
    slot = {"type": "slot", "count": 2, "label": "x" * 1000, "with": [{"type": "gpu", "count": 1, "id": "y"}]}
    resources = [{"type": "node", "count": {"min": 1}, "exclusive": True, "unit": "z", "with": [slot]}]
    instance["jobs"] = [waiting(1, jobspec=jobspec(resources, duration=90.5))]
    (job,) = read()["waiting"]
    inner = {"type": "slot", "count": 2, "with": [{"type": "gpu", "count": 1}]}
    assert job["resources"] == [{"type": "node", "count": {"min": 1}, "exclusive": True, "with": [inner]}]
    assert job["limit"] == 90.5


def test_has_each_constraint_once_and_not_more_of_them_than_it_can_hold(instance, monkeypatch):
    monkeypatch.setattr(queue, "MOST_CONSTRAINTS", 2)
    ranks = ["0", "1-2", "0", "3"]
    instance["jobs"] = [
        waiting(number, jobspec=jobspec(constraints={"ranks": [given]})) for number, given in enumerate(ranks, 1)
    ]
    found = read()
    assert found["constraints"] == ["0", "1-2"]
    assert [job["constraint"] for job in found["waiting"]] == [0, 1, 0]
    assert found["counts"]["unread"] == 1
    # The console has the module in memory.
    instance["jobs"] = []
    assert read()["constraints"] == []


@pytest.mark.parametrize(
    ("duration", "expiration", "want"),
    [
        (600.0, 700.0, 600.0),
        # An extended limit.
        (600.0, 1300.0, 1200.0),
        # Fluxion writes the end of its time for a job without a limit, and other schedulers write 0.
        (0.0, 9223372036.0, 0.0),
        (0.0, 0.0, 0.0),
        (1e12, 1e12 + 100, 0.0),
    ],
)
def test_has_the_limit_by_which_the_scheduler_plans(instance, duration, expiration, want):
    instance["jobs"] = [running(1, expiration=expiration, duration=duration)]
    (job,) = read()["running"]
    assert (job["start"], job["limit"]) == (100.0, want)


def test_has_the_resources_of_a_running_job_by_ranks(instance):
    job = running(1)
    job["R"]["execution"]["R_lite"] = [
        {"rank": "0,2", "children": {"core": "0-3", "gpu": "1"}},
        {"rank": "1", "children": {"core": "0"}},
        {"rank": "3", "children": {"core": "2-5", "gpu": "0"}},
    ]
    instance["jobs"] = [job]
    assert read()["running"][0]["takes"] == [["0,2-3", 4, 1], ["1", 1, 0]]


def test_lists_all_running_jobs_or_fails_and_no_canceled_job_that_had_no_resources(instance, monkeypatch):
    monkeypatch.setattr(queue, "MOST_RUNNING", 2)
    instance["jobs"] = [running(1), {"id": "f2", "state": "CLEANUP"}]
    assert ids(read()["running"]) == [1]
    instance["jobs"].append(running(3))
    with pytest.raises(RuntimeError, match="more than 2 jobs run"):
        read()


def test_has_the_hosts_by_their_resources_and_those_that_take_no_jobs(instance):
    instance.update(gpus=[0, 2, 2, 0], online=[0, 1, 3], drained=[1], exclude=[0])
    found = read()
    assert found["hosts"] == [{"ranks": "0,3", "cores": 4, "gpus": 0}, {"ranks": "1-2", "cores": 4, "gpus": 2}]
    assert [found[name] for name in ("down", "drained", "excluded")] == ["2", "1", "0"]


def test_a_typical_run_time_needs_five_successful_jobs_of_the_same_user_and_name(instance):
    times = [10, 20, 30, 40, 500]
    instance["jobs"] = [
        *[ended(number, seconds) for number, seconds in enumerate(times, 10)],
        *[ended(number, 1000, result=2) for number in range(20, 40)],
        *[ended(number, 7, name="other") for number in range(40, 44)],
        *[ended(number, 8, userid=8) for number in range(44, 48)],
        {"id": "f48", "state": "INACTIVE", "result": 4, "name": "solve", "userid": 7},
        waiting(1, name="solve", userid=7),
        waiting(2, name="other", userid=7),
        waiting(3, name="solve", userid=8),
        running(4, name="solve", userid=7),
    ]
    found = read()
    assert [job["typical"] for job in found["waiting"]] == [30, None, None]
    assert found["running"][0]["typical"] == 30
    assert found["ended"] == {"count": 13, "median": 8}


def test_old_jobs_do_not_change_a_typical_run_time(instance):
    # The stand-in lists jobs by priority, as Flux lists ended jobs by time.
    instance["jobs"] = [ended(number, 60 if number > 100 else 9000) for number in range(1, 151)]
    instance["jobs"].append(waiting(1000, name="solve", userid=7))
    found = read()
    assert found["waiting"][0]["typical"] == 60
    assert found["ended"] == {"count": 50, "median": 60}


@pytest.mark.parametrize(
    ("config", "want"),
    [
        (None, ("fcfs", 32, 0)),
        ({"queue-policy": "fcfs"}, ("fcfs", 32, 0)),
        ({"queue-policy": "unknown"}, ("fcfs", 32, 0)),
        ({"queue-policy": ["easy"]}, ("fcfs", 32, 0)),
        ({"queue-policy": "easy", "queue-params": "queue-depth=8,max-queue-depth=4"}, ("easy", 4, 1)),
        ({"queue-policy": "easy", "queue-params": {"queue-depth": "64"}}, ("easy", 64, 1)),
        ({"queue-policy": "hybrid"}, ("hybrid", 32, 64)),
        ({"queue-policy": "hybrid", "policy-params": {"reservation-depth": 3}}, ("hybrid", 32, 3)),
        ({"queue-policy": "hybrid", "policy-params": "max-reservation-depth=5"}, ("hybrid", 32, 64)),
        ({"queue-policy": "conservative"}, ("conservative", 32, 32)),
        ({"queue-policy": "conservative", "policy-params": "max-reservation-depth=5"}, ("conservative", 32, 5)),
        ({"queue-policy": "easy", "queue-params": "queue-depth"}, ("easy", 32, 1)),
        ({"queue-policy": "easy", "queue-params": {"queue-depth": "many"}}, ("easy", 32, 1)),
    ],
)
def test_has_the_policy_that_fluxion_reads_from_its_configuration(instance, config, want):
    instance["config"] = {} if config is None else {"sched-fluxion-qmanager": config}
    found = read()["scheduler"]
    assert (found["policy"], found["queueDepth"], found["reservationDepth"]) == want


def test_asks_for_many_jobs_side_by_side_but_not_for_all(instance, monkeypatch):
    instance["jobs"] = [waiting(number) for number in range(1, 801)]
    rpc, still_open, numbers = flux.Flux.rpc, [], []

    def counted(handle, topic, *given):
        answer = rpc(handle, topic, *given)
        if topic == "job-info.lookup":
            still_open.append(answer)
            numbers.append(len(still_open))
            get = answer.get
            answer.get = lambda: still_open.remove(answer) or get()
        return answer

    monkeypatch.setattr(flux.Flux, "rpc", counted)
    assert len(read()["waiting"]) == 800
    assert 1 < max(numbers) <= 200


def test_the_program_prints_one_line(instance, capsys):
    queue.run()
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["version"] == 1
