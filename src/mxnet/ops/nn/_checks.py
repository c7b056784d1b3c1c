"""Checks that several families of layers share."""

from __future__ import annotations

from torch import Tensor

from mxnet import _dtypes
from mxnet.errors import MXNetError
from mxnet.ops.attrs import Shape


def require_floating(name: str, data: Tensor) -> None:
    """Refuses arrays of integers, which torch would silently promote."""
    if not data.is_floating_point():
        raise MXNetError(
            f"{name}: expected data of a float type, got {_dtypes.name_of(data.dtype)}"
        )


def require_shape(name: str, role: str, tensor: Tensor, shape: Shape) -> None:
    """Refuses an input of another shape, which torch would broadcast or misread."""
    if tensor.shape != shape:
        raise MXNetError(f"{name}: expected `{role}` of shape {shape}, got {tuple(tensor.shape)}")


def require_input(name: str, role: str, tensor: Tensor | None, option: str) -> Tensor:
    """Returns an optional input that an option has made necessary."""
    if tensor is None:
        raise MXNetError(f"{name}: expected an input `{role}` with {option}, got none")
    return tensor
