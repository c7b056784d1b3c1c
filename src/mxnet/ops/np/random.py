"""Random numbers with NumPy's signatures: parameters are numbers or arrays that broadcast.

A distribution is a row of a table. It draws standard numbers, which depend on no parameter, and
computes its own from them, so that the gradients of the parameters are those of this computation.
Random choices, of events, of categories, of elements, are functions of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

from mxnet._formats.element_types import name_of
from mxnet.errors import ExecutionError, ExecutionValueError, MXNetError
from mxnet.ops.core.allocation import check_size
from mxnet.ops.core.attrs import REQUIRED, Attr, DType, Floats, Shape, codec_for
from mxnet.ops.core.devices import constant, is_captured
from mxnet.ops.core.registry import Input, Kernel, Op, op, register
from mxnet.ops.core.traits import NO_TRAITS, Labels, Traits
from mxnet.ops.random.samplers import check_range, draw_by_search, standard_gamma

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
        size: The shape that is asked for, None for that of the parameters. A shape that begins with
            -2, as MXNet 2 has it, comes before that of the parameters.
        arrays: Parameters that are arrays.
        batched: Whether the shape that is asked for comes before that of the parameters.

    Raises:
        MXNetError: if the shapes do not fit.
    """
    if size is not None and size[:1] == (-2,):
        size, batched = size[1:], True
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


def _laplace(out: Tensor, generator: Generator, loc: Given, scale: Given) -> Tensor:
    other = torch.empty_like(out).exponential_(generator=generator)
    return (out.exponential_(generator=generator) - other) * scale + loc


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
    Distribution("laplace", "a Laplace distribution", (_LOC, _SCALE), _laplace, has_dtype=True),
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


_EVENTS = (*(torch.bool, torch.float16, torch.float32, torch.float64), *(torch.int32, torch.uint8))


def _bernoulli_inputs(
    *, prob: float | None, logit: float | None, is_logit: bool, **_: object
) -> Sequence[str]:
    return ("input1",) if (logit if is_logit else prob) is None else ()


def _check_chances(chances: Tensor) -> None:
    if chances.device.type == "cpu" and not bool(((chances >= 0) & (chances <= 1)).all()):
        raise ExecutionValueError("_npi_bernoulli: expected probabilities from 0 to 1")


@op("_npi_bernoulli", active_inputs=_bernoulli_inputs, differentiable=False)
def bernoulli(
    input1: Tensor | None = None,
    *,
    prob: float | None,
    logit: float | None,
    size: Shape | None = None,
    ctx: str = "",
    dtype: DType = torch.float32,
    is_logit: bool,
    generator: Generator,
    device: torch.device,
) -> Tensor:
    """Draws ones, and zeros otherwise.

    Args:
        input1: Array in place of `prob` or `logit`.
        prob: Probability of a one.
        logit: Logarithm of the odds of a one.
        size: Shape of the result, by default that of the array.
        ctx: Context of the result.
        dtype: Type of the result.
        is_logit: Whether the logarithm of the odds is given.
        generator: Generator of the context.
        device: Where to allocate the result.
    """
    name = "_npi_bernoulli"
    if dtype not in _EVENTS:
        raise MXNetError(f"{name}: expected a dtype of floats, bool, int32 or uint8, got {dtype}")
    if input1 is None:
        number = logit if is_logit else prob
        if number is None:
            raise MXNetError(f"{name}: expected an array or `{'logit' if is_logit else 'prob'}`")
        chances = torch.full((), number, dtype=torch.float32, device=device)
    else:
        chances = input1 if input1.is_floating_point() else input1.float()
    chances = chances.sigmoid() if is_logit else chances
    _check_chances(chances)
    shape = result_shape(name, size, [] if input1 is None else [input1])
    check_size(name, shape, dtype, chances.device)
    return torch.bernoulli(chances.expand(shape), generator=generator).to(dtype)


_ROUNDING = 1e-5
"""How much more than 1 the sum of probabilities in float32 may be."""


def _multinomial_inputs(*, pvals: Floats | None, **_: object) -> Sequence[str]:
    return ("a",) if pvals is None else ()


@op("_npi_multinomial", active_inputs=_multinomial_inputs, differentiable=False)
def multinomial(
    a: Tensor | None = None,
    *,
    n: int,
    pvals: Floats | None = None,
    size: Shape | None = None,
    generator: Generator,
    device: torch.device,
) -> Tensor:
    """Counts how often each category is drawn in a number of trials.

    Args:
        a: Probabilities of the categories, in place of `pvals`.
        n: Number of trials.
        pvals: Probabilities of the categories; the last one gets what is left.
        size: Shape of the repetitions, before the axis of the categories.
        generator: Generator of the context.
        device: Where to allocate the result.
    """
    name = "_npi_multinomial"
    if (a is None) == (pvals is None):
        raise MXNetError(f"{name}: expected probabilities as an array or as `pvals`")
    given = constant(pvals, torch.float64, device) if a is None else a
    chances = given.detach().double()
    if chances.ndim != 1:
        raise MXNetError(f"{name}: expected probabilities along one axis, got {chances.ndim} axes")
    first = chances[:-1]
    if n < 0 and not chances.is_meta:
        raise ExecutionError(f"{name}: expected `n` of at least 0, got {n}")
    if chances.device.type == "cpu" and float(chances.sum()) > 1 + _ROUNDING:
        raise ExecutionError(f"{name}: expected probabilities whose sum is at most 1")
    shape = (*(size or ()), len(chances))
    check_size(name, (*shape[:-1], max(n, 1)), torch.int64, chances.device)
    if chances.is_meta or not (len(chances) and n > 0):  # torch has no shapes of binomial numbers
        return torch.zeros(shape, dtype=torch.int64, device=chances.device)
    return _count(first.clamp(min=0), n, shape, generator)


