"""Compares what a program gave under two packages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from tools.random_programs.steps import names_read, writes
from tools.random_programs.values import FLOATS, restored, stype_of

TOLERANCES = {"float16": 1e-2, "float32": 2e-4, "float64": 1e-6}
GRADIENTS = 5
"""How many times more gradients may differ: those of normalizations are small differences."""


class Difference(NamedTuple):
    """One difference: where in the result, of which kind, and what each package gave."""

    where: str
    kind: str
    ours: Any
    theirs: Any


def differences(
    program: dict[str, Any], ours: dict[str, Any], theirs: dict[str, Any]
) -> list[Difference]:
    """Returns the differences of two results, without those that follow from others."""
    tolerance = _tolerance(program, theirs)
    found = []
    spoilt: set[str] = set()
    for index, step in enumerate(program["steps"]):
        where = f"step {index}"
        if where not in theirs:
            continue
        if spoilt.intersection(names_read(step)):
            _spoil(spoilt, step, index)
            continue
        kind = kind_of(ours[where], theirs[where], tolerance)
        if kind:
            found.append(Difference(where, kind, ours[where], theirs[where]))
            _spoil(spoilt, step, index)
    if found:
        return found
    for where in theirs:
        if not where.startswith(("step", "given")):
            wider = GRADIENTS if where.startswith("gradient") else 1
            kind = kind_of(ours.get(where), theirs[where], tolerance * wider)
            if kind:
                found.append(Difference(where, kind, ours.get(where), theirs[where]))
                if where.split()[0] in ("build", "forward", "backward"):
                    break
    return found


def _spoil(spoilt: set[str], step: dict[str, Any], index: int) -> None:
    spoilt.update(f"{index}.{part}" for part in range(20))
    if writes(step):
        spoilt.update(names_read(step))


def _tolerance(program: dict[str, Any], theirs: dict[str, Any]) -> float:
    """Returns the tolerance of the least precise dtype in a program."""
    dtypes = {recipe["dtype"] for recipe in program["inputs"].values()}
    dtypes.update(kept[0] for result in theirs.values() if result[0] == "ok" for kept in result[1])
    return max((TOLERANCES[dtype] for dtype in dtypes if dtype in FLOATS), default=0.0)


def kind_of(ours: Any, theirs: Any, tolerance: float) -> str:
    """Returns the kind of difference of one result, or nothing."""
    if ours is None:
        return "missing"
    if "shapes" in (ours[0], theirs[0]):
        return _kind_of_shapes(ours, theirs)
    if ours[0] != theirs[0]:
        return {"raised": "raises here", "skipped": "skipped here"}.get(
            ours[0]
        ) or f"{theirs[0]} there"
    if theirs[0] == "raised":
        return "" if theirs[1][0] in ours[1] else f"error class {theirs[1][0]}"
    if theirs[0] != "ok":
        return ""
    if len(ours[1]) != len(theirs[1]):
        return "number of results"
    return next(
        filter(None, map(lambda a, b: _kind_of_array(a, b, tolerance), ours[1], theirs[1])), ""
    )


def _kind_of_shapes(ours: Any, theirs: Any) -> str:
    """Returns what is known less or otherwise of shapes; to know more is no difference."""
    if theirs[0] != "shapes":
        return ""
    if ours[0] != "shapes":
        return "raises here"
    for mine, other in zip(ours[1], theirs[1], strict=True):
        if other is None:
            continue
        if mine is None:
            return "unknown here"
        if len(mine) != len(other):
            return "shape"
        for length, expected in zip(mine, other, strict=True):
            if expected not in (None, length):
                return "unknown here" if length is None else "shape"
    return ""


def _kind_of_array(ours: Any, theirs: Any, tolerance: float) -> str:
    if ours[0] != theirs[0]:
        return f"dtype {theirs[0]}"
    if tuple(ours[1]) != tuple(theirs[1]):
        return "shape"
    if stype_of(ours) != stype_of(theirs):
        return f"stype {stype_of(theirs)}"
    if ours[2] == theirs[2]:
        return ""
    return _kind_of_values(restored(ours), restored(theirs), tolerance)


def _kind_of_values(ours: np.ndarray, theirs: np.ndarray, tolerance: float) -> str:
    if theirs.dtype.kind != "f":
        return "values"
    if (np.isnan(ours) & ~np.isnan(theirs)).any():
        return "nan here"
    if (np.isnan(ours) != np.isnan(theirs)).any():
        return "nan there"
    finite = np.isfinite(theirs)
    if (np.isfinite(ours) != finite).any() or (
        ours[~finite & ~np.isnan(theirs)] != theirs[~finite & ~np.isnan(theirs)]
    ).any():
        return "infinities"
    ours, theirs = ours[finite].astype("float64"), theirs[finite].astype("float64")
    scale = max(1.0, float(np.abs(theirs).max(initial=0)))
    close = np.abs(ours - theirs) <= tolerance * np.maximum(
        np.abs(theirs), min(scale, 100.0) * 0.1 + 0.01
    )
    return "" if close.all() else "values"


def kept_steps(
    program: dict[str, Any], found: list[Difference], theirs: dict[str, Any]
) -> list[bool]:
    """Returns which steps have a result that both packages agree on."""
    wrong = {difference.where for difference in found}
    spoilt: set[str] = set()
    kept = []
    for index, step in enumerate(program["steps"]):
        where = f"step {index}"
        good = (
            theirs[where][0] == "ok"
            and where not in wrong
            and not spoilt.intersection(names_read(step))
        )
        kept.append(good)
        if not good:
            _spoil(spoilt, step, index)
    return kept


def pruned(program: dict[str, Any], keep: list[bool]) -> dict[str, Any]:
    """Returns a program without some steps, and without the inputs that no other step reads."""
    steps = [step if good else NOTHING for step, good in zip(program["steps"], keep, strict=True)]
    read = {name for step in steps for name in names_read(step)}
    inputs = {name: recipe for name, recipe in program["inputs"].items() if name in read}
    return program | {"inputs": inputs, "steps": steps}


NOTHING: dict[str, Any] = {"do": "nothing", "in": []}


def without_dependents(program: dict[str, Any], leave_out: Iterator[int] | set[int]) -> list[bool]:
    """Returns which steps stay when some are left out: those that read results of none of them."""
    left_out = set(leave_out)
    gone: set[str] = set()
    keep = []
    for index, step in enumerate(program["steps"]):
        good = (
            index not in left_out
            and step["do"] != "nothing"
            and not gone.intersection(names_read(step))
        )
        keep.append(good)
        if not good:
            gone.update(f"{index}.{part}" for part in range(20))
    return keep
