"""Rules of decompositions and inverses of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet.ops.meta._results import NoRuleError, Rule, make


def _check_square(data: Tensor) -> Sequence[int]:
    """Returns the shape of the batch."""
    if data.dtype not in (torch.float32, torch.float64) or data.ndim < 2:
        raise NoRuleError
    if data.shape[-1] != data.shape[-2]:
        raise NoRuleError
    return data.shape[:-2]


def _same(data: Tensor, *_: Any) -> Tensor:
    _check_square(data)
    return make(data.shape, data.dtype)


def _with_info(data: Tensor, **_: Any) -> tuple[Tensor, Tensor]:
    return _same(data), make(_check_square(data), torch.int32)


def _eigh(data: Tensor, *_: Any) -> tuple[Tensor, Tensor]:
    _check_square(data)
    return make(data.shape[:-1], data.dtype), make(data.shape, data.dtype)


def _det(data: Tensor) -> tuple[Tensor, ...]:
    batch = _check_square(data)
    return make(batch, data.dtype), _same(data), make(data.shape[:-1], torch.int32)


def _slogdet(data: Tensor) -> tuple[Tensor, ...]:
    determinant, *factors = _det(data)
    return determinant, make(determinant.shape, data.dtype), *factors


def _solve_triangular(data: Tensor, rhs: Tensor, *, left: bool = True, **_: Any) -> Tensor:
    batch = _check_square(data)
    fits = rhs.ndim == data.ndim and rhs.shape[:-2] == batch and rhs.dtype is data.dtype
    if not fits or rhs.shape[-2 if left else -1] != data.shape[-1]:
        raise NoRuleError
    return make(rhs.shape, rhs.dtype)


RULES: dict[str, Rule] = {
    "cholesky_inverse": _same,
    "linalg_cholesky_ex": _with_info,
    "linalg_inv_ex": _with_info,
    "_linalg_eigh": _eigh,
    "_linalg_det": _det,
    "_linalg_slogdet": _slogdet,
    "linalg_solve_triangular": _solve_triangular,
}
