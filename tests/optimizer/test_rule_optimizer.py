"""Steps with several weights."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.optimizer import _rule_optimizer

SHAPES = [(3, 4), (5,), (2, 2), (30,), (1,)]


def update(optimizer, dtype):
    """Returns weights after three steps of all at once."""
    made = mx.optimizer.create(optimizer, learning_rate=0.1, wd=0.01, multi_precision=True)
    updater = mx.optimizer.get_updater(made)
    values = np.random.default_rng(0)
    weights = [mx.nd.array(values.normal(size=shape), dtype=dtype) for shape in SHAPES]
    for _ in range(3):
        gradients = [mx.nd.array(values.normal(size=shape), dtype=dtype) for shape in SHAPES]
        updater([*range(len(SHAPES))], gradients, weights)
    return [weight.asnumpy() for weight in weights]


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("optimizer", ["sgd", "adam", "lamb", "lars"])
def test_steps_in_parts_are_those_of_all_weights(monkeypatch, optimizer, dtype):
    expected = update(optimizer, dtype)
    monkeypatch.setattr(_rule_optimizer, "_MOST_ELEMENTS", 10)
    for weight, other in zip(update(optimizer, dtype), expected, strict=True):
        np.testing.assert_array_equal(weight, other)


@pytest.mark.parametrize(
    ("sizes", "parts"),
    [
        ([2, 3], [slice(0, None)]),
        ([4, 3, 2, 9, 1], [slice(0, 1), slice(1, 3), slice(3, 4), slice(4, None)]),
        ([9], [slice(0, None)]),
    ],
)
def test_a_part_has_few_elements_or_one_weight(monkeypatch, sizes, parts):
    monkeypatch.setattr(_rule_optimizer, "_MOST_ELEMENTS", 5)
    assert _rule_optimizer._parts([torch.zeros(size) for size in sizes]) == parts


def test_gradients_of_one_pixel_get_the_strides_of_their_weights():
    values = torch.arange(12.0).reshape(4, 3, 1, 1)
    filters = torch.ones(4, 3, 2, 2).contiguous(memory_format=torch.channels_last)
    grads = [torch.zeros(2), values.as_strided(values.shape, (3, 1, 3, 3)), filters]
    weights = [torch.zeros(2), torch.zeros(4, 3, 1, 1), torch.zeros(4, 3, 2, 2)]
    first, second, third = _rule_optimizer._stride_alike(grads, weights)
    assert first is grads[0]
    assert second.stride() == weights[1].stride() != grads[1].stride()
    assert torch.equal(second, values)
    assert third is filters
