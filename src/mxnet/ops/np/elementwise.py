"""Functions of one array and of two that act on each element, in the NumPy dialect.

As in the classic dialect integers stay integers: the square root of 2 is 1. Two arrays of different
dtypes are converted to the dtype that can hold both; integers beside floats take their dtype,
whatever its width. A number never widens floats, as in the classic dialect, whose functions of an
array and a number are the same but for true division. Comparisons return arrays of bool.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import reduce

import torch
from torch import Tensor

from mxnet._formats.element_types import name_of
from mxnet._state import rules
from mxnet.errors import ExecutionValueError, MXNetError
from mxnet.ops.core.attrs import Number
from mxnet.ops.core.devices import is_captured
from mxnet.ops.core.registry import Input, Op, elementary, example, op, register
from mxnet.ops.core.scalars import as_element, as_integer
from mxnet.ops.core.traits import ELEMENTWISE, NAMED_INPUTS, NO_TRAITS, SAME_SHAPE, Fusion, Traits
from mxnet.ops.math.binary import (
    BROADCASTING,
    BROADCASTING_REMAINDER,
    REMAINDER,
    Binary,
    WithNumber,
    as_array,
    declare_scalar,
    hypot,
    mod,
    mod_number,
    power,
    power_number,
    power_of_number,
)
from mxnet.ops.math.elementwise import (
    ANY_NUMBERS,
    FLOAT_FUNCTIONS,
    FLOATS_ON_STORED,
    ROUNDING,
    Unary,
    with_integers,
)

_ELEMENTWISE = replace(ELEMENTWISE, labels=NAMED_INPUTS)
_SAME_SHAPE = Traits(shapes=SAME_SHAPE, labels=NAMED_INPUTS)


def _without_bool(name: str, function: Unary) -> Unary:
    """Restricts a function to numbers."""

    def kernel(x: Tensor) -> Tensor:
        if x.dtype is torch.bool:
            raise MXNetError(f"{name}: expected numbers, got bool")
        return function(x)

    return kernel


def _summary(doc: str) -> str:
    """Returns documentation without the example, which is of the classic dialect."""
    return doc.partition("\n")[0]


def _bitwise_not(x: Tensor) -> Tensor:
    if x.dtype.is_floating_point:
        raise MXNetError(f"_npi_bitwise_not: expected integers or bool, got {x.dtype}")
    return torch.bitwise_not(x)


_TESTS: tuple[tuple[str, Unary, str], ...] = (
    ("_npi_isnan", torch.isnan, "Tests whether an element is nan."),
    ("_npi_isinf", torch.isinf, "Tests whether an element is infinite."),
    ("_npi_isposinf", torch.isposinf, "Tests whether an element is positive infinity."),
    ("_npi_isneginf", torch.isneginf, "Tests whether an element is negative infinity."),
    ("_npi_isfinite", torch.isfinite, "Tests whether an element is neither infinite nor nan."),
    ("_npi_logical_not", torch.logical_not, "Tests whether an element is zero."),
)

for _classic_name, _function, _doc in (*ANY_NUMBERS, *ROUNDING):
    _name = f"_npi_{_classic_name}"
    _kernel = _without_bool(_name, _function)
    elementary(_name, _kernel, _summary(_doc), inputs=("x",), traits=_ELEMENTWISE)
for _classic_name, _function, _doc in (*FLOATS_ON_STORED, *FLOAT_FUNCTIONS):
    _name = f"_npi_{_classic_name}"
    _kernel = with_integers(_name, _function)
    elementary(_name, _kernel, _summary(_doc), inputs=("x",), traits=_ELEMENTWISE)
for _name, _function, _doc in _TESTS:
    elementary(_name, _function, _doc, inputs=("x",), differentiable=False, traits=_SAME_SHAPE)
elementary(
    "_npi_absolute",
    _without_bool("_npi_absolute", torch.abs),
    "Absolute value of each element.",
    inputs=("x",),
    aliases=("_npi_abs",),
    traits=_ELEMENTWISE,
)
elementary(
    "_npi_tanh",
    with_integers("_npi_tanh", torch.tanh),
    "Hyperbolic tangent of each element.",
    inputs=("x",),
    traits=replace(_ELEMENTWISE, fusion=Fusion(activation=("tanh", ()))),
)
elementary(
    "_npi_bitwise_not",
    _bitwise_not,
    "Inverts the bits of each element; of bool it is the logical negation.",
    inputs=("x",),
    differentiable=False,
    traits=_SAME_SHAPE,
)


_MAX_DECIMALS = 400
"""More tens than turn any number of float64 into infinity or zero."""


@op("_npi_around", differentiable=False, traits=_SAME_SHAPE)
def around(x: Tensor, *, decimals: int = 0) -> Tensor:
    """Rounds each element to a number of decimals, halves to the even neighbour.

    Integers are rounded towards zero, to tens if `decimals` is -1.

    Args:
        x: Array of integers, float32 or float64.
        decimals: Number of digits behind the point that stay.
    """
    if x.dtype in (torch.bool, torch.float16):
        raise MXNetError(f"_npi_around: expected integers, float32 or float64, got {x.dtype}")
    if x.dtype.is_floating_point:
        # Tens one by one, as in the original: a power of ten in one step rounds otherwise.
        tens = [10.0] * min(abs(decimals), _MAX_DECIMALS)
        shift, back = (torch.mul, torch.div) if decimals > 0 else (torch.div, torch.mul)
        return reduce(back, tens, torch.round(reduce(shift, tens, x)))
    if decimals >= 0:
        return x.clone()
    unit = 10**-decimals
    return x - torch.fmod(x, unit) if unit <= torch.iinfo(x.dtype).max else torch.zeros_like(x)


@op("_npi_nan_to_num", traits=ELEMENTWISE)
def nan_to_num(
    data: Tensor,
    *,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """Replaces nan and infinities by numbers.

    Args:
        data: Array of any dtype; integers and bool stay as they are.
        copy: Has no effect: the result is always a new array.
        nan: Number in place of nan.
        posinf: Number in place of infinity; None for the largest that the dtype has.
        neginf: Number in place of negative infinity; None for the least that the dtype has.
    """
    del copy  # what a caller does with the result
    if not data.dtype.is_floating_point:
        return data.clone()
    limits = torch.finfo(data.dtype)
    high = limits.max if posinf is None else as_element(posinf, data.dtype)
    low = limits.min if neginf is None else as_element(neginf, data.dtype)
    result = torch.where(torch.isnan(data), as_element(nan, data.dtype), data)
    result = torch.where(data == math.inf, high, result)
    return torch.where(data == -math.inf, low, result)


elementary(
    "_npx_relu",
    torch.relu,
    "Returns each element, or zero if it is negative."
    + example(">>> mx.npx.relu(mx.np.array([-2, 0, 3]))", "array([0., 0., 3.])"),
    traits=replace(ELEMENTWISE, fusion=Fusion(activation=("relu", ()))),
)
elementary(
    "_npx_sigmoid",
    with_integers("_npx_sigmoid", torch.sigmoid),
    "Computes the logistic function `1 / (1 + exp(-x))` of each element."
    + example(">>> mx.npx.sigmoid(mx.np.array([-100, 0, 100]))", "array([0. , 0.5, 1. ])"),
    traits=replace(ELEMENTWISE, fusion=Fusion(activation=("sigmoid", ()))),
)


@op("_npx_constraint_check", differentiable=False)
def constraint_check(input: Tensor, *, msg: str = "Constraint violated.") -> Tensor:
    """Returns true if all elements are true, and raises an error otherwise.

    Work that is captured for a GPU returns false instead: nothing may wait for it.

    Args:
        input: Truth values.
        msg: What the error says.
    """
    if input.dtype is not torch.bool:
        raise MXNetError(f"_npx_constraint_check: expected bool, got {input.dtype}")
    holds = input.all()
    if not (holds.is_meta or is_captured(holds) or bool(holds)):
        raise ExecutionValueError(msg)
    return holds


def promote(lhs: Tensor, rhs: Tensor) -> tuple[Tensor, Tensor]:
    """Converts two tensors to one dtype; unlike to torch, a scalar counts as any other array."""
    dtype = torch.promote_types(lhs.dtype, rhs.dtype)
    return lhs.to(dtype), rhs.to(dtype)


def promoting(function: Binary) -> Binary:
    """Extends a function of arrays of one dtype to arrays of two."""

    def kernel(lhs: Tensor, rhs: Tensor) -> Tensor:
        if lhs.dtype is not rhs.dtype:
            lhs, rhs = promote(lhs, rhs)
        return function(lhs, rhs)

    return kernel


def declare_pair(
    name: str,
    function: Binary,
    doc: str,
    *,
    inputs: tuple[str, str] = ("lhs", "rhs"),
    differentiable: bool = True,
    mixes: bool = False,
    traits: Traits = BROADCASTING,
) -> None:
    """Declares an operator of two arrays, which are broadcast.

    Args:
        name: Canonical name.
        function: The operator for arrays of one dtype.
        doc: First sentence of its documentation.
        inputs: Names of the arrays.
        differentiable: Whether it has a gradient other than zero.
        mixes: Whether arrays of different dtypes are converted to a common one.
        traits: What else is known of it.
    """
    register(
        Op(
            name=name,
            kernel=promoting(function) if mixes else function,
            inputs=tuple(map(Input, inputs)),
            attrs={},
            doc=doc,
            fresh=True,
            strict_dtypes=mixes,
            differentiable=differentiable,
            traits=traits,
        )
    )


def _true_divide(lhs: Tensor, rhs: Tensor) -> Tensor:
    if lhs.dtype.is_floating_point:
        return torch.div(lhs, rhs)
    return torch.div(lhs.float(), rhs.float())


def _subtract(lhs: Tensor, rhs: Tensor) -> Tensor:
    return torch.sub(_numbers("_npi_subtract", lhs), rhs)


def _mod(lhs: Tensor, rhs: Tensor) -> Tensor:
    return mod(_numbers("_npi_mod", lhs), rhs)


def _power(lhs: Tensor, rhs: Tensor) -> Tensor:
    return lhs | ~rhs if lhs.dtype is torch.bool else power(lhs, rhs)


def _numbers(name: str, data: Tensor) -> Tensor:
    if data.dtype is torch.bool:
        raise MXNetError(f"{name}: expected numbers, got bool")
    return data


def _floats(name: str, function: Binary) -> Binary:
    """Restricts a function of two arrays to floats."""

    def kernel(lhs: Tensor, rhs: Tensor) -> Tensor:
        if not lhs.dtype.is_floating_point:
            raise MXNetError(f"{name}: expected floating-point input, got {lhs.dtype}")
        return function(lhs, rhs)

    return kernel


def _copysign(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Returns the first array with the signs of the second.

    The slope is 1 or -1 also at zero, where torch has none.
    """
    if not _numbers("_npi_copysign", lhs).dtype.is_floating_point:
        return torch.copysign(lhs.double(), rhs.double()).to(lhs.dtype)
    if not lhs.requires_grad:
        return torch.copysign(lhs, rhs)
    one = torch.ones_like(lhs.detach())
    return lhs * torch.copysign(one, lhs.detach()) * torch.copysign(one, rhs)


