"""Reductions along axes: sums, products, extremes, norms, moments, and picking along an axis."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np
import torch
from torch import Tensor

from mxnet.errors import AttributeValueError, MXNetError
from mxnet.ops.core.attrs import DType, Shape
from mxnet.ops.core.registry import example, op
from mxnet.ops.core.scalars import as_positions, clip_positions
from mxnet.ops.core.traits import NAMED_INPUTS, NO_TRAITS, Attrs, Files, Shapes, Storage, Traits
from mxnet.ops.rules import misfits, shape_rules, storage_types

Axes: TypeAlias = tuple[int, ...] | None
Reduce: TypeAlias = Callable[[Tensor, Axes, bool], Tensor]

_RESULT_DTYPES = frozenset(
    (torch.float16, torch.float32, torch.float64, torch.int32, torch.int64, torch.int8)
)


def distinct_axes(axis: Shape, ndim: int) -> tuple[int, ...]:
    """Returns axes in order, counted from the first."""
    axes = tuple(sorted(item + ndim if item < 0 else item for item in axis))
    if len(set(axes)) < len(axes) or axes[0] < 0 or axes[-1] >= ndim:
        raise IndexError(f"expected distinct axes of {ndim}-dimensional data, got {axis}")
    return axes


@lru_cache(maxsize=256)  # a function of its arguments, so that nothing invalidates it
def _axes_without(axis: Shape, ndim: int) -> tuple[int, ...]:
    """Returns the axes of data that are not among those named."""
    named = distinct_axes(axis, ndim)
    return tuple([item for item in range(ndim) if item not in named])


def _never_scalar(result: Tensor) -> Tensor:
    """Returns a result without axes in the shape `(1,)`."""
    return result if result.ndim else result.view(1)


def _sum(data: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    return torch.sum(data, axes, keepdims, dtype=data.dtype)


def _mean(data: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    if data.is_floating_point():
        return torch.mean(data, axes, keepdims)
    total = _sum(data, axes, keepdims)
    if data.dtype is torch.bool:
        return total
    count = data.numel() // max(total.numel(), 1)
    return torch.div(total, count, rounding_mode="trunc").to(data.dtype)


def prod(data: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    """Multiplies elements along axes, all of them for None."""
    if axes is None:
        if not keepdims:
            return torch.prod(data, dtype=data.dtype)
        axes = tuple(range(data.ndim))
    elif len(axes) > 1:
        axes = distinct_axes(axes, data.ndim)
    for axis in reversed(axes):
        data = torch.prod(data, axis, keepdims, dtype=data.dtype)
    return data


def _nansum(data: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    return torch.nansum(data, axes, keepdims, dtype=data.dtype)


def _nanprod(data: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    if not data.is_floating_point():
        return prod(data, axes, keepdims)
    return prod(torch.where(torch.isnan(data), 1, data), axes, keepdims)


def _square_sum(data: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    return _sum(data * data, axes, keepdims)


class _Extreme(torch.autograd.Function):
    """Extreme value whose gradient goes undivided to every element that attains it."""

    # With a `setup_context` torch would look at the signature of `forward` in each call.
    @staticmethod
    def forward(
        ctx: Any, data: Tensor, axes: tuple[int, ...], keepdims: bool, largest: bool
    ) -> Tensor:
        extreme = (torch.amax if largest else torch.amin)(data, axes, True)
        ctx.save_for_backward(data, extreme)
        return extreme if keepdims else extreme.squeeze(axes)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None]:
        data, extreme = ctx.saved_tensors
        return gradient.reshape(extreme.shape) * (data == extreme), None, None, None


def extreme(largest: bool) -> Reduce:
    """Returns the function that finds the largest or the smallest element along axes."""
    builtin = torch.amax if largest else torch.amin

    def reduce(data: Tensor, axes: Axes, keepdims: bool) -> Tensor:
        if not data.requires_grad:
            return builtin(data, axes or (), keepdims)
        axes = axes or tuple(range(data.ndim))
        result: Tensor = _Extreme.apply(data, axes, keepdims, largest)  # type: ignore[no-untyped-call]  # torch's
        return result

    return reduce


_ARGS = """

