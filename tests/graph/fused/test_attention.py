"""Self-attention as fused operators: files of strangers, bytes of all kinds, and plans."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mxnet as mx
from mxnet.errors import MXNetError
from mxnet.ops.quantization import fused as kernels


def fused() -> dict[str, Any]:
    scores = mx.sym.contrib.interleaved_matmul_selfatt_qk(mx.sym.var("data"), heads=2, name="qk")
    return json.loads(scores.get_backend_symbol("MKLDNN").tojson())


def inside(graph: dict[str, Any]) -> dict[str, Any]:
    return graph["nodes"][-1]["subgraphs"][0]


def without_subgraph(graph: dict[str, Any]) -> None:
    del graph["nodes"][-1]["subgraphs"]


def with_other_heads(graph: dict[str, Any]) -> None:
    graph["nodes"][-1]["attrs"]["heads"] = "3"


def with_other_operator(graph: dict[str, Any]) -> None:
    inside(graph)["nodes"][-1].update(op="exp", attrs={})


def with_two_heads(graph: dict[str, Any]) -> None:
    inside(graph)["heads"] *= 2


HOSTILE: dict[Callable[[dict[str, Any]], None], str] = {
    without_subgraph: "one subgraph expected, got 0",
    with_other_heads: "3 heads, but the subgraph has 2",
    with_other_operator: "no product of self-attention",
    with_two_heads: "one output expected, got 2",
}


@pytest.mark.parametrize("damage", HOSTILE, ids=lambda damage: damage.__name__)
def test_damaged_files_raise(damage: Callable[[dict[str, Any]], None]):
    graph = fused()
    damage(graph)
    with pytest.raises(MXNetError, match=HOSTILE[damage]):
        mx.sym.load_json(json.dumps(graph))


class Attention(mx.gluon.HybridBlock):
    """Self-attention behind a dense layer."""

    def __init__(self, activation: str | None) -> None:
        super().__init__()
        with self.name_scope():
            self.first = mx.gluon.nn.Dense(24, activation, flatten=False, in_units=8)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        projected = self.first(x)
        weights = F.softmax(F.contrib.interleaved_matmul_selfatt_qk(projected, heads=2))
        return F.contrib.interleaved_matmul_selfatt_valatt(projected, weights, heads=2)


@pytest.mark.parametrize(
    ("activation", "dtype"),
    [(None, "int8"), (None, "auto"), ("relu", "int8"), ("relu", "uint8"), ("relu", "auto")],
)
@pytest.mark.parametrize("mode", ["none", "naive"])
def test_attention_is_near_that_on_floats(activation: str | None, dtype: str, mode: str):
    mx.random.seed(3)
    net = Attention(activation)
    net.initialize(mx.init.Normal(0.4))
    data = mx.nd.array(np.random.RandomState(0).normal(size=(6, 5, 8)))
    if dtype == "uint8":  # which has no negative numbers
        data = mx.nd.abs(data)
    exact = net(data).asnumpy()
    quantized = mx.contrib.quantization.quantize_net_v2(
        net, quantized_dtype=dtype, calib_mode=mode, calib_data=[data]
    )
    eager = quantized(data).asnumpy()
    assert np.abs(eager - exact).max() < 0.2 * np.abs(exact).max()
    quantized.hybridize(static_alloc=True, static_shape=True)
    assert np.array_equal(quantized(data).asnumpy(), eager)


def test_long_sums_are_exact(monkeypatch: pytest.MonkeyPatch):
    random = np.random.RandomState(0)
    left, right = (
        mx.nd.array(random.randint(-128, 128, shape), dtype="int8").to_torch()
        for shape in ((2, 3, 40), (2, 40, 3))
    )
    expected = kernels._multiply(left, right).double()
    monkeypatch.setattr(kernels, "_EXACT_FLOATS", 1)
    assert (kernels._multiply(left, right) == expected).all()
