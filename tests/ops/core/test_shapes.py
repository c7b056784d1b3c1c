"""Shapes that are known in part, and the forms that dialects give them."""

import pytest

from mxnet.errors import ShapeMismatchError
from mxnet.ops.core.attrs import (
    CLASSIC_SHAPES,
    PARAMETER_SHAPES,
    ShapeRules,
    merge_shapes,
    shape_is_known,
    shapes_agree,
    show_shape,
)

NUMPY = ShapeRules(unknown=-1, has_scalars=True, element=())


@pytest.mark.parametrize(
    ("shape", "known"),
    [((2, 3), True), ([2, 3], True), ((), True), ((2, 0), True), ((-1,), False), (None, False)],
)
def test_shape_is_known(shape, known):
    assert shape_is_known(shape) is known


@pytest.mark.parametrize(
    ("rules", "written", "inner"),
    [
        (CLASSIC_SHAPES, (2, 0), (2, -1)),
        (CLASSIC_SHAPES, [2, 3], (2, 3)),
        (CLASSIC_SHAPES, (), None),
        (CLASSIC_SHAPES, (2, -5), (2, -1)),
        (PARAMETER_SHAPES, (0, 3), (-1, 3)),
        (PARAMETER_SHAPES, (), ()),
        (PARAMETER_SHAPES, None, None),
        (NUMPY, (2, 0), (2, 0)),
        (NUMPY, (-1, 0), (-1, 0)),
        (NUMPY, (), ()),
        (NUMPY, None, None),
    ],
)
def test_shapes_are_read(rules, written, inner):
    assert rules.read(written) == inner


@pytest.mark.parametrize(
    ("rules", "inner", "written"),
    [
        (CLASSIC_SHAPES, (2, -1), (2, 0)),
        (CLASSIC_SHAPES, None, ()),
        (PARAMETER_SHAPES, (-1,), (0,)),
        (PARAMETER_SHAPES, None, None),
        (NUMPY, (-1, 0), (-1, 0)),
        (NUMPY, None, None),
    ],
)
def test_shapes_are_written(rules, inner, written):
    assert rules.write(inner) == written


def test_what_is_known_of_a_shape_is_joined():
    assert merge_shapes((2, -1), (-1, 0)) == (2, 0)
    assert merge_shapes(None, (2, -1)) == (2, -1)
    assert merge_shapes((), ()) == ()


@pytest.mark.parametrize(("first", "second"), [((2,), (0,)), ((), (1,)), ((-1, 3), (2, 4))])
def test_contradicting_shapes_are_refused(first, second):
    assert not shapes_agree(first, second)
    with pytest.raises(ShapeMismatchError, match="does not agree"):
        merge_shapes(first, second)


def test_messages_show_unknown_lengths():
    assert [show_shape(shape) for shape in ((-1, 3), (-1,), ())] == ["(?, 3)", "(?,)", "()"]
