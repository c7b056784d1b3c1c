"""Rules of optimizers: large weights are gone through in blocks."""

from __future__ import annotations

import pytest
import torch

from mxnet.ops.optimizer import adaptive_rules, rules

COMMON = {"lr": 0.1, "wd": 0.01, "rescale_grad": 0.5, "clip_gradient": 0.4}
CASES = {
    "rmsprop": (1, {"gamma1": 0.9, "epsilon": 1e-8, "clip_weights": -1.0}),
    "ftrl": (2, {"lamda1": 0.01, "beta": 1.0}),
    "adagrad": (1, {"epsilon": 1e-7}),
}
SIZE = 5000


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(rules, "_LARGE", 4000)
    monkeypatch.setattr(rules, "_BLOCK", 1024)


def _make(count, size):
    generator = torch.Generator().manual_seed(1)
    return [torch.rand(size, generator=generator) + 0.5 for _ in range(count)]


@pytest.mark.parametrize("name", CASES)
def test_large_weights_change_as_small_ones_do(name):
    count, options = CASES[name]
    rule = getattr(adaptive_rules, name)
    large, small = _make(2 + count, SIZE), _make(2 + count, SIZE)
    together = [[item, extra] for item, extra in zip(large, _make(2 + count, 7), strict=True)]
    rule(*together, **COMMON, **options)
    rule.__wrapped__(*[[item] for item in small], **COMMON, **options)
    for mine, expected in zip(large, small, strict=True):
        torch.testing.assert_close(mine, expected)
    alone = [[item] for item in _make(2 + count, 7)]
    rule.__wrapped__(*alone, **COMMON, **options)
    for mine, expected in zip(together, alone, strict=True):
        torch.testing.assert_close(mine[1], expected[0])


def test_blocks_are_small_and_memory_in_other_orders_stays_whole():
    sizes = []

    @rules.in_blocks
    def note(weights, grads):
        sizes.extend(item.numel() for item in weights)
        torch._foreach_add_(weights, grads)

    weight = torch.zeros(100, 50)
    note([weight], [torch.ones(100, 50)])
    assert sizes == [1024] * 4 + [SIZE - 4 * 1024]
    sizes.clear()
    note([weight], [torch.ones(50, 100).t()])
    assert sizes == [SIZE]
    assert (weight == 2).all()
