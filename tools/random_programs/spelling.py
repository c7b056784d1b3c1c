"""Other ways to write the same attributes: as strings, NumPy numbers, lists and in positions."""

from __future__ import annotations

from typing import Any

from tools.random_programs.draft import Draft

FIRST = {
    "sum": "axis", "mean": "axis", "max": "axis", "min": "axis", "prod": "axis", "flip": "axis",
    "argmax": "axis", "argmin": "axis", "expand_dims": "axis", "squeeze": "axis",
    "softmax": "axis", "log_softmax": "axis", "reshape": "shape", "broadcast_to": "shape",
    "tile": "reps", "one_hot": "depth", "transpose": "axes", "repeat": "repeats", "cast": "dtype",
}  # fmt: skip
"""The first attribute of functions and methods that programs often give by position."""


def spelt(draft: Draft, step: dict[str, Any]) -> dict[str, Any]:
    """Returns a step, one in eight times with an attribute that is written in another way.

    Functions of the NumPy dialect take arguments of Python, not texts.
    """
    if not step.get("attrs") or draft.numpy or draft.chance(0.875):
        return step
    attributes = dict(step["attrs"])
    first = FIRST.get(step["name"])
    if first in attributes and "args" not in step and len(step["in"]) == 1 and draft.chance(0.5):
        return step | {"args": [attributes.pop(first)], "attrs": attributes}
    name = draft.one(sorted(attributes))
    attributes[name] = _other(draft, attributes[name])
    return step | {"attrs": attributes}


def _other(draft: Draft, value: Any) -> Any:
    if isinstance(value, (str, dict)) or value is None:
        return value
    if isinstance(value, list):
        whole = all(isinstance(part, int) for part in value)
        text = str(tuple(value)) if whole else str(value)
        return draft.one([text, str(value), {"list": value}]) if whole else {"list": value}
    if isinstance(value, bool):
        return draft.one([str(value), int(value), {"np": "bool", "is": value}])
    kind = "int64" if isinstance(value, int) else "float32"
    return draft.one([str(value), {"np": kind, "is": value}])
