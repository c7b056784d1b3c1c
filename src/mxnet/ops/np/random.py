"""Random numbers with NumPy's signatures: parameters are numbers or arrays that broadcast.

A distribution is a row of a table. It draws standard numbers, which depend on no parameter, and
computes its own from them, so that the gradients of the parameters are those of this computation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

from mxnet._dtypes import name_of
from mxnet.errors import ExecutionValueError, MXNetError
from mxnet.ops.attrs import REQUIRED, Attr, DType, Shape, codec_for
from mxnet.ops.random import standard_gamma
from mxnet.ops.registry import Input, Kernel, Op, register
from mxnet.ops.sizes import check_size
from mxnet.ops.traits import NO_TRAITS, Labels, Traits

Generator: TypeAlias = torch.Generator | None
Given: TypeAlias = float | Tensor
"""A parameter of a distribution: one number for all, or an array that broadcasts to the result."""

_FLOATS = (torch.float16, torch.float32, torch.float64)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a distribution.

    Attributes:
        name: Its name.
        meaning: What it is, for the documentation.
        default: Its value if it is not given, `REQUIRED` if it must be, None for an array.
        positive: Whether it must be above zero.
        not_negative: Whether it must not be below zero.
    """

    name: str
    meaning: str
    default: Any = REQUIRED
    positive: bool = False
    not_negative: bool = False

    def check(self, value: Given, op_name: str) -> None:
        """Refuses values outside the range of a parameter that is limited.

        Of arrays only those in the memory of the CPU are looked at: others would be waited for.

        Raises:
            ExecutionValueError: if a value is outside.
        """
        least = _least(value)
        if least is None or (least > 0 if self.positive else least >= 0):
            return
        expected = "above 0" if self.positive else "of at least 0"
        raise ExecutionValueError(f"{op_name}: expected {self.name} {expected}, got {least}")


def _least(value: Given) -> float | None:
    if not isinstance(value, Tensor):
        return value
    if value.device.type != "cpu" or not value.numel():
        return None
    return value.detach().min().item()


