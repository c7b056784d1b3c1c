"""Attributes: limits that an annotation states."""

from typing import Annotated

import pytest

import mxnet as mx
from mxnet.ops.attrs import Attr, Count, Grid, Limit, Shape, Share, shape_is_known


@pytest.mark.parametrize(
    ("kind", "given", "parsed"),
    [
        (Share, "0.25", 0.25),
        (Share, 1, 1.0),
        (Count, "3", 3),
        (Grid, "(2, 3)", (2, 3)),
        (Grid, [2, 3], (2, 3)),
        (Annotated[Shape, Limit(0)], (0, 4, 2), (0, 4, 2)),
        (float, -3, -3.0),
    ],
)
def test_values_inside_of_the_limit(kind, given, parsed):
    assert Attr.declared("a", kind, None).parse(given, "Op") == parsed


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        (Share, 1.5, "Op: attribute `a` takes float from 0 to 1, got 1.5"),
        (Share, "-0.1", "Op: attribute `a` takes float from 0 to 1, got '-0.1'"),
        (Share, "nan", "from 0 to 1"),
        (Count, 0, "Op: attribute `a` takes int of at least 1, got 0"),
        (Grid, (2,), "takes a tuple of ints (2 of them) of at least 1, got (2,)"),
        (Grid, (2, 0), "of at least 1"),
    ],
)
def test_values_outside(kind, given, message):
    with pytest.raises(mx.MXNetError) as caught:
        Attr.declared("a", kind, None).parse(given, "Op")
    assert message in str(caught.value)


def test_an_annotation_without_a_limit_has_none():
    assert Attr.declared("a", int, 3).limit is None


@pytest.mark.parametrize(
    ("shape", "known"),
    [((2, 3), True), ([2, 3], True), ((), True), ((2, 0), False), ((-1,), False), (None, False)],
)
def test_shape_is_known(shape, known):
    assert shape_is_known(shape) is known
