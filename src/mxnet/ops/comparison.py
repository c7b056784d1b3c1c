"""Comparisons and logical connectives; true is one, and the result has the type of the inputs."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from mxnet.ops.binary import BROADCASTING, IF_ZERO_STAYS, Binary, WithNumber, alike, declare_scalar
from mxnet.ops.registry import elementary
from mxnet.ops.traits import ELEMENTWISE, Traits


def _numeric(test: Binary) -> Binary:
    """Returns the truth values of a test of two arrays as numbers of the type of the first."""

    def kernel(lhs: Tensor, rhs: Tensor) -> Tensor:
        return test(lhs, rhs).to(lhs.dtype)

    return kernel


def _numeric_with_number(test: WithNumber) -> WithNumber:
    """Returns the truth values of a test of an array and a number as numbers of its type."""

    def function(data: Tensor, scalar: float) -> Tensor:
        return test(data, scalar).to(data.dtype)

    return function


def _and_number(data: Tensor, scalar: float) -> Tensor:
    return torch.ne(data, 0) if scalar else torch.zeros_like(data)


def _or_number(data: Tensor, scalar: float) -> Tensor:
    return torch.ones_like(data) if scalar else torch.ne(data, 0)


def _xor_number(data: Tensor, scalar: float) -> Tensor:
    return torch.eq(data, 0) if scalar else torch.ne(data, 0)


_ELEMENTWISE = replace(ELEMENTWISE, role="comparison")
_BROADCASTING = replace(BROADCASTING, role="comparison")
_WITH_NUMBER = replace(IF_ZERO_STAYS, role="comparison")

_TESTS: tuple[tuple[str, str, Binary, WithNumber, str], ...] = (
    ("equal", "Equal", torch.eq, torch.eq, "Tests whether an element equals {}."),
    ("not_equal", "Not_Equal", torch.ne, torch.ne, "Tests whether an element differs from {}."),
    ("greater", "Greater", torch.gt, torch.gt, "Tests whether an element is greater than {}."),
    (
        "greater_equal",
        "Greater_Equal",
        torch.ge,
        torch.ge,
        "Tests whether an element is at least {}.",
    ),
    ("lesser", "Lesser", torch.lt, torch.lt, "Tests whether an element is less than {}."),
    ("lesser_equal", "Lesser_Equal", torch.le, torch.le, "Tests whether an element is at most {}."),
)
"""Name, name in the old style, test of two arrays, test of an array and a number, documentation."""

_CONNECTIVES: tuple[tuple[str, str, Binary, WithNumber, str], ...] = (
    (
        "logical_and",
        "Logical_And",
        torch.logical_and,
        _and_number,
        "Tests whether both an element and {} are other than zero.",
    ),
    (
        "logical_or",
        "Logical_Or",
        torch.logical_or,
        _or_number,
        "Tests whether an element or {} is other than zero.",
    ),
    (
        "logical_xor",
        "Logical_Xor",
        torch.logical_xor,
        _xor_number,
        "Tests whether just one of an element and {} is other than zero.",
    ),
)


def _declare(
    name: str,
    old_name: str,
    test: Binary,
    with_number: WithNumber,
    doc: str,
    traits: Traits,
) -> None:
    kernel = _numeric(test)
    doc_of_arrays = doc.format("its counterpart in the other array")
    elementary(
        f"_{name}",
        alike(f"_{name}", kernel),
        doc_of_arrays,
        inputs=("lhs", "rhs"),
        aliases=(f"_{old_name}",),
        differentiable=False,
        traits=_ELEMENTWISE,
    )
    elementary(
        f"broadcast_{name}",
        kernel,
        f"{doc_of_arrays[:-1]}, broadcasting the arrays.",
        inputs=("lhs", "rhs"),
        differentiable=False,
        traits=_BROADCASTING,
    )
    declare_scalar(
        f"_{name}_scalar",
        _numeric_with_number(with_number),
        doc.format("a number"),
        aliases=(f"_{old_name.replace('_', '')}Scalar",),
        differentiable=False,
        traits=traits,
    )


for _row in _TESTS:
    _declare(*_row, traits=_WITH_NUMBER)
for _row in _CONNECTIVES:
    _declare(*_row, traits=_ELEMENTWISE)
