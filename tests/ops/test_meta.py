"""The rules that stand in for torch's meta kernels say what these say."""

from __future__ import annotations

import contextlib
from typing import ClassVar

import pytest
import torch

from mxnet.errors import MXNetError
from mxnet.ops import meta
from mxnet.ops.meta import MetaRules, _collect
from tests.bundles import each

from .harness import ALL, parse_call


def describe(result):
    """Returns shapes and dtypes of what an operator of torch returned."""
    if isinstance(result, torch.Tensor):
        return tuple(result.shape), result.dtype, result.is_meta
    return [describe(item) for item in result] if isinstance(result, (list, tuple)) else result


class Compared(MetaRules):
    """Asks torch, too, wherever a rule has answered."""

    disagreements: ClassVar[list] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = super().__torch_dispatch__(func, types, args, kwargs)
        if func in RULES and result is not None:
            expected = describe(func(*args, **(kwargs or {})))
            if describe(result) != expected:
                self.disagreements.append((func, args, kwargs, result, expected))
        return result


RULES = _collect()


@each([pytest.param(row.values[1], id=row.id) for row in ALL])
def test_rules_agree_with_torch_on_every_sample(sample, monkeypatch):
    monkeypatch.setattr(meta, "MetaRules", Compared)
    Compared.disagreements.clear()
    with contextlib.suppress(MXNetError):
        op, attrs = parse_call(sample)
        shapes = [None if array is None else tuple(array.shape) for array in sample.inputs]
        dtypes = [None if array is None else getattr(torch, array.dtype) for array in sample.inputs]
        meta.infer(op, shapes, dtypes, attrs)
    assert not Compared.disagreements


def test_every_rule_is_of_an_operator_that_torch_has():
    assert len(RULES) > 150
    assert all(str(operator).startswith("aten.") for operator in RULES)


FLOATS, HALVES, INTEGERS, BYTES, BOOLEANS, WIDE = (
    lambda *shape, dtype=dtype: torch.empty(shape, dtype=dtype, device="meta")
    for dtype in (torch.float32, torch.float16, torch.int32, torch.uint8, torch.bool, torch.float64)
)
TENSORS = [
    FLOATS(2, 3),
    FLOATS(3),
    FLOATS(),
    FLOATS(0, 3),
    HALVES(2, 1),
    INTEGERS(2, 3),
    INTEGERS(),
    BYTES(3),
    BOOLEANS(2, 3),
    WIDE(1, 3),
    WIDE(),
    torch.tensor(2.0),
    torch.tensor(2),
]
NUMBERS = [2, 2.5, True]


def outcome(function, *args):
    """Returns what a function of torch returns, or the kind of error that it raises."""
    try:
        return describe(function(*args))
    except (RuntimeError, IndexError, TypeError, ValueError, AssertionError) as error:
        return type(error)  # torch 2.6 asserts here and there


def assert_agrees(function, *args):
    expected = outcome(function, *args)
    with MetaRules():
        assert outcome(function, *args) == expected, (function, args)


BINARY = [torch.add, torch.sub, torch.mul, torch.div, torch.pow, torch.maximum, torch.eq, torch.lt]
BINARY += [torch.remainder, torch.logical_and, torch.bitwise_and, torch.hypot, torch.floor_divide]
UNARY = [torch.exp, torch.abs, torch.neg, torch.floor, torch.relu, torch.sigmoid, torch.isnan]
UNARY += [torch.sum, torch.mean, torch.amax, torch.argmax, torch.any, torch.zeros_like, torch.clone]
UNARY += [torch.logical_not, torch.bitwise_not, torch.square, torch.nn.functional.elu, torch.prod]


@pytest.mark.parametrize("function", BINARY, ids=lambda f: f.__name__)
def test_operands_of_all_dtypes_and_shapes(function):
    for lhs in TENSORS:
        for rhs in [*TENSORS, *NUMBERS, FLOATS(4)]:
            assert_agrees(function, lhs, rhs)


@pytest.mark.parametrize("function", UNARY, ids=lambda f: f.__name__)
def test_single_operands_of_all_dtypes_and_shapes(function):
    for data in TENSORS:
        assert_agrees(function, data)


@pytest.mark.parametrize("function", [torch.sum, torch.mean, torch.amax, torch.all, torch.argmin])
@pytest.mark.parametrize("axis", [0, -1, 1, 2, (0, 1), (0, 0), ()])
@pytest.mark.parametrize("keepdim", [False, True])
def test_reduced_axes(function, axis, keepdim):
    for data in TENSORS:
        assert_agrees(function, data, axis, keepdim)


def test_where_and_clamp_and_in_place():
    for lhs in TENSORS:
        for rhs in TENSORS:
            assert_agrees(torch.where, BOOLEANS(2, 3), lhs, rhs)
            assert_agrees(lambda lhs, rhs: lhs.clone().add_(rhs), lhs, rhs)
        for low, high in [(0, 1), (0.5, None), (None, 2), (0, 1.5)]:
            assert_agrees(torch.clamp, lhs, low, high)


def test_matrices_that_do_not_fit_get_the_error_of_torch():
    for lhs, rhs in [((2, 3), (4, 5)), ((2, 3), (3, 5)), ((2,), (3, 5)), ((0, 3), (3, 0))]:
        assert_agrees(torch.mm, FLOATS(*lhs), FLOATS(*rhs))
        assert_agrees(torch.mm, FLOATS(*lhs), WIDE(*rhs))
        assert_agrees(torch.matmul, FLOATS(*lhs), FLOATS(*rhs))


@pytest.mark.parametrize("size", [1, 4, 7])
@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("pad", [0, 1, 2])
def test_windows(size, stride, pad):
    functional = torch.nn.functional
    data = FLOATS(2, 4, 7, 6)
    for dilation in (1, 2):
        for groups in (1, 2, 3):
            weight, bias = FLOATS(6, 4 // groups, size, 2), FLOATS(6)
            assert_agrees(functional.conv2d, data, weight, bias, stride, pad, dilation, groups)
            weight = FLOATS(4, 3, size, 2)
            call = (data, weight, None, stride, pad, stride - 1, groups, dilation)
            assert_agrees(functional.conv_transpose2d, *call)
        for ceil in (False, True):
            call = (data, size, stride, pad, dilation, ceil, True)
            assert_agrees(functional.max_pool2d, *call)
            assert_agrees(functional.avg_pool2d, data, size, stride, pad, ceil)


def test_tensors_with_data_are_computed():
    with MetaRules():
        assert torch.add(torch.ones(2), 1).tolist() == [2, 2]
        assert (torch.tensor(2.0) * torch.tensor(3.0)).item() == 6
        assert torch.arange(3).tolist() == [0, 1, 2]


def test_the_mode_ends_with_an_error():
    with pytest.raises(RuntimeError, match="dim"), MetaRules():
        torch.mm(FLOATS(2, 3), FLOATS(4, 5))
    assert torch.utils._python_dispatch._len_torch_dispatch_stack() == 0
