"""Operators of the NumPy dialect that MXNet 2 added; their golden results are of MXNet 2.0.0b1."""

from math import inf, nan

from .core import ints, rand, sample, values

MIXED = values([[2.5, -3.0, 7.0], [0.5, -0.25, 4.0]])
WHOLE = {
    dtype: values([[7, 3, 8], [5, 4, 2]], dtype) for dtype in ("uint8", "int8", "int32", "int64")
}
SIGNED = values([[7, -3, 8], [-5, 4, -2]], "int32")
MASK = values([True, False, True], "bool")


POINTS = values([0.0, 1.0, 2.0], "float64"), values([0.0, 10.0, 20.0], "float64")
PLACED = {"x_is_scalar": False, "gradient": False}
TALL = values([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
BY_VALUES = {"oracle": False, "why": "its shape is known when it is computed"}
DRAWN = {"random": True, "gradient": False}
ALONE = {"oracle": False, "why": "MXNet has no such operator, or takes parameters in another order"}


def _extremes(name: str) -> list:
    op = f"_npi_{name}"
    return [
        sample(op, MIXED, rand(2, 3)),
        sample(op, rand(2, 1), rand(1, 3)),
        sample(op, rand(), rand(3)),
        sample(op, rand(0, 3), rand(1, 3)),
        sample(op, values([nan, 1, nan, inf]), values([1, nan, nan, -inf]), gradient=False),
        sample(op, rand(3, dtype="float64"), rand(3, dtype="float64")),
        *(sample(op, array, values([4, 4, 4], dtype)) for dtype, array in WHOLE.items()),
        sample(op, rand(2), rand(3), raises=True),
        sample(f"{op}_scalar", rand(2, 3), scalar=0.25),
        sample(f"{op}_scalar", SIGNED, scalar=3, is_int=True),
        sample(f"{op}_scalar", SIGNED, scalar=2.5, is_int=False),
    ]


def _quotients(name: str) -> list:
    op = f"_npi_{name}"
    # MXNet differentiates the remainder with the divisor's sign where this has the dividend's.
    step = {"gradient": False}
    return [
        sample(op, MIXED, values([[1.5, 2.0, -3.0]]), **step),
        sample(op, rand(2, 1, low=1, high=9), rand(3, low=1, high=3), **step),
        sample(op, rand(0, 3), rand(1, 3)),
        sample(op, values([7.0, -7.0], "float64"), values([2.0, 2.0], "float64"), **step),
        sample(op, SIGNED, values([[2, 2, -3]], "int32")),
        sample(op, WHOLE["int64"], WHOLE["int64"]),
        sample(op, WHOLE["uint8"], values([2, 2, 3], "uint8")),
        sample(op, rand(2), rand(3), raises=True),
        sample(f"{op}_scalar", MIXED, scalar=2, **step),
        sample(f"{op}_scalar", SIGNED, scalar=2, is_int=True),
        sample(f"{op}_scalar", SIGNED, scalar=2.5, is_int=False),
        sample(f"_npi_r{name}_scalar", MIXED, scalar=7, **step),
        sample(f"_npi_r{name}_scalar", SIGNED, scalar=7, is_int=True),
    ]


def _connectives(name: str) -> list:
    op = f"_npi_{name}"
    zeros = values([[0, 1.5, 0], [2, 0, -1]])
    return [
        sample(op, zeros, values([1, 0, nan])),
        sample(op, zeros, values([1, 0, 1], "int32")),
        sample(op, MASK, MASK),
        sample(op, values([0, 3, -1], "int8"), values([1, 0, 0], "int64")),
        sample(op, rand(0), rand(1)),
        sample(op, rand(2), rand(3), raises=True),
        *(sample(f"{op}_scalar", zeros, scalar=number) for number in (0, 2.5)),
        sample(f"{op}_scalar", MASK, scalar=1),
    ]


def _shifts(name: str) -> list:
    op = f"_npi_{name}"
    return [
        sample(op, SIGNED, values([[1, 2, 0]], "int32")),
        sample(op, WHOLE["uint8"], values([1, 2, 7], "uint8")),
        sample(op, WHOLE["int64"], values([1, 2, 3], "int32")),
        sample(op, ints(0, 3), ints(1, 3)),
        sample(op, rand(3), values([1, 2, 3], "int32"), raises=True),
        sample(op, MASK, MASK, raises=True),
        sample(f"{op}_scalar", SIGNED, scalar=2),
        sample(f"_npi_r{name}_scalar", WHOLE["int32"], scalar=9),
        sample(f"{op}_scalar", rand(3), scalar=2, raises=True),
    ]


UNINITIALIZED = {"oracle": False, "why": "MXNet leaves the other elements uninitialized"}
FLOOR_OF_NOTHING = "divides by zero: MXNet gives the least integer"
SAMPLES = [
    *(row for name in ("fmax", "fmin") for row in _extremes(name)),
    *(row for name in ("fmod", "floor_divide") for row in _quotients(name)),
    *(row for name in ("logical_and", "logical_or", "logical_xor") for row in _connectives(name)),
    *(row for name in ("bitwise_left_shift", "bitwise_right_shift") for row in _shifts(name)),
    sample("_npi_fmod", SIGNED, values([[0, 2, 0]], "int32")),
    sample("_npi_floor_divide", SIGNED, rand(2, 3, low=1, high=3)),
    sample(
        "_npi_floor_divide",
        SIGNED,
        values([[0, 2, 0]], "int32"),
        oracle=False,
        why=FLOOR_OF_NOTHING,
    ),
    sample(
        "_npi_floor_divide",
        values([-(2**31), 7], "int32"),
        values([-1, -1], "int32"),
        oracle=False,
        why="MXNet ends the process",
    ),
    sample("_npi_gcd", SIGNED, values([[14, 9, 12]], "int32")),
    sample("_npi_gcd", WHOLE["int64"], WHOLE["int64"]),
    sample("_npi_gcd", rand(3), rand(3), raises=True),
    sample("_npi_gcd_scalar", SIGNED, scalar=12),
    sample("_npi_gcd_scalar", rand(3), scalar=12, raises=True),
    sample("_npi_logaddexp", rand(2, 3), rand(3)),
    sample(
        "_npi_logaddexp",
        values([-inf, 1000.0]),
        values([1.0, 1000.0]),
        gradient=False,
        oracle=False,
        why="MXNet overflows",
    ),
    sample("_npi_logaddexp", rand(0), rand(1)),
    sample("_npi_logaddexp", SIGNED, SIGNED, raises=True),
    sample("_npi_logaddexp_scalar", rand(2, 3), scalar=0.5),
    sample("_npi_logaddexp_scalar", SIGNED, scalar=0.5, is_int=False),
    sample("_npi_cross", rand(4, 3), rand(4, 3)),
    sample("_npi_cross", rand(2), rand(2)),
    sample("_npi_cross", rand(5, 2), rand(5, 3)),
    sample("_npi_cross", rand(3, 4), rand(4, 3), axisa=0),
    sample("_npi_cross", rand(3, 2, 4), rand(3, 2, 4), axisa=0, axisb=0, axisc=1),
    sample("_npi_cross", rand(4), rand(4), raises=True),
    sample("_npi_kron", rand(2, 3), rand(3, 2)),
    sample("_npi_kron", rand(2), rand(2, 2, 2)),
    sample("_npi_kron", rand(), rand(3)),
    sample("_npi_kron", values([1, 2], "int32"), values([3, 4], "int32"), gradient=False),
    sample("_npi_tri", N=3),
    sample("_npi_tri", N=3, M=5, k=1, dtype="int32"),
    sample("_npi_tri", N=2, k=-1, dtype="float64"),
    sample("_npi_triu", rand(3, 4)),
    sample("_npi_triu", rand(2, 3, 3), k=1),
    sample("_npi_triu", rand(3), k=-1),
    sample("_npi_triu", values([[1, 2], [3, 4]], "int32"), gradient=False),
    sample("_npi_tril_indices", n=3, oracle=False, why="MXNet wants m"),
    sample("_npi_tril_indices", n=2, m=2),
    sample("_npi_tril_indices", n=3, k=-1, m=4),
    sample("_npi_fill_diagonal", rand(3, 3), val=(5.0,), **UNINITIALIZED),
    sample("_npi_fill_diagonal", rand(2, 2, 2), val=(1.0,), **UNINITIALIZED),
    sample("_npi_fill_diagonal", rand(3), val=(5.0,), raises=True),
    sample("_npx_index_update", rand(2, 3), values([[0, 1], [1, 2]], "int32"), rand(2)),
    sample("_npx_index_update", rand(2, 3), values([[1]], "int32"), rand(3)),
    sample("_npx_index_add", rand(3, 2), values([[0, 0], [1, 1]], "int32"), rand(2)),
    sample("_npx_index_add", rand(3, 2), values([[0, 2]], "int64"), rand(1, 2)),
    sample("_npx_index_add", rand(3, 2), values([[0, 2]], "int64"), rand()),
    sample("_npx_index_add", rand(3, 2), values([[5]], "int64"), rand(), raises=True),
    sample("_npi_laplace", size=(2, 3), loc=0.0, scale=1.0, random=True),
    sample("_npi_rollaxis", rand(2, 3, 4), axis=2),
    sample("_npi_rollaxis", rand(2, 3, 4), axis=0, start=3),
    sample("_npi_rollaxis", rand(2, 3, 4), axis=-1, start=-2),
    sample("_npi_rollaxis", rand(2, 3), axis=0, start=5, raises=True),
    sample("_npi_interp", *POINTS, values([0.5, 1.5, 7.0, -1.0], "float64"), **PLACED),
    sample("_npi_interp", *POINTS, values([0.5, -1.0], "float64"), left=-1.0, right=3.0, **PLACED),
    sample("_npi_interp", *POINTS, values([0.5, 2.2, 7.0], "float64"), period=2.5, **PLACED),
    sample("_npi_interp", *POINTS, x_scalar=0.5, x_is_scalar=True, gradient=False),
    sample("_npi_interp", values([0.0, 1.0]), values([1.0]), rand(2), **PLACED, raises=True),
    sample("_npi_qr", TALL, gradient=False),
    sample("_npi_qr", values([[4.0, 2.0], [2.0, 3.0]]), gradient=False),
    sample("_npi_lstsq", TALL, values([1.0, 2.0, 3.0]), gradient=False),
    sample("_npi_lstsq", TALL, values([[1.0], [2.0], [3.0]]), new_default=True, gradient=False),
    sample("_npi_matrix_rank_none_tol", TALL, gradient=False),
    sample(
        "_npi_matrix_rank_none_tol",
        values([[1.0, 2.0], [2.0, 4.0]]),
        gradient=False,
        oracle=False,
        why="MXNet finds a second singular value",
    ),
    sample("_npi_matrix_rank", TALL, values(1.5), gradient=False),
    sample(
        "_npi_matrix_rank", rand(3), values(1.5), raises=True, oracle=False, why="MXNet counts 1"
    ),
    sample("_contrib_dynamic_reshape", rand(2, 3, 4), values([0, -1], "int64"), **BY_VALUES),
    sample("_contrib_dynamic_reshape", rand(2, 3, 4), values([-3, 0], "int64"), **BY_VALUES),
    sample("_contrib_dynamic_reshape", rand(2, 3), values([4], "int64"), raises=True, **BY_VALUES),
    sample("_npx__random_multinomial", values([3.0, 5.0]), rand(2, 4, low=0.1), **DRAWN),
    sample("_npx__random_multinomial", values([3.0]), rand(1, 2, low=0.1), shape=(2,), **DRAWN),
    sample("_npx__random_multinomial", values([3.0]), rand(2, 2), raises=True),
    sample("_random_binomial", n=5, p=0.4, shape=(3, 2), **DRAWN),
    sample("_random_binomial", n=5, p=0.4, shape=(3,), dtype="float64", **DRAWN),
    sample("_random_binomial", shape=(2,), dtype="int32", raises=True),
    sample("_random_binomial_like", rand(2, 3), n=5, p=0.5, **DRAWN, **ALONE),
    sample(
        "_sample_binomial", values([3.0, 9.0]), values([0.5, 0.1]), shape=(4,), **DRAWN, **ALONE
    ),
]
