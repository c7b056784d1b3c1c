"""Contexts: scopes, and what is said about devices that are not there."""

from __future__ import annotations

import copy
import pickle
import threading

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.context import CPU0, context_of, gpu_memory_info, intern, resolve, torch_device


@pytest.fixture
def no_accelerator(monkeypatch):
    monkeypatch.setattr(mx.context, "_FOUND", {})
    monkeypatch.setattr(torch.accelerator, "is_available", lambda: False)


@pytest.fixture
def one_accelerator(monkeypatch):
    monkeypatch.setattr(mx.context, "_FOUND", {})
    monkeypatch.setattr(torch.accelerator, "is_available", lambda: True)
    monkeypatch.setattr(torch.accelerator, "device_count", lambda: 1)


@pytest.mark.usefixtures("no_accelerator")
def test_a_missing_gpu_is_explained():
    with pytest.raises(mx.MXNetError) as caught:
        mx.nd.zeros((2,), ctx=mx.gpu(0))
    message = str(caught.value)
    assert message.startswith("gpu(0) is not available")
    assert f"torch {torch.__version__} sees no accelerators" in message
    assert "use mx.cpu()" in message


@pytest.mark.parametrize("number", [1, 7, -1])
@pytest.mark.usefixtures("one_accelerator")
def test_a_gpu_beyond_the_last_is_explained(number):
    with pytest.raises(mx.MXNetError, match=r"sees 1 accelerator on this machine"):
        torch_device(mx.gpu(number))


@pytest.mark.parametrize(
    "use",
    [
        lambda ctx: mx.nd.array([1], ctx=ctx),
        lambda ctx: mx.nd.ones((2,), ctx=ctx),
        lambda ctx: mx.nd.arange(3, ctx=ctx),
        lambda ctx: mx.nd.random.uniform(shape=(2,), ctx=ctx),
        lambda ctx: mx.nd.array([1]).as_in_context(ctx),
        lambda ctx: mx.nd.array([1]).copyto(ctx),
    ],
)
@pytest.mark.usefixtures("no_accelerator")
def test_nothing_falls_back_to_the_cpu(use):
    with pytest.raises(mx.MXNetError, match="not available"):
        use(mx.gpu(0))


@pytest.mark.usefixtures("no_accelerator")
def test_num_gpus_without_accelerator():
    assert mx.num_gpus() == mx.context.num_gpus() == 0
    assert list(mx.test_utils.list_gpus()) == []


@pytest.mark.usefixtures("one_accelerator")
def test_num_gpus_is_what_torch_reports():
    assert mx.num_gpus() == 1


@pytest.mark.usefixtures("no_accelerator")
def test_gpu_memory_info_needs_the_gpu():
    with pytest.raises(mx.MXNetError, match=r"gpu\(0\) is not available"):
        gpu_memory_info()


@pytest.mark.usefixtures("one_accelerator")
def test_gpu_memory_info_of_a_device_that_does_not_tell(monkeypatch):
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda: torch.device("mps"))
    with pytest.raises(mx.MXNetError, match="mps devices do not report"):
        gpu_memory_info(0)


@pytest.mark.usefixtures("one_accelerator")
def test_a_gpu_is_the_accelerator_of_its_number(monkeypatch):
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda: torch.device("cuda"))
    assert torch_device(mx.gpu(0)) == torch.device("cuda", 0)


@pytest.mark.parametrize("ctx", [mx.cpu(), mx.cpu(3), mx.cpu_pinned(), mx.Context("cpu_shared")])
def test_every_cpu_context_is_the_cpu_of_torch(ctx):
    assert torch_device(ctx) == torch.device("cpu")
    assert mx.nd.zeros((1,), ctx=ctx).context == ctx


def test_a_context_entered_twice_restores_what_was_there():
    ctx, seen = mx.cpu(1), []
    with ctx:
        with mx.cpu(2):
            with ctx:
                seen.append(mx.current_context())
            seen.append(mx.current_context())
        seen.append(mx.current_context())
    assert seen == [mx.cpu(1), mx.cpu(2), mx.cpu(1)]
    assert mx.current_context() == mx.cpu(0)


def test_a_context_shared_by_threads_restores_each_its_own():
    ctx, inside, leave = mx.cpu(1), threading.Event(), threading.Event()
    seen = []

    def work():
        with mx.cpu(5), ctx:
            inside.set()
            leave.wait(10)
        seen.append(mx.current_context())

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait(10)
    with ctx:
        leave.set()
        thread.join(10)
    assert seen == [mx.cpu(0)]
    assert mx.current_context() == mx.cpu(0)


def test_equal_contexts_are_interned_as_one():
    assert intern(mx.cpu(4)) is intern(mx.Context("cpu", 4))
    assert intern(mx.cpu()) is CPU0


def test_context_of_a_tensor():
    assert context_of(torch.zeros(1)) is CPU0


def test_unknown_device_type_names_the_known_ones():
    with pytest.raises(KeyError, match="known are cpu, gpu, cpu_pinned, cpu_shared") as caught:
        mx.Context("tpu")
    assert isinstance(caught.value, mx.MXNetError)


@pytest.mark.parametrize("number", ["0", 1.5, None])
def test_device_id_takes_ints(number):
    with pytest.raises(TypeError, match="device_id takes an int"):
        mx.Context("cpu", number)


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))]
)
def test_copies_are_equal(duplicate):
    assert duplicate(mx.cpu(2)) == mx.cpu(2)


def test_empty_cache_of_the_cpu_does_nothing():
    assert mx.cpu().empty_cache() is None


@pytest.mark.gpu
def test_gpu_memory_info_of_a_gpu():
    free, total = gpu_memory_info(0)
    assert 0 < free <= total
    assert mx.gpu(0).empty_cache() is None


@pytest.mark.gpu
def test_arrays_move_to_a_gpu_and_back():
    x = mx.nd.array([1, 2], ctx=mx.gpu(0))
    assert x.context == mx.gpu(0)
    assert x.to_torch().device.index == 0
    assert (x + 1).as_in_context(mx.cpu()).asnumpy().tolist() == [2, 3]
    with pytest.raises(IndexError):
        x[mx.nd.array([2], ctx=mx.gpu(0))]


def test_a_context_can_be_given_in_its_printed_form():
    assert resolve("cpu(1)") is resolve(mx.cpu(1))
    with mx.cpu(2):
        assert resolve() == mx.cpu(2)
    for wrong in ("cpu", "cpu(x)", "cpu(1", "tpu(0)"):
        with pytest.raises(mx.MXNetError):
            resolve(wrong)
    with pytest.raises(TypeError):
        resolve(5)


def test_a_copied_numpy_array_lives_on_the_current_context():
    with mx.cpu(1):
        assert mx.nd.from_numpy(np.ones(2), zero_copy=False).context == mx.cpu(1)
