"""Gluon on arrays of `mx.np`, compared with the results of the original."""

from __future__ import annotations

import base64
import importlib
import json
import lzma
from pathlib import Path

import pytest

import mxnet as mx
from tests.golden.np_gluon import FAMILIES, core, files

_GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "np_gluon"
_TABLES = {
    family: importlib.import_module(f"tests.golden.np_gluon.{family}").CASES for family in FAMILIES
}


def _read(name):
    return json.loads(lzma.decompress((_GOLDEN / name).read_bytes()))


@pytest.fixture(scope="module")
def golden():
    return _read("results.json.xz")


@pytest.fixture(scope="module")
def exports():
    return _read("exports.json.xz")


@pytest.mark.parametrize(
    ("family", "name"), [(family, name) for family, cases in _TABLES.items() for name in cases]
)
def test_result_is_that_of_the_original(family, name, golden):
    expected, result = golden[family][name], core.run(_TABLES[family][name], mx)
    if isinstance(expected, str):  # the original refuses arrays of mx.np in many layers
        assert not isinstance(result, str), result
    else:
        assert core.same(expected, result), f"expected {expected}\ngot      {result}"


@pytest.mark.parametrize("name", files.NETWORKS)
def test_networks_that_the_original_exported_give_its_results(name, golden, exports, tmp_path):
    graph, weights = tmp_path / "net-symbol.json", tmp_path / "net-0000.params"
    text, content = exports[name]
    graph.write_text(text)
    weights.write_bytes(base64.b64decode(content))
    paths = str(graph), str(weights) if content else None
    result = core.run(lambda package: files.read(*paths, package), mx)
    assert core.same(golden["files"][name], result), result
