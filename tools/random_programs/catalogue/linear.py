"""Steps of linear algebra."""

from __future__ import annotations

from typing import Any

from tools.random_programs.catalogue.table import row, rows
from tools.random_programs.draft import Draft, call

_REAL = ("float32", "float64")


@row("dot")
def _dot(draft: Draft) -> dict[str, Any]:
    first = draft.any((1, 2, 3), FLOAT_OR_HALF)
    options = draft.options(transpose_a=[True, False], transpose_b=[True, False])
    shape = draft.shape(first)
    inner = shape[0] if options.get("transpose_a") else shape[-1]
    other = [inner] if draft.chance(0.2) else [inner, draft.whole(1, 4)]
    if options.get("transpose_b"):
        other.reverse()
    return call("dot", first, draft.like(first, other), **options)


FLOAT_OR_HALF = ("float16", "float32", "float64")


@row("batch_dot")
def _batch_dot(draft: Draft) -> dict[str, Any]:
    first = draft.any(3, _REAL)
    options = draft.options(transpose_a=[True, False], transpose_b=[True, False])
    batch, rows_, columns = draft.shape(first)
    inner = rows_ if options.get("transpose_a") else columns
    other = [inner, draft.whole(1, 4)]
    if options.get("transpose_b"):
        other.reverse()
    return call("batch_dot", first, draft.like(first, [batch, *other]), **options)


def _gemm(draft: Draft, name: str) -> dict[str, Any]:
    first = draft.any((2, 3), _REAL)
    options = draft.options(transpose_a=[True, False], transpose_b=[True, False], alpha=[0.5, -2.0])
    shape = draft.shape(first)
    inner, left = (shape[-2], shape[-1]) if options.get("transpose_a") else (shape[-1], shape[-2])
    right = draft.whole(1, 3)
    other = [right, inner] if options.get("transpose_b") else [inner, right]
    second = draft.like(first, [*shape[:-2], *other])
    if name == "linalg.gemm2":
        return call(name, first, second, **options)
    third = draft.like(first, [*shape[:-2], left, right])
    return call(name, first, second, third, **options, **draft.options(beta=[0.5, 2.0]))


rows("linalg.gemm linalg.gemm2", _gemm)


def _square(draft: Draft) -> str:
    size = draft.whole(1, 3)
    return draft.new([*draft.one([(), (2,)]), size, size], draft.one(_REAL), "unit")


def _of_square(draft: Draft, name: str) -> dict[str, Any]:
    return call(name, _square(draft))


rows("linalg.det linalg.inverse linalg.slogdet linalg.sumlogdiag linalg.potri", _of_square)
rows("linalg.potrf", lambda draft, name: call(name, _positive(draft)))


def _positive(draft: Draft) -> str:
    """Adds steps that make a symmetric matrix with positive eigenvalues."""
    first = draft.new((2, 2), draft.one(_REAL), "unit")
    draft.add(call("linalg.syrk", first))
    product = f"{len(draft.steps) - 1}.0"
    eye = call("eye", args=[2], dtype=draft.dtype(first))
    draft.add(eye)
    draft.add(call("elemwise_add", product, f"{len(draft.steps) - 1}.0"))
    return f"{len(draft.steps) - 1}.0"


@row("linalg.syrk")
def _syrk(draft: Draft) -> dict[str, Any]:
    return call(
        "linalg.syrk", draft.any((2, 3), _REAL), **draft.options(transpose=[True], alpha=[0.5, 2.0])
    )


def _triangular(draft: Draft, name: str) -> dict[str, Any]:
    size = draft.whole(1, 3)
    dtype = draft.one(_REAL)
    matrix = draft.new((size, size), dtype, "positive")
    options = draft.options(transpose=[True], lower=[True, False], alpha=[0.5], rightside=[True])
    other = (2, size) if options.get("rightside") else (size, 2)
    return call(name, matrix, draft.new(other, dtype), **options)


rows("linalg.trmm linalg.trsm", _triangular)


def _diagonals(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any((1, 2) if "make" in name else (2, 3), _REAL)
    if "trian" in name:
        data = (
            draft.new((draft.one([1, 3, 6]),), draft.one(_REAL))
            if "make" in name
            else _square(draft)
        )
    options = draft.options(offset=[0, 1, -1])
    if "trian" in name:
        options |= draft.options(lower=[True, False])
    return call(name, data, **options)


rows("linalg.extractdiag linalg.makediag linalg.extracttrian linalg.maketrian", _diagonals)
