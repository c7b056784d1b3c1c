"""Convolutions and products of bytes against integer arithmetic."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from mxnet.ops.quantization import kernels
from mxnet.ops.quantization.kernels import Window, convolve_to_int32, multiply_to_int32


def make_bytes(*shape: int, dtype: torch.dtype, seed: int = 0) -> torch.Tensor:
    """Returns random bytes of all values."""
    limits = torch.iinfo(dtype)
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(limits.min, limits.max + 1, shape, dtype=dtype, generator=generator)


def sums_of(data: torch.Tensor, weight: torch.Tensor, window: Window) -> torch.Tensor:
    """Returns the sums of products in float64, which is exact."""
    slide = (F.conv1d, F.conv2d, F.conv3d)[data.ndim - 3]
    options = (window.stride, window.pad, window.dilate, window.groups)
    return slide(data.double(), weight.double(), None, *options)


WINDOWS = {
    "plain": ((4, 3, 3), Window((1, 1), (0, 0), (1, 1))),
    "strided and padded": ((4, 3, 3), Window((2, 2), (1, 1), (1, 1))),
    "dilated": ((4, 2, 2), Window((1, 2), (2, 1), (2, 2))),
    "grouped": ((2, 3, 3), Window((1, 1), (1, 1), (1, 1), 2)),
    "depthwise": ((1, 3, 3), Window((1, 1), (1, 1), (1, 1), 4)),
}


@pytest.mark.parametrize("case", WINDOWS)
@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8])
@pytest.mark.parametrize("has_kernels", [True, False])
def test_sums_of_convolutions_are_exact(case, dtype, has_kernels, monkeypatch):
    monkeypatch.setattr(kernels, "HAS_INT8_KERNELS", has_kernels and kernels.HAS_INT8_KERNELS)
    filters, window = WINDOWS[case]
    data = make_bytes(2, 4, 7, 6, dtype=dtype)
    weight = make_bytes(8, *filters, dtype=torch.int8, seed=1)
    result = convolve_to_int32(data, weight, window)
    assert result.dtype is torch.int32
    assert torch.equal(result.double(), sums_of(data, weight, window))


@pytest.mark.parametrize("case", WINDOWS)
@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8])
def test_sums_are_exact_on_a_cpu_whose_pairs_saturate(case, dtype, monkeypatch):
    monkeypatch.setattr(kernels, "_adds_pairs_exactly", lambda: False)
    filters, window = WINDOWS[case]
    data = make_bytes(2, 4, 7, 6, dtype=dtype)
    weight = make_bytes(8, *filters, dtype=torch.int8, seed=1)
    result = convolve_to_int32(data, weight, window)
    assert torch.equal(result.double(), sums_of(data, weight, window))


@pytest.mark.parametrize("spatial", [(5,), (3, 4, 5)])
def test_convolutions_over_one_and_three_axes(spatial):
    count = len(spatial)
    window = Window((1,) * count, (1,) * count, (1,) * count)
    data = make_bytes(1, 3, *spatial, dtype=torch.uint8)
    weight = make_bytes(2, 3, *(2,) * count, dtype=torch.int8)
    result = convolve_to_int32(data, weight, window)
    assert torch.equal(result.double(), sums_of(data, weight, window))


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8])
def test_sums_that_no_float32_holds_are_exact(groups, dtype):
    window = Window((1, 1), (0, 0), (1, 1), groups)
    limits = torch.iinfo(dtype)
    data = torch.full((1, 512 * groups, 3, 3), limits.max, dtype=dtype)
    weight = torch.full((4, 512, 3, 3), 127, dtype=torch.int8)
    weight[:, 0, 0, 0] = torch.arange(4)  # so that some sums are odd
    expected = sums_of(data, weight, window)
    assert expected.abs().max() > 2**24
    assert not torch.equal(expected.float().double(), expected)
    assert torch.equal(convolve_to_int32(data, weight, window).double(), expected)


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8])
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (12, 1, 17), (3, 7, 5), (17, 64, 24), (2, 3000, 3), (0, 4, 2)]
)
@pytest.mark.parametrize("has_kernels", [True, False])
def test_products_are_exact(dtype, shape, has_kernels, monkeypatch):
    monkeypatch.setattr(kernels, "HAS_INT8_KERNELS", has_kernels and kernels.HAS_INT8_KERNELS)
    rows, length, columns = shape
    data = make_bytes(rows, length, dtype=dtype)
    weight = make_bytes(columns, length, dtype=torch.int8, seed=1)
    expected = data.long() @ weight.long().t()
    result = multiply_to_int32(data, weight)
    assert result.dtype is torch.int32
    assert torch.equal(result.long(), expected)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8])
def test_sums_are_exact_on_a_gpu(dtype):
    window = Window((1, 1), (1, 1), (1, 1))
    data = make_bytes(2, 600, 6, 6, dtype=dtype)
    weight = make_bytes(8, 600, 3, 3, dtype=torch.int8, seed=1)
    convolved = convolve_to_int32(data.cuda(), weight.cuda(), window)
    assert torch.equal(convolved.double().cpu(), sums_of(data, weight, window))
    for rows in (2, 32):
        left = make_bytes(rows, 64, dtype=dtype)
        right = make_bytes(16, 64, dtype=torch.int8, seed=1)
        product = multiply_to_int32(left.cuda(), right.cuda())
        assert torch.equal(product.long().cpu(), left.long() @ right.long().t())
