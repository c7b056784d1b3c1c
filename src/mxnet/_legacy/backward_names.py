"""Functions that the original shows for parts of backward passes; every call of them raises.

They have no parameters for the arrays that their operators read.
"""

from __future__ import annotations

from typing import Any, NoReturn

from mxnet.errors import MXNetError


def _refuse(function: str, num_inputs: int) -> NoReturn:
    raise MXNetError(
        f"{function}: expected {num_inputs} arrays, got 0, because the function takes none; "
        "gradients are computed by autograd.backward"
    )


def backward_hawkesll(out: Any = None, name: Any = None, **kwargs: Any) -> NoReturn:
    """Raises: the gradient of `hawkesll` reads ten arrays, for which there are no parameters.

    Example:
        >>> import mxnet as mx
        >>> try:
        ...     mx.nd.contrib.backward_hawkesll()
        ... except mx.MXNetError as error:
        ...     print("autograd.backward" in str(error))
        True
    """
    del out, name, kwargs
    _refuse("backward_hawkesll", 10)


def backward_index_copy(out: Any = None, name: Any = None, **kwargs: Any) -> NoReturn:
    """Raises: the gradient of `index_copy` reads four arrays, for which there are no parameters.

    Example:
        >>> import mxnet as mx
        >>> try:
        ...     mx.nd.contrib.backward_index_copy()
        ... except mx.MXNetError as error:
        ...     print("autograd.backward" in str(error))
        True
    """
    del out, name, kwargs
    _refuse("backward_index_copy", 4)


def backward_quadratic(out: Any = None, name: Any = None, **kwargs: Any) -> NoReturn:
    """Raises: the gradient of `quadratic` reads two arrays, for which there are no parameters.

    Example:
        >>> import mxnet as mx
        >>> try:
        ...     mx.nd.contrib.backward_quadratic()
        ... except mx.MXNetError as error:
        ...     print("autograd.backward" in str(error))
        True
    """
    del out, name, kwargs
    _refuse("backward_quadratic", 2)
