"""Keeps programs with the original's results in a file, so that they can be compared without it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from tools.random_programs.search import Search, label, length

FEW_ELEMENTS = 1000
"""A program is kept if its results have no more elements than this."""

Case = tuple[str, dict[str, Any], dict[str, Any]]
"""A mode, a program and the original's result."""


def write_sample(
    path: str, search: Search, programs: list[dict[str, Any]], modes: list[str]
) -> None:
    """Writes few small programs on which both packages agree, with all operators in each mode."""
    search.everything(programs, modes)
    cases = [case for case in search.cases if _elements(case[2]) <= FEW_ELEMENTS and _ran(case[2])]
    write_cases(path, _covering(cases))


def write_cases(path: str, cases: list[Case]) -> None:
    """Writes a file of cases."""
    blob = bytearray()
    rows = [[mode, program, _without_content(result, blob)] for mode, program, result in cases]
    text = json.dumps(rows, separators=(",", ":")).encode()
    np.savez_compressed(
        path, cases=np.frombuffer(text, "uint8"), elements=np.frombuffer(bytes(blob), "uint8")
    )


def _ran(result: dict[str, Any]) -> bool:
    """Returns whether a program ran as a whole, where the mode has one result for all of it."""
    whole = ("build", "forward", "backward")
    return all(result[part][0] == "ok" for part in result if part.split()[0] in whole)


def _covering(cases: list[Case]) -> list[Case]:
    """Chooses cases until all operators of the cases are there, in each mode.

    The next one is always that which adds most of them for its size.
    """
    left = {index: set(_covered(case)) for index, case in enumerate(cases)}
    sizes = [3 + length(program) + _elements(result) / 50 for _, program, result in cases]
    chosen = []
    while any(left.values()):
        best = max(left, key=lambda index: len(left[index]) / sizes[index])
        new = left.pop(best)
        chosen.append(cases[best])
        for others in left.values():
            others -= new
    return chosen


def _covered(case: Case) -> Iterator[tuple[str, ...]]:
    """Yields a mode with the operators that it carried out, those on arrays with their dtypes."""
    mode, program, result = case
    dialect = program.get("dialect", "nd")
    for index, step in enumerate(program["steps"]):
        if step["do"] == "nothing":
            continue
        outcome = result.get(f"step {index}", ("ok", ()))
        if outcome[0] == "ok":
            yield mode, dialect, label(step)
            if mode == "imperative":
                for dtype, _, _, *stype in outcome[1]:
                    yield (mode, dialect, "dtype", dtype, step["do"], *stype)


def _elements(result: dict[str, Any]) -> int:
    return sum(
        int(np.prod(kept[1]))
        for outcome in result.values()
        if outcome[0] == "ok"
        for kept in outcome[1]
    )


def _without_content(result: dict[str, Any], blob: bytearray) -> dict[str, Any]:
    """Returns a result that says where in a blob elements are, and adds them to it."""
    rows = {}
    for where, outcome in result.items():
        if where.startswith("given"):
            continue
        if outcome[0] == "ok":
            arrays = []
            for dtype, shape, content, *stype in outcome[1]:
                arrays.append([dtype, list(shape), len(blob), len(content), *stype])
                blob += content
            rows[where] = ["ok", arrays]
        else:
            rows[where] = list(outcome[:2])
    return rows


def read_sample(path: str) -> list[Case]:
    """Reads what `write_sample` has written."""
    with np.load(path) as file:
        rows = json.loads(file["cases"].tobytes())
        blob = file["elements"].tobytes()
    return [(mode, program, _with_content(result, blob)) for mode, program, result in rows]


def _with_content(result: dict[str, Any], blob: bytes) -> dict[str, Any]:
    return {
        where: (
            "ok",
            [
                (dtype, tuple(shape), blob[start : start + count], *stype)
                for dtype, shape, start, count, *stype in outcome[1]
            ],
        )
        if outcome[0] == "ok"
        else tuple(outcome)
        for where, outcome in result.items()
    }
