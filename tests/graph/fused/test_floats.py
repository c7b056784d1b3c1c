"""Fused layers on floats, as monitors see them, agree with their parts computed one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mxnet as mx
from mxnet.graph.fused import compute as kernels

OPTIONS: dict[str, dict[str, Any]] = {
    "image": {"kernel": (3, 3), "pad": (1, 1), "num_filter": 16},
    "strided": {"kernel": (3, 3), "stride": (2, 2), "dilate": (2, 2), "num_filter": 6},
    "pointwise": {"kernel": (1, 1), "num_filter": 8},
    "many": {"kernel": (1, 1), "num_filter": 512},
    "depthwise": {"kernel": (3, 3), "num_group": 4, "num_filter": 8, "no_bias": True},
    "volume": {"kernel": (1, 1, 1), "num_filter": 3},
}


def compute(name: str, backend: str | None, dtype: str = "float32") -> list[np.ndarray]:
    """Returns outputs of a network of one layer, seen by a monitor."""
    options = OPTIONS[name]
    data = mx.sym.var("data")
    net = mx.sym.Convolution(data, name="c", **options)
    net = mx.sym.BatchNorm(net, name="b", fix_gamma=False, eps=1e-3)
    net = mx.sym.Activation(net, act_type="relu", name="a")
    if backend:
        net = net.get_backend_symbol(backend)
    shape = (2, 4, *[7] * len(options["kernel"]))
    executor = net.simple_bind(mx.cpu(), grad_req="null", data=shape, type_dict={"data": dtype})
    random = np.random.RandomState(1)
    for array in (*executor.arg_arrays, *executor.aux_arrays):
        array[:] = random.uniform(0.1, 1, array.shape) * random.choice([1, -1], array.shape)
    for array in executor.aux_arrays:
        array[:] = mx.nd.abs(array)
    seen: list[np.ndarray] = []
    executor.set_monitor_callback(lambda _, array: seen.append(array.asnumpy()))
    return [executor.forward(is_train=False)[0].asnumpy(), seen[-1]]


@pytest.mark.parametrize("name", OPTIONS)
def test_a_layer_computes_what_its_parts_do(name: str):
    expected, _ = compute(name, None)
    result, seen = compute(name, "MKLDNN")
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)
    assert np.array_equal(seen, result)


def test_layers_compute_the_same_without_onednn(monkeypatch: pytest.MonkeyPatch):
    expected, _ = compute("image", "MKLDNN")
    monkeypatch.setattr(kernels, "_HAS_ONEDNN", False)
    result, _ = compute("image", "MKLDNN")
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)


def test_other_precisions_stay_what_they_are():
    expected, _ = compute("image", None, "float64")
    result, _ = compute("image", "MKLDNN", "float64")
    assert result.dtype == np.float64
    np.testing.assert_allclose(result, expected, rtol=1e-10)