Args:
    data: Array of any shape.
    axis: Axis or axes to reduce; None or an empty tuple for all of them.
    keepdims: Whether reduced axes stay with size 1.
    exclude: Whether to reduce the axes that are not in `axis`."""


_ROWS = "[1, 3, 2], [6, 4, 5]"
_WITH_NAN = "[1, 3, float('nan')], [2, 4, float('nan')]"
"""What the examples reduce."""


def _shown(name: str, results: str, rows: str = _ROWS) -> str:
    """Returns the section of a docstring that shows a reduction along the last axis."""
    call = f"mx.nd.{name}(mx.nd.array([{rows}]), axis=1)"
    return example(f">>> print({call}.asnumpy())", results)


def _declare_reduction(
    name: str,
    reduce: Reduce,
    doc: str,
    *aliases: str,
    results: str | None = None,
    rows: str = _ROWS,
    traits: Traits = NO_TRAITS,
) -> None:
    shown = "" if results is None else _shown(name, results, rows)

    def kernel(
        data: Tensor, *, axis: Shape | None = None, keepdims: bool = False, exclude: bool = False
    ) -> Tensor:
        if axis and exclude:
            axis = _axes_without(axis, data.ndim)
            if len(axis) == 0:
                # Torch takes no axes for all axes: an axis of size 1 leaves the data as they are.
                return reduce(data.unsqueeze(-1), (-1,), False)
        if not axis and data.ndim == 1:  # losses of a batch: a view less to record
            return reduce(data, (0,), True)
        result = reduce(data, axis or None, keepdims)
        return result if result.ndim else result.view(1)

    kernel.__name__ = kernel.__qualname__ = name
    kernel.__doc__ = doc + _ARGS + shown
    op(name, aliases=aliases, traits=traits)(kernel)


_declare_reduction("prod", prod, "Multiplies elements along axes.", results="[  6. 120.]")
_declare_reduction(
    "nansum",
    _nansum,
    "Sums elements along axes, taking NaN as zero.",
    results="[4. 6.]",
    rows=_WITH_NAN,
)
_declare_reduction(
    "nanprod",
    _nanprod,
    "Multiplies elements along axes, taking NaN as one.",
    results="[3. 8.]",
    rows=_WITH_NAN,
)
_declare_reduction(
    "sum",
    _sum,
    "Sums elements along axes.",
    "sum_axis",
    results="[ 6. 15.]",
    traits=Traits(storage=Storage(algorithm="sum")),
)
_declare_reduction(
    "mean",
    _mean,
    "Averages elements along axes; integers are divided towards zero.",
    results="[2. 5.]",
    traits=Traits(storage=Storage(algorithm="mean")),
)
_declare_reduction(
    "max", extreme(True), "Returns the largest element along axes.", "max_axis", results="[3. 6.]"
)
_declare_reduction(
    "min", extreme(False), "Returns the smallest element along axes.", "min_axis", results="[1. 4.]"
)


def _sums_rows(attrs: Attrs) -> bool:
    return attrs.get("axis") in (1, (1,)) and bool(attrs.get("keepdims"))


_declare_reduction(
    "_square_sum",
    _square_sum,
    "Sums the squares of elements along axes.",
    traits=Traits(
        storage=Storage(
            result=storage_types.only("row_sparse", _sums_rows),
            gradient=storage_types.like_inputs,
            algorithm="square_sum",
        )
    ),
)


def _declare_arg(name: str, builtin: Callable[..., Tensor], doc: str, results: str) -> None:
    def kernel(data: Tensor, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
        return _never_scalar(builtin(data, axis, keepdims).to(data.dtype))

    kernel.__name__ = kernel.__qualname__ = name
    kernel.__doc__ = f"""{doc}

The first of equal elements wins; the index has the dtype of the data.

