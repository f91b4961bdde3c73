"""Runs operations of Pulumi's automation API on a program, as ../harness.ts requests them."""

import json
import os
import runpy
import sys
from typing import Any, Callable, TextIO

from pulumi import automation


def main() -> None:
    answers = take_stdout()
    request = json.load(sys.stdin)
    workspace = automation.LocalWorkspace(work_dir=request["workDir"])
    stack = automation.create_or_select_stack(
        stack_name=request["stack"],
        project_name=workspace.project_settings().name,
        program=lambda: None,
        opts=automation.LocalWorkspaceOptions(work_dir=request["workDir"]),
    )
    for operation in request["operations"]:
        print(json.dumps(perform(stack, operation)), file=answers, flush=True)


def take_stdout() -> TextIO:
    """Standard output is for answers, so the program prints to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def perform(stack: automation.Stack, operation: dict[str, Any]) -> dict[str, Any]:
    kind: str = operation["kind"]
    texts: list[str] = []
    messages: list[str] = []
    outcome: dict[str, Any] = {"kind": kind, "ok": True, "outputs": {}}
    run: dict[str, Callable[..., Any]] = {"up": stack.up, "preview": stack.preview, "destroy": stack.destroy}
    # As Pulumi's language host runs it.
    stack.workspace.program = lambda: runpy.run_path(operation["program"], run_name="__main__") and None
    try:
        config = operation.get("config") or {}
        if config:
            values = {key: automation.ConfigValue(value=value) for key, value in config.items()}
            stack.set_all_config(values, path=any("[" in key for key in config))
        shown: dict[str, Any] = {} if kind == "destroy" else {"diff": True}
        result = run[kind](color="never", on_output=texts.append, on_error=messages.append, **shown)
        if kind == "up":
            outcome["outputs"] = {name: output.value for name, output in result.outputs.items()}
    except Exception as error:  # Of any kind: the test judges it.
        outcome.update(ok=False, error=str(error))
    return {**outcome, "text": "\n".join(texts), "messages": "\n".join(messages)}


main()
