"""Operators that draw random numbers.

A distribution is a row of a table, from which three operators come: `_random_x` with numbers as
parameters, `_random_x_like` in the shape of an array, and `_sample_x` with arrays as parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from math import log, prod
from typing import TypeAlias

import torch
from torch import Tensor

from mxnet.errors import ExecutionError, MXNetError
from mxnet.ops.core.allocation import check_like, check_size, checked_shape
from mxnet.ops.core.attrs import Attr, DType, Shape, codec_for
from mxnet.ops.core.devices import is_captured
from mxnet.ops.core.registry import Input, Kernel, Op, example, op, register
from mxnet.ops.core.traits import Files, Shapes, Traits
from mxnet.ops.math.creation import OPEN, PART
from mxnet.ops.rules import shape_rules

Number: TypeAlias = float | Tensor
"""A parameter of a distribution: one value for all or an array that broadcasts to the result."""

_COUNTABLE = 2.0**62

Generator: TypeAlias = torch.Generator | None

Draw: TypeAlias = Callable[..., Tensor]
"""Function of an empty result, the parameters and a generator that gives the result."""


def _spread(value: Number, out: Tensor) -> Tensor:
    """Returns a parameter in the shape of the result, in a type that samplers take."""
    dtype = torch.promote_types(out.dtype, torch.float32)
    if isinstance(value, Tensor):
        return value.to(dtype).expand(out.shape)
    return torch.full_like(out, value, dtype=dtype)


def _draw_uniform(out: Tensor, low: Number, high: Number, generator: Generator) -> Tensor:
    if isinstance(low, Tensor) or isinstance(high, Tensor):
        # Unsigned bounds would wrap around where the upper one is the smaller.
        width = torch.as_tensor(high).to(out) - low
        return out.uniform_(generator=generator).mul_(width).add_(low)
    if low > high and not out.is_meta:
        raise ExecutionError(f"uniform: expected low of at most high, got {low} and {high}")
    return out.uniform_(low, max(low, high), generator=generator)


def _draw_normal(out: Tensor, mean: Number, deviation: Number, generator: Generator) -> Tensor:
    if isinstance(mean, Tensor) or isinstance(deviation, Tensor):
        return out.normal_(generator=generator).mul_(deviation).add_(mean)
    return out.normal_(mean, deviation, generator=generator)


def _draw_exponential(out: Tensor, rate: Number, generator: Generator) -> Tensor:
    return out.exponential_(generator=generator).div_(rate)


def standard_gamma(shape: Tensor, generator: Generator) -> Tensor:
    """Draws from gamma distributions of scale 1, one for each shape."""
    if shape.is_meta:  # for which torch 2.6 has no such function
        return torch.empty_like(shape)
    return torch._standard_gamma(shape, generator=generator)


def _draw_gamma(out: Tensor, shape: Number, scale: Number, generator: Generator) -> Tensor:
    return out.copy_(standard_gamma(_spread(shape, out), generator) * scale)


def _draw_poisson(out: Tensor, rate: Number, generator: Generator) -> Tensor:
    return _copy_poisson(out, _spread(rate, out), generator)


def _draw_binomial(out: Tensor, trials: Number, p: Number, generator: Generator) -> Tensor:
    counts, shares = _spread(trials, out), _spread(p, out).clamp(0, 1)
    if out.is_meta:
        return out
    return out.copy_(torch.binomial(counts.contiguous(), shares.contiguous(), generator=generator))


def _draw_negative_binomial(
    out: Tensor, failures: Number, p: Number, generator: Generator
) -> Tensor:
    p = _spread(p, out).clamp(max=1.0)
    rate = standard_gamma(_spread(failures, out), generator) * (1 - p) / p
    return _copy_poisson(out, rate, generator)


def _draw_generalized_negative_binomial(
    out: Tensor, mean: Number, dispersion: Number, generator: Generator
) -> Tensor:
    mean, dispersion = _spread(mean, out), _spread(dispersion, out)
    some = dispersion > 0
    dispersion = torch.where(some, dispersion, 1.0)
    factor = standard_gamma(1 / dispersion, generator) * dispersion
    return _copy_poisson(out, torch.where(some, factor, 1.0) * mean, generator)


def _copy_poisson(out: Tensor, rate: Tensor, generator: Generator) -> Tensor:
    """Writes numbers of a Poisson distribution; torch counts them in int64, which has an end.

    Far beyond it no float can tell a number from the rate.
    """
    drawn = torch.poisson(rate.clamp(max=_COUNTABLE), generator=generator)
    return out.copy_(torch.where(rate < _COUNTABLE, drawn, rate))


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a distribution.

    Attributes:
        name: Its name where it is a number.
        array: Its name where it is an array.
        default: Its value where it is a number that is not given.
        meaning: What it is, for the documentation.
        at_least: Least value, or None.
        above: Value that it must exceed, or None.
    """

    name: str
    array: str
    default: float
    meaning: str
    at_least: float | None = None
    above: float | None = None

    def check(self, value: float, op_name: str) -> None:
        """Refuses a number outside the range of the parameter."""
        if self.at_least is not None and not value >= self.at_least:
            raise ExecutionError(
                f"{op_name}: expected {self.name} of at least {self.at_least}, got {value}"
            )
        if self.above is not None and not value > self.above:
            raise ExecutionError(f"{op_name}: expected {self.name} above {self.above}, got {value}")


