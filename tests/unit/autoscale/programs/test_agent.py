"""The agent, by its requests to the API server and to the lead broker's pod."""

import json
import re
import time

import pytest
from agentBench import THREE, demand_text, look_text

IDLE = "0 running on 0 hosts, 0 pending for 0"
ONE = {"parallelism": 1, "completions": 1}


def does_nothing(bench, reason, **own):
    """The agent gives the reason, and changes nothing."""
    became = bench.run(**own)
    assert (became.job, len(became.said), became.read) == (THREE, 1, [False])
    assert re.search(reason, became.said[0])


def test_names_the_version_that_it_has_read_in_each_patch(bench):
    bench.lead.texts = [look_text(pending=[4])]
    became = bench.run([(0, {}, 409)])
    assert (became.versions, became.sizes) == (["1", "11"], [4])
    assert became.asked == ["GET", "GET", "PATCH", "GET", "PATCH"]


def test_keeps_the_size_when_the_lead_refuses_connections(bench):
    bench.lead.stop()
    does_nothing(bench, "^size 3: the lead broker's pod does not serve the demand: .*refused")
    state = bench.run(began=1e9).state
    assert state.pop("message").startswith("size 3: the lead broker's pod does not serve the demand: ")
    problem = {"peer": "leadPod", "code": "peerNotReached"}
    assert state == {"size": 3, "reason": "noDemand", "since": "2001-09-09T01:46:40Z", "problem": problem}


@pytest.mark.parametrize(
    ("failure", "code", "says"),
    [
        ("away", "peerNotReached", "<urlopen error [Errno 111] Connection refused>"),
        ("slow", "peerNotReached", "it is too slow"),
        ("noRoute", "peerNotReached", "<urlopen error [Errno 113] No route to host>"),
        ("closed", "peerNotReached", "[Errno 104] Connection reset by peer"),
        ("unnamed", "nameNotResolved", "<urlopen error [Errno -3] Temporary failure in name resolution>"),
        (403, "accessRejected", 'the API server answers with status 403: jobs.batch "demo" is forbidden: Validating'),
        (401, "accessRejected", "the API server answers with status 401: internal error"),
        (422, "otherError", 'the API server answers with status 422: Job.batch "demo" is invalid: spec.completions: '),
        (500, "otherError", "the API server answers with status 500: internal error"),
    ],
)
def test_logs_the_message_of_the_api_server_and_records_the_code_of_its_rejection(bench, failure, code, says):
    bench.lead.texts = [look_text(pending=[4])]
    became = bench.run([(0, {}, failure)])
    assert became.said[-1].startswith(f"skipped this round: {says}")
    assert became.sizes == [3]
    if isinstance(failure, str):
        # Without a connection to the API server the state cannot be recorded.
        assert became.state is None
    else:
        assert became.state["message"].startswith(f"size 3 => 4: {says}")
        assert (became.state["reason"], became.state["size"]) == ("notResized", 3)
        assert became.state["problem"] == {"peer": "apiServer", "code": code}


def test_sends_no_request_before_the_time_that_the_api_server_has_named(bench):
    bench.lead.texts = [look_text(pending=[4])]
    became = bench.run([(0, {}, 429), (1, {}), (29, {}), (30, {})])
    assert became.sizes == [3, 3, 3, 4]
    # Two requests before the rejected patch, and none for 30 s.
    assert became.asked == ["GET", "GET", "PATCH", "GET", "GET", "PATCH"]


