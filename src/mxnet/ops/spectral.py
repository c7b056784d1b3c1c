"""Fourier transforms along the last axis, and sketches by counting."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.registry import op
from mxnet.ops.sizes import check_like


def _check(name: str, data: Tensor, multiple: int) -> None:
    if data.ndim not in (2, 4) or data.shape[-1] % multiple or not data.is_floating_point():
        raise MXNetError(
            f"{name}: floats with 2 or 4 axes, the last of a size in multiples of {multiple}, "
            f"expected, got {data.dtype} of shape {tuple(data.shape)}"
        )


def _wide(data: Tensor) -> Tensor:
    """Returns single precision at least: transforms of half precision are not everywhere."""
    return data.float() if data.element_size() < 4 else data


@op("_contrib_fft")
def fft(data: Tensor, *, compute_size: int = 128) -> Tensor:
    """Computes the Fourier transform of real numbers along the last axis.

    Args:
        data: Array of shape `(..., size)` with 2 or 4 axes.
        compute_size: Accepted for compatibility.

    Returns:
        Array of shape `(..., 2 * size)`: real and imaginary parts in turn.
    """
    _check("_contrib_fft", data, 1)
    return torch.view_as_real(torch.fft.fft(_wide(data))).flatten(-2).to(data.dtype)


@op("_contrib_ifft")
def ifft(data: Tensor, *, compute_size: int = 128) -> Tensor:
    """Computes the real part of the inverse Fourier transform, without the division by the size.

    Args:
        data: Real and imaginary parts in turn, of shape `(..., 2 * size)` with 2 or 4 axes.
        compute_size: Accepted for compatibility.

    Returns:
        Array of shape `(..., size)`.
    """
    _check("_contrib_ifft", data, 2)
    pairs = torch.view_as_complex(_wide(data).reshape(*data.shape[:-1], -1, 2))
    return torch.view_as_real(torch.fft.ifft(pairs, norm="forward"))[..., 0].to(data.dtype)


@op("_contrib_count_sketch")
def count_sketch(
    data: Tensor, h: Tensor, s: Tensor, *, out_dim: int, processing_batch_size: int = 32
) -> Tensor:
    """Projects to fewer numbers: each element is added, with a sign, to one place of the result.

    Args:
        data: Array of shape `(batch, size)`.
        h: The places of the elements, of shape `(1, size)`.
        s: Their signs, of shape `(1, size)`.
        out_dim: Size of the result.
        processing_batch_size: Accepted for compatibility.

    Returns:
        Array of shape `(batch, out_dim)`.
    """
    if data.ndim != 2 or h.shape != (1, data.shape[1]) or s.shape != h.shape or out_dim < 1:
        raise MXNetError(
            "_contrib_count_sketch: data (batch, size), h and s (1, size) expected, got "
            f"{tuple(data.shape)}, {tuple(h.shape)} and {tuple(s.shape)}"
        )
    check_like("_contrib_count_sketch", (len(data), out_dim), data)
    signed = data * s.detach()
    return data.new_zeros(len(data), out_dim).index_add(1, h.detach()[0].long(), signed)
