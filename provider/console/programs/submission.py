"""The job that a user of the console submits."""

import os
import re
import shlex
from typing import Any, Dict, Tuple

import flux
import flux.job
from console.programs.accounts import User
from console.programs.arguments import DEEPEST, Arguments, Refused, problem_of, read_json

# The fields of a submission, and the type of each.
NUMBERS = ("num_tasks", "cores_per_task", "gpus_per_task", "num_nodes", "runtime", "urgency")
SUBMITTED = ("command", *NUMBERS, "exclusive", "option_flags", "envars", "workdir", "queue", "name", "is_launcher")
# Variables of this program that no job needs.
OWN_VARIABLES = ("FLUX_URI", "MINICLUSTER_")


def option_value(value: Any) -> Any:
    """A value of an option of the job shell. As with `flux submit -o`, JSON text is decoded."""
    try:
        return read_json(value) if isinstance(value, str) else value
    except ValueError:
        return value


def jobspec_of(arguments: Arguments, user: User) -> Tuple[Any, int]:
    """The jobspec of a job that a user submits, and its urgency. All problems are reported at once."""
    command = arguments.values.get("command")
    words = [arguments.checked("command", str(word)) for word in command] if isinstance(command, list) else []
    if isinstance(command, str):
        try:
            words = shlex.split(arguments.checked("command", command))
        except ValueError as error:
            arguments.problems.append(f"command: {error}")
    if not words and not arguments.problems:
        arguments.problems.append("command: is required")
    if arguments.flag("is_launcher"):
        arguments.problems.append("is_launcher: is not supported; submit the launcher as a job")
    for key in arguments.values:
        if key not in SUBMITTED:
            arguments.problems.append(f"{str(key)[:100]!r}: is unknown; known are {', '.join(SUBMITTED)}")
    nodes = arguments.number("num_nodes", 0) or None
    shape: Dict[str, Any] = {
        # As with flux-submit(1), a job of some nodes has a task on each of them.
        "num_tasks": arguments.number("num_tasks", 1) or nodes or 1,
        "cores_per_task": arguments.number("cores_per_task", 1) or 1,
        "gpus_per_task": arguments.number("gpus_per_task", 0) or None,
        "num_nodes": nodes,
        "exclusive": arguments.flag("exclusive"),
    }
    urgency = arguments.number("urgency", 0, 31)
    duration = arguments.number("runtime", 0) or 0
    given, variables = arguments.mapping("option_flags"), arguments.mapping("envars")
    for name in given:
        if name.count(".") > DEEPEST:
            arguments.problems.append(f"option_flags: {name[:100]!r} has more than {DEEPEST} levels")
    options = {name: arguments.checked("option_flags", option_value(value)) for name, value in given.items()}
    directory, queue, label = (arguments.text(name) for name in ("workdir", "queue", "name"))
    if arguments.problems:
        raise Refused(400, "The job is not valid.", Errors=arguments.problems)
    try:
        jobspec = flux.job.JobspecV1.from_command(words, **shape)
        jobspec.duration = duration
        for name, value in options.items():
            jobspec.setattr_shell_option(re.sub("^-*o *", "", name), value)
    except (ValueError, TypeError, AttributeError, LookupError) as error:
        raise Refused(400, "The job is not valid.", Errors=[str(error)]) from error
    own = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(OWN_VARIABLES) and not problem_of([name, value])
    }
    jobspec.environment = {**own, **{name: str(value) for name, value in variables.items()}}
    jobspec.cwd = directory or os.environ.get("HOME") or "/"
    jobspec.setattr("user.owner", user.name)
    for key, value in (("system.queue", queue), ("system.job.name", label)):
        if value is not None:
            jobspec.setattr(key, value)
    return jobspec, 16 if urgency is None else urgency
