"""Constants of kernels: on the CPU new ones, on a GPU those that were copied before."""

from __future__ import annotations

import sys
from collections import OrderedDict

import pytest
import torch

from mxnet.ops.core import devices
from mxnet.ops.core.devices import constant, constant_like, is_captured, may_wait, shared

from ..fake_gpu import GPU, capturing, fake_gpu

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="torch is patched by its symbols")


def test_constants_of_the_cpu_are_new():
    first, second = (constant((1, 2.5), torch.float16, torch.device("cpu")) for _ in range(2))
    assert first.tolist() == [1, 2.5]
    assert first.dtype is torch.float16
    assert first.data_ptr() != second.data_ptr()
    assert constant_like(((1, 2), (3, 4)), second).tolist() == [[1, 2], [3, 4]]


def test_a_meta_constant_has_a_shape():
    assert constant((1, 2), torch.int64, torch.device("meta")).shape == (2,)


@on_linux
def test_a_gpu_keeps_constants_by_values_type_and_device():
    with fake_gpu():
        first = constant((0.0, 1.0), torch.float32, GPU)
        assert constant((0.0, 1.0), torch.float32, GPU) is first
        assert constant((-0.0, 1.0), torch.float32, GPU) is not first
        assert constant((0.0, 1.0), torch.float64, GPU) is not first
        assert constant((0.0, 1.0), torch.float32, torch.device("cuda", 1)) is not first


@on_linux
def test_constants_that_were_used_long_ago_are_forgotten_unless_captured(monkeypatch):
    with fake_gpu():
        monkeypatch.setattr(devices, "_MOST", 2)
        devices._recent.clear()
        first, second = (constant(number, torch.float32, GPU) for number in (1, 2))
        with capturing(True):
            assert constant(1, torch.float32, GPU) is first
        for number in (3, 4, 5):
            constant(number, torch.float32, GPU)
        assert len(devices._recent) == 2
        assert constant(1, torch.float32, GPU) is first
        assert constant(2, torch.float32, GPU) is not second


@on_linux
def test_the_one_used_last_stays(monkeypatch):
    with fake_gpu():
        monkeypatch.setattr(devices, "_MOST", 2)
        devices._recent.clear()
        first = constant(1, torch.float32, GPU)
        constant(2, torch.float32, GPU)
        constant(1, torch.float32, GPU)
        constant(3, torch.float32, GPU)
        assert constant(1, torch.float32, GPU) is first


@on_linux
def test_fake_constants_are_not_kept(monkeypatch):
    kept: OrderedDict = OrderedDict()
    is_kept = devices._may_be_kept
    with fake_gpu():
        monkeypatch.setattr(devices, "_may_be_kept", is_kept)
        monkeypatch.setattr(devices, "_recent", kept)
        constant((1, 2), torch.float32, GPU)
    assert not kept


@on_linux
def test_constants_made_in_inference_mode_can_be_recorded():
    with fake_gpu(), torch.inference_mode():
        made = shared("key", lambda: torch.ones(2), GPU)
        assert not made.is_inference()


def test_nothing_is_captured_on_the_cpu():
    assert may_wait(torch.ones(1), torch.ones(1))
    assert not may_wait(torch.ones(1, device="meta"))
    assert not is_captured(torch.ones(1))
