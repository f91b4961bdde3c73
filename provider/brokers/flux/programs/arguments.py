"""The arguments of a request to the REST API, from its query and its body."""

import ast
import json
import re
from typing import Any, Dict, List, Optional
from urllib.parse import parse_qsl

from serving import Request

# Most bytes of a request body.
LONGEST_BODY = 1_048_576


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
        return None if value is None else str(value)

    def number(self, name: str, least: int, most: int = 2**31) -> Optional[int]:
        """An integer."""
        value = self.values.get(name)
        if value is None:
            return None
        text = str(value)
        if isinstance(value, bool) or not re.fullmatch(r"\d{1,10}(\.0+)?", text) or not least <= float(text) <= most:
            self.problems.append(f"{name}: {text[:100]!r} must be a whole number from {least} to {most}")
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
        return {str(key): one for key, one in value.items()}


def read_mapping(text: str) -> Any:
    """Names with values from a text, or nothing."""
    try:
        return json.loads(text) if text.startswith("{") else dict(pair.split("=", 1) for pair in text.split(","))
    except ValueError:
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


async def read_arguments(request: Request, query: str) -> Arguments:
    """The arguments of a request. Those of the body take precedence."""
    values: Dict[str, Any] = dict(parse_qsl(query, keep_blank_values=True))
    try:
        body = (await request.body(LONGEST_BODY)).decode()
    except ValueError as error:
        raise Refused(413, str(error)) from error
    if not body:
        return Arguments(values)
    # By default curl labels JSON as a form too.
    is_form = request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
    if is_form and not body.lstrip().startswith("{"):
        return Arguments({**values, **dict(parse_qsl(body))})
    try:
        given = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refused(400, f"The body is not JSON: {str(error)[:200]}") from error
    if given is not None and not isinstance(given, dict):
        raise Refused(400, "The body must be an object in JSON.")
    return Arguments({**values, **(given or {})})