@dataclass(frozen=True, slots=True)
class Distribution:
    """A row of the table.

    Attributes:
        name: Name of the distribution as part of operator names.
        title: What it is called in documentation.
        draw: Its sampler.
        parameters: Its parameters in order.
        aliases: Further names of the operator that takes numbers.
        in_place: Whether the sampler fills the result without further memory.
        shown: Values of the parameters in examples.
        fact: What is true of whatever is drawn with them, an expression of `x` that is True.
    """

    name: str
    title: str
    draw: Draw
    parameters: tuple[Parameter, ...]
    aliases: tuple[str, ...] = ()
    in_place: bool = False
    _: KW_ONLY
    shown: tuple[float, ...]
    fact: str

    def fill(self, out: Tensor, numbers: Sequence[float], generator: Generator) -> Tensor:
        """Fills an array, in parts where the sampler would take several times its memory."""
        if self.in_place or out.numel() <= PART or out.is_meta or not out.is_contiguous():
            return self.draw(out, *numbers, generator)
        for part in torch.split(out.view(-1), PART):
            self.draw(part, *numbers, generator)
        return out

    def numbers(
        self, given: Mapping[str, float], op_name: str, device: torch.device
    ) -> list[float]:
        """Returns all parameters as numbers, those not given by default.

        They are checked where elements are drawn, not where a shape is asked for.
        """
        values = [given.get(parameter.name, parameter.default) for parameter in self.parameters]
        if device.type == "meta":
            return values
        for parameter, value in zip(self.parameters, values, strict=True):
            parameter.check(value, op_name)
        return values


def _floating(op_name: str, dtype: torch.dtype | None) -> torch.dtype:
    if dtype is None:
        return torch.float32
    if not dtype.is_floating_point:
        raise MXNetError(f"{op_name}: expected a floating point type, got {dtype}")
    return dtype


def _from_numbers(distribution: Distribution, op_name: str) -> Kernel:
    def kernel(
        *,
        shape: Shape | None = None,
        ctx: str = "",
        dtype: torch.dtype | None = None,
        generator: Generator,
        device: torch.device,
        **parameters: float,
    ) -> Tensor:
        numbers = distribution.numbers(parameters, op_name, device)
        kind = _floating(op_name, dtype)
        out = torch.empty(checked_shape(op_name, shape, kind, device), dtype=kind, device=device)
        return distribution.fill(out, numbers, generator)

    return kernel


def _like_array(distribution: Distribution, op_name: str) -> Kernel:
    def kernel(data: Tensor, *, generator: Generator, **parameters: float) -> Tensor:
        numbers = distribution.numbers(parameters, op_name, data.device)
        out = torch.empty_like(data, dtype=_floating(op_name, data.dtype))
        return distribution.fill(out, numbers, generator)

    return kernel


def _from_arrays(distribution: Distribution, op_name: str) -> Kernel:
    def kernel(
        *parameters: Tensor,
        shape: Shape = (),
        dtype: torch.dtype | None = None,
        generator: Generator,
    ) -> Tensor:
        first = parameters[0]
        if any(parameter.shape != first.shape for parameter in parameters):
            shapes = [tuple(parameter.shape) for parameter in parameters]
            raise MXNetError(f"{op_name}: expected parameters of one shape, got {shapes}")
        kind, result_shape = _floating(op_name, dtype), (*first.shape, *shape)
        check_size(op_name, result_shape, kind, first.device)
        out = torch.empty(result_shape, dtype=kind, device=first.device)
        ones = (1,) * len(shape)
        columns = [p.detach().reshape(*p.shape, *ones) for p in parameters]
        return distribution.draw(out, *columns, generator)

    return kernel


