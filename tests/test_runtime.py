"""`mx.runtime`: names and order are the original's, answers are about this installation."""

from __future__ import annotations

import pytest
import torch

import mxnet as mx

NAMES = (
    *("CUDA", "CUDNN", "NCCL", "CUDA_RTC", "TENSORRT", "CPU_SSE"),
    *("CPU_SSE2", "CPU_SSE3", "CPU_SSE4_1", "CPU_SSE4_2", "CPU_SSE4A", "CPU_AVX"),
    *("CPU_AVX2", "OPENMP", "SSE", "F16C", "JEMALLOC", "BLAS_OPEN"),
    *("BLAS_ATLAS", "BLAS_MKL", "BLAS_APPLE", "LAPACK", "MKLDNN", "OPENCV"),
    *("CAFFE", "PROFILER", "DIST_KVSTORE", "CXX14", "INT64_TENSOR_SIZE", "SIGNAL_HANDLER"),
    *("DEBUG", "TVM_OP"),
)
"""What `feature_list` of the original returns."""


def test_names_and_order():
    assert [feature.name for feature in mx.runtime.feature_list()] == list(NAMES)
    assert list(mx.runtime.Features()) == list(NAMES)


def test_answers_are_those_of_torch():
    features = mx.runtime.Features()
    assert features.is_enabled("cuda") == (torch.version.cuda is not None)
    assert features.is_enabled("MKLDNN") == torch.backends.mkldnn.is_available()
    assert features.is_enabled("BLAS_MKL") == torch.backends.mkl.is_available()
    assert features.is_enabled("INT64_TENSOR_SIZE") is True
    assert features.is_enabled("TENSORRT") is False


def test_features_of_gpus_need_a_build_for_gpus(monkeypatch):
    monkeypatch.setattr(torch.backends.cuda, "is_built", lambda: False)
    assert not mx.runtime.feature_list()[0].enabled
    monkeypatch.setattr(torch.backends.cuda, "is_built", lambda: True)
    assert mx.runtime.feature_list()[0].enabled


def test_there_is_one_mapping():
    features = mx.runtime.Features()
    features["MARK"] = mx.runtime.Feature("MARK", True)
    try:
        assert mx.runtime.Features() is features
        assert mx.runtime.Features().is_enabled("mark")
    finally:
        del features["MARK"]


def test_representation():
    assert repr(mx.runtime.Feature("A", True)) == "✔ A"
    assert repr(mx.runtime.Features()["TENSORRT"]) == "✖ TENSORRT"
    assert repr(mx.runtime.Features()).endswith("✖ TVM_OP]")


def test_unknown_feature():
    with pytest.raises(RuntimeError, match=r"got 'WARP'; known features are \['CUDA', 'CUDNN'"):
        mx.runtime.Features().is_enabled("warp")
    with pytest.raises(AttributeError):
        mx.runtime.Features().is_enabled(3)


def test_the_class_has_the_mapping_of_the_process():
    assert mx.runtime.Features.instance is mx.runtime.Features()