def _ldexp(lhs: Tensor, rhs: Tensor) -> Tensor:
    if not _numbers("_npi_ldexp", lhs).dtype.is_floating_point:
        return (lhs.double() * torch.exp2(rhs.double())).to(lhs.dtype)
    return lhs * torch.exp2(rhs)


def _arctan2(lhs: Tensor, rhs: Tensor) -> Tensor:
    if not lhs.dtype.is_floating_point:
        return torch.atan2(lhs.double(), rhs.double()).to(lhs.dtype)
    return torch.atan2(lhs, rhs)


def _by_number(function: Binary) -> WithNumber:
    """Returns a function of an array and a number from one of two arrays."""
    return lambda data, scalar: function(data, as_array(scalar, data))


def _of_number(function: Binary) -> WithNumber:
    """Returns a function of a number and an array from one of two arrays."""
    return lambda data, scalar: function(as_array(scalar, data), data)


_PROMOTING: tuple[tuple[str, Binary, str, Traits], ...] = (
    (
        "_npi_add",
        torch.add,
        "Adds two arrays, broadcasting them.",
        replace(BROADCASTING, role="broadcast_addition"),
    ),
    (
        "_npi_subtract",
        _subtract,
        "Subtracts the second array from the first, broadcasting them.",
        replace(BROADCASTING, role="subtraction"),
    ),
    (
        "_npi_multiply",
        torch.mul,
        "Multiplies two arrays, broadcasting them.",
        replace(BROADCASTING, role="multiplication"),
    ),
    (
        "_npi_true_divide",
        _true_divide,
        "Divides the first array by the second, broadcasting them; of integers it is a float32.",
        replace(BROADCASTING, role="division"),
    ),
    (
        "_npi_mod",
        _mod,
        "Returns the remainder of a division, with the divisor's sign, broadcasting the arrays.",
        BROADCASTING_REMAINDER,
    ),
    (
        "_npi_power",
        _power,
        "Raises the first array to the powers in the second, broadcasting them.",
        BROADCASTING,
    ),
)

