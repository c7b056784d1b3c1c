"""Kernels in CUDA, compiled and launched."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx

pytestmark = pytest.mark.gpu

SOURCE = """
extern "C" __global__ void axpy(const float *x, float *y, float alpha, long long count) {
    long long i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < count) y[i] += alpha * x[i];
}
template <typename T> __global__ void twice(T *x) { x[threadIdx.x] *= 2; }
"""


def test_numbers_and_arrays():
    axpy = mx.rtc.CudaModule(SOURCE).get_kernel(
        "axpy", "const float *x, float *y, float alpha, int64_t count"
    )
    x = mx.nd.arange(10, ctx=mx.gpu(0))
    y = mx.nd.ones((10,), ctx=mx.gpu(0))
    axpy.launch([x, y, 3.0, 8], mx.gpu(0), (2, 1, 1), (5, 1, 1))
    expected = 1 + 3 * np.arange(10) * (np.arange(10) < 8)
    np.testing.assert_array_equal((y * 1).asnumpy(), expected)


def test_template_and_array_that_is_not_contiguous():
    twice = mx.rtc.CudaModule(SOURCE, exports="twice<double>").get_kernel(
        "twice<double>", "double *x"
    )
    x = mx.nd.arange(6, ctx=mx.gpu(0), dtype="float64").reshape((2, 3)).T
    twice.launch([x], mx.gpu(0), (1, 1, 1), (6, 1, 1))
    np.testing.assert_array_equal(x.asnumpy(), 2 * np.arange(6).reshape(2, 3).T)


def test_mistakes_in_the_source():
    with pytest.raises(mx.MXNetError, match="cannot compile kernel 'broken'"):
        mx.rtc.CudaModule('extern "C" __global__ void broken(float *x) { x[0] = nothing; }')
