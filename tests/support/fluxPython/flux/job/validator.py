"""What Flux refuses of a jobspec: its job ingest, its validator, and its plugins for the duration and the queue."""

import math
from typing import Any, Dict, List

from flux.idset import IDset

LEVELS = 1500
# What the instance of a test has. Without a queue a job is refused, because none is the default.
QUEUES, HOSTS, SCHEMES = ("home", "far"), ("home-0", "home-1", "far-0", "far-1"), ("begin-time",)


def refusal(jobspec: Any) -> str:
    """Why Flux refuses a jobspec, or nothing."""
    try:
        check_json(jobspec)
        check(jobspec)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        return str(error) or type(error).__name__
    return ""


def check_json(value: Any, level: int = 0) -> None:
    """Flux's reader of JSON takes no NUL, no lone surrogate, no number that is not finite, and integers of 64 bits."""
    if isinstance(value, str):
        value.encode()
        need("\0" not in value, "NUL")
    elif isinstance(value, float):
        need(math.isfinite(value), "a number that is not finite")
    elif isinstance(value, int):
        need(-(2**63) <= value < 2**63, "an integer that is too large")
    elif isinstance(value, (list, dict)):
        need(level < LEVELS, "too deep")
        for part in value.items() if isinstance(value, dict) else value:
            for one in part if isinstance(value, dict) else [part]:
                check_json(one, level + 1)


def need(condition: bool, text: str) -> None:
    if not condition:
        raise ValueError(text)


def need_type(value: Any, kind: Any, name: str) -> None:
    need(isinstance(value, kind), f"{name} has the wrong type")


def check(jobspec: Dict[str, Any]) -> None:
    need(set(jobspec) == {"version", "resources", "tasks", "attributes"}, "keys")
    need(jobspec["version"] == 1, "version")
    attributes = jobspec["attributes"]
    need_type(attributes, dict, "attributes")
    need(set(attributes) <= {"system", "user"}, "keys of attributes")
    need_type(jobspec["resources"], (list, str), "resources")
    for vertex in jobspec["resources"]:
        check_vertex(vertex)
    need_type(jobspec["tasks"], (list, str), "tasks")
    for task in jobspec["tasks"]:
        check_task(task)
    check_system(attributes["system"])


def check_vertex(vertex: Dict[str, Any]) -> None:
    need_type(vertex, dict, "a resource")
    need_type(vertex["type"], str, "type")
    count = vertex["count"]
    need_type(count, int, "count")
    need(count >= (1 if vertex["type"] in ("node", "slot", "core") else 0), "count")
    for key in ("id", "unit", "label"):
        need_type(vertex.get(key, ""), str, key)
    need("label" in vertex or vertex["type"] != "slot", "a slot needs a label")
    need(vertex.get("exclusive", False) in (True, False), "exclusive")
    for part in vertex.get("with", []):
        check_vertex(part)


def check_task(task: Dict[str, Any]) -> None:
    need_type(task, dict, "a task")
    need_type(task["slot"], str, "slot")
    need_type(task.get("attributes", {}), dict, "attributes of a task")
    count, command = task["count"], task["command"]
    need_type(count, dict, "count")
    need(len(count) == 1 and set(count) <= {"per_slot", "total"}, "count")
    for number in count.values():
        need_type(number, int, "count")
        need(number > 0, "count")
    need_type(command, list, "command")
    need(len(command) > 0 and all(isinstance(word, str) for word in command), "command")


def check_system(system: Dict[str, Any]) -> None:
    need_type(system, dict, "system")
    # The validator takes true for a number, and the plugin for durations does not.
    need(type(system["duration"]) in (int, float), "duration")
    need(system.get("queue", "") in QUEUES, "queue")
    if "dependencies" in system:
        need_type(system["dependencies"], list, "dependencies")
        for dependency in system["dependencies"]:
            need(dependency["scheme"] in SCHEMES, "scheme")
            float(dependency["value"])
    if "constraints" in system:
        check_constraint(system["constraints"])


def check_constraint(constraint: Dict[str, List[Any]]) -> None:
    need_type(constraint, dict, "constraints")
    for operator, values in constraint.items():
        need_type(values, (list, str), operator)
        for value in values:
            if operator in ("and", "or", "not"):
                check_constraint(value)
            elif operator == "ranks":
                IDset(value)
            elif operator == "properties":
                need(not set(value) & set("&'\"`|()"), "properties")
            else:
                need(operator == "hostlist" and value in HOSTS, operator)


def refusal_of_memo(memo: Any) -> str:
    """Why Flux refuses a memo, or nothing."""
    try:
        need_type(memo, dict, "memo")
        check_json(memo)
    except (ValueError, TypeError) as error:
        return str(error)
    return ""