_SHAPE = "shape: Shape of the result."
_DRAWS = "shape: Shape of the draws for each set of parameters."
_CTX = "ctx: Context of the result."
_DTYPE = "dtype: Floating point type of the result, float32 by default."


def _document(summary: str, *arguments: str) -> str:
    return "\n".join([summary, "", "Args:", *(f"    {line}" for line in arguments)])


def _show_numbers(row: Distribution) -> str:
    """Returns the example of the operator that takes numbers."""
    given = _list_given(row)
    return example(
        f">>> x = mx.nd.random_{row.name}({given}, shape=(1000,))",
        f">>> print(x.shape, {row.fact})",
        "(1000,) True",
    )


def _show_like(row: Distribution) -> str:
    """Returns the example of the operator that draws in the shape of an array."""
    return example(
        '>>> data = mx.nd.zeros((2, 3), dtype="float64")',
        f">>> x = mx.nd.random.{row.name}_like(data, {_list_given(row)})",
        ">>> print(x.shape, x.dtype.__name__)",
        "(2, 3) float64",
    )


def _show_arrays(row: Distribution) -> str:
    """Returns the example of the operator that takes arrays, with two distributions."""
    names = ", ".join(p.array for p in row.parameters)
    arrays = ", ".join(f"mx.nd.array([{value}, {value}])" for value in row.shown)
    return example(
        f">>> {names} = {arrays}",
        f">>> print(mx.nd.sample_{row.name}({names}, shape=(3,)).shape)",
        "(2, 3)",
    )


def _list_given(row: Distribution) -> str:
    pairs = zip(row.parameters, row.shown, strict=True)
    return ", ".join(f"{parameter.name}={value}" for parameter, value in pairs)


_SAMPLES = Traits(shapes=Shapes(inputs=shape_rules.sample))


def _declare(distribution: Distribution) -> None:
    """Declares the three operators of a distribution."""
    parameters = distribution.parameters
    numbers = {p.name: Attr(p.name, codec_for(type(p.default)), p.default) for p in parameters}
    dtype = Attr("dtype", codec_for(DType | None), None)
    meanings = [f"{p.name}: {p.meaning}." for p in parameters]
    name = f"_random_{distribution.name}"
    register(
        Op(
            name=name,
            kernel=_from_numbers(distribution, name),
            inputs=(),
            attrs={
                **numbers,
                "shape": Attr("shape", codec_for(Shape | None), None),
                "ctx": Attr("ctx", codec_for(str), ""),
                "dtype": dtype,
            },
            doc=_document(f"Draws from {distribution.title}.", *meanings, _SHAPE, _CTX, _DTYPE)
            + _show_numbers(distribution),
            aliases=(name[1:], *distribution.aliases),
            supplied=("generator", "device"),
            differentiable=False,
            traits=OPEN,
        )
    )
    register(
        Op(
            name=f"{name}_like",
            kernel=_like_array(distribution, f"{name}_like"),
            inputs=(Input("data"),),
            attrs=numbers,
            doc=_document(
                f"Draws from {distribution.title}, in the shape and type of an array.",
                "data: The array.",
                *meanings,
            )
            + _show_like(distribution),
            supplied=("generator",),
            differentiable=False,
        )
    )
    name = f"_sample_{distribution.name}"
    register(
        Op(
            name=name,
            kernel=_from_arrays(distribution, name),
            inputs=tuple(Input(p.array) for p in distribution.parameters),
            attrs={"shape": Attr("shape", codec_for(Shape), ()), "dtype": dtype},
            doc=_document(
                f"Draws from {distribution.title}, for each element of arrays of parameters.",
                *[f"{p.array}: {p.meaning}." for p in distribution.parameters],
                _DRAWS,
                _DTYPE,
            )
            + _show_arrays(distribution),
            aliases=(name[1:],),
            supplied=("generator",),
            differentiable=False,
            traits=_SAMPLES,
        )
    )


