"""Every layer with every option gives what it gives in the original, and agrees with itself."""

import json
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon import nn

from .layers import ROWS, Row, fill, run

GOLDEN = Path(__file__).parents[2] / "golden"
TEXTS = json.loads((GOLDEN / "gluon_layers.json").read_text())


@pytest.fixture(scope="module")
def arrays():
    with np.load(GOLDEN / "gluon_layers.npz") as stored:
        return {name: stored[name] for name in stored.files}


@pytest.mark.parametrize("item", [item for item in ROWS if item.oracle], ids=str)
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


def make(item: Row, dtype: str):
    """Makes a layer with values, and data for it."""
    layer = item.make()
    layer.initialize()
    layer.cast(dtype)
    data = mx.nd.array(item.make_data(), dtype=dtype)
    layer(data)
    for parameter in layer.collect_params().values():
        fill(parameter)
    return layer, data


@pytest.mark.parametrize("item", [item for item in ROWS if item.shape], ids=str)
def test_layer_keeps_its_results_in_a_file(item: Row, tmp_path):
    layer, data = make(item, item.dtype)
    layer.save_parameters(str(tmp_path / "layer.params"))
    loaded = item.make()
    loaded.cast(item.dtype)
    loaded.load_parameters(str(tmp_path / "layer.params"))
    np.testing.assert_array_equal(loaded(data).asnumpy(), layer(data).asnumpy())


DIFFERENTIABLE = [item for item in ROWS if item.shape and item.gradient and not item.random]


@pytest.mark.parametrize("item", DIFFERENTIABLE, ids=str)
def test_gradients_are_slopes(item: Row):
    layer, data = make(item, "float64")
    parameters = [p for p in layer.collect_params().values() if p.grad_req != "null"]
    inputs = [*([] if item.high else [data]), *(p.data() for p in parameters)]
    if not item.high:
        data.attach_grad()
    random = np.random.RandomState(3)
    with mx.autograd.record():
        output = layer(data)
        head = mx.nd.array(random.uniform(-1, 1, output.shape), dtype="float64")
        total = (output * head).sum()
    total.backward()
    for array in inputs:
        values, step = array.asnumpy(), random.uniform(-1e-6, 1e-6, array.shape)
        sums = []
        for sign in (1, -1):
            array[:] = mx.nd.array(values + sign * step, dtype="float64")
            with mx.autograd.train_mode():
                sums.append((layer(data) * head).sum().asscalar())
        array[:] = mx.nd.array(values, dtype="float64")
        expected = (sums[0] - sums[1]) / 2
        found = (array.grad.asnumpy() * step).sum()
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-12)


def test_rows_without_an_oracle_say_why():
    assert [str(item) for item in ROWS if item.oracle == bool(item.why)] == []


def test_rows_have_names_of_their_own():
    assert len({str(item) for item in ROWS}) == len(ROWS)


def test_the_table_has_every_layer():
    def is_layer(value):
        return isinstance(value, type) and issubclass(value, nn.Block)

    listed = {item.layer for item in ROWS}
    elsewhere = {nn.Block, nn.HybridBlock, nn.Sequential, nn.HybridSequential, nn.SymbolBlock}
    for home in (mx.gluon.contrib.nn, mx.gluon.contrib.cnn):
        layers = {value for value in vars(home).values() if is_layer(value)}
        names = {value.__name__ for value in layers}
        assert {f"contrib.{home.__name__.rpartition('.')[2]}.{name}" for name in names} <= listed
        elsewhere |= layers  # of which MXNet 2 shows some in `nn`
    classes = {value for value in vars(nn).values() if is_layer(value)} - elsewhere
    assert {value.__name__ for value in classes} <= listed
