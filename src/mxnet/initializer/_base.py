"""The base class of initializers: which array is filled how, by its name."""

from __future__ import annotations

import json
import logging
import math
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy
import torch

from mxnet import random, registry
from mxnet._start import PublicInit, expand, level_of_program, overridable, public_call
from mxnet.errors import (
    ArgumentTypeError,
    AttributeValueError,
    IndexOutOfBoundsError,
    MXNetError,
    UndefinedMethodError,
    UnsupportedTypeError,
    shown,
)
from mxnet.ndarray import NDArray

if TYPE_CHECKING:
    from typing_extensions import Self

_BY_SUFFIX = (
    ("weight", "_init_weight"),
    ("bias", "_init_bias"),
    ("gamma", "_init_gamma"),
    ("beta", "_init_beta"),
    ("min", "_init_zero"),
    ("max", "_init_one"),
    ("weight_quantize", "_init_quantized_weight"),
    ("bias_quantize", "_init_quantized_bias"),
)
"""Ends of names, and the methods that fill such arrays."""

_BY_PLAIN_SUFFIX = (
    *_BY_SUFFIX[:6],
    ("moving_mean", "_init_zero"),
    ("moving_var", "_init_one"),
    ("moving_inv_var", "_init_zero"),
    ("moving_avg", "_init_zero"),
)
"""What counts where the name is a plain string, as in programs for the first versions."""


class InitDesc(str):
    """The name of an array, with what is known about how to fill it.

    Args:
        name: Name of the array.
        attrs: Attributes; `__init__` describes an initializer that goes before all others.
        global_init: The initializer to fall back to.

    Example:
        >>> import mxnet as mx
        >>> array = mx.nd.empty(2)
        >>> mx.init.Xavier()(mx.init.InitDesc("dense0_bias"), array)
        >>> print(array.asnumpy())
        [0. 0.]
        >>> mx.init.Xavier()(mx.init.InitDesc("scale", {"__init__": mx.init.One().dumps()}), array)
        >>> print(array.asnumpy())
        [1. 1.]
    """

    attrs: dict[str, str]
    global_init: Any

    def __new__(
        cls, name: str, attrs: Mapping[str, str] | None = None, global_init: Any = None
    ) -> Self:
        """Makes the string; its attributes can be set later."""
        described = super().__new__(cls, name)
        described.attrs = dict(attrs or {})
        described.global_init = global_init
        return described


