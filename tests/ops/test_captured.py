"""What operators do while they are captured, against what they do where they may wait."""

from __future__ import annotations

import pytest
import torch

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.ops.core.registry import get_op
from mxnet.ops.math import linalg
from mxnet.ops.nn import ctc
from mxnet.ops.np import editing, elementwise, reduction
from mxnet.ops.np import random as np_random
from mxnet.ops.random import samplers

READERS = (ctc, editing, elementwise, linalg, np_random, reduction, samplers)


@pytest.fixture
def capture(monkeypatch):
    """A function that makes operators believe that they are captured."""

    def start() -> None:
        for module in READERS:
            monkeypatch.setattr(module, "is_captured", lambda *_: True)

    return start


def run(name, *arrays, **attrs):
    """Returns the result of an operator and the gradients of its arrays of floats."""
    op = get_op(name)
    given = [a.clone().requires_grad_(a.is_floating_point() and a.numel() > 0) for a in arrays]
    result = op.kernel(*given, **op.parse_attrs(attrs))
    if result.requires_grad:
        (result * torch.linspace(1, 2, result.numel()).to(result).view_as(result)).sum().backward()
    return result.detach(), [a.grad for a in given]


def check(capture, *calls):
    """Compares calls with those that are captured."""
    expected = [run(name, *arrays, **attrs) for name, arrays, attrs in calls]
    capture()
    for (name, arrays, attrs), result in zip(calls, expected, strict=True):
        torch.testing.assert_close(run(name, *arrays, **attrs), result)


def test_factorizations(capture):
    matrix = torch.rand(3, 4, 4, dtype=torch.float64)
    positive = matrix @ matrix.mT + torch.eye(4)
    check(
        capture,
        ("_linalg_inverse", (positive,), {}),
        ("_linalg_potrf", (positive,), {"lower": False}),
        ("_npi_cholesky", (positive,), {}),
        ("_npi_solve", (positive, matrix), {}),
        ("_npi_tensorinv", (positive[0].reshape(2, 2, 4),), {"ind": 2}),
        ("_npi_tensorsolve", (positive[0], matrix[0, 0]), {}),
    )


def test_singular_matrices_give_no_error(capture):
    capture()
    assert not run("_linalg_inverse", torch.zeros(2, 2))[0].isfinite().all()


def test_masks(capture):
    data = torch.arange(24.0).view(2, 3, 4)
    rows = torch.tensor([[True, False, True], [False, True, True]])
    axis = torch.tensor([True, False, True])
    check(
        capture,
        ("_npi_boolean_mask_assign_tensor", (data, rows, -torch.rand(4, 4)), {}),
        ("_npi_boolean_mask_assign_tensor", (data, rows, -torch.rand(1)), {}),
        ("_npi_boolean_mask_assign_tensor", (data, rows, -torch.rand(4, 1)), {}),
        ("_npi_boolean_mask_assign_tensor", (data, data > 20, -torch.rand(3)), {}),
        ("_npi_boolean_mask_assign_tensor", (data, data > 99, torch.rand(0)), {}),
        ("_npi_boolean_mask_assign_tensor", (data, axis, -torch.rand(2, 2, 4)), {"start_axis": 1}),
        ("_npi_boolean_mask_assign_tensor", (data, axis, -torch.rand(2, 1)), {"start_axis": 1}),
    )


def test_positions_percentages_and_constraints(capture):
    data, places = torch.rand(5, 3), torch.tensor([0, -1, 3])
    check(
        capture,
        ("_npi_insert_tensor", (data, torch.rand(3, 3), places), {"axis": 0}),
        ("_npi_percentile", (data, torch.tensor([0.0, 30.0, 100.0])), {}),
        ("_npi_percentile", (data,), {"q_scalar": 70.0}),
        ("_npx_constraint_check", (data >= 0,), {}),
    )
    assert run("_npi_percentile", data, torch.tensor(120.0))[0] == data.max()
    assert not run("_npx_constraint_check", data < 0)[0]


@pytest.mark.parametrize("blank", ["first", "last"])
def test_sequences(blank, capture):
    torch.manual_seed(2)
    scores = torch.randn(7, 4, 5, dtype=torch.float64)
    scores[2, 1, 3] = -torch.inf
    label = torch.tensor([[1, 2, 3], [2, 2, 0], [3, 0, 0], [1, 1, 1]]).float()
    if blank == "last":
        label = label - 1
    spans, lengths = torch.tensor([7.0, 6.0, 2.0, 4.0]), torch.tensor([3.0, 2.0, 0.0, 3.0])
    attrs = {"blank_label": blank}
    both = {"use_data_lengths": True, "use_label_lengths": True, **attrs}
    check(
        capture,
        ("CTCLoss", (scores, label), attrs),
        ("CTCLoss", (scores, label, spans), {"use_data_lengths": True, **attrs}),
        ("CTCLoss", (scores, label.clamp(min=1), spans, lengths), both),
        ("CTCLoss", (scores[:, :, :], label[:, :0]), attrs),
    )


def test_categories_are_drawn_as_often_as_is_likely(capture):
    capture()
    rows = torch.tensor([[0.0, 0.25, 0.75, 0.0], [1.0, 0.0, 0.0, 0.0]])
    drawn = get_op("_sample_multinomial").kernel(rows, shape=(4000,), generator=None)
    assert set(drawn[0].tolist()) == {1, 2}
    assert set(drawn[1].tolist()) == {0}
    assert 0.2 < (drawn[0] == 1).float().mean() < 0.3
