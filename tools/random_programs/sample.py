"""Keeps programs with the original's results in a file, so that they can be compared without it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tools.random_programs.known import reason
from tools.random_programs.search import Search

FEW_ELEMENTS = 250
"""A program is kept if its results have no more elements than this."""

Case = tuple[str, dict[str, Any], dict[str, Any]]
"""A mode, a program and the original's result."""


def write_sample(
    path: str, search: Search, programs: list[dict[str, Any]], modes: list[str]
) -> None:
    """Writes the small programs on which both packages agree in all modes."""
    findings = search.everything(programs, modes)
    wrong = {finding.program["name"] for finding in findings if not reason(finding)}
    wrong |= {name for _, _, name in search.crashes} | {
        finding.program["name"] for finding in findings
    }
    cases = [
        (mode, program, result)
        for mode, program, result in search.cases
        if program["name"] not in wrong and _elements(result) <= FEW_ELEMENTS
    ]
    blob = bytearray()
    rows = [[mode, program, _without_content(result, blob)] for mode, program, result in cases]
    text = json.dumps(rows, separators=(",", ":")).encode()
    np.savez_compressed(
        path, cases=np.frombuffer(text, "uint8"), elements=np.frombuffer(bytes(blob), "uint8")
    )


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
            for dtype, shape, content in outcome[1]:
                arrays.append([dtype, list(shape), len(blob), len(content)])
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
            [(t, tuple(s), blob[start : start + count]) for t, s, start, count in outcome[1]],
        )
        if outcome[0] == "ok"
        else tuple(outcome)
        for where, outcome in result.items()
    }
