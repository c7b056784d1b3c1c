"""Names of the NumPy dialect that programs find in modules of the original."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

import mxnet as mx
from mxnet import np, npx

_IMAGE = Path(__file__).parents[1] / "golden" / "image" / "photo.png"


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("mxnet.ndarray.numpy", np),
        ("mxnet.ndarray.numpy_extension", npx),
        ("mxnet.numpy.multiarray", np),
    ],
)
def test_modules_under_other_names(name, module):
    assert importlib.import_module(name) is module


def test_operators_by_their_short_names():
    from mxnet.ndarray.numpy import _internal as arrays
    from mxnet.symbol.numpy import _internal as symbols

    assert arrays.add(np.ones(2), np.ones(2)).tolist() == [2, 2]
    with mx.name.NameManager():
        assert symbols.add(mx.sym.np.ones(2), mx.sym.np.ones(2)).name == "add0"
    assert {"add", "copyto", "concatenate"} <= set(dir(arrays))
    with pytest.raises(AttributeError, match="nothing"):
        _ = symbols.nothing


def test_classic_module_has_no_operators_of_the_other_dialect():
    assert not [name for name in dir(mx.nd._internal) if name.startswith("_np")]
    assert not [name for name in dir(mx.sym._internal) if name.startswith("_np")]


def test_images_are_read_in_the_dialect_of_the_module():
    image = np._internal.cvimread(filename=str(_IMAGE), flag=0)
    assert type(image) is np.ndarray
    assert image.shape[2] == 1
    content = np.array(list(_IMAGE.read_bytes()), dtype="uint8")
    decoded = np._internal.cvimdecode(content)
    classic = mx.nd._internal._cvimdecode(content.as_nd_ndarray())
    assert type(classic) is type(mx.nd._internal._cvimread(str(_IMAGE))) is mx.nd.NDArray
    assert (decoded.asnumpy() == classic.asnumpy()).all()
    with pytest.raises(TypeError, match=r"mx.image.imdecode"):
        np._internal.cvimdecode(classic)


def test_copyto_writes_into_the_other_array():
    target = np.zeros(2)
    assert np._internal.copyto(np.ones(2), out=target) is target
    assert target.tolist() == [1, 1]
    with pytest.raises(TypeError, match=r"copyto: out takes an mx.np array"):
        np._internal.copyto(np.ones(2), out=mx.nd.zeros(2))


def _last_node(symbol):
    return json.loads(symbol.tojson())["nodes"][-1]


def test_functions_of_symbols_that_are_operators_take_names_and_attributes():
    x = mx.sym.var("x").as_np_ndarray()
    with mx.name.NameManager():
        assert _last_node(mx.sym.np.sum(x)) == {
            "op": "_np_sum",
            "name": "sum0",
            "inputs": [[0, 0, 0]],
        }
        assert _last_node(mx.sym.np.amax(x, axis=1))["name"] == "amax0"
    named = _last_node(mx.sym.np.cumsum(x, axis=0, name="total", attr={"__mood__": "good"}))
    assert (named["op"], named["name"]) == ("_np_cumsum", "total")
    assert named["attrs"] == {"__mood__": "good", "axis": "0"}


def test_choice_of_symbols():
    rows, chances = (mx.sym.var(name).as_np_ndarray() for name in ("rows", "chances"))
    drawn = mx.sym.np.random.choice(rows, size=(2, 3), p=chances)
    with mx.util.np_shape():
        assert drawn.infer_shape(rows=(4, 2), chances=(4,))[1] == [(2, 3, 2)]
    (result,) = drawn.eval(
        mx.cpu(), rows=np.arange(8).reshape(4, 2), chances=np.array([0, 0, 1.0, 0])
    )
    assert (result.asnumpy() == [4, 5]).all()
    assert _last_node(mx.sym.np.random.choice(5, size=3))["attrs"]["a"] == "5"


def test_handles_tell_graphs_apart():
    first, second = mx.sym.np.ones(1), mx.sym.np.ones(1)
    assert first.handle == first.handle != second.handle


def test_scopes_are_names_of_the_package_too():
    assert mx.np_shape is mx.util.np_shape
    assert mx.use_np is npx.use_np
    with pytest.raises(ValueError, match="takes a GPU context"):
        npx.get_cuda_compute_capability(mx.cpu())
