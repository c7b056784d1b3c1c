"""Errors that programs define and register: `mx.error`. `mx.errors` has those of the package."""

from __future__ import annotations

from mxnet._legacy.error_types import error_types as error_types
from mxnet._legacy.error_types import register_error as register_error
from mxnet.errors import MXNetError

__all__ = ["MXNetError", "register"]

register = register_error


@register
class InternalError(MXNetError):
    """An error in the package itself, which its users cannot have caused.

    Args:
        msg: What happened.
    """

    def __init__(self, msg: str) -> None:
        super().__init__(f"{msg}\nThis is a mistake in the package, not in the program.")
