"""Arithmetic and comparisons of two arrays, and of an array and a number.

Every function below comes in up to three forms: `_name` or `elemwise_name` for arrays of one shape,
`broadcast_name` for shapes that can be broadcast, and `_name_scalar` for an array and a number.
Comparisons and logical connectives return ones and zeros of the type of the inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import torch
from torch import Tensor

from mxnet._state import rules
from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Number
from mxnet.ops.core.carriers import without_slope
from mxnet.ops.core.registry import elementary, on_pairs, op
from mxnet.ops.core.scalars import as_integer, clamp_max, clamp_min, in_range, maximum, minimum
from mxnet.ops.core.traits import (
    ELEMENTWISE,
    KEEPS_LAYOUT,
    OF_ELEMENTS,
    SAME_DTYPE,
    Fusion,
    Labels,
    Role,
    Shapes,
    Storage,
    Traits,
)
from mxnet.ops.rules import misfits, quantizing, shape_rules, storage_types

Binary: TypeAlias = Callable[[Tensor, Tensor], Tensor]
WithNumber: TypeAlias = Callable[[Tensor, float], Tensor]

_TRAPS = {torch.int32: -(1 << 31), torch.int64: -(1 << 63)}
"""Types whose least number, given here, divided by -1 ends the process.

Narrower ones are divided as int32.
"""

_WIDENED = frozenset({torch.float16, torch.bfloat16})
"""Types that torch computes with as float32."""


def alike(name: str, function: Binary) -> Binary:
    """Restricts a function of two arrays to arrays of one shape."""

    def kernel(lhs: Tensor, rhs: Tensor) -> Tensor:
        if lhs.shape != rhs.shape:
            raise MXNetError(f"{name}: expected shape {tuple(lhs.shape)}, got {tuple(rhs.shape)}")
        return function(lhs, rhs)

    return kernel


def _common_type(data: Tensor, scalar: float, is_int: bool) -> tuple[Tensor, float]:
    """Brings integers and a number to the type in which the original combines them."""
    if not is_int:
        return data.double(), float(scalar)
    if data.dtype is torch.bool:
        data = data.long()
    return data, as_integer(scalar, data.dtype)


_SCALAR_ARGS = """

An integer array takes the whole part of the number, and stays an integer array.

Args:
    data: The array.
    scalar: The number.
    is_int: Whether an integer array stays one; otherwise the result is of float64."""


def declare_scalar(
    name: str,
    function: WithNumber,
    doc: str,
    *,
    aliases: Sequence[str] = (),
    differentiable: bool = True,
    traits: Traits = ELEMENTWISE,
    shown: str = "",
) -> None:
    """Declares an operator of an array and a number.

    Args:
        name: Canonical name.
        function: The operator for a number that the type of the array can hold.
        doc: First sentence of its documentation.
        aliases: Other names.
        differentiable: Whether it has a gradient other than zero.
        traits: What else is known of it.
        shown: Its example, as a section of the documentation.
    """
    widens = name.startswith("_npi_")

    def kernel(data: Tensor, *, scalar: Number = 1.0, is_int: bool = True) -> Tensor:
        if data.dtype.is_floating_point:
            return function(data, float(scalar))
        if widens and rules.version > 1 and not (is_int and float(scalar).is_integer()):
            return function(data.double(), float(scalar))  # as in NumPy
        return function(*_common_type(data, scalar, is_int))

    kernel.__doc__ = doc + _SCALAR_ARGS + shown
    op(name, aliases=aliases, differentiable=differentiable, traits=traits)(kernel)


def _div(lhs: Tensor, rhs: Tensor) -> Tensor:
    if lhs.dtype.is_floating_point:
        return torch.div(lhs, rhs)
    if lhs.dtype in _TRAPS and rhs.is_cpu and _has_least(lhs):
        minus = rhs == -1
        quotient = torch.div(lhs, rhs.masked_fill(minus, 1), rounding_mode="trunc")
        return torch.where(minus, torch.neg(quotient), quotient)
    return torch.div(lhs, rhs, rounding_mode="trunc")


def _has_least(data: Tensor) -> bool:
    """Tests for the least number of an integer type, whose division by -1 a CPU traps.

    Looking for it takes a tenth of the time of the division. GPUs have no such trap.
    """
    return data.is_cpu and data.numel() > 0 and torch.min(data).item() == _TRAPS[data.dtype]


def _div_number(data: Tensor, scalar: float) -> Tensor:
    if data.dtype.is_floating_point:
        return torch.div(data, scalar)
    if scalar == -1:
        return torch.neg(data)
    return torch.div(data, scalar, rounding_mode="trunc")


def as_array(scalar: float, data: Tensor) -> Tensor:
    """Returns a number as an array of the type of another, for functions that take no numbers."""
    return torch.scalar_tensor(in_range(scalar, data.dtype), dtype=data.dtype)


def _rdiv_number(data: Tensor, scalar: float) -> Tensor:
    return _div(as_array(scalar, data), data)


def mod(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Returns the remainder of a division, with the sign of the divisor; 0 if that is 0."""
    zero = rhs == 0
    if lhs.dtype.is_floating_point:
        rest = torch.remainder(lhs, rhs.masked_fill(zero, 1))
        unknown = zero if lhs.dtype in _WIDENED else zero | _is_lost(lhs, rhs.detach())
        return torch.where(unknown, _zero(lhs), rest)
    if lhs.dtype in _TRAPS:
        zero |= rhs == -1
    # the remainder is 0 for these divisors, as it is for 1, which no processor traps
    return without_slope(torch.remainder(lhs, rhs.masked_fill(zero, 1)), lhs, rhs)