def begin(handler):
    """Writes the head of a response and the begin of its body."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n{")


def say_nothing(_):
    time.sleep(2)


def begin_and_stop(handler):
    begin(handler)
    time.sleep(2)


def never_end(handler):
    begin(handler)
    for _ in range(40):
        handler.wfile.write(b" ")
        time.sleep(0.05)


SILENT = "does not serve the demand: it is too slow$"
NO_PROOF = "sends an invalid answer: it does not prove to have the key$"


@pytest.mark.parametrize(
    ("respond", "says"),
    [
        (say_nothing, SILENT),
        (begin_and_stop, SILENT),
        (never_end, SILENT),
        (lambda handler: handler.reply(302, {"Location": "/"}), "does not serve .*: it answers with status 302$"),
        (lambda handler: handler.wfile.write(b"SSH-2.0-OpenSSH_9.6\r\n"), "does not serve .*: SSH-2.0-OpenSSH_9.6"),
        (lambda handler: handler.reply(200, body=b"a" * 5_000_000), NO_PROOF),
        (lambda handler: handler.reply(200, {"Proof": "0" * 64}, demand_text(allocated=8).encode()), NO_PROOF),
    ],
    ids=["silent", "stops", "endless", "redirection", "no HTTP", "too much", "no key"],
)
def test_keeps_the_size_for_any_other_server(bench, respond, says):
    bench.lead.respond = respond
    does_nothing(bench, says)


def test_gets_no_demand_with_another_key(bench):
    does_nothing(bench, "does not serve the demand: it answers with status 403$", key=b"another")
    assert bench.run(key=b"another").state["problem"] == {"peer": "leadPod", "code": "accessRejected"}


def job_text(hosts, name="f1"):
    return f'{{"id": {json.dumps(name)}, "hosts": {hosts}, "never": false}}'


def with_pending(pending, allocated="0"):
    text = demand_text().replace('"pending": []', f'"pending": [{pending}]')
    return text.replace('"allocated": 0', f'"allocated": {allocated}')


@pytest.mark.parametrize(
    "text",
    [
        "hosts: 5",
        "{}",
        "[1, 2]",
        with_pending('"f1"'),
        with_pending(job_text('"5"')),
        with_pending(job_text(-5)),
        with_pending(job_text("NaN")),
        with_pending(job_text("Infinity")),
        with_pending("", "1e300"),
        with_pending("", "true"),
        with_pending(job_text(5, "f1\nsize 3 => 8")),
        "[" * 100_000,
    ],
    ids=lambda text: text[:40],
)
def test_keeps_the_size_for_an_invalid_demand_of_a_client_with_the_key(bench, text):
    bench.lead.texts = [text]
    does_nothing(bench, "^size 3: the lead broker's pod sends an invalid answer: ")
    assert bench.lead.asked == ["/demand/demo?size=3"]


def test_stays_in_its_bounds_for_any_answer_that_is_signed_with_the_key(bench):
    bench.lead.texts = [demand_text(allocated=999_999, drained=999_999, needed=999_999), demand_text()]
    became = bench.run(3)
    assert became.sizes == [8, 1, 1]
    assert became.said[0] == "size 3 => 8: 0 running on 999999 hosts, 0 pending for 0, 999999 drained"


def test_names_jobs_that_cannot_run_and_hosts_that_stay_unused(bench):
    pending = [{"id": "f0", "hosts": 9, "never": True}, {"id": "f1", "hosts": 2}]
    bench.lead.texts = [
        demand_text(allocated=3, needed=5, unusable=2, reason="missing resources: core[4-7]", pending=pending)
    ]
    became = bench.run(2)
    # Hosts that are added may be drained as well: this is the reason of a size that stays.
    assert (len(became.said), became.state["reason"]) == (2, "unusableHosts")
    assert became.said[0] == (
        "size 3 => 5: 0 running on 3 hosts, 2 pending for 11 (f0 cannot run on 8 hosts), "
        "2 drained as they joined, and not replaced: missing resources: core[4-7]"
    )
    assert became.job == {"parallelism": 5, "completions": 5}


def test_has_hosts_drained_before_they_leave(bench):
    bench.lead.texts = [demand_text(closedFrom=3), demand_text(closedFrom=1, leaving=2)]
    became = bench.run(2)
    leaves = f"size 3: {IDLE}; the last 2 hosts are drained, and removed next"
    assert (became.sizes, became.said) == ([3, 1], [leaves, f"size 3 => 1: {IDLE}"])
    # The next look reports the decision to the lead broker's pod, for the console.
    closes = "POST /keep/demo?hosts=1&size=3&ticket=1"
    state = {"size": 1, "reason": "hostsDraining", "message": leaves, "since": "1970-01-01T00:00:00Z"}
    assert bench.lead.asked == ["/demand/demo?size=3", closes, f"/demand/demo?size=3&state={json.dumps(state)}"]


def test_keeps_hosts_that_have_got_a_job_since_they_were_drained(bench):
    bench.lead.texts = [demand_text(closedFrom=3), demand_text(allocated=3, closedFrom=1, leaving=2)]
    assert bench.run(2).sizes == [3, 3]
    assert bench.lead.asked[-1] == "POST /keep/demo?hosts=3&size=3&ticket=1"


def test_lets_hosts_take_jobs_again_that_a_former_agent_has_drained(bench):
    bench.lead.texts = [demand_text(allocated=3, leaving=1, closedFrom=2)]
    bench.run()
    assert bench.lead.asked == ["/demand/demo?size=3", "POST /keep/demo?hosts=3&size=3&ticket=1"]


def test_keeps_hosts_for_a_drain_that_does_not_end(bench):
    # The pods that leave are drained, and have a job: they are no reason to grow, and go when they may.
    bench.lead.texts = [demand_text(running=1, allocated=3)]
    text = "1 running on 3 hosts, 0 pending for 0"
    assert bench.run(50, job=ONE).said == [f"size 1 => 3: {text}", f"size 3: {text}"]


def test_reads_from_the_api_server_at_one_of_six_looks_and_before_each_change(bench):
    bench.lead.texts = [demand_text(running=1, allocated=3)]
    assert bench.run(7).asked == ["GET", "STATE", "GET"]
    bench.lead.texts = [demand_text(running=1, allocated=4)]
    assert bench.run(3).asked == ["GET", "GET", "PATCH", "GET", "STATE"]


def test_changes_no_job_that_another_client_has_changed_since_its_look(bench):
    bench.lead.texts = [look_text(busy=3), look_text(busy=3, pending=[2])]
    four = {"parallelism": 4, "completions": 4}
    became = bench.run([(0, {}), (1, four), (2, {})])
    text = "1 running on 3 hosts, 1 pending for 2"
    changed = "skipped this round: the Job has changed"
    assert became.said[1:] == [f"size 3 => 5: {text}", changed, f"size 4 => 5: {text}"]
    assert became.asked == ["GET", "STATE", "GET", "GET", "GET", "PATCH"]
    assert became.sizes == [3, 4, 5]


@pytest.mark.parametrize(
    "own",
    [
        {"job": {**THREE, "suspend": True}},
        {"status": {"conditions": [{"type": "Complete", "status": "True"}]}},
    ],
    ids=["suspended", "ended"],
)
def test_leaves_a_job_alone_that_is_suspended_or_has_ended(bench, own):
    bench.lead.texts = [demand_text(allocated=8)]
    became = bench.run(**own)
    assert (became.said, became.asked) == (["size 3: the Job has ended or is suspended"], ["GET"])


def test_leaves_a_job_alone_from_the_patch_of_pulumi_on(bench):
    patched = {"mark": "c383af9f54a7ddc0"}
    bench.lead.texts = [look_text(pending=[8])]
    fixed = bench.run([(0, patched)])
    assert (fixed.said, fixed.asked) == (["size 3: Pulumi sets it"], ["GET"])
    # The agent has read the Job before the patch, and reads it again before it changes anything.
    bench.lead.texts = [demand_text(allocated=3, needed=3), demand_text(allocated=3, needed=5)]
    became = bench.run([(0, {}), (1, patched), (2, {})])
    assert became.said[2:] == ["skipped this round: the Job has changed", "size 3: Pulumi sets it"]
    assert (became.asked, became.job) == (["GET", "STATE", "GET", "GET"], THREE)


def test_resumes_a_suspended_job_at_the_size_that_is_needed_and_suspends_it_again(bench):
    rests = {"parallelism": 1, "completions": 1, "suspend": True}
    own = {"min": 0, "suspendsAtZero": True}
    became = bench.run(job=rests, **own)
    assert (became.said, became.job) == ([f"size 0: {IDLE}"], rests)
    bench.lead.texts = [look_text(pending=[5])]
    grown = bench.run(job=rests, **own)
    assert grown.said == ["size 0 => 5: 0 running on 0 hosts, 1 pending for 5"]
    assert grown.job == {"parallelism": 5, "completions": 5, "suspend": False}
    bench.lead.texts = [demand_text()]
    assert bench.run(job=grown.job, **own).job == rests
    assert bench.run(job=rests, **{**own, "min": 2}).sizes == [2]


def test_keeps_a_job_of_one_host_running(bench):
    bench.lead.texts = [look_text(busy=1)]
    became = bench.run(min=0, suspendsAtZero=True)
    assert became.job == {"parallelism": 1, "completions": 1, "suspend": False}


def every_five_seconds(seconds, change=None):
    """The looks of some seconds."""
    return [(at, dict(change or {})) for at in range(0, seconds, 5)]


def test_an_idle_agent_patches_its_state_once_and_reads_the_job_twice_a_minute(bench):
    became = bench.run(every_five_seconds(600), job=ONE, intervalSeconds=5)
    assert (became.asked.count("GET"), became.asked.count("STATE"), len(became.asked)) == (20, 1, 21)
    assert became.state["reason"] == "hostsIdle"


def test_a_queue_that_flaps_costs_at_most_a_patch_of_the_state_every_30_s(bench):
    bench.lead.texts = [look_text(busy=3, **({"pending": [0.5]} if at % 2 else {})) for at in range(121)]
    became = bench.run(every_five_seconds(600), intervalSeconds=5, max=3)
    assert became.asked.count("STATE") <= 21


def test_records_the_reason_with_the_size_and_keeps_its_time_while_it_lasts(bench):
    bench.lead.texts = [look_text(pending=[6]), look_text(pending=[8]), look_text(busy=8)]
    own = {"began": 1e9, "maxStep": 2}
    first = bench.run([(0, {})], **own)
    assert (first.asked, first.sizes) == (["GET", "GET", "PATCH"], [5])
    message = "size 3 => 5: 0 running on 0 hosts, 1 pending for 6"
    since = "2001-09-09T01:46:40Z"
    assert first.state == {"size": 5, "reason": "jobsPending", "message": message, "since": since}
    bench.lead.texts = [look_text(pending=[6]), look_text(pending=[8]), look_text(busy=8)]
    second = bench.run([(0, {}), (30, {})], **own)
    assert (second.state["size"], second.state["since"]) == (7, since)
    bench.lead.texts = [look_text(busy=3)]
    assert bench.run(**own).state["reason"] == "hostsNeeded"


def test_gives_a_job_of_another_agent_its_own_state(bench):
    former = {"minicluster/autoscale-state": json.dumps({"size": 3, "reason": "noDemand"})}
    became = bench.run(annotations=former, job=ONE)
    assert (became.asked, became.state["reason"]) == (["GET", "STATE"], "hostsIdle")


def test_resizes_without_the_annotation_where_a_policy_rejects_it_and_stays_ready(bench):
    bench.lead.texts = [look_text(pending=[4]), look_text(pending=[4]), look_text(busy=4)]
    # The patch of the size with the annotation, the annotation alone, and then it alone again.
    became = bench.run([(0, {}, 422, 422), (5, {}), (40, {}, 422), *((at, {}) for at in range(45, 100, 5))])
    assert (became.sizes[:2], became.state) == ([3, 4], None)
    assert became.asked.count("STATE") == 2
    assert became.read == [False] + [True] * (len(became.read) - 1)
    assert any(line.startswith("the state is not recorded in the Job: the API server") for line in became.said)


@pytest.mark.parametrize(
    ("reason", "texts", "own"),
    [
        ("jobsPending", [look_text(pending=[4])], {}),
        ("hostsNeeded", [look_text(busy=3)], {}),
        ("hostsUsedRecently", [look_text(busy=2)], {"idleSeconds": 60}),
        ("hostsDraining", [look_text(closedFrom=3)], {}),
        ("hostsIdle", [look_text()], {}),
        ("hostsIdle", [look_text()], {"min": 3}),
        ("coolingDown", [look_text(pending=[4]), look_text(pending=[8])], {"cooldownSeconds": 60}),
        ("maxReached", [look_text(busy=3, pending=[1])], {"max": 3}),
        ("outOfBounds", [look_text()], {"min": 4}),
        ("outOfBounds", [look_text()], {"max": 2}),
        ("budgetSpent", [look_text(pending=[4])], {"budget": {"pricePerHour": 1, "perDay": 0}}),
        ("unusableHosts", [look_text(busy=3, unusable=1)], {}),
        ("noDemand", ["{}"], {}),
    ],
)
def test_records_each_reason(bench, reason, texts, own):
    bench.lead.texts = list(texts)
    assert bench.run(len(texts), **own).state["reason"] == reason