_DISTRIBUTIONS = (
    Distribution(
        "uniform",
        "the uniform distribution on `[low, high)`",
        _draw_uniform,
        (
            Parameter("low", "low", 0.0, "Least value"),
            Parameter("high", "high", 1.0, "End of the range"),
        ),
        aliases=("uniform",),
        shown=(-1, 1),
        fact="x.min().asscalar() >= -1 and x.max().asscalar() < 1",
        in_place=True,
    ),
    Distribution(
        "normal",
        "a normal distribution",
        _draw_normal,
        (
            Parameter("loc", "mu", 0.0, "Mean"),
            Parameter("scale", "sigma", 1.0, "Standard deviation", above=0),
        ),
        aliases=("normal",),
        shown=(5, 0.1),
        fact="abs(x.mean().asscalar() - 5) < 0.1",
        in_place=True,
    ),
    Distribution(
        "gamma",
        "a gamma distribution, whose mean is `alpha * beta`",
        _draw_gamma,
        (
            Parameter("alpha", "alpha", 1.0, "Shape of the distribution", above=0),
            Parameter("beta", "beta", 1.0, "Scale of the distribution", above=0),
        ),
        shown=(4, 0.5),
        fact="abs(x.mean().asscalar() - 2) < 0.5 and x.min().asscalar() > 0",
    ),
    Distribution(
        "exponential",
        "an exponential distribution, whose mean is `1 / lam`",
        _draw_exponential,
        (Parameter("lam", "lam", 1.0, "Rate", above=0),),
        in_place=True,
        shown=(4,),
        fact="abs(x.mean().asscalar() - 0.25) < 0.1 and x.min().asscalar() >= 0",
    ),
    Distribution(
        "poisson",
        "a Poisson distribution",
        _draw_poisson,
        (Parameter("lam", "lam", 1.0, "Mean", at_least=0),),
        shown=(4,),
        fact="abs(x.mean().asscalar() - 4) < 1 and (x.floor() == x).asnumpy().all()",
    ),
    Distribution(
        "binomial",
        "a binomial distribution, the successes in `n` trials",
        _draw_binomial,
        (
            Parameter("n", "n", 1, "Number of trials", at_least=0),
            Parameter("p", "p", 1.0, "Probability of a success", at_least=0),
        ),
        shown=(6, 0.5),
        fact="abs(x.mean().asscalar() - 3) < 1 and (x.floor() == x).asnumpy().all()",
    ),
    Distribution(
        "negative_binomial",
        "a negative binomial distribution, the failures before `k` successes",
        _draw_negative_binomial,
        (
            Parameter("k", "k", 1, "Number of successes", at_least=0),
            Parameter("p", "p", 1.0, "Probability of a success", above=0),
        ),
        shown=(3, 0.5),
        fact="abs(x.mean().asscalar() - 3) < 1 and (x.floor() == x).asnumpy().all()",
    ),
    Distribution(
        "generalized_negative_binomial",
        "a negative binomial distribution given by its mean and dispersion",
        _draw_generalized_negative_binomial,
        (
            Parameter("mu", "mu", 1.0, "Mean", at_least=0),
            Parameter(
                "alpha", "alpha", 1.0, "Dispersion: variance `mu + alpha * mu**2`", at_least=0
            ),
        ),
        shown=(3, 0.1),
        fact="abs(x.mean().asscalar() - 3) < 1 and (x.floor() == x).asnumpy().all()",
    ),
)

for _distribution in _DISTRIBUTIONS:
    _declare(_distribution)


@op(
    "_random_randint",
    aliases=("random_randint",),
    differentiable=False,
    traits=replace(OPEN, files=Files(numpy_twin="_npi_random_randint")),
)
def random_randint(
    *,
    low: int,
    high: int,
    shape: Shape | None = None,
    ctx: str = "",
    dtype: DType | None = None,
    generator: torch.Generator | None,
    device: torch.device,
) -> Tensor:
    """Draws whole numbers in `[low, high)`, all equally likely.

    Args:
        low: Least value.
        high: End of the range.
        shape: Shape of the result.
        ctx: Context of the result.
        dtype: int32, which is the default, or int64.
        generator: Generator of the context.
        device: Where to allocate the result.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.random.randint(0, 5, shape=(3,))
        >>> print(x.dtype.__name__, (x < 5).asnumpy().all())
        int32 True
    """
    dtype = check_range("_random_randint", low, high, dtype, is_meta=device.type == "meta")
    known = checked_shape("_random_randint", shape, dtype, device)
    out = torch.empty(known, dtype=dtype, device=device)
    return out.random_(low, high, generator=generator)


