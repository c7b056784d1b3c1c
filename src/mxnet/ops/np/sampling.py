"""Random choices: of events, of categories, of elements."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from mxnet._dtypes import name_of
from mxnet.errors import ExecutionError, ExecutionValueError, MXNetError
from mxnet.ops.attrs import DType, Floats, Shape
from mxnet.ops.np.random import Generator, result_shape
from mxnet.ops.random import check_range
from mxnet.ops.registry import op
from mxnet.ops.sizes import check_size

_EVENTS = (
    *(torch.bool, torch.float16, torch.float32, torch.float64),
    *(torch.int32, torch.uint8),
)


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
        chances = torch.tensor(number, dtype=torch.float32, device=device)
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
    given = torch.tensor(pvals, dtype=torch.float64, device=device) if a is None else a
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
    drawn = torch.multinomial(chances.reshape(-1), out.numel(), replace, generator=generator)
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
