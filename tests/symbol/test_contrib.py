"""Functions of `mx.sym` that are not operators of the original's graphs, or are only in name."""

import numpy as np
import pytest

import mxnet as mx
from mxnet.errors import MXNetError

VALUES = {
    "weight": [1.0, -2.0, 3.0],
    "grad": [0.5, 0.25, -1.0],
    "mean": [0.1, 0.2, 0.3],
    "var": [0.3, 0.2, 0.1],
    "weight32": [1.0, -2.0, 3.0],
}
OPTIONS = {"lr": 0.1, "eta": 0.5, "beta1": 0.8, "wd": 0.01, "clip_gradient": 0.9}


def make_arrays(names):
    half = ("weight", "grad") if "weight32" in names else ()
    kinds = {name: "float16" if name in half else "float32" for name in names}
    return {name: mx.nd.array(VALUES[name], dtype=kinds[name]) for name in names}


@pytest.mark.parametrize("factor", [2.0, "symbol"])
@pytest.mark.parametrize(
    ("function", "names"),
    [
        ("adamw_update", ("weight", "grad", "mean", "var")),
        ("mp_adamw_update", ("weight", "grad", "mean", "var", "weight32")),
    ],
)
def test_updates_are_those_of_arrays(function, names, factor):
    expected = make_arrays(names)
    result = getattr(mx.nd.contrib, function)(*expected.values(), 2.0, **OPTIONS)
    given = make_arrays(names)
    variables = [mx.sym.var(name) for name in names]
    if factor == "symbol":
        given["factor"], factor = mx.nd.array([2.0]), mx.sym.var("factor")
    graph = getattr(mx.sym.contrib, function)(*variables, factor, name="step", **OPTIONS)
    assert graph.list_outputs() == ["step_output"]
    (output,) = graph.bind(mx.cpu(), given).forward()
    np.testing.assert_allclose(output.asnumpy(), result.asnumpy(), rtol=1e-6)
    for name, array in expected.items():
        np.testing.assert_allclose(given[name].asnumpy(), array.asnumpy(), rtol=1e-6)


@pytest.mark.parametrize("stype", ["default", "csr", "row_sparse"])
def test_storage_types_stay_dense_in_graphs(stype):
    x = mx.sym.var("x")
    graph = mx.sym.cast_storage(x, stype=stype, name="cast") * x
    assert graph.get_internals()["cast_output"].attr("stype") == stype
    data = mx.nd.array([[1, 0], [0, 2]])
    executor = mx.sym.load_json(graph.tojson()).simple_bind(mx.cpu(), x=(2, 2))
    (output,) = executor.forward(is_train=True, x=data)
    executor.backward(mx.nd.ones((2, 2)))
    np.testing.assert_array_equal(output.asnumpy(), [[1, 0], [0, 4]])
    np.testing.assert_array_equal(executor.grad_dict["x"].asnumpy(), [[2, 0], [0, 4]])


def test_the_storage_type_of_arrays_changes_in_every_module():
    for module in (mx.nd, mx.nd.op, mx.nd.sparse):
        assert module.cast_storage(mx.nd.array([[0, 1]]), "csr").stype == "csr"


@pytest.mark.parametrize("options", [{}, {"stype": "columns"}])
def test_a_storage_type_is_needed(options):
    with pytest.raises(MXNetError, match="stype"):
        mx.sym.cast_storage(mx.sym.var("x"), **options)
