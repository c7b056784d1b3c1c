"""Products and linear algebra of `mx.np` against NumPy itself, on arrays drawn at random.

Some axes are empty, and some calls are wrong: where NumPy refuses a call, `mx.np` has to refuse
it, too.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as onp
import pytest
from numpy.random import RandomState

import mxnet as mx

TIMES = 100
EINSUMS = {
    "ij,jk->ik": "mk kn",
    "ij,kj": "mk nk",
    "bij,bjk->bik": "bmk bkn",
    "ij->ji": "mk",
    "ij->": "mk",
    "ii->i": "mm",
    "i,j->ij": "m n",
    "...j,...j->...": "bmk bmk",
    "ij,j,i": "mk k m",
}
"""Subscripts, with a letter for the length of each axis of each array."""


@pytest.fixture(autouse=True)
def dialect():
    with mx.util.np_shape(True), mx.util.np_array(True):
        yield


def lengths(random: RandomState) -> dict[str, int]:
    """Draws a length for each letter, of which some are zero."""
    return {letter: int(random.choice([0, 1, 2, 3, 4, 5])) for letter in "bmkn"}


def array(random: RandomState, shape: Any, dtype: str) -> onp.ndarray:
    return onp.asarray(random.uniform(-1, 1, tuple(shape))).astype(dtype)


def draw_dot(random: RandomState, dtype: str) -> tuple:
    size = lengths(random)
    left, right = random.choice(["k", "mk", "bmk", ""]), random.choice(["k", "kn", "bkn", ""])
    return tuple(array(random, [size[axis] for axis in axes], dtype) for axes in (left, right))


def draw_matmul(random: RandomState, dtype: str) -> tuple:
    size = lengths(random) | {"1": 1}
    left, right = random.choice(["k", "mk", "bmk", "1mk"]), random.choice(["k", "kn", "bkn", "1kn"])
    return tuple(array(random, [size[axis] for axis in axes], dtype) for axes in (left, right))


def draw_tensordot(random: RandomState, dtype: str) -> tuple:
    size = lengths(random)
    axes = [2, ((0, 1), (0, 1)), ((-1,), (0,)), ((1, 2), (0, 1)), 0][random.randint(5)]
    first = array(random, [size[axis] for axis in "bmk"], dtype)
    return first, array(random, [size[axis] for axis in "mkn"], dtype), axes


def draw_inner(random: RandomState, dtype: str) -> tuple:
    size = lengths(random)
    return tuple(array(random, [size[axis] for axis in axes], dtype) for axes in ("mk", "bnk"))


def draw_pair(random: RandomState, dtype: str) -> tuple:
    size = lengths(random)
    return tuple(array(random, [size[axis] for axis in axes], dtype) for axes in ("mk", "km"))


def draw_einsum(random: RandomState, dtype: str) -> tuple:
    size = lengths(random)
    subscripts = random.choice(list(EINSUMS))
    axes = EINSUMS[subscripts].split()
    return str(subscripts), *(array(random, [size[i] for i in item], dtype) for item in axes)


def draw_norm(random: RandomState, dtype: str) -> tuple:
    ndim = random.randint(1, 4)
    data = array(random, random.randint(1, 4, ndim), dtype)
    if random.rand() < 0.5 or ndim == 1:
        axis: Any = int(random.randint(-ndim, ndim))
        orders = [None, 1, 2, 3, -1, -2, 0.5, onp.inf, -onp.inf]
    else:
        axis = tuple(int(i) - ndim * random.randint(2) for i in random.permutation(ndim)[:2])
        orders = [None, "fro", "nuc", 1, -1, 2, -2, onp.inf, -onp.inf]
    return data, orders[random.randint(len(orders))], axis, bool(random.randint(2))


def square(random: RandomState, dtype: str) -> onp.ndarray:
    """Draws positive definite matrices."""
    side = int(random.randint(1, 5))
    stack = random.choice([0, 1, 2, 3], random.randint(3)).tolist()
    factor = random.uniform(-1, 1, (*stack, side, side))
    return (factor @ onp.swapaxes(factor, -1, -2) + onp.eye(side)).astype(dtype)


def draw_matrices(random: RandomState, dtype: str) -> tuple:
    return (square(random, dtype),)


def draw_system(random: RandomState, dtype: str) -> tuple:
    matrices = square(random, dtype)
    return matrices, array(random, (*matrices.shape[:-1], int(random.randint(4))), dtype)


def draw_wide(random: RandomState, dtype: str) -> tuple:
    stack = random.choice([0, 1, 2], random.randint(2)).tolist()
    return (array(random, (*stack, *random.randint(1, 5, 2)), dtype),)


DRAWN = {
    "dot": draw_dot,
    "matmul": draw_matmul,
    "tensordot": draw_tensordot,
    "inner": draw_inner,
    "outer": draw_pair,
    "vdot": draw_pair,
    "einsum": draw_einsum,
    "linalg.norm": draw_norm,
    "linalg.cholesky": draw_matrices,
    "linalg.det": draw_matrices,
    "linalg.slogdet": draw_matrices,
    "linalg.inv": draw_matrices,
    "linalg.eigvalsh": draw_matrices,
    "linalg.solve": draw_system,
    "linalg.pinv": draw_wide,
}


def call(module: Any, name: str, args: Any) -> Any:
    for part in name.split("."):
        module = getattr(module, part)
    return module(*args)


def as_list(result: Any) -> list[onp.ndarray]:
    results = list(result) if isinstance(result, (list, tuple)) else [result]
    return [onp.asarray(item) for item in results]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", DRAWN)
def test_function_is_numpys(name: str, dtype: str):
    random = RandomState(zlib.crc32(name.encode()))
    tolerance = 2e-4 if dtype == "float32" else 1e-9
    computed = 0
    for _ in range(TIMES):
        args = DRAWN[name](random, dtype)
        described = [getattr(item, "shape", item) for item in args]
        given = [mx.np.array(a, dtype=dtype) if isinstance(a, onp.ndarray) else a for a in args]
        try:
            expected = as_list(call(onp, name, args))
        except (ValueError, onp.linalg.LinAlgError):
            with pytest.raises((mx.MXNetError, ValueError)):
                call(mx.np, name, given)
            continue
        found = as_list(call(mx.np, name, given))
        computed += 1
        for one, other in zip(found, expected, strict=True):
            assert (one.shape, one.dtype) == (other.shape, other.dtype), described
            onp.testing.assert_allclose(
                one, other, rtol=tolerance, atol=tolerance, err_msg=str(described)
            )
    assert computed > TIMES / 10