_OF_ONE_DTYPE: tuple[tuple[str, Binary, str, tuple[str, str]], ...] = (
    (
        "_npi_copysign",
        _copysign,
        "Returns the first array with the signs of the second, broadcasting them.",
        ("lhs", "rhs"),
    ),
    (
        "_npi_arctan2",
        _floats("_npi_arctan2", torch.atan2),
        "Returns the angle of the point whose height and width two arrays give, broadcast.",
        ("x1", "x2"),
    ),
    (
        "_npi_hypot",
        _floats("_npi_hypot", hypot),
        "Returns the hypotenuse of a right triangle from its legs, broadcasting the arrays.",
        ("x1", "x2"),
    ),
    (
        "_npi_ldexp",
        _ldexp,
        "Multiplies the first array by the powers of two in the second, broadcasting them.",
        ("lhs", "rhs"),
    ),
)

_REMAINDERS_BY_NUMBER: tuple[tuple[str, WithNumber, str], ...] = (
    ("_npi_mod_scalar", mod_number, "Returns the remainder of a division by a number."),
    ("_npi_rmod_scalar", _of_number(mod), "Returns the remainder of a number divided by an array."),
)

_WITH_NUMBER: tuple[tuple[str, WithNumber, str], ...] = (
    ("_npi_add_scalar", torch.add, "Adds a number to an array."),
    ("_npi_subtract_scalar", torch.sub, "Subtracts a number from an array."),
    ("_npi_rsubtract_scalar", torch.rsub, "Subtracts an array from a number."),
    ("_npi_power_scalar", power_number, "Raises an array to a power."),
    ("_npi_rpower_scalar", power_of_number, "Raises a number to the powers in an array."),
    ("_npi_copysign_scalar", _by_number(_copysign), "Returns an array with the sign of a number."),
    (
        "_npi_rcopysign_scalar",
        _of_number(_copysign),
        "Returns a number with the signs of an array.",
    ),
    (
        "_npi_arctan2_scalar",
        _by_number(_arctan2),
        "Returns the angle of a point whose height is in an array and whose width is a number.",
    ),
    (
        "_npi_rarctan2_scalar",
        _of_number(_arctan2),
        "Returns the angle of a point whose height is a number and whose width is in an array.",
    ),
    ("_npi_ldexp_scalar", _by_number(_ldexp), "Multiplies an array by a power of two."),
    ("_npi_rldexp_scalar", _of_number(_ldexp), "Multiplies a number by the powers of two."),
)