def _count(first: Tensor, n: int, shape: tuple[int, ...], generator: Generator) -> Tensor:
    """Draws the categories one after the other, each from the trials that are left."""
    left = torch.full(shape[:-1], n, dtype=torch.float64, device=first.device)
    rest = 1.0 - (first.cumsum(0) - first)
    counts = []
    for chance, remaining in zip(first, rest, strict=True):
        share = torch.where(remaining > 0, chance / remaining, 1.0).clamp(0, 1)
        drawn = torch.binomial(left, share.expand_as(left).contiguous(), generator=generator)
        counts.append(drawn)
        left = left - drawn
    return torch.stack([*counts, left], -1).long()


def _choice_inputs(*, a: int | None, weighted: bool, **_: object) -> Sequence[str]:
    return ("input1", "input2")[: (a is None) + weighted]


@op("_npi_choice", active_inputs=_choice_inputs, differentiable=False)
def choice(
    input1: Tensor | None = None,
    input2: Tensor | None = None,
    *,
    a: int | None,
    size: Shape | None,
    ctx: str = "",
    replace: bool = True,
    weighted: bool = False,
    generator: Generator,
    device: torch.device,
) -> Tensor:
    """Draws positions of elements.

    Args:
        input1: The array of the elements in place of their number, or else their probabilities.
        input2: Their probabilities if the array is given.
        a: Number of elements.
        size: Shape of the result, None for a scalar.
        ctx: Context of the result.
        replace: Whether an element may be drawn more than once.
        weighted: Whether probabilities are given; all elements are equally likely otherwise.
        generator: Generator of the context.
        device: Where to allocate the result.
    """
    name = "_npi_choice"
    arrays = [array for array in (input1, input2) if array is not None]
    total = a if a is not None else arrays[0].shape[0] if arrays[0].ndim else 1
    shape = size or ()
    place = arrays[0].device if arrays else device
    check_size(name, shape, torch.int64, place)
    out = torch.empty(shape, dtype=torch.int64, device=place)
    if not replace and out.numel() > total:
        raise MXNetError(
            f"{name}: expected at most {total} draws without replacement, got {out.numel()}"
        )
    if out.numel() and total < 1:
        raise MXNetError(f"{name}: expected elements to draw from, got {total}")
    if weighted:
        return _choose_weighted(arrays[-1], total, out, replace, generator)
    if replace:
        return out.random_(0, max(total, 1), generator=generator)
    check_size(name, (total,), torch.int64, place)
    order = torch.randperm(total, generator=generator, device=place)
    return order[: out.numel()].reshape(shape)


def _choose_weighted(
    chances: Tensor, total: int, out: Tensor, replace: bool, generator: Generator
) -> Tensor:
    if out.is_meta:  # whose dtype is asked for before the number of probabilities is known
        return out
    if chances.numel() != total or not chances.is_floating_point():
        raise MXNetError(
            f"_npi_choice: expected {total} probabilities, "
            f"got {chances.numel()} of {name_of(chances.dtype)}"
        )
    if not out.numel():
        return out
    chances = chances.reshape(-1)
    if not is_captured(chances):
        drawn = torch.multinomial(chances, out.numel(), replace, generator=generator)
    elif replace:
        drawn = draw_by_search(chances[None], out.numel(), generator)
    else:  # of what waits for an exponential time at these rates, the first to come
        times = torch.empty_like(chances).exponential_(generator=generator)
        drawn = torch.topk(chances / times, out.numel()).indices
    return drawn.reshape(out.shape)


@op("_npi_random_randint", differentiable=False)
def random_randint(
    *,
    low: int,
    high: int,
    shape: Shape,
    ctx: str = "",
    dtype: DType | None = None,
    generator: Generator,
    device: torch.device,
) -> Tensor:
    """Draws whole numbers in `[low, high)`, all equally likely.

    Args:
        low: Least value.
        high: End of the range.
        shape: Shape of the result, `()` for a scalar.
        ctx: Context of the result.
        dtype: int32, which is the default, or int64.
        generator: Generator of the context.
        device: Where to allocate the result.
    """
    is_meta = device.type == "meta"
    dtype = check_range("_npi_random_randint", low, high, dtype, is_meta=is_meta)
    check_size("_npi_random_randint", shape, dtype, device)
    out = torch.empty(shape, dtype=dtype, device=device)
    return out.random_(low, high, generator=generator)
