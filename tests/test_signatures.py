"""Calls that fit the original's public classes and functions fit ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.versions.compare import find, parse, problems

GOLDEN = Path(__file__).parent / "golden" / "api_signatures.json"
ORIGINAL: dict[str, dict[str, str]] = json.loads(GOLDEN.read_text("utf-8"))

OWN_HANDLES = "is made by functions, not from a handle of a C library"
DIFFERENT = {
    "mxnet.executor.Executor": OWN_HANDLES,
    "mxnet.gluon.data.dataloader.rebuild_ndarray": OWN_HANDLES,
    "mxnet.gluon.data.dataloader.rebuild_np_ndarray": OWN_HANDLES,
    "mxnet.gluon.data.dataloader.reduce_ndarray": OWN_HANDLES,
    "mxnet.gluon.data.dataloader.reduce_np_ndarray": OWN_HANDLES,
    "mxnet.kvstore.kvstore.KVStore": OWN_HANDLES,
}
"""Signatures that differ, with the reason."""


@pytest.mark.parametrize("module", sorted(ORIGINAL))
def test_calls_of_the_original_fit(module):
    found = {}
    for path, text in ORIGINAL[module].items():
        if f"{module}.{path}" not in DIFFERENT:
            wrong = problems(parse(text), find(module, path))
            if wrong:
                found[path] = wrong
    assert found == {}


def test_differences_are_differences():
    for full in DIFFERENT:
        module = max((name for name in ORIGINAL if full.startswith(name)), key=len)
        path = full.removeprefix(f"{module}.")
        try:
            assert problems(parse(ORIGINAL[module][path]), find(module, path)), full
        except AttributeError:
            continue
