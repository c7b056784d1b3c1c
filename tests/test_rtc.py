"""`mx.rtc`: what is refused, and what the driver gets; tests/gpu/test_rtc.py launches kernels."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import rtc

ARRAY, NUMBER = True, False


def test_a_module_needs_a_gpu(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(mx.MXNetError, match="CudaModule: expected a GPU"):
        rtc.CudaModule("")


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        (
            "const float *x, float* y, int n",
            [(1, 0, "float32"), (1, 1, "float32"), (0, 0, "int32")],
        ),
        ("const  double*x", [(1, 0, "float64")]),
        ("const float x", [(0, 0, "float32")]),
        ("const float*", [(1, 0, "float32")]),
        ("__half *x,\n uint8_t *a", [(1, 1, "float16"), (1, 1, "uint8")]),
        ("char c, int64_t k", [(0, 0, "int8"), (0, 0, "int64")]),
    ],
)
def test_signature(signature, expected):
    assert rtc._parse_signature(signature) == [
        (bool(is_array), bool(is_written), np.dtype(name).type)
        for is_array, is_written, name in expected
    ]


@pytest.mark.parametrize(
    "signature",
    ["", "float x[]", "unsigned int n", "float * const x", "float *__restrict__ x", "const"],
)
def test_signature_that_cannot_be_read(signature):
    with pytest.raises(ValueError, match="cannot read the argument"):
        rtc._parse_signature(signature)


@pytest.mark.parametrize("signature", ["foo x", "half *x", "size_t n", "long n", "bool b"])
def test_type_that_is_not_supported(signature):
    with pytest.raises(TypeError, match="those supported are float, double, __half"):
        rtc._parse_signature(signature)


def make_kernel():
    """Returns a kernel of an array and an integer, which is not compiled."""
    return rtc.CudaKernel(None, "nm", [ARRAY, NUMBER], [0, 4])


@pytest.mark.parametrize(
    ("args", "ctx", "grid", "block"),
    [
        ([mx.nd.ones(3), 1], mx.cpu(), (1, 1, 1), (1, 1, 1)),
        ([mx.nd.ones(3)], mx.gpu(0), (1, 1, 1), (1, 1, 1)),
        ([mx.nd.ones(3), 1], mx.gpu(0), (1, 1), (1, 1, 1)),
        ([mx.nd.ones(3), 1], mx.gpu(0), (1, 1, 1), (1, 1)),
        ([1, 1], mx.gpu(0), (1, 1, 1), (1, 1, 1)),
        ([mx.nd.ones(3), mx.nd.ones(3)], mx.gpu(0), (1, 1, 1), (1, 1, 1)),
        ([mx.nd.ones(3), "1"], mx.gpu(0), (1, 1, 1), (1, 1, 1)),
    ],
)
def test_launch_that_is_refused(args, ctx, grid, block):
    with pytest.raises(AssertionError, match=r"CudaKernel\(nm\): expected"):
        make_kernel().launch(args, ctx, grid, block)


def test_arrays_must_be_on_the_gpu():
    with pytest.raises(mx.MXNetError, match=r"float32 on gpu\(0\), got float32 on cpu\(0\)"):
        make_kernel().launch([mx.nd.ones(3), 1], mx.gpu(0), (1, 1, 1), (1, 1, 1))


def test_arguments_have_the_bytes_of_their_types():
    tensor = torch.ones(3)
    values = rtc._pack([None, 1.5, 7], [np.float32, np.float32, np.int64], {0: tensor})
    assert values[0].tobytes() == np.uint64(tensor.data_ptr()).tobytes()
    assert values[1].tobytes() == np.float32(1.5).tobytes()
    assert values[2].tobytes() == np.int64(7).tobytes()


def test_a_write_is_made_known():
    tensor = torch.zeros(2, 3)
    before = tensor._version
    rtc._finish_write(tensor, tensor)
    assert tensor._version > before
    rtc._finish_write(tensor.T, torch.ones(3, 2))
    assert tensor.sum() == 6


def test_kernels_are_found_in_the_source():
    source = """
    // extern "C" __global__ void old(int n) {}
    template <typename T> __global__ void twice(T *x) {}
    extern "C" __global__ void one(int n) {}
    extern "C" __global__ void
    two (int n) {}"""
    assert rtc._find_kernels(source) == ["one", "two"]
