"""Functions of one array that act on each element, and small relatives of them.

Among the relatives are operators whose gradient is not that of what they compute, and those on
storage types, which in graphs, where every array is dense, leave the elements as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Literal, TypeAlias

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import BackwardCFunction

from mxnet._formats.element_types import name_of
from mxnet._state import rules
from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import DType, Number
from mxnet.ops.core.carriers import convert
from mxnet.ops.core.devices import constant
from mxnet.ops.core.registry import elementary, example, on_elements, op
from mxnet.ops.core.scalars import as_positions, clamp
from mxnet.ops.core.traits import (
    ELEMENTWISE,
    NAMED_INPUTS,
    PASSES_THROUGH,
    SAME_SHAPE,
    Activation,
    Attrs,
    Fusion,
    Shapes,
    Storage,
    Traits,
    Types,
)
from mxnet.ops.math.binary import declare_scalar
from mxnet.ops.rules import flops, shape_rules, storage_types

Unary: TypeAlias = Callable[[Tensor], Tensor]


_SMALL = frozenset({torch.bool, torch.int8, torch.uint8})
"""Types whose functions are of float16 in MXNet 2; those of wider integers are of float32."""


def with_integers(name: str, function: Unary) -> Unary:
    """Extends a function of floats to integers: they stay integers, the fraction is dropped.

    In MXNet 2 functions of the NumPy dialect give floats.
    """
    may_become_float = name.startswith("_npi_")

    def kernel(data: Tensor) -> Tensor:
        if data.dtype.is_floating_point:
            return function(data)
        if may_become_float and rules.version > 1:
            return function(data.to(torch.float16 if data.dtype in _SMALL else torch.float32))
        if data.dtype is torch.bool:
            raise MXNetError(f"{name}: expected numbers, got bool")
        result = function(data.double())
        if data.dtype is torch.uint8:
            # What int32 cannot hold is its least number, whose low bits are 0.
            result = result.to(torch.int32)
        return result.to(data.dtype)

    return kernel


def _require_floats(name: str, data: Tensor) -> None:
    if not data.dtype.is_floating_point:
        raise MXNetError(f"{name}: expected floating-point input, got {name_of(data.dtype)}")


def _round(data: Tensor) -> Tensor:
    whole = torch.trunc(data)
    return whole + torch.sign(data) * ((data - whole).abs() >= 0.5)


def _rint(data: Tensor) -> Tensor:
    below = torch.floor(data)
    return below + (data - below > 0.5)


class _CubeRoot(torch.autograd.Function):
    """Cube root whose slope at zero is infinite, where powers of torch give nan."""

    @staticmethod
    def forward(ctx: BackwardCFunction, data: Tensor) -> Tensor:
        root = torch.copysign(data.abs().pow(1 / 3), data)
        if data.dtype is torch.float64:  # where 64 ** (1 / 3) is below 4
            step = (root * root * root - data) / (3 * root * root)
            root = torch.where(step.isfinite(), root - step, root)
        ctx.save_for_backward(root)
        return root

    @staticmethod
    def backward(ctx: BackwardCFunction, *gradients: Tensor) -> Tensor:
        (root,) = ctx.saved_tensors
        return gradients[0] / (3 * root * root)


def _cbrt(data: Tensor) -> Tensor:
    root: Tensor = _CubeRoot.apply(data)  # type: ignore[no-untyped-call]  # torch gives no types
    return root


class _LogGamma(torch.autograd.Function):
    """Logarithm of the gamma function whose slope at its poles is infinite, not nan."""

    @staticmethod
    def forward(ctx: BackwardCFunction, data: Tensor) -> Tensor:
        ctx.save_for_backward(data)
        return torch.lgamma(data)

    @staticmethod
    def backward(ctx: BackwardCFunction, *gradients: Tensor) -> Tensor:
        (data,) = ctx.saved_tensors
        is_pole = (data <= 0) & (data == torch.floor(data))
        return gradients[0] * torch.digamma(data).masked_fill(is_pole, math.inf)


def _log_gamma(data: Tensor) -> Tensor:
    if not data.requires_grad:
        return torch.lgamma(data)
    value: Tensor = _LogGamma.apply(data)  # type: ignore[no-untyped-call]  # torch gives no types
    return value


def _gamma(data: Tensor) -> Tensor:
    if not data.dtype.is_floating_point:
        return torch.round(_gamma(data.double())).to(data.dtype)
    below = torch.floor(data)
    size = _log_gamma(data).exp()
    negative = ((data < 0) & (below % 2 != 0)) | ((data == 0) & torch.signbit(data))
    value = torch.where(negative, -size, size)
    return value.masked_fill((data < 0) & (data == below), math.nan)


def _logical_not(data: Tensor) -> Tensor:
    return torch.eq(data, 0).to(data.dtype)


ANY_NUMBERS: tuple[tuple[str, Unary, str], ...] = (
    ("sign", torch.sign, "Sign of each element: -1, 0 or 1."),
    ("negative", torch.neg, "Negative of each element."),
    ("square", torch.square, "Square of each element."),
)

ROUNDING: tuple[tuple[str, Unary, str], ...] = (
    ("ceil", torch.ceil, "Rounds each element up."),
    ("floor", torch.floor, "Rounds each element down."),
    ("trunc", torch.trunc, "Rounds each element towards zero."),
    ("fix", torch.trunc, "Rounds each element towards zero, as `trunc` does."),
    ("rint", _rint, "Rounds each element to the nearest integer, halves down."),
)

FLOATS_ON_STORED: tuple[tuple[str, Unary, str], ...] = (
    ("sqrt", torch.sqrt, "Square root of each element."),
    ("cbrt", _cbrt, "Cube root of each element."),
    ("expm1", torch.expm1, "Exponential minus one, precise for small elements."),
    ("log1p", torch.log1p, "Logarithm of one plus each element, precise for small elements."),
    ("sin", torch.sin, "Sine of each element, in radians."),
    ("tan", torch.tan, "Tangent of each element, in radians."),
    ("arcsin", torch.asin, "Inverse sine, between -pi/2 and pi/2."),
    ("arctan", torch.atan, "Inverse tangent, between -pi/2 and pi/2."),
    ("sinh", torch.sinh, "Hyperbolic sine of each element."),
    ("arcsinh", torch.asinh, "Inverse hyperbolic sine."),
    ("arctanh", torch.atanh, "Inverse hyperbolic tangent."),
    ("degrees", torch.rad2deg, "Converts radians to degrees."),
    ("radians", torch.deg2rad, "Converts degrees to radians."),
)
"""As below, and of a sparse array they change the stored elements only."""

FLOAT_FUNCTIONS: tuple[tuple[str, Unary, str], ...] = (
    ("reciprocal", torch.reciprocal, "Reciprocal of each element."),
    ("exp", torch.exp, "Exponential of each element."),
    ("log", torch.log, "Natural logarithm of each element."),
    ("log10", torch.log10, "Logarithm to base 10."),
    ("log2", torch.log2, "Logarithm to base 2."),
    ("cos", torch.cos, "Cosine of each element, in radians."),
    ("arccos", torch.acos, "Inverse cosine, between 0 and pi."),
    ("cosh", torch.cosh, "Hyperbolic cosine of each element."),
    ("arccosh", torch.acosh, "Inverse hyperbolic cosine."),
)
"""Functions of floats, which give integers for integers."""

_CLASSIC_ANY_NUMBERS: tuple[tuple[str, Unary, str], ...] = (
    ("abs", torch.abs, "Absolute value of each element."),
)
_CLASSIC_ROUNDING: tuple[tuple[str, Unary, str], ...] = (
    ("round", _round, "Rounds each element to the nearest integer, halves away from zero."),
)
_CLASSIC_FLOAT_FUNCTIONS: tuple[tuple[str, Unary, str], ...] = (
    ("rsqrt", torch.rsqrt, "Reciprocal of the square root of each element."),
    ("rcbrt", lambda data: torch.reciprocal(_cbrt(data)), "Reciprocal of the cube root."),
    ("softsign", F.softsign, "Softsign `x / (1 + |x|)` of each element."),
)
"""The NumPy dialect has no operators of its own for these; all above it has, as `_npi_sqrt`."""
_SHARED_FLOAT_FUNCTIONS: tuple[tuple[str, Unary, str], ...] = (
    ("erf", torch.erf, "Error function of each element."),
    ("erfinv", torch.erfinv, "Inverse of the error function."),
    ("gammaln", _log_gamma, "Logarithm of the absolute value of the gamma function."),
    ("digamma", torch.digamma, "Slope of the logarithm of the gamma function."),
    ("log_sigmoid", F.logsigmoid, "Logarithm of the logistic function, `-log(1 + exp(-x))`."),
    ("mish", F.mish, "Mish `x * tanh(log(1 + exp(x)))` of each element."),
)
"""The NumPy dialect has other names for these, as `_npx_erf`; MXNet 2 added the last three."""

_ON_STORED = replace(ELEMENTWISE, storage=storage_types.ON_STORED)
_ROUNDING = replace(ELEMENTWISE, storage=storage_types.WITHOUT_GRADIENT)
_CURVED = replace(ELEMENTWISE, storage=storage_types.WITH_DENSE_GRADIENT)

_SHOWN: Mapping[str, tuple[str, str] | tuple[str, str, int]] = {
    "sign": ("-2, 0, 3", "-1.  0.  1."),
    "negative": ("-2, 3", " 2. -3."),
    "square": ("-2, 3", "4. 9."),
    "abs": ("-2, 3", "2. 3."),
    "ceil": ("-1.5, 1.5", "-1.  2."),
    "floor": ("-1.5, 1.5", "-2.  1."),
    "trunc": ("-1.5, 1.5", "-1.  1."),
    "fix": ("-1.5, 1.5", "-1.  1."),
    "rint": ("-1.6, 0.5, 1.5", "-2.  0.  1."),
    "round": ("-1.5, 0.4, 0.5", "-2.  0.  1."),
    "sqrt": ("4, 9", "2. 3."),
    "cbrt": ("-8, 27", "-2.  3.", 3),
    "rsqrt": ("4, 25", "0.5 0.2", 3),
    "rcbrt": ("8, 64", "0.5  0.25", 3),
    "reciprocal": ("2, 4", "0.5  0.25"),
    "exp": ("0, 1", "1.    2.718", 3),
    "digamma": ("1, 2", "-0.577  0.423", 3),
    "log_sigmoid": ("-2, 0", "-2.127 -0.693", 3),
    "mish": ("-2, 1", "-0.253  0.865", 3),
    "expm1": ("0, 1", "0.    1.718", 3),
    "log": ("1, 10", "0.    2.303", 3),
    "log1p": ("0, 9", "0.    2.303", 3),
    "log10": ("1, 1000", "0. 3.", 3),
    "log2": ("1, 8", "0. 3.", 3),
    "sin": ("0, 0.5", "0.    0.479", 3),
    "cos": ("0, 0.5", "1.    0.878", 3),
    "tan": ("0, 0.5", "0.    0.546", 3),
    "arcsin": ("-1, 0.5", "-1.571  0.524", 3),
    "arccos": ("-1, 0.5", "3.142 1.047", 3),
    "arctan": ("-1, 0.5", "-0.785  0.464", 3),
    "sinh": ("0, 0.5", "0.    0.521", 3),
    "cosh": ("0, 0.5", "1.    1.128", 3),
    "arcsinh": ("0, 0.5", "0.    0.481", 3),
    "arccosh": ("1, 2", "0.    1.317", 3),
    "arctanh": ("0, 0.5", "0.    0.549", 3),
    "degrees": ("0, 3.14159265", "  0. 180.", 3),
    "radians": ("90, 180", "1.571 3.142", 3),
    "softsign": ("-1, 3", "-0.5   0.75"),
    "erf": ("0, 0.5", "0.   0.52", 3),
    "erfinv": ("0, 0.5", "0.    0.477", 3),
    "gamma": ("1, 5", " 1. 24.", 3),
    "gammaln": ("1, 5", "0.    3.178", 3),
}
"""What the examples of the functions above give, and what they get; see `on_elements`."""


def _declare(
    name: str, kernel: Unary, doc: str, *aliases: str, traits: Traits = ELEMENTWISE
) -> None:
    """Declares a row of the tables with its example."""
    elementary(name, kernel, doc + on_elements(name, *_SHOWN[name]), aliases=aliases, traits=traits)


for _name, _function, _doc in (*ANY_NUMBERS, *_CLASSIC_ANY_NUMBERS):
    _declare(_name, _function, _doc, traits=_ON_STORED)
for _name, _function, _doc in (*ROUNDING, *_CLASSIC_ROUNDING):
    _declare(_name, _function, _doc, traits=_ROUNDING)
for _name, _function, _doc in FLOATS_ON_STORED:
    _declare(_name, with_integers(_name, _function), _doc, traits=_CURVED)
for _name, _function, _doc in (*FLOAT_FUNCTIONS, *_CLASSIC_FLOAT_FUNCTIONS):
    _declare(_name, with_integers(_name, _function), _doc)
for _name, _function, _doc in _SHARED_FLOAT_FUNCTIONS:
    _declare(_name, with_integers(_name, _function), _doc, f"_npx_{_name}")
_declare("gamma", _gamma, "Gamma function of each element.", "_npx_gamma")
elementary(
    "relu",
    torch.relu,
    "Rectifier: each element, or zero if it is negative." + on_elements("relu", "-1, 2", "0. 2."),
    traits=replace(_ON_STORED, fusion=Fusion(activation=("relu", ()))),
)
elementary(
    "tanh",
    with_integers("tanh", torch.tanh),
    "Hyperbolic tangent of each element." + on_elements("tanh", "0, 0.5", "0.    0.462", 3),
    traits=replace(_CURVED, fusion=Fusion(activation=("tanh", ()))),
)
elementary(
    "sigmoid",
    with_integers("sigmoid", torch.sigmoid),
    "Logistic function `1 / (1 + exp(-x))` of each element."
    + on_elements("sigmoid", "0, 2", "0.5   0.881", 3),
    traits=replace(ELEMENTWISE, fusion=Fusion(activation=("sigmoid", ()))),
)
elementary(
    "_copy",
    torch.clone,
    "Copies an array." + on_elements("identity", "1, 2", "1. 2."),
    aliases=("identity",),
    traits=replace(ELEMENTWISE, storage=storage_types.ON_STORED, fusion=PASSES_THROUGH),
)
elementary(
    "logical_not",
    _logical_not,
    "Tests whether an element is zero; true is one." + on_elements("logical_not", "0, 2", "1. 0."),
    differentiable=False,
)


@op("hard_sigmoid", traits=ELEMENTWISE)
def hard_sigmoid(data: Tensor, *, alpha: float = 0.2, beta: float = 0.5) -> Tensor:
    """Computes the piecewise linear sigmoid ``min(max(alpha * data + beta, 0), 1)``.

    Args:
        data: Floating-point input.
        alpha: Slope.
        beta: Value at zero.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.hard_sigmoid(mx.nd.array([-5, 0, 1, 5])).asnumpy())
        [0.  0.5 0.7 1. ]
    """
    _require_floats("hard_sigmoid", data)
    line = alpha * data + beta
    limited = line.detach().clamp(0, 1)
    # at the corners there is no slope, whatever torch says about its own functions there
    return torch.where((limited > 0) & (limited < 1), line, limited)


@op(
    "Cast",
    aliases=("cast", "_npx_cast", "_npi_cast"),
    traits=Traits(shapes=SAME_SHAPE, flops=flops.nothing, types=Types(converts=True)),
)
def cast(data: Tensor, *, dtype: DType) -> Tensor:
    """Converts an array to another element type.

    Args:
        data: Input of any type.
        dtype: Type of the result.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.cast(mx.nd.array([1.7, -1.7]), dtype="int32").asnumpy())
        [ 1 -1]
    """
    return convert(data, dtype)


def _as_activation(*, a_min: float, a_max: float) -> Activation | None:
    return ("hardtanh", (a_min, a_max)) if a_min <= a_max else None


@op(
    "clip",
    aliases=("_npi_clip",),
    traits=replace(
        ELEMENTWISE,
        storage=replace(storage_types.IF_ZERO_STAYS, gradient=storage_types.dense_gradient),
        fusion=Fusion(activation=_as_activation),
    ),
)
def clip(data: Tensor, *, a_min: Number, a_max: Number) -> Tensor:
    """Limits each element to the interval from `a_min` to `a_max`.

    Args:
        data: Input.
        a_min: Smallest value of the result; nan is no limit.
        a_max: Largest value of the result; nan is no limit.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.clip(mx.nd.array([-5, 0.5, 5]), a_min=0, a_max=1).asnumpy())
        [0.  0.5 1. ]
    """
    low = -math.inf if math.isnan(a_min) else a_min
    high = math.inf if math.isnan(a_max) else a_max
    return clamp(data, low, high)


@op("smooth_l1", aliases=("_npx_smooth_l1",), traits=ELEMENTWISE)
def smooth_l1(data: Tensor, *, scalar: float = 1.0) -> Tensor:
    """Computes the smooth L1 loss of each element: a parabola near zero, straight elsewhere.

    With ``bend = 1 / scalar ** 2`` it is ``x ** 2 / (2 * bend)`` where ``|x| < bend``, and
    ``|x| - bend / 2`` elsewhere.

    Args:
        data: Input.
        scalar: Determines where the parabola ends; larger is closer to the absolute value.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.smooth_l1(mx.nd.array([-3, 0.5, 2])).asnumpy())
        [2.5   0.125 1.5  ]
    """
    square = scalar * scalar
    bend = 1 / square if square else math.inf
    if data.dtype in (torch.float32, torch.float64) and 0 < bend < math.inf:
        origin = data.new_zeros(()).expand_as(data)
        return F.smooth_l1_loss(data, origin, reduction="none", beta=bend)
    size = data.abs()
    # outside of the bend the square may overflow and spoil the gradient
    near = clamp(data, -bend, bend)
    loss = torch.where(size < bend, 0.5 * square * near * near, size - 0.5 * bend)
    return loss.to(data.dtype)


@op(
    "add_n",
    aliases=("ElementWiseSum",),
    traits=replace(
        ELEMENTWISE,
        labels=NAMED_INPUTS,
        storage=Storage(
            result=storage_types.only_all("row_sparse"),
            gradient=storage_types.of_head,
            algorithm="merge_rows",
        ),
    ),
)
def add_n(*args: Tensor) -> Tensor:
    """Adds any number of arrays of one shape.

    Args:
        args: The arrays, at least one.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.add_n(mx.nd.ones(2), mx.nd.ones(2), mx.nd.array([1, 2])).asnumpy())
        [3. 4.]
    """
    if not args:
        raise MXNetError("add_n: expected at least one array, got none")
    shape = args[0].shape
    for array in args:
        if array.shape != shape:
            raise MXNetError(f"add_n: expected shape {tuple(shape)}, got {tuple(array.shape)}")
    return reduce(torch.add, args) if len(args) > 1 else args[0].clone()


def _has_no_constant(attrs: Attrs) -> bool:
    """Returns whether a quadratic function is 0 at 0."""
    return bool(attrs.get("c", 0) == 0)


@op(
    "_contrib_quadratic",
    traits=replace(
        ELEMENTWISE,
        storage=Storage(result=storage_types.only("csr", _has_no_constant), algorithm="map_matrix"),
    ),
)
def quadratic(data: Tensor, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Tensor:
    """Computes ``a * x ** 2 + b * x + c`` of each element.

    Args:
        data: Input.
        a: Coefficient of the square.
        b: Coefficient of the element.
        c: Constant.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.contrib.quadratic(mx.nd.array([0, 1, 2]), a=1, b=2, c=3).asnumpy())
        [ 3.  6. 11.]
    """
    return (a * data * data + b * data + c).to(data.dtype)


@op("_contrib_div_sqrt_dim", traits=ELEMENTWISE)
def div_sqrt_dim(data: Tensor) -> Tensor:
    """Divides an array by the square root of the size of its last axis.

    Integers are divided by the whole part of that root and stay integers.

    Args:
        data: Input of shape `(..., units)`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.contrib.div_sqrt_dim(mx.nd.array([[2, 4, 6, 8]])).asnumpy())
        [[1. 2. 3. 4.]]
    """
    if data.dtype.is_floating_point:
        return data / math.sqrt(data.shape[-1])
    return torch.div(data, math.isqrt(data.shape[-1]), rounding_mode="trunc")


@op("_contrib_allclose", differentiable=False)
def allclose(
    a: Tensor, b: Tensor, *, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = True
) -> Tensor:
    """Tests whether ``|a - b| <= atol + rtol * |b|`` for all elements of two arrays of one shape.

    Args:
        a: First array.
        b: Second array.
        rtol: Tolerance relative to `b`.
        atol: Absolute tolerance.
        equal_nan: Whether two nan count as equal.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([1, 2])
        >>> print(mx.nd.contrib.allclose(x, x + 1e-9).asnumpy())
        1
    """
    if a.shape != b.shape:
        raise MXNetError(
            f"_contrib_allclose: expected shape {tuple(a.shape)}, got {tuple(b.shape)}"
        )
    close: Tensor = torch.isclose(a, b, rtol, atol, equal_nan).all()
    return close.to(torch.uint8)


@op(
    "shape_array",
    aliases=("_npx_shape_array",),
    differentiable=False,
    traits=Traits(shapes=Shapes(asked=("data",))),
)
def shape_array(data: Tensor) -> Tensor:
    """Returns the shape of an array as an array of int64.

    Args:
        data: Input of any shape.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.shape_array(mx.nd.zeros((2, 3))).asnumpy())
        [2 3]
    """
    return constant(tuple(data.shape), torch.int64, data.device).clone()


@op("size_array", differentiable=False, traits=Traits(shapes=Shapes(early=shape_rules.one_element)))
def size_array(data: Tensor) -> Tensor:
    """Returns the number of elements of an array as an array of int64, of shape `(1,)`.

    Args:
        data: Input of any shape.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.size_array(mx.nd.zeros((2, 3))).asnumpy())
        [6]
    """
    return torch.full((1,), data.numel(), dtype=torch.int64, device=data.device)


class _PassThrough(torch.autograd.Function):
    """Returns values with the gradient of `data` itself."""

    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, data: Tensor, values: Tensor) -> Tensor:  # noqa: ARG004
        return values

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, gradient: Tensor) -> tuple[Tensor, None]:  # noqa: ARG004
        return gradient, None


def _round_through(data: Tensor) -> Tensor:
    if not data.is_floating_point():
        return data.clone()
    whole = data.detach()
    values = whole.sign() * (whole.abs() + 0.5).floor()
    return _PassThrough.apply(data, values)  # type: ignore[no-any-return, no-untyped-call]


def _sign_through(data: Tensor) -> Tensor:
    return _PassThrough.apply(data, data.detach().sign())  # type: ignore[no-any-return, no-untyped-call]


def _shown_through(name: str, elements: str, results: str) -> str:
    """Returns the section that shows the elements and the gradient of a function."""
    return example(
        f">>> x = mx.nd.array([{elements}])",
        ">>> x.attach_grad()",
        ">>> with mx.autograd.record():",
        f"...     y = mx.nd.contrib.{name}(x)",
        ">>> y.backward()",
        ">>> print(y.asnumpy(), x.grad.asnumpy())",
        results,
    )


elementary(
    "_contrib_round_ste",
    _round_through,
    "Rounds to whole numbers, halves away from zero; gradients pass as if nothing was done."
    + _shown_through("round_ste", "-1.5, 0.4", "[-2.  0.] [1. 1.]"),
    traits=_ON_STORED,
)
elementary(
    "_contrib_sign_ste",
    _sign_through,
    "Returns the sign of each element; gradients pass as if nothing was done."
    + _shown_through("sign_ste", "-1.5, 0.4", "[-1.  1.] [1. 1.]"),
    traits=_ON_STORED,
)


class _Multiply(torch.autograd.Function):
    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, data: Tensor, factor: float) -> Tensor:
        ctx.factor = factor  # type: ignore[attr-defined]  # torch keeps what is set on it
        return data.clone()

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, gradient: Tensor) -> tuple[Tensor, None]:
        return gradient * ctx.factor, None  # type: ignore[attr-defined]


@op("_contrib_gradientmultiplier", fresh=True, traits=ELEMENTWISE)
def gradient_multiplier(data: Tensor, *, scalar: float = 1.0, is_int: bool = True) -> Tensor:
    """Returns its input and multiplies the gradient, to slow a part of a network down or turn it.

    Args:
        data: Any array.
        scalar: Factor of the gradient; a negative one reverses it.
        is_int: Accepted for compatibility.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([1, 2])
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     y = mx.nd.contrib.gradientmultiplier(x, scalar=0.5)
        ...
        >>> y.backward()
        >>> print(y.asnumpy(), x.grad.asnumpy())
        [1. 2.] [0.5 0.5]
    """
    return _Multiply.apply(data, scalar)  # type: ignore[no-any-return, no-untyped-call]


declare_scalar(
    "_contrib_backward_gradientmultiplier",
    torch.mul,
    "Multiplies a gradient as `gradientmultiplier` does in its backward pass.",
    shown=example(
        ">>> gradient = mx.nd.array([1, 2])",
        ">>> print(mx.nd.contrib.backward_gradientmultiplier(gradient, scalar=-1).asnumpy())",
        "[-1. -2.]",
    ),
)


def _as_asked(stypes: Sequence[str], attrs: Attrs) -> str:
    return str(attrs["stype"])


_CAST = Storage(result=_as_asked, gradient=storage_types.of_head, from_attrs=True)


@op("cast_storage", fresh=True, traits=Traits(storage=_CAST))
def cast_storage(data: Tensor, *, stype: Literal["csr", "default", "row_sparse"]) -> Tensor:
    """Copies an array; a graph keeps the dense form of it, whatever storage type is asked for.

    Args:
        data: Any array.
        stype: Storage type: dense (`default`), or one that stores only what is not zero.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[0, 0], [1, 2]])
        >>> print(mx.nd.cast_storage(x, stype="row_sparse").indices.asnumpy())
        [1]
    """
    return data.clone()


@op(
    "_sparse_retain",
    any_dtype=("indices",),
    traits=Traits(
        storage=Storage(result=storage_types.only("row_sparse"), gradient=storage_types.like_inputs)
    ),
)
def retain(data: Tensor, indices: Tensor) -> Tensor:
    """Keeps some rows of an array and sets the others to zero.

    Args:
        data: Any array.
        indices: Numbers of the rows to keep.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[1, 2], [3, 4], [5, 6]]).tostype("row_sparse")
        >>> print(mx.nd.sparse.retain(x, mx.nd.array([0, 2])).asnumpy())
        [[1. 2.]
         [0. 0.]
         [5. 6.]]
    """
    kept, rows = torch.zeros_like(data), as_positions(indices)
    return kept.index_copy(0, rows, data.index_select(0, rows))


@op(
    "_contrib_getnnz",
    differentiable=False,
    traits=Traits(storage=Storage(algorithm="count_stored")),
)
def getnnz(data: Tensor, *, axis: int | None = None) -> Tensor:
    """Counts the elements of a csr array that are stored; those that are not zero in a graph.

    Args:
        data: A matrix.
        axis: 1 to count in each row.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[0, 1], [2, 3]]).tostype("csr")
        >>> print(mx.nd.contrib.getnnz(x).asnumpy())
        [3]
    """
    if data.ndim != 2 or axis not in (None, 1):
        raise MXNetError(
            f"_contrib_getnnz: expected a matrix and axis 1 or None, got shape "
            f"{tuple(data.shape)} and axis {axis}"
        )
    stored = data != 0
    return stored.sum(1) if axis == 1 else stored.sum().view(1)


@op(
    "_contrib_edge_id",
    any_dtype=("u", "v"),
    differentiable=False,
    traits=Traits(storage=Storage(algorithm="find_edges")),
)
def edge_id(data: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Looks elements of a csr array up; -1 stands where none is stored, in a graph where it is 0.

    Args:
        data: A matrix, whose elements are the numbers of edges between rows and columns.
        u: Rows.
        v: Columns, as many.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[0, 5], [7, 0]]).tostype("csr")
        >>> print(mx.nd.contrib.edge_id(x, mx.nd.array([0, 0]), mx.nd.array([0, 1])).asnumpy())
        [-1.  5.]
    """
    check_edges(data.shape, u, v)
    row, column = as_positions(u), as_positions(v)
    inside = (row >= 0) & (row < data.shape[0]) & (column >= 0) & (column < data.shape[1])
    edges = data[row.where(inside, 0), column.where(inside, 0)]
    return torch.where(inside & (edges != 0), edges, -1)


def check_edges(shape: tuple[int, ...], u: Tensor, v: Tensor) -> None:
    """Checks the arguments of `edge_id`."""
    if len(shape) != 2 or u.ndim != 1 or u.shape != v.shape:
        raise MXNetError(
            "_contrib_edge_id: expected a matrix and vectors of one length, got shapes "
            f"{tuple(shape)}, {tuple(u.shape)} and {tuple(v.shape)}"
        )