for _name, _of_two, _doc, _traits in _PROMOTING:
    declare_pair(_name, _of_two, _doc, mixes=True, traits=_traits)
for _name, _of_two, _doc, _inputs in _OF_ONE_DTYPE:
    declare_pair(_name, _of_two, _doc, inputs=_inputs)
for _name, _with_number, _doc in _REMAINDERS_BY_NUMBER:
    declare_scalar(_name, _with_number, _doc, traits=REMAINDER)
for _name, _with_number, _doc in _WITH_NUMBER:
    declare_scalar(_name, _with_number, _doc)
declare_scalar(
    "_npi_multiply_scalar",
    torch.mul,
    "Multiplies an array by a number.",
    traits=replace(ELEMENTWISE, fusion=Fusion(factor=lambda *, scalar, **_: float(scalar))),
)


def _declare_division(
    name: str, function: WithNumber, doc: str, factor: Callable[..., float | None] | None
) -> None:
    def kernel(data: Tensor, *, scalar: Number = 1.0, is_int: bool = True) -> Tensor:
        del is_int  # the quotient is no integer in any case
        return function(data if data.dtype.is_floating_point else data.float(), float(scalar))

    kernel.__doc__ = f"""{doc}

    Args:
        data: The array; integers become float32.
        scalar: The number.
        is_int: Has no effect.
    """
    op(name, traits=replace(ELEMENTWISE, fusion=Fusion(factor=factor)))(kernel)


