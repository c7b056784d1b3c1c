"""What recorded arrays know of the array in half precision that they were converted from."""

import pytest

from mxnet import autograd, nd
from mxnet._arrays.array import half_source


@pytest.fixture
def scores():
    array = nd.array([[1, 2], [3, 4]], dtype="float16")
    array.attach_grad()
    return array


@pytest.mark.parametrize(
    "convert", [lambda x: x.astype("float32"), lambda x: nd.cast(x, dtype="float32")]
)
def test_a_recorded_conversion_knows_its_source(scores, convert):
    with autograd.record():
        half = scores * 2
        single = convert(half)
    assert half_source(single) is half


def test_a_source_is_of_half_precision_and_recorded(scores):
    assert half_source((scores * 2).astype("float32")) is None
    with autograd.record():
        assert half_source((scores * 2).astype("float64")) is None
        assert half_source(scores.astype("float32").astype("float32")) is None


def write(array):
    array[:] = 0


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("use", [write, lambda array: write(array[0])])
def test_an_array_that_may_have_been_overwritten_has_no_source(scores, which, use):
    with autograd.record():
        half = scores * 2
        single = half.astype("float32")
        part = (half, single)[which][0]
        with autograd.pause():
            use((half, single)[which])
    assert half_source(single) is None, part
