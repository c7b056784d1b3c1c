"""Masks of attention that shapes alone decide: which of them kernels are told to be causal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as TF

import mxnet as mx
from mxnet import autograd, gluon, nd

LENGTH, LEAST = 230, 4  # 200,000 scores, from which masks go through the kernel on a CPU


def _places(F: Any, scores: Any) -> tuple[Any, Any]:
    places = F.contrib.arange_like(scores, axis=1)
    return F.expand_dims(places, 0), F.expand_dims(places, 1)


def _add(F: Any, scores: Any, banned: Any, number: float) -> Any:
    return F.broadcast_add(scores, F.expand_dims(banned * number, axis=0))


def added(F: Any, scores: Any) -> Any:
    return _add(F, scores, F.broadcast_greater(*_places(F, scores)), -1e30)


def added_from_fixed_places(F: Any, scores: Any) -> Any:
    places = F.arange(LENGTH)
    banned = F.broadcast_greater(F.expand_dims(places, 0), F.expand_dims(places, 1))
    return _add(F, scores, banned, -1e30)


def chosen(F: Any, scores: Any) -> Any:
    allowed = F.expand_dims(F.broadcast_lesser_equal(*_places(F, scores)), axis=0)
    return F.where(F.broadcast_like(allowed, scores), scores, F.ones_like(scores) * -1e30)


def a_band(F: Any, scores: Any) -> Any:
    far = F.abs(F.broadcast_sub(*_places(F, scores))) > 3
    return _add(F, scores, far, -1e30)


def later_keys(F: Any, scores: Any) -> Any:
    return _add(F, scores, F.broadcast_lesser(*_places(F, scores)), -1e30)


def without_the_own_key(F: Any, scores: Any) -> Any:
    return _add(F, scores, F.broadcast_greater_equal(*_places(F, scores)), -5.0)


def made_weaker(F: Any, scores: Any) -> Any:
    return _add(F, scores, F.broadcast_greater(*_places(F, scores)), -10.0)


def with_a_bias(F: Any, scores: Any) -> Any:
    places, others = _places(F, scores)
    return added(F, _add(F, scores, F.broadcast_sub(places, others), 0.01))


CAUSAL = [added, added_from_fixed_places, chosen]
OTHERS = [a_band, later_keys, without_the_own_key, made_weaker, with_a_bias]


class Attention(gluon.HybridBlock):
    """Attention under a mask."""

    def __init__(self, mask: Any) -> None:
        super().__init__()
        self._mask = mask

    def hybrid_forward(self, F: Any, queries: Any, keys: Any, values: Any) -> Any:
        scores = F.batch_dot(queries, keys, transpose_b=True) * 0.25
        return F.batch_dot(F.softmax(self._mask(F, scores), axis=-1), values)


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    called: list[dict[str, Any]] = []
    kernel = TF.scaled_dot_product_attention

    def note(*arrays: Any, **options: Any) -> Any:
        called.append(options)
        return kernel(*arrays, **options)

    monkeypatch.setattr(TF, "scaled_dot_product_attention", note)
    return called


def _compute(
    mask: Any, hybridized: bool, dtype: str = "float32", ctx: mx.Context | None = None
) -> list[np.ndarray]:
    net = Attention(mask)
    if hybridized:
        net.hybridize(strict=True)
    rng = np.random.default_rng(3)
    arrays = [
        nd.array(rng.normal(size=(LEAST, LENGTH, 16)), dtype=dtype, ctx=ctx) for _ in range(3)
    ]
    for item in arrays:
        item.attach_grad()
    predicted = net(*arrays)
    with autograd.record():
        result = net(*arrays)
        loss = (result * result).sum()
    loss.backward()
    results = (predicted, result, *[item.grad for item in arrays])
    return [item.astype("float32").asnumpy() for item in results]


@pytest.mark.parametrize("mask", CAUSAL + OTHERS)
def test_results_and_gradients_are_those_of_the_steps(mask, kernels):
    found = _compute(mask, hybridized=True)
    assert [item.get("is_causal", False) for item in kernels] == [mask in CAUSAL] * 2
    for one, other in zip(found, _compute(mask, hybridized=False), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("mask", CAUSAL)
def test_a_gpu_gives_the_results_and_gradients_of_the_steps(mask, dtype, kernels):
    found = _compute(mask, True, dtype, mx.gpu())
    assert [item.get("is_causal", False) for item in kernels] == [True] * 2
    tolerance = 1e-4 if dtype == "float32" else 3e-2
    for one, other in zip(found, _compute(mask, False, "float32", mx.gpu()), strict=True):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def test_each_length_is_looked_at_for_itself(kernels):
    def for_long_ones(F: Any, scores: Any) -> Any:
        places, others = _places(F, scores)
        banned = F.broadcast_mul(F.broadcast_greater(places, others), others < 240)
        return _add(F, scores, banned, -1e30)

    net = Attention(for_long_ones)
    net.hybridize(strict=True)
    for length in (LENGTH, 250, LENGTH):
        arrays = [nd.random.normal(shape=(LEAST, length, 16)) for _ in range(3)]
        expected = Attention(for_long_ones)(*arrays)
        np.testing.assert_allclose(net(*arrays).asnumpy(), expected.asnumpy(), atol=1e-4)
    assert [item.get("is_causal", False) for item in kernels] == [True, False, True]


def test_a_compiler_is_told_that_a_mask_is_causal(kernels):
    torch._dynamo.reset()
    net = Attention(added)
    net.hybridize(strict=True, backend="eager")
    arrays = [nd.random.normal(shape=(LEAST, LENGTH, 16)) for _ in range(3)]
    result = net(*arrays).asnumpy()
    assert [item.get("is_causal", False) for item in kernels] == [True]
    np.testing.assert_allclose(result, Attention(added)(*arrays).asnumpy(), atol=1e-4)