@dataclass(frozen=True, slots=True)
class Distribution:
    """A row of the table.

    Attributes:
        name: Name of the operator without its prefix.
        title: What the distribution is called in documentation.
        parameters: Its parameters.
        draw: Returns numbers from an empty array of their shape, which it may fill, a generator
            and the parameters.
        has_dtype: Whether the dtype of the result can be chosen.
        has_context: Whether the context of the result can be chosen.
        batched: Whether `size` comes before the shape of the parameters, not in its place.
        differentiable: Whether parameters get gradients; they have one more, hidden output then.
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    draw: Callable[..., Tensor]
    has_dtype: bool = False
    has_context: bool = True
    batched: bool = False
    differentiable: bool = True


def result_shape(
    op_name: str, size: Shape | None, arrays: Sequence[Tensor], *, batched: bool = False
) -> tuple[int, ...]:
    """Returns the shape of the result of drawing.

    Args:
        op_name: Operator that errors name.
        size: The shape that is asked for, None for that of the parameters.
        arrays: Parameters that are arrays.
        batched: Whether the shape that is asked for comes before that of the parameters.

    Raises:
        MXNetError: if the shapes do not fit.
    """
    if not arrays:
        return () if size is None else size
    shapes = [tuple(array.shape) for array in arrays]
    try:
        common = np.broadcast_shapes(*shapes)
        fits = size is None or batched or np.broadcast_shapes(common, size) == size
    except ValueError:
        fits = False
    if not fits:
        raise MXNetError(
            f"{op_name}: expected parameters that broadcast to each other and to the size, "
            f"got shapes {shapes} and size {size}"
        )
    if size is None:
        return common
    return (*size, *common) if batched else size


def _take(
    op_name: str, numbers: Sequence[float | None], arrays: Sequence[Tensor | None]
) -> list[Given]:
    """Returns the parameters in order: numbers, and the next array for each that is none."""
    rest = [array for array in arrays if array is not None]
    missing = sum(number is None for number in numbers)
    if missing != len(rest):
        raise MXNetError(f"{op_name}: expected {missing} arrays, got {len(rest)}")
    return [rest.pop(0) if number is None else number for number in numbers]


def _kernel(row: Distribution, op_name: str) -> Kernel:
    defaults = [(parameter.name, parameter.default) for parameter in row.parameters]
    limited = [
        (place, parameter)
        for place, parameter in enumerate(row.parameters)
        if parameter.positive or parameter.not_negative
    ]

    def kernel(
        *arrays: Tensor | None,
        size: Shape | None = None,
        ctx: str = "",
        dtype: torch.dtype = torch.float32,
        generator: Generator,
        device: torch.device,
        **numbers: float | None,
    ) -> Tensor:
        values: list[Any] = [numbers.get(name, default) for name, default in defaults]
        given: list[Tensor] = []
        if arrays or None in values:
            values = _take(op_name, values, arrays)
            given = [value for value in values if isinstance(value, Tensor)]
        if dtype not in _FLOATS:
            raise MXNetError(f"{op_name}: expected a floating-point dtype, got {name_of(dtype)}")
        target = given[0].device if given else device
        if target.type != "meta":  # where elements are drawn, not where a shape is asked for
            for place, parameter in limited:
                parameter.check(values[place], op_name)
        shape = result_shape(op_name, size, given, batched=row.batched)
        check_size(op_name, shape, dtype, target)
        # Samplers of half precision would draw zero and one, where logarithms have no value.
        working = torch.float32 if dtype is torch.float16 else dtype
        out = torch.empty(shape, dtype=working, device=target)
        if given:
            values = [v.to(working) if isinstance(v, Tensor) else v for v in values]
        drawn = row.draw(out, generator, *values)
        return drawn if working is dtype else drawn.to(dtype)

    return kernel


def _uniform(out: Tensor, generator: Generator, low: Given, high: Given) -> Tensor:
    if isinstance(low, float) and isinstance(high, float) and low <= high:
        return out.uniform_(low, high, generator=generator)
    return out.uniform_(generator=generator) * (high - low) + low


def _normal(out: Tensor, generator: Generator, loc: Given, scale: Given) -> Tensor:
    if isinstance(loc, float) and isinstance(scale, float):
        return out.normal_(loc, scale, generator=generator)
    return out.normal_(generator=generator) * scale + loc


def _gumbel(out: Tensor, generator: Generator, loc: Given, scale: Given) -> Tensor:
    return -out.exponential_(generator=generator).log_() * scale + loc


def _logistic(out: Tensor, generator: Generator, loc: Given, scale: Given) -> Tensor:
    smallest = torch.finfo(out.dtype).tiny
    return out.uniform_(smallest, 1, generator=generator).logit_() * scale + loc


def _exponential(out: Tensor, generator: Generator, scale: Given) -> Tensor:
    return out.exponential_(generator=generator) * scale


def _rayleigh(out: Tensor, generator: Generator, scale: Given) -> Tensor:
    return out.exponential_(generator=generator).mul_(2).sqrt_() * scale


def _weibull(out: Tensor, generator: Generator, a: Given) -> Tensor:
    return out.exponential_(generator=generator) ** (1 / a)


def _pareto(out: Tensor, generator: Generator, a: Given) -> Tensor:
    return (out.exponential_(generator=generator) / a).expm1()


def _power(out: Tensor, generator: Generator, a: Given) -> Tensor:
    return out.uniform_(generator=generator) ** (1 / a)


def _gamma(out: Tensor, generator: Generator, shape: Given, scale: Given) -> Tensor:
    shapes = shape.expand(out.shape) if isinstance(shape, Tensor) else torch.full_like(out, shape)
    return standard_gamma(shapes.contiguous(), generator) * scale


_LOC = Parameter("loc", "Mean of the distribution")
_SCALE = Parameter("scale", "Its scale", not_negative=True)
_BOUNDS = (Parameter("low", "Least value"), Parameter("high", "End of the range"))
_SHAPE = Parameter("a", "Shape of the distribution", default=None, positive=True)

_DISTRIBUTIONS = (
    Distribution(
        "normal",
        "a normal distribution",
        (_LOC, Parameter("scale", "Its standard deviation", not_negative=True)),
        _normal,
        has_dtype=True,
    ),
    Distribution(
        "normal_n",
        "a normal distribution, `size` times for each set of parameters",
        (_LOC, Parameter("scale", "Its standard deviation", not_negative=True)),
        _normal,
        has_dtype=True,
        batched=True,
    ),
    Distribution(
        "uniform",
        "the uniform distribution on `[low, high)`",
        _BOUNDS,
        _uniform,
        has_dtype=True,
        differentiable=False,
    ),
    Distribution(
        "uniform_n",
        "the uniform distribution on `[low, high)`, `size` times for each set of parameters",
        _BOUNDS,
        _uniform,
        has_dtype=True,
        batched=True,
        differentiable=False,
    ),
    Distribution(
        "gamma",
        "a gamma distribution, whose mean is `shape * scale`",
        (
            Parameter("shape", "Shape of the distribution", positive=True),
            Parameter("scale", "Its scale", positive=True),
        ),
        _gamma,
        has_dtype=True,
        differentiable=False,
    ),
    Distribution("gumbel", "a Gumbel distribution", (_LOC, _SCALE), _gumbel),
    Distribution("logistic", "a logistic distribution", (_LOC, _SCALE), _logistic),
    Distribution(
        "exponential",
        "an exponential distribution, whose mean is `scale`",
        (Parameter("scale", "Its mean", default=1.0, not_negative=True),),
        _exponential,
    ),
    Distribution(
        "rayleigh",
        "a Rayleigh distribution",
        (Parameter("scale", "Its mode", default=1.0, not_negative=True),),
        _rayleigh,
    ),
    Distribution("weibull", "a Weibull distribution of scale 1", (_SHAPE,), _weibull),
    Distribution("pareto", "a Lomax distribution (Pareto II) of scale 1", (_SHAPE,), _pareto),
    Distribution(
        "powerd",
        "a power distribution: a power `1 / a` of numbers that are uniform on `[0, 1)`",
        (_SHAPE,),
        _power,
        has_context=False,
        differentiable=False,
    ),
)


def _document(row: Distribution) -> str:
    lines = [f"Draws from {row.title}.", "", "Args:"]
    names = " and ".join(f"`{parameter.name}`" for parameter in row.parameters)
    for number, _ in enumerate(row.parameters, 1):
        lines.append(f"    input{number}: Array in place of {names}, whichever is None.")
    lines += [f"    {parameter.name}: {parameter.meaning}." for parameter in row.parameters]
    if row.batched:
        lines.append("    size: Shape of the draws for each set of parameters.")
    else:
        lines.append("    size: Shape of the result, by default that of the parameters.")
    if row.has_context:
        lines.append("    ctx: Context of the result.")
    if row.has_dtype:
        lines.append("    dtype: Floating-point type of the result, float32 by default.")
    return "\n".join(lines)


def _declare(row: Distribution) -> None:
    name = f"_npi_{row.name}"
    inputs = tuple(Input(f"input{i + 1}", optional=True) for i in range(len(row.parameters)))

    def active(**attrs: Any) -> tuple[str, ...]:
        missing = sum(attrs[parameter.name] is None for parameter in row.parameters)
        return tuple(item.name for item in inputs[:missing])

    number = codec_for(float | None)
    attrs = [Attr(p.name, number, p.default) for p in row.parameters]
    attrs.append(Attr("size", codec_for(Shape | None), None))
    if row.has_context:
        attrs.append(Attr("ctx", codec_for(str), ""))
    if row.has_dtype:
        attrs.append(Attr("dtype", codec_for(DType), torch.float32))
    register(
        Op(
            name=name,
            kernel=_kernel(row, name),
            inputs=inputs,
            attrs={attr.name: attr for attr in attrs},
            doc=_document(row),
            active_inputs=active,
            supplied=("generator", "device"),
            differentiable=row.differentiable,
            traits=_WITH_NOISE if row.differentiable else NO_TRAITS,
        )
    )


_WITH_NOISE = Traits(labels=Labels(outputs=("output0", "output1")))
"""Files count the standard numbers as an output, too."""

for _row in _DISTRIBUTIONS:
    _declare(_row)
