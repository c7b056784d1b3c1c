"""The scale of losses."""

from __future__ import annotations

import pytest
import torch

import mxnet as mx
from mxnet import nd
from mxnet.contrib import amp
from mxnet.contrib.amp.loss_scaler import LossScaler, ScaleState
from mxnet.ops.core.precision import are_finite
from tests.golden.amp_cases import scales


def test_the_scale_moves_as_in_the_original(golden):
    assert scales(mx, amp) == golden["scales"]


def test_tensors_move_as_numbers_do(golden):
    scaler = LossScaler()
    scaler._scale_seq_len = 5
    state = scaler.state_on("cpu")
    for overflow, *expected in golden["scales"]:
        state = scaler.advance(state, torch.tensor(overflow))
        assert [float(item) for item in state] == expected
    scaler.load_state(state)
    assert [scaler.loss_scale, scaler._next_loss_scale, scaler._unskipped] == expected


def test_the_scale_stays_below_a_limit():
    scaler = LossScaler()
    scaler._scale_seq_len = 1
    state = scaler.state_on("cpu")
    for _ in range(20):
        scaler.has_overflow([])
        state = scaler.advance(state, torch.tensor(False))
    assert scaler.loss_scale == float(state.scale) == 2.0**24


def test_a_state_is_copied_into_the_same_memory():
    """As a captured step does, whose tensors stay where they are."""
    scaler = LossScaler()
    state = scaler.state_on("cpu")
    for overflow in (True, False, True):
        after = scaler.advance(state, torch.tensor(overflow))
        for old, new in zip(state, after, strict=True):
            old.copy_(new)
    assert ScaleState(*map(float, state)) == ScaleState(2.0**15, 2.0**14, 0)


@pytest.mark.parametrize("stype", ["default", "row_sparse"])
def test_sparse_gradients_are_tested(stype):
    parameter = mx.gluon.Parameter("weight", shape=(4, 2), grad_stype=stype)
    parameter.initialize()
    with mx.autograd.record():
        rows = nd.Embedding(
            nd.array([1, 2]),
            parameter.data(),
            input_dim=4,
            output_dim=2,
            sparse_grad=stype != "default",
        )
        loss = rows * nd.array([[1], [float("inf")]])
    loss.backward()
    assert LossScaler().has_overflow([parameter])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_the_largest_number_is_finite(dtype):
    largest = torch.full((3,), torch.finfo(dtype).max, dtype=dtype)
    assert are_finite([largest, torch.ones(0), torch.ones(2, 2)])
    assert not are_finite([largest, largest * 2])
    assert not are_finite([torch.tensor([1.0, torch.nan], dtype=dtype)])
    assert are_finite([])
