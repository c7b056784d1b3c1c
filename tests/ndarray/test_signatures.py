"""Signatures of the public functions against those of the original."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

import mxnet as mx

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "signatures.json"
ORIGINAL: dict[str, dict[str, str]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
MARKS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
FORWARDING = ["self", "*args"]
"""What a method may show that only calls the function of the same name."""

DIFFERENT = {
    "nd.BatchNorm_v1": "the original leaves out the states, so that it cannot be called on arrays",
    "nd.IdentityAttachKLSparseReg": "as BatchNorm_v1",
    **dict.fromkeys(
        ("nd.linalg.potrf", "nd.linalg.potri", "nd.linalg_potrf", "nd.linalg_potri"),
        "name `lower`, which the original takes without saying so",
    ),
    **dict.fromkeys(
        (
            "nd.contrib.dgl_adjacency",
            "nd.contrib.dgl_csr_neighbor_non_uniform_sample",
            "nd.contrib.dgl_csr_neighbor_uniform_sample",
            "nd.contrib.dgl_subgraph",
        ),
        "name their graph, and write to no array `out`",
    ),
    "nd.random.shuffle": "names `out`, which the original takes with the rest",
}

MISSING = ()
"""Functions of the original that are not here yet, sorted; whoever adds one removes it."""


def owner_of(path: str) -> Any:
    owner: Any = mx
    for part in path.split("."):
        owner = getattr(owner, part)
    return owner


def parameters(function: Any) -> list[str]:
    found = inspect.signature(function).parameters.values()
    return [MARKS.get(item.kind, "") + item.name for item in found]


def without_rest(names: list[str]) -> list[str]:
    return [name for name in names if name and not name.startswith("**")]


def present() -> list[Any]:
    return [
        pytest.param(path, name, id=f"{path}.{name}")
        for path, functions in ORIGINAL.items()
        for name in functions
        if f"{path}.{name}" not in {*MISSING, *DIFFERENT}
    ]


def test_missing_functions_are_listed():
    missing = {
        f"{path}.{name}"
        for path, functions in ORIGINAL.items()
        for name in functions
        if not hasattr(owner_of(path), name)
    }
    assert tuple(sorted(missing)) == MISSING


MISNAMED = {("nd.contrib", "SparseEmbedding"): ("sparse_grad", "deterministic")}
"""What the signature of the original names, and what the function takes in its place."""


@pytest.mark.parametrize(("path", "name"), present())
def test_parameters_are_those_of_the_original(path: str, name: str):
    expected = without_rest(ORIGINAL[path][name].split(", "))
    wrong, right = MISNAMED.get((path, name), ("", ""))
    expected = [right if item == wrong else item for item in expected]
    owner = owner_of(path)
    assert hasattr(owner, name)  # which brings functions there that are made when asked for
    got = without_rest(parameters(inspect.getattr_static(owner, name)))
    # Where the original takes `*args` or `**kwargs`, it does not name what follows.
    if ORIGINAL[path][name].endswith("**kwargs") or (expected and expected[-1].startswith("*")):
        expected = [item for item in expected if item != "*args"]
        got = got[: len(expected)]
    assert got in (expected, FORWARDING)