Args:
    data: Array of any shape.
    axis: Axis to search; None for the index into the flattened array.
    keepdims: Whether reduced axes stay with size 1.{_shown(name, results)}
"""
    op(name, differentiable=False, traits=Traits(files=Files(upgrade=_flatten_in_old_files)))(
        kernel
    )


def _flatten_in_old_files(version: int, attrs: dict[str, str]) -> None:
    """Takes out the axis -1 of files before 0.9.5, which stood for none."""
    if version < 905 and attrs.get("axis") == "-1":
        del attrs["axis"]


_declare_arg(
    "argmax", torch.argmax, "Returns the index of the largest element along an axis.", "[1. 0.]"
)
_declare_arg(
    "argmin", torch.argmin, "Returns the index of the smallest element along an axis.", "[0. 1.]"
)


@op("argmax_channel", differentiable=False)
def argmax_channel(data: Tensor) -> Tensor:
    """Returns the index of the largest element along axis 1.

    Args:
        data: Array of two axes or more.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.argmax_channel(mx.nd.array([[1, 3, 2], [9, 0, 0]])).asnumpy())
        [1. 0.]
    """
    return torch.argmax(data, 1).to(data.dtype)


def _check_result_dtype(name: str, attribute: str, dtype: torch.dtype | None) -> None:
    if dtype is not None and dtype not in _RESULT_DTYPES:
        raise AttributeValueError(
            f"{name}: attribute `{attribute}` takes a float or signed integer dtype, got {dtype}"
        )


@op("norm", traits=Traits(storage=Storage(algorithm="norm")))
def norm(
    data: Tensor,
    *,
    ord: int = 2,
    axis: Shape | None = None,
    out_dtype: DType | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Computes the sum of magnitudes or the Euclidean length along axes.

    Args:
        data: Array of any shape.
        ord: 1 for the sum of magnitudes, 2 for the Euclidean length.
        axis: Axis or axes to reduce; None or an empty tuple for all of them.
        out_dtype: Dtype of the result; None for that of the data.
        keepdims: Whether reduced axes stay with size 1.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.norm(mx.nd.array([[3, 4], [6, 8]]), axis=1).asnumpy())
        [ 5. 10.]
    """
    if ord not in (1, 2):
        raise AttributeValueError(f"norm: attribute `ord` takes 1 or 2, got {ord}")
    _check_result_dtype("norm", "out_dtype", out_dtype)
    result_dtype = out_dtype or data.dtype
    if not data.is_floating_point():
        data = data.double()
    elif result_dtype.is_floating_point and result_dtype.itemsize > data.dtype.itemsize:
        data = data.to(result_dtype)
    length: Tensor = torch.linalg.vector_norm(data, ord, axis or None, keepdims)
    return _never_scalar(length.to(result_dtype))


@op("moments", num_outputs=2)
def moments(
    data: Tensor, *, axes: Shape | None = None, keepdims: bool = False
) -> tuple[Tensor, Tensor]:
    """Computes mean and variance along axes.

    Args:
        data: Array of any shape.
        axes: Axis or axes to reduce; must be given.
        keepdims: Whether reduced axes stay with size 1.

    Example:
        >>> import mxnet as mx
        >>> mean, variance = mx.nd.moments(mx.nd.array([[1, 3], [2, 6]]), axes=(1,))
        >>> print(mean.asnumpy(), variance.asnumpy())
        [2. 4.] [1. 4.]
    """
    if not axes:
        raise AttributeValueError("moments: attribute `axes` takes at least one axis, got none")
    mean = _mean(data, axes, True)
    variance = _mean((data - mean).square(), axes, keepdims)
    return _never_scalar(mean if keepdims else mean.squeeze(axes)), _never_scalar(variance)


