"""Memory: asked for within limits, named when it is not to be had, and not taken twice."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

import pytest
import torch

import mxnet as mx
from mxnet import nd
from mxnet.errors import AllocationError, LimitExceededError, MXNetError
from mxnet.ops.core.allocation import (
    check_like,
    check_size,
    explain_shortage,
    make_zeros,
    naming_shortage,
)

MIB = 1 << 20


def test_size_is_checked_before_anything_is_allocated():
    with mx.limits.scope(array_bytes=1000):
        check_size("here", (250,), torch.float32)
        check_size("here", (1000,), torch.int8)
        with pytest.raises(LimitExceededError, match=r"here: asks for 1,004 bytes.*limit is 1,000"):
            check_size("here", (251,), torch.float32)
        with pytest.raises(LimitExceededError):
            check_like("here", (251,), torch.ones(1))
        with pytest.raises(LimitExceededError, match="there"):
            make_zeros("there", (10, 100), torch.float32)


def test_nothing_is_allocated_on_meta():
    check_size("here", (10**30,), torch.float32, "meta")
    shape = mx.sym.zeros((10**12, 10**4)).infer_shape()[1]
    assert shape == [(10**12, 10**4)]


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: nd.zeros((100, 100)), "zeros"),
        (lambda: nd.ones((100, 100)), "ones"),
        (lambda: nd.full((100, 100), 3), "full"),
        (lambda: nd.eye(100), "_eye"),
        (lambda: nd.arange(10**4), "_arange"),
        (lambda: nd.random.uniform(shape=(100, 100)), "_random_uniform"),
        (lambda: nd.tile(nd.ones((4,)), reps=(10**4,)), "tile"),
        (lambda: nd.repeat(nd.ones((4,)), repeats=10**4), "repeat"),
        (lambda: nd.broadcast_to(nd.ones((1,)), shape=(10**4,)), "broadcast_to"),
        (lambda: nd.one_hot(nd.ones((4,)), depth=10**4), "one_hot"),
        (lambda: nd.sparse.zeros("csr", (10, 10**4)).tostype("default"), "csr"),
        (lambda: mx.gluon.nn.Dense(100, in_units=100).initialize(), "dense"),
    ],
)
def test_limit_holds_for(call, names):
    with mx.limits.scope(array_bytes=10**4), pytest.raises(LimitExceededError, match=names):
        call()
    call()


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (RuntimeError("can't allocate memory: you tried to allocate 4000 bytes."), "4,000 bytes"),
        (RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has"), "2.00 GiB"),
        (MemoryError("Unable to allocate 7.28 PiB for an array with shape"), "7.28 PiB"),
        (MemoryError(), "not enough memory"),
        (RuntimeError("Storage size calculation overflowed with sizes=[9]"), "can be addressed"),
        (RuntimeError("numel: integer multiplication overflow"), "can be addressed"),
        (ValueError("Maximum allowed dimension exceeded"), "can be addressed"),
    ],
)
def test_shortage_is_recognized(error, expected):
    found = explain_shortage("here", error)
    assert isinstance(found, MXNetError)
    assert isinstance(found, MemoryError)
    assert str(found).startswith("here: ")
    assert expected in str(found)


def test_other_errors_are_left_alone():
    assert explain_shortage("here", RuntimeError("shapes do not fit")) is None
    with pytest.raises(KeyError), naming_shortage("here"):
        raise KeyError("other")


def test_shortage_is_named_from_outside_in():
    with pytest.raises(AllocationError, match="file: array: "), naming_shortage("file: array"):
        raise MemoryError
    with pytest.raises(LimitExceededError, match="file: here: asks for"):  # noqa: SIM117
        with naming_shortage("file"):
            check_size("here", (10**18,), torch.float32)


def test_many_inputs_do_not_fill_the_message():
    with pytest.raises(MXNetError) as caught:
        nd.concat(*[nd.ones((1, 1))] * 500, nd.ones((2, 2)), dim=0)
    assert "and 491 more" in str(caught.value)


def runs_within(call, room: int) -> bool:
    """Returns whether a call succeeds in a process that may take so many bytes more."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            most = pages * os.sysconf("SC_PAGE_SIZE") + room
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            call()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


COUNT = 128 * MIB

IN_ONE_PIECE = {
    "zeros-int8": lambda: nd.zeros((COUNT,), dtype="int8"),
    "ones-uint8": lambda: nd.ones((COUNT,), dtype="uint8"),
    "full-int32": lambda: nd.full((COUNT // 4,), 7, dtype="int32"),
    "full-float16": lambda: nd.full((COUNT // 2,), 7, dtype="float16"),
    "ones_like-int8": lambda: nd.ones_like(nd.zeros((COUNT // 2,), dtype="int8")),
    "arange-int8": lambda: nd.arange(COUNT, dtype="int8"),
    "arange-float32": lambda: nd.arange(COUNT // 4),
    "linspace-float16": lambda: nd.linspace(0, 1, COUNT // 2, dtype="float16"),
    "eye-int8": lambda: nd.eye(COUNT // 4096, 4096, dtype="int8"),
    "one_hot-int8": lambda: nd.one_hot(nd.ones((4096,)), COUNT // 4096, dtype="int8"),
    "one_hot-values": lambda: nd.one_hot(nd.ones((64,)), COUNT // 256, 5, 3, dtype="int32"),
    "uniform": lambda: nd.random.uniform(shape=(COUNT // 4,)),
    "normal-float16": lambda: nd.random.normal(shape=(COUNT // 2,), dtype="float16"),
    "randint": lambda: nd.random.randint(0, 9, shape=(COUNT // 4,)),
    "exponential": lambda: nd.random.exponential(shape=(COUNT // 4,)),
}


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process are Linux's")
@pytest.mark.parametrize("name", IN_ONE_PIECE)
def test_creation_takes_little_more_than_the_result(name):
    call = IN_ONE_PIECE[name]
    assert runs_within(call, COUNT + 64 * MIB)


def test_values_made_in_parts_are_those_made_at_once():
    count = (1 << 20) + 1000
    whole = nd.arange(3, 3 + 2 * count, 2, dtype="float64").asnumpy()
    assert whole[-1] == 3 + 2 * (count - 1)
    assert (whole[1:] - whole[:-1] == 2).all()
    repeated = nd.arange(0, count, repeat=2, dtype="int64").asnumpy()
    assert (repeated[::2] == repeated[1::2]).all()
    assert repeated[-1] == count - 1
    spaced = nd.linspace(0, 1, count, dtype="float64").asnumpy()
    assert spaced[0] == 0
    assert spaced[-1] == 1
    drawn = nd.random.poisson(4, shape=(2, count)).asnumpy()
    assert abs(drawn.mean() - 4) < 0.1
