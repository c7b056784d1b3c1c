"""One volume is convolved by oneDNN, with the results and gradients of torch's kernel."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from mxnet.ops.nn import linear
from mxnet.ops.nn.linear import convolve_volume

CASES = {
    "even": ((4, 6, 6), (3, 3, 3), 1, 1, 1),
    "odd": ((5, 6, 6), (3, 3, 3), 1, 1, 1),
    "strided": ((9, 7, 7), (3, 3, 3), 2, 1, 1),
    "dilated": ((9, 7, 7), (2, 3, 3), 1, 2, 2),
    "no padding": ((6, 5, 5), (2, 2, 3), 1, 0, 1),
    "strides that leave planes out": ((8, 9, 9), (1, 3, 3), 3, 0, 1),
    "one plane": ((3, 5, 5), (3, 3, 3), 1, 0, 1),
}


@pytest.fixture
def always(monkeypatch):
    for name in ("_LEAST_PREDICTION", "_LEAST_TRAINING"):
        monkeypatch.setattr(linear, name, 1)


def run(function, case, has_bias):
    spatial, kernel, stride, pad, dilate = case
    generator = torch.Generator().manual_seed(1)
    shapes = [(1, 3, *spatial), (4, 3, *kernel), *([(4,)] if has_bias else [])]
    tensors = [torch.randn(shape, generator=generator).requires_grad_() for shape in shapes]
    data, weight, bias = (*tensors, None)[:3]
    options = ((stride,) * 3, (pad,) * 3, (dilate,) * 3, 1)
    with torch.no_grad():
        predicted = function(data, weight, bias, *options)
    result = function(data, weight, bias, *options)
    result.square().sum().backward()
    return [predicted, result, *(item.grad for item in tensors)]


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("has_bias", [True, False])
@pytest.mark.parametrize("block", [1, 16], ids=["by groups", "by halves"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_results_and_gradients_are_those_of_torch(case, block, has_bias, monkeypatch):
    monkeypatch.setattr(linear, "_BLOCK", block)
    ours, theirs = run(convolve_volume, case, has_bias), run(F.conv3d, case, has_bias)
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-3)


@pytest.mark.usefixtures("always")
def test_what_the_library_does_not_take_is_left_to_torch():
    data, weight = torch.randn(1, 2, 4, 5, 5), torch.randn(2, 1, 3, 3, 3)
    options = ((1,) * 3, (1,) * 3, (1,) * 3)
    grouped = convolve_volume(data, weight, None, *options, 2)
    torch.testing.assert_close(grouped, F.conv3d(data, weight, None, *options, 2))
    double = convolve_volume(
        data.double(), weight.repeat(1, 2, 1, 1, 1).double(), None, *options, 1
    )
    assert double.dtype is torch.float64


@pytest.mark.usefixtures("always")
def test_a_window_that_does_not_fit_is_refused_as_by_torch():
    data, weight = torch.randn(1, 2, 2, 2, 2), torch.randn(2, 2, 3, 3, 3)
    with pytest.raises(RuntimeError):
        convolve_volume(data, weight, None, (1,) * 3, (0,) * 3, (1,) * 3, 1)


@pytest.mark.usefixtures("always")
def test_gradients_can_be_differentiated():
    def run(data, weight, bias):
        result = convolve_volume(data.float(), weight.float(), bias.float(), *options, 1)
        return result.double()

    options = ((1,) * 3, (1,) * 3, (1,) * 3)
    shapes = [(1, 2, 3, 3, 3), (2, 2, 2, 2, 2), (2,)]
    inputs = [torch.randn(shape, dtype=torch.double).requires_grad_() for shape in shapes]
    first = torch.autograd.grad(run(*inputs).square().sum(), inputs, create_graph=True)
    second = torch.autograd.grad(sum(item.square().sum() for item in first), inputs)
    again = torch.autograd.grad(
        F.conv3d(*inputs, padding=1).square().sum(), inputs, create_graph=True
    )
    expected = torch.autograd.grad(sum(item.square().sum() for item in again), inputs)
    for one, other in zip(second, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-1)
