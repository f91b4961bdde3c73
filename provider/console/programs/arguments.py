"""The arguments of a request to the REST API, from its query and its body."""

import ast
import itertools
import json
import math
import re
from typing import Any, Dict, Iterable, List, Optional
from urllib.parse import parse_qsl

from core.programs.serving import Request

# Most bytes of a request body, characters of a Python literal, and levels of objects and lists in an argument.
LONGEST_BODY, LONGEST_LITERAL, DEEPEST = 1_048_576, 65_536, 64


class Refused(Exception):
    """A rejected request, with the status of the response."""

    def __init__(self, status: int, message: str, **details: Any) -> None:
        super().__init__(message)
        self.status = status
        self.details = details


class Arguments:
    """The arguments of a request, from its query and its body."""

    def __init__(self, values: Dict[str, Any]) -> None:
        self.values = {key: value for key, value in values.items() if value not in (None, "")}
        self.problems: List[str] = []

    def text(self, name: str) -> Optional[str]:
        """A text."""
        value = self.values.get(name)
        return None if value is None else self.checked(name, str(value))

    def checked(self, name: str, value: Any) -> Any:
        """A value. Adds a problem if Flux cannot read it."""
        problem = problem_of(value)
        if problem:
            self.problems.append(f"{name}: {problem}")
        return value

    def number(self, name: str, least: int, most: int = 2**31) -> Optional[int]:
        """An integer."""
        value = self.values.get(name)
        if value is None:
            return None
        text = str(value)
        if isinstance(value, bool) or not re.fullmatch(r"\d{1,10}(\.0+)?", text) or not least <= float(text) <= most:
            self.problems.append(f"{name}: {text[:100]!r} must be an integer from {least} to {most}")
            return None
        return int(float(text))

    def flag(self, name: str) -> bool:
        """Whether an option is set."""
        text = str(self.values.get(name, "false")).lower()
        if text not in ("true", "false", "1", "0", "yes", "no"):
            self.problems.append(f"{name}: {text[:100]!r} must be true or false")
        return text in ("true", "1", "yes")

    def mapping(self, name: str) -> Dict[str, Any]:
        """Names with values: JSON, a Python literal, or name=value separated by commas."""
        value = self.values.get(name, {})
        if isinstance(value, str):
            value = read_mapping(value)
        if not isinstance(value, dict):
            self.problems.append(f"{name}: must be an object, or name=value, with commas between several")
            return {}
        return self.checked(name, {str(key): one for key, one in value.items()})  # type: ignore[no-any-return]


def problem_of(value: Any, depth: int = 0) -> str:
    """The reason why Flux cannot read a value, or an empty string. Flux reads strict JSON in UTF-8, without NUL."""
    if depth > DEEPEST:
        return f"has more than {DEEPEST} levels"
    if isinstance(value, str):
        if "\0" in value:
            return "contains the character NUL"
        return (
            "contains half of a character in UTF-16" if any("\ud800" <= letter <= "\udfff" for letter in value) else ""
        )
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is not a number of JSON"
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return "contains a number of more than 64 bits"
    parts: Iterable[Any] = ()
    if isinstance(value, dict):
        parts = itertools.chain.from_iterable(value.items())
    elif isinstance(value, (list, tuple)):
        parts = value
    elif value is not None and not isinstance(value, (int, float)):
        return f"contains {type(value).__name__}, which JSON does not have"
    return next(filter(None, (problem_of(part, depth + 1) for part in parts)), "")


def read_json(text: str) -> Any:
    """The value of a text in JSON, or a ValueError."""
    try:
        return json.loads(text, parse_int=read_integer)
    except RecursionError as error:
        raise ValueError("it has too many levels") from error


def read_integer(text: str) -> int:
    """An integer. Python takes minutes to read an integer of a million digits."""
    if len(text) > 20:
        raise ValueError("a number has more than 20 digits")
    return int(text)


def read_mapping(text: str) -> Any:
    """Names with values from a text, or None."""
    try:
        return read_json(text) if text.startswith("{") else dict(pair.split("=", 1) for pair in text.split(","))
    except ValueError:
        pass
    try:
        return ast.literal_eval(text) if len(text) <= LONGEST_LITERAL else None
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


async def read_arguments(request: Request, query: str) -> Arguments:
    """The arguments of a request. Arguments in the body take precedence."""
    values: Dict[str, Any] = dict(parse_qsl(query, keep_blank_values=True))
    try:
        sent = await request.body(LONGEST_BODY)
    except ValueError as error:
        raise Refused(413, str(error)) from error
    try:
        body = sent.decode()
    except ValueError as error:
        raise Refused(400, f"The body is not UTF-8: {error}") from error
    if not body:
        return Arguments(values)
    # By default curl labels JSON as a form too.
    is_form = request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
    if is_form and not body.lstrip().startswith("{"):
        return Arguments({**values, **dict(parse_qsl(body))})
    try:
        given = read_json(body)
    except ValueError as error:
        raise Refused(400, f"The body is not JSON: {str(error)[:200]}") from error
    if given is not None and not isinstance(given, dict):
        raise Refused(400, "The body must be an object in JSON.")
    return Arguments({**values, **(given or {})})
