"""Fourier transforms against NumPy's, and sketches against their definition."""

from __future__ import annotations

import numpy as np

import mxnet as mx
from mxnet import autograd

VALUES = np.random.RandomState(0).uniform(-1, 1, (2, 5)).astype("float32")


def test_fourier_transform():
    found = mx.nd.contrib.fft(mx.nd.array(VALUES)).asnumpy()
    expected = np.fft.fft(VALUES)
    np.testing.assert_allclose(found[:, ::2], expected.real, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found[:, 1::2], expected.imag, rtol=1e-5, atol=1e-5)


def test_the_inverse_is_not_divided_by_the_size():
    there = mx.nd.contrib.fft(mx.nd.array(VALUES))
    back = mx.nd.contrib.ifft(there).asnumpy()
    np.testing.assert_allclose(back / VALUES.shape[1], VALUES, rtol=1e-5, atol=1e-6)


def test_count_sketch():
    data = mx.nd.array(VALUES)
    data.attach_grad()
    places, signs = mx.nd.array([[0, 2, 2, 1, 0]]), mx.nd.array([[1, -1, 1, 1, -1]])
    with autograd.record():
        sketch = mx.nd.contrib.count_sketch(data, places, signs, out_dim=4)
    sketch.backward()
    a, b, c, d, e = VALUES.T
    np.testing.assert_allclose(sketch.asnumpy().T, [a - e, d, c - b, 0 * a], rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(data.grad.asnumpy(), [[1, -1, 1, 1, -1]] * 2)
