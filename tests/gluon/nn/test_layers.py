"""Every layer with every option gives what it gives in the original."""

import json
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon import nn

from .layers import ROWS, Row, run

GOLDEN = Path(__file__).parents[2] / "golden"
TEXTS = json.loads((GOLDEN / "gluon_layers.json").read_text())


@pytest.fixture(scope="module")
def arrays():
    with np.load(GOLDEN / "gluon_layers.npz") as stored:
        return {name: stored[name] for name in stored.files}


@pytest.mark.parametrize("item", ROWS, ids=str)
def test_layer_agrees_with_the_original(item: Row, arrays):
    facts, found = run(item)
    expected = TEXTS[str(item)]
    if item.layer.startswith("contrib.nn.PixelShuffle"):  # numbered, as it takes no prefix
        facts["name"] = expected["name"]
    assert facts == expected
    names = {name.rpartition("/")[2] for name in arrays if name.startswith(f"{item}/")}
    assert set(found) == names
    for name, array in found.items():
        stored = arrays[f"{item}/{name}"]
        assert array.dtype == stored.dtype, name
        np.testing.assert_allclose(array, stored, rtol=1e-4, atol=1e-5, err_msg=name)


def test_rows_have_names_of_their_own():
    assert len({str(item) for item in ROWS}) == len(ROWS)


def test_the_table_has_every_layer():
    def is_layer(value):
        return isinstance(value, type) and issubclass(value, nn.Block)

    listed = {item.layer for item in ROWS}
    containers = {"Block", "HybridBlock", "Sequential", "HybridSequential", "SymbolBlock"}
    assert {name for name, value in vars(nn).items() if is_layer(value)} - containers <= listed
    for home in (mx.gluon.contrib.nn, mx.gluon.contrib.cnn):
        names = {value.__name__ for value in vars(home).values() if is_layer(value)}
        assert {f"contrib.{home.__name__.rpartition('.')[2]}.{name}" for name in names} <= listed