def check_range(
    op_name: str, low: int, high: int, dtype: torch.dtype | None, *, is_meta: bool
) -> torch.dtype:
    """Returns the dtype of whole numbers to draw, int32 by default, if the range has any.

    Raises:
        MXNetError: if it has none, or the dtype is another one than int32 or int64.
    """
    dtype = torch.int32 if dtype is None else dtype
    if dtype not in (torch.int32, torch.int64):
        raise MXNetError(f"{op_name}: expected dtype int32 or int64, got {dtype}")
    if low >= high and not is_meta:
        raise ExecutionError(f"{op_name}: expected low below high, got {low} and {high}")
    return dtype


def _multinomial_outputs(*, get_prob: bool, **_: object) -> int:
    return 2 if get_prob else 1


def draw_by_search(rows: Tensor, count: int, generator: torch.Generator | None) -> Tensor:
    """Draws categories from each row of probabilities, which are not looked at before."""
    sums = rows.double().cumsum(1)
    chances = torch.empty((len(rows), count), dtype=torch.float64, device=rows.device)
    chances.uniform_(generator=generator)
    found = torch.searchsorted(sums, chances * sums[:, -1:], right=True)
    return found.clamp(max=rows.shape[1] - 1)


def _draw_categories(rows: Tensor, count: int, generator: torch.Generator | None) -> Tensor:
    """Draws categories from each row of probabilities.

    Rows of numbers that are no probabilities, such as their logarithms, get what the original's
    search in the sums finds, which is the number of categories if all are negative. Only the CPU
    knows of them in time; infinities and nan it refuses.
    """
    if not count:  # torch refuses to draw nothing
        return rows.new_empty((len(rows), 0), dtype=torch.int64)
    if is_captured(rows):
        return draw_by_search(rows, count, generator)
    try:
        return torch.multinomial(rows, count, replacement=True, generator=generator)
    except RuntimeError:
        if rows.device.type != "cpu" or not rows.numel() or not bool(rows.isfinite().all()):
            raise
    sums = rows.double().cumsum(1)
    total = sums[:, -1:]
    usual = (rows >= 0).all(1, keepdim=True) & (total > 0)
    table = torch.where(usual, sums / total, sums).float()
    return torch.searchsorted(table, torch.rand(len(rows), count, generator=generator))


@op("_sample_multinomial", aliases=("sample_multinomial",), num_outputs=_multinomial_outputs)
def sample_multinomial(
    data: Tensor,
    *,
    shape: Shape = (),
    get_prob: bool = False,
    dtype: DType = torch.int32,
    generator: torch.Generator | None,
) -> Tensor | tuple[Tensor, Tensor]:
    """Draws categories by their probabilities.

    Args:
        data: Probabilities of the categories along the last axis.
        shape: Shape of the draws for each distribution; one draw by default.
        get_prob: Whether to give the logarithm of the probability of each draw too, whose gradient
            is that of the probabilities (as the score in policy gradients).
        dtype: Type of the drawn categories.
        generator: Generator of the context.

    Example:
        >>> import mxnet as mx
        >>> shares = mx.nd.array([[0, 1, 0], [0, 0, 1]])
        >>> print(mx.nd.sample_multinomial(shares, shape=3).asnumpy())
        [[1 1 1]
         [2 2 2]]
    """
    if not data.is_floating_point():
        raise MXNetError(f"_sample_multinomial: expected floating point data, got {data.dtype}")
    rows = data.reshape(-1, data.shape[-1])
    check_like("_sample_multinomial", (len(rows), *shape), data)
    drawn = _draw_categories(rows.detach(), prod(shape), generator)
    out_shape = (*data.shape[:-1], *shape) or (1,)
    categories = drawn.reshape(out_shape).to(dtype)
    if not get_prob:
        return categories
    chances = rows.gather(1, drawn.clamp(max=max(data.shape[-1] - 1, 0)))
    return categories, chances.log().reshape(out_shape)


