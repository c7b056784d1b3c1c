"""Functions that shape, join, split and pick, against NumPy on arrays drawn at random.

Shapes have up to four axes, of which some are empty, and axes count from both ends. Where NumPy
refuses a call, `mx.np` has to refuse it, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as onp
import pytest
from numpy.random import RandomState

import mxnet as mx

TIMES = 120
DTYPES = ("float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool")


def draw_shape(random: RandomState, least: int = 0, most: int = 4) -> tuple[int, ...]:
    """Draws a shape, with an empty axis now and then."""
    return tuple(
        random.choice([0, 1, 2, 3, 4], random.randint(least, most + 1), p=WEIGHTS).tolist()
    )


WEIGHTS = [0.04, 0.2, 0.28, 0.28, 0.2]


def draw_array(
    random: RandomState, shape: tuple[int, ...], dtype: str | None = None
) -> onp.ndarray:
    """Draws an array of small whole numbers of any dtype."""
    return onp.asarray(random.randint(0, 5, shape)).astype(dtype or random.choice(DTYPES))


def draw_axis(random: RandomState, ndim: int) -> int:
    """Draws an axis, which lies outside of the array now and then."""
    return int(random.randint(-ndim - (random.rand() < 0.1), max(ndim, 1)))


def draw_axes(random: RandomState, ndim: int) -> Any:
    """Draws None, an axis or a tuple of different axes."""
    kind = random.randint(3)
    if kind == 0 or not ndim:
        return None
    if kind == 1:
        return draw_axis(random, ndim)
    chosen = random.permutation(ndim)[: random.randint(1, ndim + 1)]
    return tuple(int(axis) - ndim * random.randint(2) for axis in chosen)


def draw_reshape(random: RandomState) -> tuple:
    array = draw_array(random, draw_shape(random))
    sizes = (
        list(draw_shape(random)) if random.rand() < 0.3 else list(random.permutation(array.shape))
    )
    if sizes and 0 not in array.shape and random.rand() < 0.5:
        sizes[random.randint(len(sizes))] = -1
    return array, tuple(map(int, sizes))


def draw_transpose(random: RandomState) -> tuple:
    array = draw_array(random, draw_shape(random))
    axes = [int(axis) - array.ndim * random.randint(2) for axis in random.permutation(array.ndim)]
    return (array, tuple(axes)) if random.rand() < 0.8 else (array,)


def draw_two_axes(random: RandomState) -> tuple:
    array = draw_array(random, draw_shape(random, 1))
    return array, draw_axis(random, array.ndim), draw_axis(random, array.ndim)


def draw_one_axis(random: RandomState) -> tuple:
    array = draw_array(random, draw_shape(random, 1))
    return array, draw_axis(random, array.ndim)


def draw_squeeze(random: RandomState) -> tuple:
    array = draw_array(random, tuple(random.choice([1, 1, 2], random.randint(4)).tolist()))
    return array, draw_axes(random, array.ndim)


def draw_flip(random: RandomState) -> tuple:
    array = draw_array(random, draw_shape(random))
    return array, draw_axes(random, array.ndim)


def draw_roll(random: RandomState) -> tuple:
    array = draw_array(random, draw_shape(random))
    axes = draw_axes(random, array.ndim)
    shift = (
        random.randint(-9, 9, len(axes)).tolist() if isinstance(axes, tuple) else random.randint(9)
    )
    return array, tuple(shift) if isinstance(shift, list) else int(shift), axes


def draw_rot90(random: RandomState) -> tuple:
    array = draw_array(random, draw_shape(random, 2))
    first, second = random.permutation(array.ndim)[:2]
    return array, int(random.randint(-5, 6)), (int(first), int(second) - array.ndim)


def draw_repeat(random: RandomState) -> tuple:
    array = draw_array(random, draw_shape(random))
    axis = draw_axis(random, array.ndim) if array.ndim and random.rand() < 0.7 else None
    return array, int(random.randint(1, 4)), axis


def draw_tile(random: RandomState) -> tuple:
    return draw_array(random, draw_shape(random, most=3)), tuple(random.randint(0, 3, 3).tolist())


def draw_broadcast(random: RandomState) -> tuple:
    shape = draw_shape(random)
    kept = [size if random.rand() < 0.6 else 1 for size in shape]
    return draw_array(random, tuple(kept[random.randint(len(kept) + 1) :])), shape


def draw_joined(random: RandomState) -> tuple:
    shape, dtype = draw_shape(random, 1), random.choice(DTYPES)
    axis = draw_axis(random, len(shape))
    arrays = []
    for _ in range(random.randint(1, 4)):
        sizes = list(shape)
        if -len(shape) <= axis:
            sizes[axis] = int(random.randint(0, 3))
        arrays.append(draw_array(random, tuple(sizes), dtype))
    return arrays, axis


def draw_stacked(random: RandomState) -> tuple:
    shape, dtype = draw_shape(random, most=3), random.choice(DTYPES)
    return [draw_array(random, shape, dtype) for _ in range(random.randint(1, 4))], draw_axis(
        random, len(shape) + 1
    )


def draw_rows(random: RandomState) -> tuple:
    return (draw_stacked(random)[0],)


def draw_split(random: RandomState) -> tuple:
    array = draw_array(random, draw_shape(random, 1))
    axis = int(random.randint(array.ndim))
    if random.rand() < 0.5:
        return array, int(random.randint(1, 5)), axis
    places = sorted(random.randint(0, array.shape[axis] + 1, random.randint(3)).tolist())
    return array, places, axis


def draw_take(random: RandomState) -> tuple:
    array = draw_array(random, tuple(random.randint(1, 4, random.randint(1, 4)).tolist()))
    axis = draw_axis(random, array.ndim) if random.rand() < 0.7 else None
    shape = draw_shape(random, most=2)
    return array, random.randint(0, 3, shape).astype("int64"), axis


def draw_where(random: RandomState) -> tuple:
    shape, dtype = draw_shape(random), random.choice(DTYPES)
    arrays = []
    for kind in ("bool", dtype, dtype):
        sizes = tuple(size if random.rand() < 0.7 else 1 for size in shape)
        arrays.append(draw_array(random, sizes[random.randint(len(sizes) + 1) :], kind))
    return tuple(arrays)


def draw_any(random: RandomState) -> tuple:
    return (draw_array(random, draw_shape(random)),)


def draw_axes_only(random: RandomState) -> tuple:
    return (draw_array(random, draw_shape(random, 1)),)  # NumPy has no coordinates of a scalar


def draw_vectors(random: RandomState) -> tuple:
    dtype = random.choice(DTYPES)
    return tuple(draw_array(random, (int(random.randint(4)),), dtype) for _ in range(3))


def draw_matrix(random: RandomState) -> tuple:
    return draw_array(random, draw_shape(random, 1, 2)), int(random.randint(-4, 5))


def draw_plane(random: RandomState) -> tuple:
    array = draw_array(random, draw_shape(random, 2), random.choice(DTYPES[:7]))
    first, second = random.permutation(array.ndim)[:2]
    return array, int(random.randint(-4, 5)), int(first) - array.ndim, int(second)


def draw_padding(random: RandomState) -> tuple:
    array = draw_array(random, tuple(random.randint(1, 4, random.randint(2, 5)).tolist()))
    widths = tuple(tuple(pair) for pair in random.randint(0, 4, (array.ndim, 2)).tolist())
    modes = ("constant", "edge", "reflect", "symmetric", "maximum", "minimum")
    return array, widths, str(random.choice(modes))


def draw_deleted(random: RandomState) -> tuple:
    array = draw_array(random, tuple(random.randint(1, 5, random.randint(1, 4)).tolist()))
    axis = draw_axis(random, array.ndim) if random.rand() < 0.7 else None
    if random.rand() < 0.5:
        return array, int(random.randint(-4, 5)), axis
    bounds = random.randint(-5, 6, 2).tolist()
    return array, slice(*bounds, int(random.choice([-2, -1, 1, 2]))), axis


def draw_inserted(random: RandomState) -> tuple:
    array = draw_array(random, tuple(random.randint(1, 5, random.randint(1, 4)).tolist()))
    axis = draw_axis(random, array.ndim) if random.rand() < 0.7 else None
    return array, int(random.randint(-4, 5)), int(random.randint(5)), axis


def draw_sorted(random: RandomState) -> tuple:
    array = draw_array(random, draw_shape(random, 1))
    return array, draw_axis(random, array.ndim) if random.rand() < 0.8 else None


def draw_unique(random: RandomState) -> tuple:
    # Since NumPy 2 the numbers of the elements have the shape of the array, here they are a vector.
    return draw_array(random, (int(random.randint(9)),)), True, True, True


DRAWN: dict[str, Callable[[RandomState], tuple]] = {
    "reshape": draw_reshape,
    "ravel": draw_any,
    "transpose": draw_transpose,
    "swapaxes": draw_two_axes,
    "moveaxis": draw_two_axes,
    "expand_dims": draw_one_axis,
    "squeeze": draw_squeeze,
    "flip": draw_flip,
    "roll": draw_roll,
    "rot90": draw_rot90,
    "repeat": draw_repeat,
    "tile": draw_tile,
    "broadcast_to": draw_broadcast,
    "concatenate": draw_joined,
    "stack": draw_stacked,
    "vstack": draw_rows,
    "hstack": draw_rows,
    "dstack": draw_rows,
    "column_stack": draw_rows,
    "split": draw_split,
    "array_split": draw_split,
    "take": draw_take,
    "where": draw_where,
    "nonzero": draw_axes_only,
    "meshgrid": draw_vectors,
    "tril": draw_matrix,
    "diag": draw_matrix,
    "diagonal": draw_plane,
    "pad": draw_padding,
    "delete": draw_deleted,
    "insert": draw_inserted,
    "sort": draw_sorted,
    "atleast_1d": draw_any,
    "atleast_2d": draw_any,
    "atleast_3d": draw_any,
    "unique": draw_unique,
}


def convert(value: Any) -> Any:
    """Returns an argument with arrays of NumPy as arrays of `mx.np`."""
    if isinstance(value, onp.ndarray):
        return mx.np.array(value, dtype=value.dtype)
    return [convert(item) for item in value] if isinstance(value, list) else value


def as_arrays(result: Any) -> list[onp.ndarray]:
    """Returns the arrays of a result."""
    results = result if isinstance(result, (list, tuple)) else [result]
    return [item.asnumpy() if isinstance(item, mx.np.ndarray) else item for item in results]


def differs(name: str, args: tuple) -> str | None:
    """Runs one call under both; returns what is different, None if nothing is."""
    try:
        expected = as_arrays(getattr(onp, name)(*args))
    except (ValueError, IndexError, TypeError):
        expected = None
    try:
        found = as_arrays(getattr(mx.np, name)(*map(convert, args)))
    except (mx.MXNetError, ValueError, IndexError, TypeError) as error:
        return None if expected is None else f"{name}{args}: raises {error}"
    if expected is None:
        return f"{name}{args}: is refused by NumPy, gives {found}"
    same = [(a.shape, a.dtype) for a in found] == [(a.shape, a.dtype) for a in expected]
    if same and all(map(onp.array_equal, found, expected)):
        return None
    return f"{name}{args}: gives {found}, expected {expected}"


@pytest.mark.parametrize("name", DRAWN)
def test_function_is_numpys(name: str):
    random = RandomState(sum(map(ord, name)))
    with mx.util.np_shape(True), mx.util.np_array(True):
        reports = [differs(name, DRAWN[name](random)) for _ in range(TIMES)]
    assert [report for report in reports if report] == []
