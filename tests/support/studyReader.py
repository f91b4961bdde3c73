"""Reads the outputs of a study as a user would: the CSV by pandas, the JSON by its schema."""

import json
import sys
from io import StringIO

import jsonschema
import pandas

given = json.load(sys.stdin)
frame = pandas.read_csv(StringIO(given["csv"]), parse_dates=["started_at"])
medians = frame[frame.ok].groupby(["app", "size"]).figure.median()
jsonschema.validate(json.loads(given["json"]), given["schema"])
broken = {**json.loads(given["json"]), "cells": [{"app": "amg"}]}
try:
    jsonschema.validate(broken, given["schema"])
    found = "nothing"
except jsonschema.ValidationError as error:
    found = error.message
print(
    json.dumps(
        {
            "columns": list(frame.columns),
            "medians": {f"{app} {size}": figure for (app, size), figure in medians.items()},
            "year": int(frame.started_at.dt.year.max()),
            "errors": list(frame.error.dropna()),
            "found": found,
        }
    )
)