class Initializer(PublicInit):
    """Base of initializers, which fill an array in place according to its name.

    A subclass defines `_init_weight(name, arr)`, and may define `_init_bias`, `_init_gamma`,
    `_init_beta` and `_init_default`, which fill other arrays.

    Args:
        **kwargs: The arguments of the subclass, for `dumps` and comparison.

    Example:
        >>> import mxnet as mx
        >>> class Ramp(mx.init.Initializer):
        ...     def _init_weight(self, name, arr):
        ...         arr[:] = mx.nd.arange(arr.size).reshape(arr.shape)
        >>> array = mx.nd.empty((2, 2))
        >>> Ramp()(mx.init.InitDesc("fc_weight"), array)
        >>> print(array.asnumpy())
        [[0. 1.]
         [2. 3.]]
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = kwargs
        self._verbose = False
        self._print_func: Callable[[NDArray], str] = _root_mean_square

    def set_verbosity(
        self, verbose: bool = False, print_func: Callable[[NDArray], str] | None = None
    ) -> Self:
        """Switches messages about filled arrays on or off.

        Args:
            verbose: Whether to log a message for each array.
            print_func: Gives what to say about an array, its root mean square if not given.
        """
        self._verbose = verbose
        self._print_func = print_func or _root_mean_square
        return self

    def dumps(self) -> str:
        """Returns the initializer as JSON, from which `create` makes an equal one."""
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._kwargs == other._kwargs

    __hash__ = None  # type: ignore[assignment]  # equal ones may be changed

    @expand
    @public_call
    def __call__(self, desc: str, arr: NDArray) -> None:
        """Fills an array.

        Args:
            desc: Its name, an `InitDesc`.
            arr: The array.
        """
        if not isinstance(desc, InitDesc):
            self._legacy_init(desc, arr)
            return
        if desc.global_init is None:
            desc.global_init = self
        own = desc.attrs.get("__init__", "")
        if own:
            _fill_as_described(own, desc, arr)
            self._verbose_print(desc, own, arr)
            return
        for suffix, method in _BY_SUFFIX:
            if desc.endswith(suffix):
                getattr(self, method)(desc, arr)
                self._verbose_print(desc, suffix, arr)
                return
        self._init_default(desc, arr)

    def _verbose_print(self, desc: str, init: str, arr: NDArray) -> None:
        if self._verbose:
            logging.info("Initialized %s as %s: %s", desc, init, self._print_func(arr))

    def _legacy_init(self, name: str, arr: NDArray) -> None:
        """Fills an array by the rules for plain names."""
        if not isinstance(name, str):
            raise UnsupportedTypeError(f"{type(self).__name__}: a name is a string, got {name!r}")
        message = "initializers take an mx.init.InitDesc; a plain string as the name is deprecated"
        warnings.warn(message, DeprecationWarning, stacklevel=level_of_program())
        if name.startswith("upsampling"):
            self._init_bilinear(name, arr)
        elif name.startswith("stn_loc") and name.endswith("weight"):
            self._init_zero(name, arr)
        elif name.startswith("stn_loc") and name.endswith("bias"):
            self._init_loc_bias(name, arr)
        else:
            methods = [method for suffix, method in _BY_PLAIN_SUFFIX if name.endswith(suffix)]
            getattr(self, methods[0] if methods else "_init_default")(name, arr)

    def _init_bilinear(self, name: str, arr: NDArray) -> None:
        fill_bilinear(name, arr)

    def _init_loc_bias(self, name: str, arr: NDArray) -> None:
        """Sets the parameters of a transformer network to those of the identity."""
        if arr.shape[0] != 6:
            raise ArgumentTypeError(f"{name}: an affine map has 6 parameters, got {arr.shape[0]}")
        arr[:] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]

    def _init_zero(self, _: str, arr: NDArray) -> None:
        arr[:] = 0.0

    def _init_one(self, _: str, arr: NDArray) -> None:
        arr[:] = 1.0

    @overridable
    def _init_bias(self, _: str, arr: NDArray) -> None:
        arr[:] = 0.0

    def _init_quantized_bias(self, _: str, arr: NDArray) -> None:
        arr[:] = 0

    @overridable
    def _init_gamma(self, _: str, arr: NDArray) -> None:
        arr[:] = 1.0

    @overridable
    def _init_beta(self, _: str, arr: NDArray) -> None:
        arr[:] = 0.0

    @overridable
    def _init_weight(self, name: str, arr: NDArray) -> None:
        del arr
        raise UndefinedMethodError(f"{type(self).__name__}: _init_weight is not defined for {name}")

    def _init_quantized_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = random.randint(-127, 127, shape=1, ctx=arr.context).asscalar()

    @overridable
    def _init_default(self, name: str, _: NDArray) -> None:
        raise AttributeValueError(
            f"{type(self).__name__}: cannot tell from the name {name!r} how to fill the array; "
            f"names end in {', '.join(suffix for suffix, _ in _BY_SUFFIX)}, or the variable says "
            "it with init="
        )


def _make(described: str | Initializer) -> Initializer:
    """Returns what `create` does, sooner for an initializer and for a name alone."""
    if isinstance(described, Initializer):
        return described
    kind = _KINDS.get(described) if isinstance(described, str) else None
    return create(described) if kind is None else kind()


def _fill_as_described(described: str | Initializer, desc: InitDesc, arr: NDArray) -> None:
    """Fills an array by an initializer as an attribute of a variable describes it.

    Raises:
        AttributeValueError: if it cannot: the description may be of a file.
    """
    try:
        _make(described)._init_weight(desc, arr)
    except (ArithmeticError, RuntimeError, TypeError, ValueError) as error:
        if isinstance(error, MXNetError):
            raise
        raise AttributeValueError(
            f"{shown(str(desc))}: cannot be filled by {shown(described)}: {error}"
        ) from error


def _root_mean_square(arr: NDArray) -> str:
    return str(numpy.float32(float(arr._plain.float().norm()) / math.sqrt(arr.size)))


def fill_bilinear(name: str, arr: NDArray) -> None:
    """Fills the kernels `(..., height, width)` of an upsampling with bilinear weights."""
    if arr.ndim < 4:
        raise IndexOutOfBoundsError(
            f"{name}: bilinear weights have 4 axes, got an array of shape {arr.shape}"
        )
    height, width = arr.shape[2:4]
    factor = math.ceil(width / 2)
    center = (2 * factor - 1 - factor % 2) / (2 * factor)
    target = arr._writable()
    steps = torch.arange(max(height, width), dtype=torch.float64, device=target.device)
    slopes = 1 - (steps / factor - center).abs()
    target.copy_(torch.outer(slopes[:height], slopes[:width]))


_register = registry.get_register_func(Initializer, "initializer")
alias = registry.get_alias_func(Initializer, "initializer")
create = registry.get_create_func(Initializer, "initializer")
_KINDS = registry._REGISTRY[Initializer]
"""Classes by name, as they are registered now."""


def register(klass: registry.K) -> registry.K:
    """Registers an initializer class, so that its name in lower case stands for it.

    Example:
        >>> import mxnet as mx
        >>> @mx.init.register
        ... class Sevens(mx.init.Initializer):
        ...     def _init_weight(self, name, arr):
        ...         arr[:] = 7
        >>> mx.init.create("sevens").dumps()
        '["sevens", {}]'
    """
    return _register(klass)
