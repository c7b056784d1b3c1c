"""Options and mistakes of scaling, cropping and turning."""

import numpy as np
import pytest

import mxnet as mx
from mxnet.errors import InvalidArgumentError


def test_imresize_chooses_the_interpolation():
    image = mx.nd.array(np.arange(4 * 6 * 3).reshape(4, 6, 3), dtype="uint8")
    for size, method in (((3, 2), 3), ((9, 8), 2), ((9, 2), 1)):
        chosen = mx.image.imresize(image, *size, interp=9).asnumpy()
        np.testing.assert_array_equal(chosen, mx.image.imresize(image, *size, method).asnumpy())


def test_imresize_into_an_array():
    image, out = mx.nd.ones((4, 6, 3), dtype="uint8"), mx.nd.zeros((2, 3, 3), dtype="uint8")
    assert mx.image.imresize(image, 3, 2, out=out) is out
    assert out.asnumpy().min() == 1


@pytest.mark.parametrize("size", [(0, 2), (2, -1)])
def test_size_without_pixels_is_refused(size):
    with pytest.raises(mx.MXNetError, match="positive size"):
        mx.image.imresize(mx.nd.ones((4, 6, 3), dtype="uint8"), *size)


def test_imresize_takes_arrays_of_this_library():
    with pytest.raises(AssertionError):
        mx.image.imresize(np.zeros((4, 6, 3), np.uint8), 2, 2)
    with pytest.raises(TypeError, match="positional"):
        mx.image.imresize(mx.nd.ones((4, 6, 3)), 2, 2, 1, 5)


@pytest.mark.parametrize("interp", [-1, 5, 8, 11])
def test_unknown_interpolation_is_refused(interp):
    with pytest.raises(ValueError, match="interp"):
        mx.image.resize_short(mx.nd.ones((4, 6, 3)), 2, interp)


def test_interpolation_by_size_takes_four_sizes():
    with pytest.raises(AssertionError, match="height and width"):
        mx.image.image._get_interp_method(9, (1, 2))


@pytest.mark.parametrize("corner", [(-1, 0), (0, -1), (6, 0), (0, 4)])
def test_crop_beside_the_image_is_refused(corner):
    with pytest.raises(mx.MXNetError):
        mx.image.fixed_crop(mx.nd.ones((4, 6, 3)), *corner, 2, 2)


def test_old_name_of_the_area_still_works():
    image = mx.nd.ones((40, 40, 3))
    with pytest.warns(DeprecationWarning, match="min_area"):
        _, box = mx.image.random_size_crop(image, (5, 5), 0.01, (1, 1), min_area=(1.0, 1.0))
    assert box == (0, 0, 40, 40)
    with pytest.warns(DeprecationWarning, match="min_area"):
        assert mx.image.RandomSizedCropAug((5, 5), 0.01, (1, 1), min_area=0.5).area == 0.5
    with pytest.raises(AssertionError, match="unknown option `least`"):
        mx.image.random_size_crop(image, (5, 5), 0.01, (1, 1), least=0.5)


def test_normalization_is_in_place():
    image = mx.nd.ones((2, 2, 3))
    assert mx.image.color_normalize(image, mx.nd.array([1, 2, 3]), 2.0) is image
    np.testing.assert_array_equal(image.asnumpy()[0, 0], [0, -0.5, -1])


def test_rotation_is_differentiable():
    image = mx.nd.ones((1, 5, 5))
    image.attach_grad()
    with mx.autograd.record():
        turned = mx.image.imrotate(image, 90)
    turned.backward()
    np.testing.assert_allclose(image.grad.asnumpy(), np.ones((1, 5, 5)), atol=1e-5)


def test_quarter_turn_moves_pixels():
    image = mx.nd.array(np.arange(9).reshape(1, 3, 3))
    turned = mx.image.imrotate(image, 90).asnumpy()[0]
    np.testing.assert_allclose(turned, np.rot90(np.arange(9).reshape(3, 3)), atol=1e-4)


@pytest.mark.parametrize(
    ("image", "degrees", "kind"),
    [
        (mx.nd.ones((1, 3, 3), dtype="uint8"), 5, TypeError),
        (mx.nd.ones((3, 3)), 5, ValueError),
        (mx.nd.ones((1, 3, 3)), mx.nd.array([5]), TypeError),
        (mx.nd.ones((2, 1, 3, 3)), mx.nd.array([5, 6, 7]), ValueError),
    ],
)
def test_what_cannot_be_turned_is_refused(image, degrees, kind):
    with pytest.raises(kind, match="imrotate"):
        mx.image.imrotate(image, degrees)


def test_zooming_both_ways_is_refused():
    with pytest.raises(InvalidArgumentError, match="exclude"):
        mx.image.imrotate(mx.nd.ones((1, 3, 3)), 5, True, True)