def _is_lost(lhs: Tensor, rhs: Tensor | float) -> Tensor:
    """Finds quotients that are too large for a float, so that nothing is known of the remainder.

    Torch gives something or nan for them, which depends on the place of the element in its array.
    """
    return torch.isinf(lhs.detach() / rhs) & torch.isfinite(lhs)


def _zero(data: Tensor) -> Tensor:
    """Returns zeros that let the gradient through, as a remainder does."""
    if not data.requires_grad:
        return data.new_zeros(())
    finite = data.nan_to_num(0, 0, 0)
    return finite - finite.detach()


def mod_number(data: Tensor, scalar: float) -> Tensor:
    """Returns the remainder of a division by a number."""
    if not data.dtype.is_floating_point:
        is_zero = scalar in (0, -1)
        rest = torch.zeros_like(data) if is_zero else torch.remainder(data, scalar)
        return without_slope(rest, data)
    limits = torch.finfo(data.dtype)
    if abs(scalar) <= limits.smallest_normal * limits.eps / 2:  # which is 0 in this type
        return _zero(data).expand_as(data).clone()
    rest = torch.remainder(data, scalar)
    if abs(scalar) >= 1 or data.dtype in _WIDENED:  # no quotient is too large
        return rest
    return torch.where(_is_lost(data, scalar), _zero(data), rest)


_WITH_LEAST = (torch.int32, torch.int64)
"""Types of integers that an infinite number is converted to the least one of."""


