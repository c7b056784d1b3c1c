"""Reshape codes, among them those that the original gets wrong, and slices against NumPy."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import torch

from mxnet.errors import MXNetError
from mxnet.ops.core.registry import get_op
from mxnet.ops.math.movement import resolve_reshape
from mxnet.ops.math.slicing import slice_assign, slice_region


@pytest.mark.parametrize(
    ("input_shape", "shape", "expected"),
    [
        ((2, 3, 4), (-2, -1), (2, 3, 4, 1)),
        ((2, 3, 4), (-4, 1, 2, -1), (1, 2, 12)),
        ((2, 3, 4), (-4, 1, 2, -1, 4), (1, 2, 3, 4)),
        ((0, 3), (0, -1), (0, 3)),
        ((0, 3), (-1, 0), (0, 3)),
        ((0, 3), (4, -1), (4, 0)),
        ((0, 3), (-4, -1, 4, -2), (0, 4, 3)),
        ((0, 4, 6), (0, 8, -1), (0, 8, 3)),
        ((), (-1,), (1,)),
        ((), (-2,), ()),
    ],
)
def test_reshape_codes_where_the_original_fails(input_shape, shape, expected):
    assert resolve_reshape(input_shape, shape) == expected


def test_reversed_codes_mirror_the_others():
    for shape in [(-1, 0), (-3, 0), (-2, 1), (0, -4, 1, 3, -2), (-4, -1, 2, -3)]:
        mirrored = resolve_reshape((4, 3, 2), shape[::-1], reverse=True)
        assert mirrored == resolve_reshape((2, 3, 4), shape)[::-1]


@pytest.mark.parametrize(
    "shape", [(7,), (-1, -1), (-5,), (0, 5, -1), (-4, -1, -1), (-4, -2, -1, 12)]
)
def test_codes_that_do_not_fit_name_the_operator(shape):
    with pytest.raises(MXNetError, match=r"^Reshape: "):
        resolve_reshape((2, 3, 4), shape)


def test_slices_are_those_of_numpy():
    data = np.arange(5)
    bounds = (None, -7, -5, -2, 0, 3, 4, 5, 9)
    for begin, end, step in product(bounds, bounds, (None, -7, -2, -1, 1, 2)):
        region = {"begin": (begin,), "end": (end,), "step": (step,)}
        expected = data[begin:end:step]
        assert slice_region(torch.tensor(data), **region).tolist() == expected.tolist()
        written = data.copy()
        written[begin:end:step] = -1 - np.arange(expected.size)
        values = torch.tensor(-1 - np.arange(expected.size))
        assert slice_assign(torch.tensor(data), values, **region).tolist() == written.tolist()


def test_a_shape_may_be_a_numpy_array():
    assert get_op("Reshape").parse_attrs({"shape": np.array([3, 2])}) == {"shape": (3, 2)}
    assert get_op("Convolution").attrs["stride"].parse("None", "Convolution") == ()
