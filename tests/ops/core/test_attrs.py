"""Attributes: limits that an annotation states."""

from typing import Annotated

import pytest

import mxnet as mx
from mxnet.errors import LimitExceededError
from mxnet.ops.core.attrs import (
    REQUIRED,
    Attr,
    Count,
    DType,
    Floats,
    Grid,
    Limit,
    OptionalInts,
    Shape,
    Share,
)


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


class TestStrings:
    """What files hold, some of them old or hostile."""

    @pytest.mark.parametrize(
        ("kind", "text", "parsed"),
        [
            (Shape, "(3, 3)", (3, 3)),
            (Shape, "[3,3]", (3, 3)),
            (Shape, "(3L, 4L)", (3, 4)),
            (Shape, " ( 3 , ) ", (3,)),
            (Shape, "3", (3,)),
            (Shape, "(3)", (3,)),
            (Shape, "3, 4", (3, 4)),
            (Shape, "()", ()),
            (Shape, "(-1, 2.0, True)", (-1, 2, 1)),
            (OptionalInts, "(None, 2, None)", (None, 2, None)),
            (Floats, "(0.5, 1e-3, -2, inf)", (0.5, 1e-3, -2.0, float("inf"))),
            (int, "-7", -7),
            (int, "12L", 12),
            (int, "1e3", 1000),
            (int, "9223372036854775807", 2**63 - 1),
            (float, "1e400", float("inf")),
        ],
    )
    def test_read(self, kind, text, parsed):
        assert Attr.declared("a", kind, REQUIRED).parse(text, "Op") == parsed

    @pytest.mark.parametrize("kind", [int, float, Shape, OptionalInts, Floats, bool, DType])
    @pytest.mark.parametrize(
        "text",
        [
            *("", "(", ")", "(,)", "(1,,2)", "(1, 2]", "((1, 2))", "1+1", "9**9", "f('os')"),
            *("'a'", "{1}", "{1: 2}", "lambda: 0", "1 2", "\0", "(" * 10**5, "-" * 10**5 + "1"),
        ],
    )  # fmt: skip
    def test_refused(self, kind, text):
        with pytest.raises(mx.MXNetError, match="Op: attribute `a`") as caught:
            Attr.declared("a", kind, REQUIRED).parse(text, "Op")
        assert len(str(caught.value)) < 500

    @pytest.mark.parametrize(
        "value", [2**63, -(2**63) - 1, 10**10_000, 1e300, "9" * 10_000], ids=range(5)
    )
    def test_integers_have_64_bits(self, value):
        with pytest.raises(mx.MXNetError, match="takes int, got"):
            Attr.declared("a", int, REQUIRED).parse(value, "Op")

    def test_length_is_limited(self):
        with pytest.raises(LimitExceededError, match="Op: attribute `a`: asks for 2,000,00"):
            Attr.declared("a", Shape, REQUIRED).parse("1," * 1_000_000, "Op")
