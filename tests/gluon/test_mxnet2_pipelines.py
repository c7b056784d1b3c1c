"""Loaders, metrics, estimators and distributions in programs of MXNet 2 give what 2.0.0b1 gives."""

from __future__ import annotations

from pathlib import Path

import numpy as onp
import pytest

import mxnet as mx
from tests.golden.mxnet2_pipelines import PIPELINES, Autoencoder, Reader, numbers

EXPECTED = onp.load(Path(__file__).parents[1] / "golden" / "mxnet2_pipelines.npz")


@pytest.fixture(autouse=True)
def version_2():
    before = mx.set_version(2)
    yield
    mx.set_version(before)


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize("name", PIPELINES)
def test_pipelines_give_the_same(name, hybridize):
    found = dict(PIPELINES[name](hybridize))
    assert [f"{name}/{key}" for key in found] == [
        key for key in EXPECTED.files if key.startswith(f"{name}/")
    ]
    for key, value in found.items():
        onp.testing.assert_allclose(value, EXPECTED[f"{name}/{key}"], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("make", "shapes", "more"),
    [
        # In MXNet 2, too, states of zeros have the size of the call.
        (lambda: Reader(12, 8, 3), [(2, 5)], 0),
        (lambda: Autoencoder(2, 5), [(4, 5), (4, 2)], 3),
    ],
    ids=["reader", "autoencoder"],
)
def test_their_networks_are_exported(make, shapes, more, tmp_path):
    def draw(more):
        return [mx.np.array(numbers(1, shape[0] + more, *shape[1:]) ** 2) for shape in shapes]

    net = make()
    net.initialize(mx.init.Normal(0.3))
    net.hybridize()
    net(*draw(0))
    symbol_file, parameter_file = net.export(str(tmp_path / "net"))
    names = ["data"] if len(shapes) == 1 else ["data0", "data1"]
    loaded = mx.gluon.SymbolBlock.imports(symbol_file, names, parameter_file)
    found, expected = loaded(*draw(more)), net(*draw(more))
    first = found[0] if isinstance(found, (list, tuple)) else found
    onp.testing.assert_allclose(first.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)
