"""Operators of the NumPy dialect that create arrays, of shape `()` and of no elements too.

As in the classic dialect, the attribute `ctx` has no effect in a kernel: the frontend places the
result and supplies `device`. Windows of signal processing are created here as well.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, copysign, isfinite, pi
from typing import TypeAlias

import torch
from torch import Tensor

from mxnet.errors import ArgumentValueError, AttributeValueError, MXNetError
from mxnet.ops.core.allocation import check_like, check_size
from mxnet.ops.core.attrs import DType, Floats, Number, Shape
from mxnet.ops.core.devices import constant_like
from mxnet.ops.core.registry import op
from mxnet.ops.core.scalars import as_element
from mxnet.ops.core.traits import Fusion, Shapes, Traits
from mxnet.ops.math.creation import exact_numbers, linspace, progression


def _check_shape(op_name: str, shape: Shape, dtype: torch.dtype, device: torch.device) -> None:
    if min(shape, default=0) < 0:
        raise MXNetError(f"{op_name}: expected sizes of at least 0, got {shape}")
    check_size(op_name, shape, dtype, device)


@op("_npi_zeros", traits=Traits(fusion=Fusion(uniform=lambda **_: 0.0)))
def zeros(
    *, shape: Shape = (), ctx: str = "", dtype: DType = torch.float32, device: torch.device
) -> Tensor:
    """Creates an array of zeros.

    Args:
        shape: Shape of the array.
        ctx: Context of the array.
        dtype: Type of its elements.
        device: Where to allocate it.
    """
    _check_shape("_npi_zeros", shape, dtype, device)
    return torch.zeros(shape, dtype=dtype, device=device)


@op("_npi_ones", traits=Traits(fusion=Fusion(uniform=lambda **_: 1.0)))
def ones(
    *, shape: Shape = (), ctx: str = "", dtype: DType = torch.float32, device: torch.device
) -> Tensor:
    """Creates an array of ones.

    Args:
        shape: Shape of the array.
        ctx: Context of the array.
        dtype: Type of its elements.
        device: Where to allocate it.
    """
    _check_shape("_npi_ones", shape, dtype, device)
    return torch.ones(shape, dtype=dtype, device=device)


@op(
    "_npi_full_like",
    differentiable=False,
    traits=Traits(
        shapes=Shapes(asked=("a",)),
        fusion=Fusion(uniform=lambda *, fill_value, **_: float(fill_value)),
    ),
)
def full_like(
    a: Tensor, *, fill_value: Number, ctx: str = "", dtype: DType | None = None
) -> Tensor:
    """Creates an array of the shape of another, filled with one value.

    Args:
        a: The other array.
        fill_value: The value.
        ctx: Accepted for compatibility.
        dtype: Type of the elements, by default that of the other array.
    """
    if dtype is None and fill_value == 0 and copysign(1, fill_value) > 0:
        return torch.zeros_like(a)  # in half of the time
    element = dtype or a.dtype
    return torch.full_like(a, as_element(fill_value, element), dtype=element)


@op("_npi_identity")
def identity(
    *, shape: Shape = (), ctx: str = "", dtype: DType = torch.float32, device: torch.device
) -> Tensor:
    """Creates a square matrix with ones on its diagonal.

    Args:
        shape: Number of rows and of columns, which are equal.
        ctx: Context of the array.
        dtype: Type of its elements.
        device: Where to allocate it.
    """
    if len(shape) != 2 or shape[0] != shape[1]:
        raise MXNetError(f"_npi_identity: expected the shape of a square matrix, got {shape}")
    _check_shape("_npi_identity", shape, dtype, device)
    return torch.eye(shape[0], dtype=dtype, device=device)


@op("_npi_eye")
def eye(
    *,
    N: int,
    M: int | None = None,
    k: int = 0,
    ctx: str = "",
    dtype: DType = torch.float32,
    device: torch.device,
) -> Tensor:
    """Creates a matrix with ones on a diagonal.

    Args:
        N: Number of rows.
        M: Number of columns, by default as many as rows.
        k: Which diagonal: 0 is the main one, positive ones lie above.
        ctx: Context of the array.
        dtype: Type of its elements.
        device: Where to allocate it.
    """
    shape = (N, N if M is None else M)
    _check_shape("_npi_eye", shape, dtype, device)
    matrix = torch.zeros(shape, dtype=dtype, device=device)
    if -N < k < shape[1]:
        matrix.diagonal(k).fill_(1)
    return matrix


@op("_npi_arange")
def arange(
    *,
    start: Number,
    stop: Number | None = None,
    step: Number = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: str = "",
    dtype: DType = torch.float32,
    device: torch.device,
) -> Tensor:
    """Creates evenly spaced values in `[start, stop)`, none if the step leads away from the stop.

    Args:
        start: First value; the stop, counted from 0, if that is not given.
        stop: Where the values end.
        step: Distance between values.
        repeat: Must be 1.
        infer_range: Accepted for compatibility.
        ctx: Context of the array.
        dtype: Type of its elements; an integer type cuts fractions of start and step off.
        device: Where to allocate it.
    """
    if stop is None:
        start, stop = 0.0, start
    start, stop, step = exact_numbers(start, stop, step)
    if step == 0 or repeat != 1 or not isfinite((stop - start) / step):
        raise MXNetError(
            "_npi_arange: expected finite numbers, a step other than 0 and no repetition, "
            f"got {(start, stop, step)} and repeat {repeat}"
        )
    count = max(ceil((stop - start) / step), 0)
    check_size("_npi_arange", (count,), dtype, device)
    return progression(count, start, step, 1, dtype, device)


@op("_npi_logspace")
def logspace(
    *,
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    base: float = 10.0,
    ctx: str = "",
    dtype: DType = torch.float32,
    device: torch.device,
) -> Tensor:
    """Creates powers of a number whose exponents are evenly spaced.

    Args:
        start: First exponent.
        stop: Last exponent, or the one that would follow it without `endpoint`.
        num: Number of values.
        endpoint: Whether `stop` is among the exponents.
        base: The number.
        ctx: Context of the array.
        dtype: Type of its elements; an integer type cuts fractions off.
        device: Where to allocate it.
    """
    exponents: Tensor = linspace(
        start=start, stop=stop, num=num, endpoint=endpoint, dtype=torch.float64, device=device
    )
    return torch.pow(base, exponents).to(dtype)


@op("_npi_indices")
def indices(
    *, dimensions: Shape, dtype: DType = torch.int32, ctx: str = "", device: torch.device
) -> Tensor:
    """Creates the coordinates of every element of a grid, one array for each axis.

    Args:
        dimensions: Shape of the grid.
        dtype: Type of the coordinates.
        ctx: Context of the array.
        device: Where to allocate it.
    """
    shape = (len(dimensions), *dimensions)
    _check_shape("_npi_indices", shape, dtype, device)
    if not dimensions:
        return torch.empty(0, dtype=dtype, device=device)
    grid = [
        torch.arange(size, dtype=dtype, device=device)
        .reshape((-1,) + (1,) * (len(dimensions) - 1 - axis))
        .expand(dimensions)
        for axis, size in enumerate(dimensions)
    ]
    return torch.stack(grid)


@op("_npi_diag_indices_from", differentiable=False)
def diag_indices_from(data: Tensor) -> Tensor:
    """Returns the coordinates of the main diagonal, one row for each axis.

    Args:
        data: Array of two or more axes of one size.
    """
    if data.ndim < 2 or len(set(data.shape)) > 1:
        raise ArgumentValueError(
            f"_npi_diag_indices_from: expected axes of one size, got shape {tuple(data.shape)}"
        )
    return torch.arange(len(data), device=data.device).repeat(data.ndim, 1)


@op("_npi_share_memory", any_dtype=("b",), differentiable=False)
def share_memory(a: Tensor, b: Tensor) -> Tensor:
    """Returns whether two arrays have memory in common.

    Args:
        a: One array.
        b: The other one.
    """
    shared = False
    if not (a.is_meta or b.is_meta) and a.device == b.device and a.numel() and b.numel():
        first, second = a.data_ptr(), b.data_ptr()
        shared = first < second + b.nbytes and second < first + a.nbytes
    return torch.full((), shared, device=a.device)


@op("_npi_tril", traits=Traits(fusion=Fusion(clears=True)))
def tril(data: Tensor, *, k: int = 0) -> Tensor:
    """Returns matrices with zeros above a diagonal; a vector counts as all rows of a matrix.

    Args:
        data: Array of one or more axes.
        k: The last diagonal that is kept: 0 is the main one, positive ones lie above.
    """
    if data.ndim == 1:
        check_like("_npi_tril", (len(data),) * 2, data)
        data = data.expand(len(data), len(data))
    return data.tril(k)


@op("_npi_triu")
def triu(data: Tensor, *, k: int = 0) -> Tensor:
    """Returns matrices with zeros below a diagonal; a vector counts as all rows of a matrix.

    Args:
        data: Array of one or more axes.
        k: The first diagonal that is kept: 0 is the main one, positive ones lie above.
    """
    if data.ndim == 1:
        check_like("_npi_triu", (len(data),) * 2, data)
        data = data.expand(len(data), len(data))
    return data.triu(k)


@op("_npi_tri", differentiable=False)
def tri(
    *,
    N: int,
    M: int | None = None,
    k: int = 0,
    ctx: str = "",
    dtype: DType = torch.float32,
    device: torch.device,
) -> Tensor:
    """Creates a matrix with ones up to a diagonal and zeros above it.

    Args:
        N: Number of rows.
        M: Number of columns, by default that of the rows.
        k: The last diagonal of ones: 0 is the main one, positive ones lie above.
        ctx: Context of the array.
        dtype: Type of its elements.
        device: Where to allocate it.
    """
    del ctx
    shape = (max(N, 0), max(N if M is None else M, 0))
    check_size("_npi_tri", shape, dtype, device)
    return torch.ones(shape, dtype=dtype, device=device).tril(k)


@op("_npi_tril_indices", differentiable=False, num_outputs=2)
def tril_indices(
    *, n: int, k: int = 0, m: int | None = None, ctx: str = "", device: torch.device
) -> tuple[Tensor, Tensor]:
    """Returns rows and columns of the elements of a matrix up to a diagonal.

    Args:
        n: Number of rows.
        k: The last diagonal that counts: 0 is the main one, positive ones lie above.
        m: Number of columns, by default that of the rows.
        ctx: Context of the arrays.
        device: Where to allocate them.
    """
    del ctx
    shape = (max(n, 0), max(n if m is None else m, 0))
    check_size("_npi_tril_indices", (2, *shape), torch.int64, device)
    rows, columns = torch.tril_indices(*shape, offset=k, device=device)
    return rows, columns


@op("_npi_fill_diagonal")
def fill_diagonal(a: Tensor, *, val: Floats, wrap: bool = False) -> Tensor:
    """Returns an array with other numbers on its main diagonal.

    Args:
        a: Array of two axes or, if all are of one length, of more.
        val: The numbers, which are repeated as often as is needed.
        wrap: Whether the diagonal of a tall matrix starts again after its end.
    """
    name = "_npi_fill_diagonal"
    if a.ndim < 2 or (a.ndim > 2 and len(set(a.shape)) > 1):
        raise MXNetError(
            f"{name}: expected a matrix or axes of one length, got shape {tuple(a.shape)}"
        )
    if not val:
        raise MXNetError(f"{name}: expected numbers, got none")
    result = a.contiguous().clone()
    strides = result.stride()
    end = result.numel() if a.ndim > 2 or wrap else min(result.shape[1] ** 2, result.numel())
    diagonal = result.view(-1)[: end : sum(strides)]
    numbers = constant_like(tuple(as_element(number, a.dtype) for number in val), a)
    repeats = -(-len(diagonal) // len(val))
    diagonal.copy_(numbers.repeat(repeats)[: len(diagonal)])
    return result


Formula: TypeAlias = Callable[[Tensor], Tensor]
"""Computes a window from the angles of its points, from 0 to a full turn."""


def _declare(name: str, formula: Formula, summary: str) -> None:
    def kernel(
        *, M: int | None = None, ctx: str = "", dtype: DType = torch.float32, device: torch.device
    ) -> Tensor:
        """Creates a window.

        Args:
            M: Number of points; of one point the value is 1, and there are none below.
            ctx: Context of the array.
            dtype: Type of its elements; an integer type cuts fractions off.
            device: Where to allocate it.
        """
        if M is None:
            raise AttributeValueError(f"{name}: required attribute `M` is not given")
        check_size(name, (max(M, 0),), dtype, device)
        wide = torch.promote_types(dtype, torch.float32)
        if M <= 1:
            return torch.ones(max(M, 0), dtype=dtype, device=device)
        angles = torch.arange(M, dtype=wide, device=device).mul_(2 * pi / (M - 1))
        return formula(angles).to(dtype)

    op(name, summary=summary)(kernel)


_declare(
    "_npi_blackman",
    lambda angles: 0.42 - 0.5 * angles.cos() + 0.08 * (2 * angles).cos(),
    "Creates a Blackman window.",
)
_declare("_npi_hamming", lambda angles: 0.54 - 0.46 * angles.cos(), "Creates a Hamming window.")
_declare("_npi_hanning", lambda angles: 0.5 - 0.5 * angles.cos(), "Creates a Hann window.")
