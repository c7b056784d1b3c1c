"""Gradients of integers, which torch does not differentiate.

The original hands a gradient on through conversions to integers and back, as a whole number. Here
an integer tensor that is part of a graph has a carrier, a tensor of doubles of the same shape and
without memory, through which the gradient travels in torch's graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

import torch
from torch import Tensor

from mxnet.ops.core.scalars import as_integer

Slopes: TypeAlias = Literal["of arrays", "of elements", "zero"]
"""How the gradient of integers is computed.

Of arrays: in doubles, whose fraction is cut off at the end. Of elements: the slope at each element
is an integer already, by which the gradient is multiplied. Zero: the function has no slope.
"""


def carrier_of(tensor: Tensor) -> Tensor | None:
    """Returns the carrier of an integer tensor, None if it is not part of a graph."""
    return getattr(tensor, "gradient_carrier", None)


def differentiable(tensor: Tensor) -> Tensor:
    """Returns the tensor that torch can differentiate: the carrier of integers that have one."""
    carrier = None if tensor.dtype.is_floating_point else carrier_of(tensor)
    return tensor if carrier is None else carrier


def take_gradient(leaf: Tensor) -> Tensor | None:
    """Takes the gradient, as integers, from a leaf of integers; None if there is none."""
    carrier = None if leaf.dtype.is_floating_point else carrier_of(leaf)
    if carrier is None or carrier.grad is None:
        return None
    gradient, carrier.grad = carrier.grad, None
    return gradient.to(leaf.dtype)


def make_leaf(data: Tensor, take: Callable[[Tensor], None] | None) -> Tensor:
    """Returns an alias of integers that is a leaf of graphs.

    Args:
        data: The integers.
        take: What gets their gradient, as integers; None leaves it with the carrier.
    """
    leaf = data.data
    carrier = _empty(data).requires_grad_()
    if take is not None:

        def hand_over(_: Tensor) -> None:
            gradient = take_gradient(leaf)
            take(torch.zeros_like(leaf) if gradient is None else gradient)

        carrier.register_post_accumulate_grad_hook(hand_over)  # type: ignore[no-untyped-call]
    return with_carrier(leaf, carrier)


def convert(data: Tensor, dtype: torch.dtype) -> Tensor:
    """Converts elements; between floats and integers a gradient passes as the original's does."""
    source = data if data.dtype.is_floating_point else carrier_of(data)
    if source is None or not source.requires_grad or torch.compiler.is_compiling():
        return data.to(dtype, copy=True)
    if not dtype.is_floating_point:
        kept = torch.contiguous_format  # no copy must follow, which would have no carrier
        result = data.detach().to(dtype, copy=True, memory_format=kept)
        return with_carrier(result, _Carry.apply(source, data))  # type: ignore[no-untyped-call]
    if source is data:
        return data.to(dtype, copy=True)
    converted: Tensor = _FromIntegers.apply(source, data, dtype)  # type: ignore[no-untyped-call]
    return converted


def join_integers(
    result: Tensor,
    compute: Callable[..., Any],
    tensors: Sequence[Tensor | None],
    slopes: Slopes = "of arrays",
    floats: bool = False,
) -> Tensor:
    """Joins what was computed from integers to the graph, if those are in it.

    Args:
        result: What was computed.
        compute: Computes it from tensors, as the first of several results; doubles in place of
            integers give the slopes.
        tensors: What it was computed from.
        slopes: How the gradient is computed.
        floats: Whether integers were computed from floats, too, which then get a gradient.
    """
    if result.requires_grad or carrier_of(result) is not None:
        return result
    sources = [
        None if item is None else item if floats and item.requires_grad else carrier_of(item)
        for item in tensors
    ]
    if all(source is None for source in sources):
        return result
    rule = compute, tensors, slopes
    joined: Tensor = _InDoubles.apply(result, rule, *sources)  # type: ignore[no-untyped-call]
    return joined if result.dtype.is_floating_point else with_carrier(result, joined)


def without_slope(result: Tensor, *tensors: Tensor) -> Tensor:
    """Joins integers to the graph of others that get a gradient of zero, as remainders do."""
    return join_integers(result, lambda *_: result, tensors)


def join_results(
    results: Any,
    kernel: Callable[..., Any],
    attrs: Mapping[str, Any],
    tensors: Sequence[Tensor | None],
    slopes: Slopes = "of arrays",
) -> Any:
    """Joins the result or results of a kernel; see `join_integers`."""
    dtype = attrs.get("dtype")
    asked = isinstance(dtype, torch.dtype) and not dtype.is_floating_point
    compute = _in_doubles(kernel, {**attrs, "dtype": torch.float64} if asked else attrs)
    if isinstance(results, Tensor):
        return join_integers(results, compute, tensors, slopes, asked)

    def compute_one(*given: Tensor, number: int) -> Any:
        return compute(*given)[number]

    return tuple(
        join_integers(item, partial(compute_one, number=number), tensors, slopes, asked)
        for number, item in enumerate(results)
    )


