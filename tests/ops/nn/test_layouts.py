"""Layouts with the channels last give what those with the channels first give."""

from __future__ import annotations

import pytest
import torch

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.ops.core.registry import get_op

SIZES = {"NHWC": (5, 4), "NDHWC": (4, 3, 5)}


@pytest.mark.parametrize("layout", SIZES)
@pytest.mark.parametrize("name", ["Convolution", "Deconvolution"])
def test_convolution(name: str, layout: str):
    kernel = (2,) * len(SIZES[layout])
    data, weight = torch.randn(2, 4, *SIZES[layout]), torch.randn(4, 2, *kernel)
    attrs = {"kernel": kernel, "num_filter": 4, "num_group": 2, "no_bias": True}
    first = get_op(name).kernel(data, weight, **attrs)
    last = get_op(name).kernel(data.movedim(1, -1), weight.movedim(1, -1), **attrs, layout=layout)
    torch.testing.assert_close(last.movedim(-1, 1), first)


@pytest.mark.parametrize("layout", SIZES)
@pytest.mark.parametrize("pool_type", ["max", "avg", "sum"])
def test_pooling(pool_type: str, layout: str):
    data = torch.randn(2, 4, *SIZES[layout])
    attrs = {"kernel": (2,) * len(SIZES[layout]), "pool_type": pool_type}
    first = get_op("Pooling").kernel(data, **attrs)
    last = get_op("Pooling").kernel(data.movedim(1, -1), **attrs, layout=layout)
    torch.testing.assert_close(last.movedim(-1, 1), first)
