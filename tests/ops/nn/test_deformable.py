"""The modulated convolution, which the original has on the GPU only, against its parts."""

import numpy as np
import pytest

import mxnet as mx

RANDOM = np.random.RandomState(3)
OPTIONS = {"kernel": (3, 3), "pad": (1, 1), "num_filter": 4}


def uniform(*shape, low=-1.0, high=1.0):
    return mx.nd.array(RANDOM.uniform(low, high, shape).astype("float32"))


DATA, WEIGHT, BIAS = uniform(2, 3, 6, 5), uniform(4, 3, 3, 3), uniform(4)
REST = mx.nd.zeros((2, 18, 6, 5))


def test_without_offsets_it_is_a_convolution():
    mask = mx.nd.ones((2, 9, 6, 5))
    found = mx.nd.contrib.ModulatedDeformableConvolution(DATA, REST, mask, WEIGHT, BIAS, **OPTIONS)
    expected = mx.nd.Convolution(DATA, WEIGHT, BIAS, **OPTIONS)
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), atol=1e-5)
    plain = mx.nd.contrib.DeformableConvolution(DATA, REST, WEIGHT, BIAS, **OPTIONS)
    np.testing.assert_allclose(plain.asnumpy(), expected.asnumpy(), atol=1e-5)


def test_the_mask_weights_the_points_of_a_window():
    mask = uniform(2, 1, 6, 5, low=0, high=2)
    options = {"kernel": (1, 1), "num_filter": 4}
    weight = WEIGHT[:, :, :1, :1]
    offset = mx.nd.zeros((2, 2, 6, 5))
    found = mx.nd.contrib.ModulatedDeformableConvolution(
        DATA, offset, mask, weight, BIAS, **options
    )
    expected = mx.nd.Convolution(DATA * mask, weight, BIAS, **options)
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), atol=1e-5)


@pytest.mark.parametrize(("row", "expected"), [(-0.5, 0.5), (4.5, 2.5), (-1.0, 0.0), (5.0, 0.0)])
def test_beyond_the_edge_the_image_fades_out_over_one_pixel(row, expected):
    image = mx.nd.arange(1, 6).reshape((1, 1, 5, 1))
    offset = mx.nd.array([row, 0]).reshape((1, 2, 1, 1))
    found = mx.nd.contrib.ModulatedDeformableConvolution(
        image,
        offset,
        mx.nd.ones((1, 1, 1, 1)),
        mx.nd.ones((1, 1, 1, 1)),
        kernel=(1, 1),
        stride=(5, 1),
        num_filter=1,
        no_bias=True,
    )
    assert found.asscalar() == pytest.approx(expected)