def power(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Raises elements to powers; a negative one of the integer 0 is the least number."""
    result = torch.pow(lhs, rhs)
    if result.dtype not in _WITH_LEAST:
        return result
    return torch.where((lhs == 0) & (rhs < 0), torch.iinfo(result.dtype).min, result)


def power_number(data: Tensor, scalar: float) -> Tensor:
    """Raises elements to a power."""
    if scalar < 0 and not data.dtype.is_floating_point:
        # torch refuses negative integer exponents as numbers, though not as arrays
        return power(data, torch.full_like(data, scalar))
    return torch.pow(data, in_range(scalar, data.dtype))


def power_of_number(data: Tensor, scalar: float) -> Tensor:
    """Raises a number to the powers in an array."""
    if scalar == 0 and data.dtype in _WITH_LEAST:
        return power(torch.zeros_like(data), data)
    return torch.pow(scalar, data)


def hypot(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Returns the hypotenuse of a right triangle from its legs."""
    if lhs.dtype in (torch.float32, torch.float64):
        return torch.hypot(lhs, rhs)
    return torch.hypot(lhs.float(), rhs.float()).to(lhs.dtype)


def _keep_left(lhs: Tensor, _rhs: Tensor) -> Tensor:
    return lhs.clone()


IF_ZERO_STAYS = replace(ELEMENTWISE, storage=storage_types.IF_ZERO_STAYS)
ON_STORED = replace(ELEMENTWISE, storage=storage_types.ON_STORED)
BROADCASTING = Traits(
    types=OF_ELEMENTS,
    shapes=Shapes(quick=shape_rules.broadcast, misfit=misfits.broadcast),
    fusion=KEEPS_LAYOUT,
)

_REMAINDER_TYPES = replace(OF_ELEMENTS, integer_slopes="zero")
REMAINDER = replace(ELEMENTWISE, types=_REMAINDER_TYPES)
BROADCASTING_REMAINDER = replace(BROADCASTING, types=_REMAINDER_TYPES)
"""Remainders of integers have no gradient."""

_BY_DENSE: tuple[tuple[str, tuple[str, ...], Binary, str, Role | None], ...] = (
    (
        "broadcast_mul",
        (),
        torch.mul,
        "Multiplies two arrays, broadcasting them."
        + on_pairs(
            "broadcast_mul", "[[1, 2], [3, 4]]", "[[10], [100]]", "[[ 10.  20.]\n [300. 400.]]"
        ),
        "multiplication",
    ),
    (
        "broadcast_div",
        (),
        _div,
        "Divides the first array by the second, broadcasting them; integers round towards zero."
        + on_pairs("broadcast_div", "[[2, 4], [6, 8]]", "[[2], [4]]", "[[1.  2. ]\n [1.5 2. ]]"),
        "division",
    ),
)
"""Their result is a csr array if the first array is one and the second is dense."""

_BROADCASTING: tuple[tuple[str, tuple[str, ...], Binary, str], ...] = (
    (
        "broadcast_power",
        (),
        power,
        "Raises the first array to the powers in the second, broadcasting them."
        + on_pairs("broadcast_power", "[2, 3]", "[[1], [2]]", "[[2. 3.]\n [4. 9.]]"),
    ),
    (
        "broadcast_maximum",
        ("_npi_maximum",),
        maximum,
        "Returns the larger of two elements, broadcasting arrays."
        + on_pairs("broadcast_maximum", "[1, 5]", "[[2], [7]]", "[[2. 5.]\n [7. 7.]]"),
    ),
    (
        "broadcast_minimum",
        ("_npi_minimum",),
        minimum,
        "Returns the smaller of two elements, broadcasting arrays."
        + on_pairs("broadcast_minimum", "[1, 5]", "[[2], [7]]", "[[1. 2.]\n [1. 5.]]"),
    ),
    (
        "broadcast_hypot",
        (),
        hypot,
        "Returns the hypotenuse of a right triangle from its legs, broadcasting the arrays."
        + on_pairs("broadcast_hypot", "[3, 5]", "[4, 12]", "[ 5. 13.]"),
    ),
)

_ALIKE: tuple[tuple[str, tuple[str, ...], Binary, str], ...] = (
    (
        "elemwise_div",
        ("_Div", "_div"),
        _div,
        "Divides the first array by the second, of the same shape; integers round towards zero."
        + on_pairs("elemwise_div", "[1, 6]", "[2, 3]", "[0.5 2. ]"),
    ),
    ("_power", ("_Power",), power, "Raises the first array to the powers in the second."),
)

_REMAINDERS_BY_NUMBER: tuple[tuple[str, tuple[str, ...], WithNumber, str], ...] = (
    (
        "_mod_scalar",
        ("_ModScalar",),
        mod_number,
        "Returns the remainder of a division by a number, with the sign of the number.",
    ),
    (
        "_rmod_scalar",
        ("_RModScalar",),
        lambda data, scalar: mod(as_array(scalar, data), data),
        "Returns the remainder of a number divided by an array, with the sign of the array.",
    ),
)

_COMBINED = Storage(result=storage_types.of_all, algorithm="combine")
_LINEAR = replace(_COMBINED, gradient=storage_types.of_head)
_KEEPS_ZEROS = replace(ELEMENTWISE, storage=_COMBINED)
_ADDITION = replace(
    ELEMENTWISE, role="addition", storage=_LINEAR, labels=Labels(shows_gradient=False)
)

_WITH_TRAITS: tuple[tuple[str, tuple[str, ...], Binary, str, Traits], ...] = (
    (
        "_mod",
        ("_Mod",),
        mod,
        "Returns the remainder of a division, with the sign of the divisor.",
        REMAINDER,
    ),
    (
        "elemwise_add",
        ("_Plus", "_add", "_plus"),
        torch.add,
        "Adds two arrays of one shape."
        + on_pairs("elemwise_add", "[1, 2]", "[10, 20]", "[11. 22.]"),
        replace(
            _ADDITION,
            labels=Labels(names_outputs=True, shows_gradient=False),
            quantization=quantizing.ADDITION,
        ),
    ),
    ("_grad_add", (), torch.add, "Adds two gradients.", _ADDITION),
    (
        "elemwise_sub",
        ("_Minus", "_minus", "_sub"),
        torch.sub,
        "Subtracts the second array from the first, of the same shape."
        + on_pairs("elemwise_sub", "[10, 20]", "[1, 2]", "[ 9. 18.]"),
        replace(ELEMENTWISE, role="subtraction", storage=_LINEAR),
    ),
    ("_maximum", ("_Maximum",), maximum, "Returns the larger of two elements.", _KEEPS_ZEROS),
    ("_minimum", ("_Minimum",), minimum, "Returns the smaller of two elements.", _KEEPS_ZEROS),
    (
        "_hypot",
        ("_Hypot",),
        hypot,
        "Returns the hypotenuse of a right triangle from its legs.",
        _KEEPS_ZEROS,
    ),
    (
        "elemwise_mul",
        ("_Mul", "_mul"),
        torch.mul,
        "Multiplies two arrays of one shape."
        + on_pairs("elemwise_mul", "[1, 2]", "[10, 20]", "[10. 40.]"),
        replace(
            ELEMENTWISE,
            role="multiplication",
            storage=Storage(
                result=storage_types.of_sparse,
                gradient=storage_types.of_factors_gradient,
                algorithm="multiply",
            ),
            quantization=quantizing.MULTIPLICATION,
        ),
    ),
    (
        "_scatter_elemwise_div",
        (),
        _div,
        "Divides stored elements by those of the second array.",
        replace(
            ELEMENTWISE,
            storage=Storage(result=storage_types.only("row_sparse"), algorithm="divide_stored"),
        ),
    ),
    (
        "_identity_with_attr_like_rhs",
        (),
        _keep_left,
        "Copies the first array, whose shape is that of the second.",
        replace(
            ELEMENTWISE,
            storage=Storage(
                result=storage_types.of_second,
                gradient=storage_types.of_head_for_first,
                algorithm="convert",
            ),
        ),
    ),
)

_WITH_NUMBER_IF_ZERO_STAYS: tuple[tuple[str, tuple[str, ...], WithNumber, str], ...] = (
    ("_plus_scalar", ("_PlusScalar",), torch.add, "Adds a number to an array."),
    ("_minus_scalar", ("_MinusScalar",), torch.sub, "Subtracts a number from an array."),
)
"""Of a sparse array they change the stored elements only, if 0 stays 0."""

_MULTIPLES: tuple[
    tuple[str, tuple[str, ...], WithNumber, str, Callable[..., float | None]], ...
] = (
    (
        "_mul_scalar",
        ("_MulScalar",),
        torch.mul,
        "Multiplies an array by a number.",
        lambda *, scalar, **_: float(scalar),
    ),
    (
        "_div_scalar",
        ("_DivScalar",),
        _div_number,
        "Divides an array by a number; integers round towards zero.",
        lambda *, scalar, **_: 1 / scalar if scalar else None,
    ),
)
"""Their last entry is the factor, which is that of floating-point arrays."""

_WITH_NUMBER_ON_STORED: tuple[tuple[str, tuple[str, ...], WithNumber, str], ...] = (
    ("_scatter_plus_scalar", (), torch.add, "Adds a number to the stored elements of an array."),
    (
        "_scatter_minus_scalar",
        (),
        torch.sub,
        "Subtracts a number from the stored elements of an array.",
    ),
)

_WITH_NUMBER: tuple[tuple[str, tuple[str, ...], WithNumber, str], ...] = (
    ("_rminus_scalar", ("_RMinusScalar",), torch.rsub, "Subtracts an array from a number."),
    (
        "_rdiv_scalar",
        ("_RDivScalar",),
        _rdiv_number,
        "Divides a number by an array; integers round towards zero.",
    ),
    ("_power_scalar", ("_PowerScalar",), power_number, "Raises an array to a power."),
    (
        "_rpower_scalar",
        ("_RPowerScalar",),
        power_of_number,
        "Raises a number to the powers in an array.",
    ),
    (
        "_maximum_scalar",
        ("_MaximumScalar", "_npi_maximum_scalar"),
        clamp_min,
        "Returns the larger of an element and a number.",
    ),
    (
        "_minimum_scalar",
        ("_MinimumScalar", "_npi_minimum_scalar"),
        clamp_max,
        "Returns the smaller of an element and a number.",
    ),
    (
        "_hypot_scalar",
        ("_HypotScalar", "_npi_hypot_scalar"),
        lambda data, scalar: hypot(data, as_array(scalar, data)),
        "Returns the hypotenuse of a right triangle from an array and a number, its legs.",
    ),
)

elementary(
    "broadcast_add",
    torch.add,
    "Adds two arrays, broadcasting them."
    + on_pairs("broadcast_add", "[[1, 2], [3, 4]]", "[[10], [100]]", "[[ 11.  12.]\n [103. 104.]]"),
    inputs=("lhs", "rhs"),
    aliases=("broadcast_plus",),
    traits=replace(BROADCASTING, role="broadcast_addition"),
)
elementary(
    "broadcast_sub",
    torch.sub,
    "Subtracts the second array from the first, broadcasting them."
    + on_pairs("broadcast_sub", "[[1, 2], [3, 4]]", "[1, 2]", "[[0. 0.]\n [2. 2.]]"),
    inputs=("lhs", "rhs"),
    aliases=("broadcast_minus",),
    traits=replace(BROADCASTING, role="subtraction"),
)
elementary(
    "broadcast_mod",
    mod,
    "Returns the remainder of a division, with the divisor's sign, broadcasting the arrays."
    + on_pairs("broadcast_mod", "[-7, 7]", "[[3], [-3]]", "[[ 2.  1.]\n [-1. -2.]]"),
    inputs=("lhs", "rhs"),
    traits=BROADCASTING_REMAINDER,
)
for _name, _aliases, _binary, _doc in _BROADCASTING:
    elementary(_name, _binary, _doc, inputs=("lhs", "rhs"), aliases=_aliases, traits=BROADCASTING)
for _name, _aliases, _binary, _doc, _role in _BY_DENSE:
    _storage = Storage(result=storage_types.of_csr_by_dense, algorithm="broadcast")
    _traits = replace(BROADCASTING, storage=_storage, role=_role)
    elementary(_name, _binary, _doc, inputs=("lhs", "rhs"), aliases=_aliases, traits=_traits)
for _name, _aliases, _binary, _doc in _ALIKE:
    elementary(_name, alike(_name, _binary), _doc, inputs=("lhs", "rhs"), aliases=_aliases)
for _name, _aliases, _binary, _doc, _traits in _WITH_TRAITS:
    elementary(
        _name, alike(_name, _binary), _doc, inputs=("lhs", "rhs"), aliases=_aliases, traits=_traits
    )
for _name, _aliases, _with_number, _doc in _REMAINDERS_BY_NUMBER:
    declare_scalar(_name, _with_number, _doc, aliases=_aliases, traits=REMAINDER)
for _name, _aliases, _with_number, _doc in _WITH_NUMBER:
    declare_scalar(_name, _with_number, _doc, aliases=_aliases)
for _name, _aliases, _with_number, _doc in _WITH_NUMBER_IF_ZERO_STAYS:
    declare_scalar(_name, _with_number, _doc, aliases=_aliases, traits=IF_ZERO_STAYS)
for _name, _aliases, _with_number, _doc, _factor in _MULTIPLES:
    # a gradient is divided by an integer as the elements are, not multiplied by a slope of 0
    _traits = replace(ON_STORED, types=SAME_DTYPE, fusion=Fusion(factor=_factor))
    declare_scalar(_name, _with_number, _doc, aliases=_aliases, traits=_traits)
for _name, _aliases, _with_number, _doc in _WITH_NUMBER_ON_STORED:
    declare_scalar(_name, _with_number, _doc, aliases=_aliases, traits=ON_STORED)


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


_COMPARISON = replace(
    ELEMENTWISE, role="comparison", storage=Storage(gradient=storage_types.like_inputs)
)
_BROADCAST_COMPARISON = replace(BROADCASTING, role="comparison")
_COMPARISON_WITH_NUMBER = replace(
    ELEMENTWISE,
    role="comparison",
    storage=replace(storage_types.IF_ZERO_STAYS, gradient=storage_types.like_inputs),
)

_TESTS: tuple[tuple[str, str, Binary, WithNumber, str, str], ...] = (
    (
        "equal",
        "Equal",
        torch.eq,
        torch.eq,
        "Tests whether an element equals {}.",
        "[[1. 0.]\n [0. 1.]]",
    ),
    (
        "not_equal",
        "Not_Equal",
        torch.ne,
        torch.ne,
        "Tests whether an element differs from {}.",
        "[[0. 1.]\n [1. 0.]]",
    ),
    (
        "greater",
        "Greater",
        torch.gt,
        torch.gt,
        "Tests whether an element is greater than {}.",
        "[[0. 1.]\n [0. 0.]]",
    ),
    (
        "greater_equal",
        "Greater_Equal",
        torch.ge,
        torch.ge,
        "Tests whether an element is at least {}.",
        "[[1. 1.]\n [0. 1.]]",
    ),
    (
        "lesser",
        "Lesser",
        torch.lt,
        torch.lt,
        "Tests whether an element is less than {}.",
        "[[0. 0.]\n [1. 0.]]",
    ),
    (
        "lesser_equal",
        "Lesser_Equal",
        torch.le,
        torch.le,
        "Tests whether an element is at most {}.",
        "[[1. 0.]\n [1. 1.]]",
    ),
)
"""Name, name in the old style, test of two arrays, test of an array and a number, documentation,
and what the example gives."""

_CONNECTIVES: tuple[tuple[str, str, Binary, WithNumber, str, str], ...] = (
    (
        "logical_and",
        "Logical_And",
        torch.logical_and,
        _and_number,
        "Tests whether both an element and {} are other than zero.",
        "[[0. 0.]\n [0. 1.]]",
    ),
    (
        "logical_or",
        "Logical_Or",
        torch.logical_or,
        _or_number,
        "Tests whether an element or {} is other than zero.",
        "[[0. 1.]\n [1. 1.]]",
    ),
    (
        "logical_xor",
        "Logical_Xor",
        torch.logical_xor,
        _xor_number,
        "Tests whether just one of an element and {} is other than zero.",
        "[[0. 1.]\n [1. 0.]]",
    ),
)


def _declare(
    name: str,
    old_name: str,
    test: Binary,
    with_number: WithNumber,
    doc: str,
    results: str,
    *,
    operands: tuple[str, str],
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
        traits=_COMPARISON,
    )
    elementary(
        f"broadcast_{name}",
        kernel,
        f"{doc_of_arrays[:-1]}, broadcasting the arrays."
        + on_pairs(f"broadcast_{name}", *operands, results),
        inputs=("lhs", "rhs"),
        differentiable=False,
        traits=_BROADCAST_COMPARISON,
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
    _declare(*_row, operands=("[1, 2]", "[[1], [2]]"), traits=_COMPARISON_WITH_NUMBER)
for _row in _CONNECTIVES:
    _declare(*_row, operands=("[0, 2]", "[[0], [3]]"), traits=_COMPARISON)