_declare_division(
    "_npi_true_divide_scalar",
    torch.div,
    "Divides an array by a number.",
    lambda *, scalar, **_: 1 / scalar if scalar else None,
)
_declare_division(
    "_npi_rtrue_divide_scalar", _of_number(torch.div), "Divides a number by an array.", None
)


_COMPARED = Traits(shapes=SAME_SHAPE, role="comparison")

_COMPARISONS: tuple[tuple[str, Binary, WithNumber, str], ...] = (
    ("_npi_equal", torch.eq, torch.eq, "Tests whether an element equals {}."),
    ("_npi_not_equal", torch.ne, torch.ne, "Tests whether an element differs from {}."),
    ("_npi_greater", torch.gt, torch.gt, "Tests whether an element is greater than {}."),
    ("_npi_greater_equal", torch.ge, torch.ge, "Tests whether an element is at least {}."),
    ("_npi_less", torch.lt, torch.lt, "Tests whether an element is less than {}."),
    ("_npi_less_equal", torch.le, torch.le, "Tests whether an element is at most {}."),
)
"""Name, test of two arrays, test of an array and a number, documentation."""


def _declare_comparison(name: str, test: WithNumber, doc: str) -> None:
    def kernel(data: Tensor, *, scalar: Number = 1.0, is_int: bool = True) -> Tensor:
        if data.dtype.is_floating_point:
            return test(data, float(scalar))
        if data.dtype is torch.bool:
            return test(data, bool(scalar))
        if not is_int or (rules.version > 1 and not float(scalar).is_integer()):
            return test(data.double(), float(scalar))
        return test(data, as_integer(scalar, data.dtype))

    kernel.__doc__ = f"""{doc}

    Args:
        data: The array.
        scalar: The number; beside an array of bool, whether it is other than zero.
        is_int: Whether an integer array is compared with the whole part of the number.
    """
    op(name, differentiable=False, traits=_COMPARED)(kernel)


for _name, _test, _test_number, _doc in _COMPARISONS:
    declare_pair(
        _name,
        _test,
        _doc.format("its counterpart in the other array"),
        differentiable=False,
        mixes=True,
        traits=Traits(role="comparison"),
    )
    _declare_comparison(f"{_name}_scalar", _test_number, _doc.format("a number"))


def _lcm(lhs: Tensor, rhs: Tensor) -> Tensor:
    return torch.logical_and(lhs, rhs) if lhs.dtype is torch.bool else torch.lcm(lhs, rhs)


_FUNCTIONS: tuple[tuple[str, Binary, str], ...] = (
    ("_npi_bitwise_and", torch.bitwise_and, "Joins the bits of an element and {} by `and`."),
    ("_npi_bitwise_or", torch.bitwise_or, "Joins the bits of an element and {} by `or`."),
    (
        "_npi_bitwise_xor",
        torch.bitwise_xor,
        "Joins the bits of an element and {} by an exclusive `or`.",
    ),
    ("_npi_lcm", _lcm, "Returns the least common multiple of an element and {}."),
)


def _restrict(name: str, function: Binary) -> Binary:
    """Restricts a function to whole numbers and bool."""

    def kernel(lhs: Tensor, rhs: Tensor) -> Tensor:
        if lhs.dtype.is_floating_point:
            raise MXNetError(f"{name}: expected integers or bool, got {name_of(lhs.dtype)}")
        return function(lhs, rhs)

    return kernel


def _declare_with_number(name: str, function: Binary, doc: str) -> None:
    def kernel(data: Tensor, *, scalar: Number = 1.0, is_int: bool = True) -> Tensor:
        del is_int  # nothing else is possible
        if data.dtype.is_floating_point:
            raise MXNetError(f"{name}: expected integers or bool, got {name_of(data.dtype)}")
        number = torch.scalar_tensor(as_element(scalar, data.dtype), dtype=data.dtype)
        return function(data, number)

    kernel.__doc__ = f"""{doc}

    Args:
        data: Array of integers or bool.
        scalar: The number, of which the whole part is taken.
        is_int: Has no effect.
    """
    op(name, differentiable=False, traits=Traits(shapes=SAME_SHAPE))(kernel)


for _name, _of_two, _doc in _FUNCTIONS:
    declare_pair(
        _name,
        _restrict(_name, _of_two),
        _doc.format("its counterpart in the other array, broadcasting them"),
        differentiable=False,
        traits=NO_TRAITS,
    )
    _declare_with_number(f"{_name}_scalar", _of_two, _doc.format("a number"))