@op("_npx__random_multinomial", differentiable=False, any_dtype=("n",))
def random_multinomial(
    n: Tensor,
    p: Tensor,
    *,
    shape: Shape = (),
    ctx: str = "",
    dtype: DType | None = None,
    generator: torch.Generator | None,
) -> Tensor:
    """Counts how often each category is drawn in a number of trials, for each distribution.

    Args:
        n: Number of trials for each distribution.
        p: Probabilities of the categories along the last axis.
        shape: Shape of the repetitions for each distribution; none by default.
        ctx: Accepted for compatibility: the result is where the probabilities are.
        dtype: Type of the counts, float32 by default.
        generator: Generator of the context.

    Example:
        >>> import mxnet as mx
        >>> trials, shares = mx.np.array([3, 5]), mx.np.array([[0, 1], [1, 0]])
        >>> mx.npx.random.multinomial(trials, shares)
        array([[0., 3.],
               [5., 0.]])
    """
    name, chances = "_npx__random_multinomial", p.detach().double()
    if n.shape != p.shape[:-1]:
        raise MXNetError(
            f"{name}: expected a number of trials for each distribution, got shapes "
            f"{tuple(n.shape)} and {tuple(p.shape)}"
        )
    whole = (*n.shape, *shape, p.shape[-1])
    check_size(name, whole, torch.float64, p.device)
    if p.is_meta or not p.numel():
        return torch.zeros(whole, dtype=dtype or torch.float32, device=p.device)
    left = n.double().reshape(*n.shape, *[1] * len(shape)).expand(whole[:-1]).contiguous()
    rest, counts = torch.ones_like(left), []
    for place in range(p.shape[-1] - 1):
        chance = chances[..., place].reshape(*n.shape, *[1] * len(shape))
        share = torch.where(rest > 0, chance / rest, 1.0).clamp(0, 1)
        drawn = torch.binomial(left, share.contiguous(), generator=generator)
        counts.append(drawn)
        left, rest = left - drawn, rest - chance
    return torch.stack([*counts, left], -1).to(dtype or torch.float32)


@op("_shuffle", aliases=("shuffle", "_npi_shuffle"))
def shuffle(data: Tensor, *, generator: torch.Generator | None) -> Tensor:
    """Puts the rows of an array into random order.

    Args:
        data: The array; all orders along its first axis are equally likely.
        generator: Generator of the context.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.random.shuffle(mx.nd.arange(5))
        >>> print(sorted(x.asnumpy().tolist()))
        [0.0, 1.0, 2.0, 3.0, 4.0]
    """
    order = torch.randperm(len(data), generator=generator, device=data.device)
    return data.index_select(0, order)


@op("_sample_unique_zipfian", num_outputs=2, differentiable=False)
def sample_unique_zipfian(
    *,
    range_max: int,
    shape: Shape | None = None,
    generator: torch.Generator | None,
    device: torch.device,
) -> tuple[Tensor, Tensor]:
    """Draws different classes from an approximately Zipfian distribution.

    Class `c` has the probability ``log((c + 2) / (c + 1)) / log(range_max + 1)``. The second result
    is, for each row, how many draws with replacement it took to see that many different classes.

    Args:
        range_max: Number of classes.
        shape: Shape `(rows, classes per row)` of the result.
        generator: Generator of the context.
        device: Where to allocate the result.

    Example:
        >>> import mxnet as mx
        >>> classes, tries = mx.nd._internal._sample_unique_zipfian(range_max=5, shape=(1, 5))
        >>> print(sorted(classes[0].asnumpy().tolist()), tries.asscalar() >= 5)
        [0, 1, 2, 3, 4] True
    """
    if shape is None or len(shape) != 2 or shape[1] > range_max:
        raise MXNetError(
            f"_sample_unique_zipfian: expected a shape (rows, at most {range_max}), got {shape}"
        )
    check_size("_sample_unique_zipfian", (shape[0], range_max), torch.float64, device)
    classes = torch.arange(range_max, dtype=torch.float64, device=device)
    chances = (1 / (classes + 1)).log1p() / log(range_max + 1)
    # Exponential arrival times with these rates come in the order in which repeated draws would
    # meet the classes; the repetitions between two new ones are geometric.
    arrivals = chances.new_empty(shape[0], range_max).exponential_(generator=generator) / chances
    samples = arrivals.topk(shape[1], largest=False).indices
    seen = chances[samples].cumsum(1).roll(1, 1)
    seen[:, 0] = 0
    waits = torch.empty_like(seen).exponential_(generator=generator)
    repeated = (waits / -seen.clamp(max=1 - 1e-15).log()).floor()
    return samples, (repeated.sum(1) + shape[1]).long()
