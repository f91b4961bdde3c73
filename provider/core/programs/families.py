"""Metrics in the text format of Prometheus."""

from typing import Any, Dict, List, Tuple

Sample = Tuple[Dict[str, str], float]
Family = Tuple[str, str, str, List[Sample]]


def escape(value: Any) -> str:
    """The value of a label, escaped for quotes."""
    return str(value).replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def as_text(families: List[Family]) -> str:
    """Families of metrics in the text format. A label without a value is left out."""
    lines = []
    for name, kind, meaning, samples in families:
        if samples:
            lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
        for labels, value in samples:
            pairs = ",".join(f'{key}="{escape(text)}"' for key, text in labels.items() if text != "")
            lines.append(f"{name}{{{pairs}}} {value}" if pairs else f"{name} {value}")
    return "\n".join(lines) + "\n"
