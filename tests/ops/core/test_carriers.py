"""Gradients of integers; `tests/programs/gradient_heads.py` compares them with the original's."""

from __future__ import annotations

import torch

from mxnet.ops.core import carriers


def test_a_gradient_passes_through_integers_as_a_whole_number():
    x = torch.tensor([1.7, -2.5], requires_grad=True)
    y = carriers.convert(carriers.convert(x, torch.int32), torch.float32)
    y.backward(torch.tensor([2.9, -1.2]))
    assert y.tolist() == [1, -2]
    assert x.grad.tolist() == [2, -1]


def test_constants_have_no_carrier():
    x = torch.tensor([1.7])
    assert carriers.carrier_of(carriers.convert(x, torch.int32)) is None


def test_the_gradient_of_a_leaf_is_handed_over_as_integers():
    taken = []
    leaf = carriers.make_leaf(torch.tensor([3, 4]), taken.append)
    product = carriers.join_integers(leaf * leaf, torch.mul, (leaf, leaf))
    carriers.differentiable(product).backward(torch.tensor([1.0, 2.0], dtype=torch.float64))
    assert [gradient.tolist() for gradient in taken] == [[6, 16]]
    assert taken[0].dtype is torch.int64


def test_an_input_without_effect_gets_zeros():
    leaf = carriers.make_leaf(torch.tensor([3, 4]), None)
    ones = carriers.join_integers(torch.ones_like(leaf), lambda *_: torch.ones(2), (leaf, leaf))
    carriers.differentiable(ones).backward(torch.ones(2, dtype=torch.float64))
    assert carriers.take_gradient(leaf).tolist() == [0, 0]
    assert carriers.take_gradient(leaf) is None