def join_view(view: Tensor, base: Tensor) -> Tensor:
    """Joins a view of integers to the graph that these are part of."""
    if not base.is_contiguous():
        return view
    shape, strides = view.shape, view.stride()
    offset = view.storage_offset() - base.storage_offset()
    return join_integers(view, lambda data: data.as_strided(shape, strides, offset), (base,))


def passing_integers(kernel: Callable[..., Any], slopes: Slopes) -> Callable[..., Any]:
    """Returns a kernel whose results have the place in graphs that integers among inputs have."""

    def run(*tensors: Tensor | None, **attrs: Any) -> Any:
        return join_results(kernel(*tensors, **attrs), kernel, attrs, tensors, slopes)

    return run


def _in_doubles(kernel: Callable[..., Any], attrs: Mapping[str, Any]) -> Callable[..., Any]:
    """Returns a function that computes with doubles what a kernel computes with integers."""
    if "scalar" in attrs:  # integers meet the whole part of a number
        attrs = {**attrs, "scalar": as_integer(attrs["scalar"], torch.int64)}
    return partial(kernel, **attrs)


def with_carrier(result: Tensor, carrier: Tensor) -> Tensor:
    """Attaches a carrier to integers."""
    result.gradient_carrier = carrier  # type: ignore[attr-defined]
    return result


def _empty(data: Tensor) -> Tensor:
    """Returns doubles of the shape of a tensor that share one element."""
    return torch.zeros((), dtype=torch.float64, device=data.device).expand(data.shape)


class _Carry(torch.autograd.Function):
    """Makes the carrier of integers that were converted from other elements."""

    @staticmethod
    def forward(ctx: Any, source: Tensor, data: Tensor) -> Tensor:
        ctx.dtypes = data.dtype, source.dtype
        return _empty(data)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        own, travels = ctx.dtypes
        return gradients[0].to(own).to(travels), None


class _FromIntegers(torch.autograd.Function):
    """Converts integers to floats."""

    @staticmethod
    def forward(ctx: Any, carrier: Tensor, data: Tensor, dtype: torch.dtype) -> Tensor:  # noqa: ARG004
        ctx.dtype = data.dtype
        return data.to(dtype)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        return gradients[0].to(ctx.dtype).double(), None, None


class _InDoubles(torch.autograd.Function):
    """Makes the carrier of integers, or floats, from those of integers they were computed from."""

    @staticmethod
    def forward(
        ctx: Any,
        result: Tensor,
        rule: tuple[Callable[..., Any], Sequence[Tensor | None], Slopes],
        *carriers: Tensor | None,
    ) -> Tensor:
        ctx.rule = rule
        ctx.places = [place for place, carrier in enumerate(carriers) if carrier is not None]
        return result.view_as(result) if result.dtype.is_floating_point else _empty(result)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        compute, tensors, slopes = ctx.rule
        found: Sequence[Tensor | None] = [None] * len(ctx.places)
        if slopes == "of arrays":
            found = _differentiate(compute, tensors, ctx.places, gradients[0])
        elif slopes == "of elements":
            found = _multiply_slopes(compute, tensors, ctx.places, gradients[0])
        results: list[Tensor | None] = [None] * len(tensors)
        for place, gradient in zip(ctx.places, found, strict=True):
            own = tensors[place]
            whole = torch.zeros_like(own) if gradient is None else gradient.to(own.dtype)
            results[place] = whole if own.dtype.is_floating_point else whole.double()
        return None, None, *results


def _differentiate(
    compute: Callable[..., Any], tensors: Sequence[Any], places: Sequence[int], gradient: Tensor
) -> Sequence[Tensor | None]:
    """Returns the gradients of the tensors at some places, by doubles in place of these."""
    with torch.enable_grad():
        given = list(tensors)
        for place in places:
            given[place] = given[place].detach().double().requires_grad_()
        result = compute(*given)
        if isinstance(result, tuple):
            result = result[0]
        wanted = [given[place] for place in places]
        if not result.requires_grad:
            return [None] * len(wanted)
        return torch.autograd.grad(result, wanted, gradient.to(result.dtype), allow_unused=True)


def _multiply_slopes(
    compute: Callable[..., Any], tensors: Sequence[Any], places: Sequence[int], gradient: Tensor
) -> Sequence[Tensor | None]:
    """Returns the gradients of the tensors at some places, by a whole slope at each element."""
    shape = gradient.shape
    given = list(tensors)
    for place in places:
        given[place] = given[place].expand(shape)
    found = _differentiate(compute, given, places, torch.ones_like(gradient))
    results: list[Tensor | None] = []
    for place, slope in zip(places, found, strict=True):
        own = tensors[place]
        if slope is not None:
            slope = (gradient.to(own.dtype) * slope.to(own.dtype)).sum_to_size(own.shape)
        results.append(slope)
    return results
