"""Operators that are made of one formula: their names, signatures, results and refusals."""

from __future__ import annotations

import pytest
import torch

from mxnet.errors import MXNetError
from mxnet.ops.core import registry
from mxnet.ops.optimizer.updates import LR, LRS, WDS
from mxnet.ops.optimizer.variants import Option, Shown, Update, declare

RATE = Option("slope", "Factor of the sum.", 2.0, argument="factor")
VARIANTS = ("toy", "mp_toy", "multi_toy", "multi_mp_toy", "preloaded_multi_toy")


def add(weights, grads, sums, *, lr, factor, wd=0.0):
    """Adds gradients to sums, and these to the weights."""
    for weight, grad, total in zip(weights, grads, sums, strict=True):
        total += grad
        weight += lr * factor * total - wd * weight


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    """Declares the operators of `add` for one test."""
    monkeypatch.setattr(registry, "_OPS", dict(registry._OPS))
    update = Update(
        name="toy",
        rule=add,
        summary="Returns the weight after a toy step.",
        states={"total": "Sum of gradients, a state."},
        options=(LR, RATE),
        mixed=True,
        many=(LRS, WDS, RATE),
        preloaded=add,
        shown=Shown(one="lr=0.1", result="[0.8 2.2]"),
    )
    declare(update, __name__)
    return update


def ones(count, dtype=torch.float32):
    return [torch.ones(2, dtype=dtype) for _ in range(count)]


def test_a_row_declares_all_variants():
    for name in (*VARIANTS, "preloaded_multi_mp_toy"):
        operator = registry.get_op(name)
        assert operator.name == name
        assert not operator.differentiable
        assert operator.kernel.__module__ == __name__
    plain, mixed = registry.get_op("toy"), registry.get_op("mp_toy")
    assert [item.name for item in plain.inputs] == ["weight", "grad", "total"]
    assert [item.name for item in mixed.inputs] == ["weight", "grad", "total", "weight32"]
    assert plain.mutates == ("total",)
    assert mixed.mutates == ("total", "weight32")
    assert mixed.any_dtype == {"total", "weight32"}
    assert list(plain.attrs) == list(mixed.attrs) == ["lr", "slope"]
    assert list(registry.get_op("multi_toy").attrs) == ["lrs", "wds", "slope", "num_weights"]
    assert list(registry.get_op("preloaded_multi_toy").attrs) == ["slope", "num_weights"]
    assert "`toy` for several weights" in registry.get_op("multi_toy").doc
    assert "total: Sum of gradients" in mixed.doc


def test_all_variants_make_the_same_step():
    weight, grad, total = ones(3)
    assert registry.get_op("toy").kernel(weight, grad, total, lr=0.5).tolist() == [3, 3]
    assert (weight.tolist(), total.tolist()) == ([1, 1], [2, 2])

    half, grad = ones(2, torch.float16)
    total, master = ones(2)
    result = registry.get_op("mp_toy").kernel(half, grad, total, master, lr=0.5)
    assert result.dtype is torch.float16
    assert (result.tolist(), master.tolist(), total.tolist()) == ([3, 3], [3, 3], [2, 2])

    kernel = registry.get_op("multi_toy").kernel
    results = kernel(*ones(6), lrs=(0.5, 1.0), wds=(0.0, 1.0), num_weights=2)
    assert [item.tolist() for item in results] == [[3, 3], [4, 4]]

    rates = torch.tensor([0.5, 1.0]), torch.tensor([0.0, 1.0])
    results = registry.get_op("preloaded_multi_toy").kernel(*ones(6), *rates, num_weights=2)
    assert [item.tolist() for item in results] == [[3, 3], [4, 4]]


@pytest.mark.parametrize(
    ("name", "arrays", "attrs", "message"),
    [
        ("toy", [*ones(2), torch.ones(3)], {"lr": 1.0}, "toy: expected arrays of the weight's"),
        ("toy", ones(3, torch.int64), {"lr": 1.0}, "floating point weights only"),
        ("mp_toy", ones(4, torch.float16), {"lr": 1.0}, "mp_toy: expected float32 states"),
        ("multi_toy", ones(4), {"lrs": (1.0,), "wds": (0.0,)}, "expected 1 times 3 arrays"),
        ("multi_toy", ones(3), {"lrs": (1.0, 2.0), "wds": (0.0,)}, "one learning rate"),
        ("preloaded_multi_toy", ones(1), {}, "at the end, got 1 arrays"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name, arrays, attrs, message):
    with pytest.raises(MXNetError, match=message):
        registry.get_op(name).kernel(*arrays, **attrs)
