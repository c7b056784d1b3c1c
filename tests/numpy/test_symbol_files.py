"""Symbol files of the NumPy dialect."""

from __future__ import annotations

import json

import pytest

import mxnet as mx
from mxnet import np

IDENTITY = [[2.0, 0.0], [0.0, 3.0]]


@pytest.fixture(autouse=True)
def dialect():
    with mx.util.np_shape(True), mx.util.np_array(True):
        yield


def as_written_by_the_original(operator: str, **attrs: str) -> str:
    """Returns the file of one operator, whose name both dialects share there."""
    inputs = [] if operator == "_random_randint" else [[0, 0, 0]]
    nodes = [{"op": "null", "name": "x", "inputs": []}] if inputs else []
    nodes.append({"op": operator, "name": "node", "attrs": attrs, "inputs": inputs})
    return json.dumps(
        {
            "nodes": nodes,
            "arg_nodes": [0] if inputs else [],
            "heads": [[len(nodes) - 1, 0, 0]],
            "attrs": {"is_np_shape": ["int", 1], "mxnet_version": ["int", 10901]},
        }
    )


def test_files_say_which_shapes_they_mean():
    symbol = mx.sym.np.linalg.det(mx.sym.var("x").as_np_ndarray())
    assert json.loads(symbol.tojson())["attrs"]["is_np_shape"] == ["int", 1]
    with mx.util.np_shape(False):
        assert "is_np_shape" not in json.loads(symbol.tojson())["attrs"]


def test_products_of_symbols_may_be_written_as_in_python():
    x = mx.sym.var("x").as_np_ndarray()
    product = x @ x
    assert json.loads(product.tojson())["nodes"][-1]["op"] == "_npi_matmul"
    (result,) = product.eval(mx.cpu(), x=np.array(IDENTITY))
    assert result.tolist() == [[4, 0], [0, 9]]


@pytest.mark.parametrize("operator", ["_linalg_det", "_linalg_slogdet"])
def test_operators_of_both_dialects_return_scalars(operator: str):
    symbol = mx.sym.load_json(as_written_by_the_original(operator))
    result = symbol.eval(mx.cpu(), x=np.array(IDENTITY))[0]
    assert result.shape == ()


def test_whole_numbers_of_files_may_be_scalars():
    symbol = mx.sym.load_json(
        as_written_by_the_original("_random_randint", low="2", high="3", shape="()")
    )
    assert symbol.eval(mx.cpu())[0].asnumpy() == 2


def test_classic_files_keep_their_shapes():
    text = as_written_by_the_original("_linalg_det").replace('"is_np_shape": ["int", 1], ', "")
    with mx.util.np_shape(False):
        (result,) = mx.sym.load_json(text).eval(mx.cpu(), x=mx.nd.array(IDENTITY))
    assert result.shape == (1,)


@pytest.mark.parametrize(
    ("op_type", "attrs", "expected"),
    [
        ("resize_fallback", {"new_shape": "(2, 3)"}, [[5, 7, 5], [7, 5, 7]]),
        ("resize_fallback", {"new_shape": "3"}, [5, 7, 5]),
        ("unravel_index_fallback", {"shape": "(3, 4)"}, [[1, 1], [1, 3]]),
        ("empty_like_fallback", {"dtype": "int32", "order": "C", "subok": "False"}, [0, 0]),
    ],
)
def test_operators_in_python_of_the_original_are_read(op_type: str, attrs: dict, expected: list):
    symbol = mx.sym.load_json(as_written_by_the_original("Custom", op_type=op_type, **attrs))
    (result,) = symbol.eval(mx.cpu(), x=np.array([5, 7], dtype="int64"))
    assert result.asnumpy().tolist() == expected
    with mx.util.np_shape():
        assert symbol.infer_shape(x=(2,))[1] == [result.shape]


def test_normal_vectors_of_the_original_are_read():
    mean, variance = (mx.sym.var(name).as_np_ndarray() for name in ("mean", "variance"))
    drawn = mx.sym.Custom(
        mean.as_nd_ndarray(), variance.as_nd_ndarray(), op_type="mvn_fallback", size="(3,)"
    )
    with mx.util.np_shape():
        assert drawn.infer_shape(mean=(2,), variance=(2, 2))[1] == [(3, 2)]
    (result,) = drawn.eval(
        mx.cpu(), mean=mx.nd.array([1, 2]), variance=mx.nd.array([[1e-9, 0], [0, 1e-9]])
    )
    assert result.asnumpy().round(2).tolist() == [[1, 2]] * 3


def test_operators_in_python_of_the_original_have_a_gradient():
    x = mx.nd.ones(2)
    x.attach_grad()
    with mx.autograd.record():
        resized = mx.nd.Custom(x, op_type="resize_fallback", new_shape="3")
    resized.backward()
    assert x.grad.asnumpy().tolist() == [2, 1]


def test_drawn_vectors_have_a_gradient():
    mean, variance = mx.np.array([1.0, 2.0]), mx.np.array([[4.0, 0.0], [0.0, 9.0]])
    mean.attach_grad()
    variance.attach_grad()
    with mx.autograd.record():
        drawn = mx.np.random.multivariate_normal(mean, variance, 5)
    drawn.backward()
    assert mean.grad.tolist() == [5, 5]
    # Each element is its mean and a standard deviation times what was drawn.
    slope = (drawn - mean).sum(0) / (2 * np.array([4, 9]))
    assert variance.grad.asnumpy().diagonal() == pytest.approx(slope.asnumpy(), rel=1e-4)