@op(
    "_np_cumsum",  # what the original writes to files
    aliases=("cumsum",),
    traits=Traits(labels=NAMED_INPUTS, shapes=Shapes(inputs=shape_rules.accumulate)),
)
def cumsum(a: Tensor, *, axis: int | None = None, dtype: DType | None = None) -> Tensor:
    """Sums elements cumulatively along an axis.

    Args:
        a: Array of any shape.
        axis: Axis to sum along; None sums over the flattened array.
        dtype: Dtype of sum and result; None for that of the array.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[1, 2], [3, 4]])
        >>> print(mx.nd.cumsum(x, axis=1).asnumpy())
        [[1. 3.]
         [3. 7.]]
        >>> print(mx.nd.cumsum(x).asnumpy())
        [ 1.  3.  6. 10.]
    """
    _check_result_dtype("cumsum", "dtype", dtype)
    if dtype is None and a.dtype is not torch.bool:
        dtype = a.dtype
    if dtype is not None and not dtype.is_floating_point:
        a = a.detach()  # torch refuses to record a sum that it cannot differentiate
    if axis is None:
        a, axis = a.reshape(-1), 0
    if dtype is torch.float16 and a.device.type == "cpu" and a.ndim:
        rounded: Tensor = _HalfSums.apply(a.to(dtype), axis)  # type: ignore[no-untyped-call]
        return rounded
    return torch.cumsum(a, axis, dtype=dtype)


class _HalfSums(torch.autograd.Function):
    """Cumulative sums in half precision, each rounded before the next element is added.

    torch rounds sums in single precision, from which long ones differ by several units.
    """

    @staticmethod
    def forward(ctx: Any, data: Tensor, axis: int) -> Tensor:
        ctx.axis = axis
        return torch.from_numpy(np.cumsum(data.numpy(), axis, dtype=np.float16))

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        axis = ctx.axis
        sums: Tensor = _HalfSums.apply(gradients[0].flip(axis), axis)  # type: ignore[no-untyped-call]
        return sums.flip(axis), None


@op(
    "pick",
    aliases=("choose_element_0index", "_npx_pick"),
    any_dtype=("index",),
    traits=Traits(shapes=Shapes(misfit=misfits.picked_labels, inputs=shape_rules.pick)),
)
def pick(
    data: Tensor,
    index: Tensor,
    *,
    axis: int | None = -1,
    keepdims: bool = False,
    mode: Literal["clip", "wrap"] = "clip",
) -> Tensor:
    """Picks one element along an axis for each position of the other axes.

    Args:
        data: Array to pick from.
        index: Positions along the axis; has the shape of the data without the axis, or with size 1
            there. Fractions are cut off.
        axis: Axis to pick along; must not be None.
        keepdims: Whether the axis stays with size 1.
        mode: Whether positions outside the axis move to its nearest end or wrap around.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.pick(mx.nd.array([[1, 2], [3, 4]]), mx.nd.array([1, 0])).asnumpy())
        [2. 3.]
    """
    if axis is None:
        raise AttributeValueError("pick: attribute `axis` takes int, got None")
    shape = data.shape
    size = shape[axis]
    axis %= len(shape)
    picked = shape[:axis] + shape[axis + 1 :] or (1,)
    if index.shape != picked and index.shape != (*shape[:axis], 1, *shape[axis + 1 :]):
        raise MXNetError(
            f"pick: expected an index of shape {tuple(picked)}, got {tuple(index.shape)}"
        )
    if index.ndim < len(shape):
        index = index.unsqueeze(axis)
    result = _gather(data, index, axis, size, clips=mode == "clip")
    return result if keepdims or len(shape) == 1 else result.squeeze(axis)


def _gather(data: Tensor, index: Tensor, axis: int, size: int, *, clips: bool) -> Tensor:
    """Picks elements by numbers of any type, of which those outside are clipped or wrap around."""
    if not clips:
        return data.gather(axis, as_positions(index).remainder(size))
    if type(data) is Tensor and data.is_cpu and not torch.compiler.is_compiling():
        try:  # a processor compares each index with the size of the axis by itself
            return data.gather(axis, index.long())
        except RuntimeError:
            pass
    return data.gather(axis, clip_positions(index, size))
