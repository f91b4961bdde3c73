"""Constants that several languages share, from `core/contract.json`, which TypeScript reads as well."""

import json
from types import SimpleNamespace
from typing import Any

from core.programs.files import data_of

CONTRACT = json.loads(data_of(__name__, "../contract.json"))


def codes_of(meanings: Any) -> SimpleNamespace:
    """Codes as attributes: each is its own name."""
    return SimpleNamespace(**{code: code for code in meanings})


ANNOTATIONS = SimpleNamespace(**CONTRACT["annotations"])
DRAIN_REASONS = SimpleNamespace(**CONTRACT["drainReasons"])
# File for the probe of the agent's pod, created once the agent has read the Job and, if it needs one, a demand.
AGENT_READY: str = CONTRACT["files"]["agentReady"]
# File with the key of the demand, and the text by whose hash the key is derived from the certificate.
DEMAND_KEY_FILE: str = CONTRACT["files"]["demandKey"]
DEMAND_KEY_LABEL: str = CONTRACT["labels"]["demandKey"]
# Path of the metrics.
METRICS: str = CONTRACT["paths"]["metrics"]
# The template hash of a Job whose size the agent sets.
AUTOSCALED: str = CONTRACT["autoscale"]["mark"]
# Reasons of the agent's state, its peers, and the problems of a connection to one of them.
REASONS = codes_of(CONTRACT["autoscale"]["reasons"])
PEERS = codes_of(CONTRACT["autoscale"]["peers"])
PROBLEMS = codes_of(CONTRACT["autoscale"]["problems"])
