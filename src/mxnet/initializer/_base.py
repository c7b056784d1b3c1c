"""The base of initializers, which fills by name, and those that fill with the help of others."""

from __future__ import annotations

import json
import logging
import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy
import torch

from mxnet import errors, random, registry
from mxnet._start import PublicInit
from mxnet.ndarray import NDArray
from mxnet.ndarray.utils import load

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
            raise errors.UnsupportedTypeError(
                f"{type(self).__name__}: a name is a string, got {name!r}"
            )
        message = "initializers take an mx.init.InitDesc; a plain string as the name is deprecated"
        warnings.warn(message, DeprecationWarning, stacklevel=3)
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
            raise errors.ArgumentTypeError(
                f"{name}: an affine map has 6 parameters, got {arr.shape[0]}"
            )
        arr[:] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]

    def _init_zero(self, _: str, arr: NDArray) -> None:
        arr[:] = 0.0

    def _init_one(self, _: str, arr: NDArray) -> None:
        arr[:] = 1.0

    def _init_bias(self, _: str, arr: NDArray) -> None:
        arr[:] = 0.0

    def _init_quantized_bias(self, _: str, arr: NDArray) -> None:
        arr[:] = 0

    def _init_gamma(self, _: str, arr: NDArray) -> None:
        arr[:] = 1.0

    def _init_beta(self, _: str, arr: NDArray) -> None:
        arr[:] = 0.0

    def _init_weight(self, name: str, arr: NDArray) -> None:
        del arr
        raise errors.UndefinedMethodError(
            f"{type(self).__name__}: _init_weight is not defined for {name}"
        )

    def _init_quantized_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = random.randint(-127, 127, shape=1, ctx=arr.context).asscalar()

    def _init_default(self, name: str, _: NDArray) -> None:
        raise errors.AttributeValueError(
            f"{type(self).__name__}: cannot tell from the name {name!r} how to fill the array; "
            f"names end in {', '.join(suffix for suffix, _ in _BY_SUFFIX)}, or the variable says "
            "it with init="
        )


def _fill_as_described(described: str, desc: InitDesc, arr: NDArray) -> None:
    """Fills an array by an initializer as an attribute of a variable describes it.

    Raises:
        AttributeValueError: if it cannot: the description may be of a file.
    """
    try:
        create(described)._init_weight(desc, arr)
    except (ArithmeticError, RuntimeError, TypeError, ValueError) as error:
        if isinstance(error, errors.MXNetError):
            raise
        raise errors.AttributeValueError(
            f"{errors.shown(str(desc))}: cannot be filled by {errors.shown(described)}: {error}"
        ) from error


def _root_mean_square(arr: NDArray) -> str:
    return str(numpy.float32(float(arr._plain.float().norm()) / math.sqrt(arr.size)))


def fill_bilinear(name: str, arr: NDArray) -> None:
    """Fills the kernels `(..., height, width)` of an upsampling with bilinear weights."""
    if arr.ndim < 4:
        raise errors.IndexOutOfBoundsError(
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


Fill = Callable[[Any, NDArray], object]


class Load:
    """Fills arrays with those of the same name in a file or dictionary.

    Args:
        param: The file or dictionary; `arg:` and `aux:` before a name are dropped.
        default_init: Fills arrays of other names.
        verbose: Whether to log where each array comes from.

    Example:
        >>> import mxnet as mx
        >>> fill = mx.init.Load({"arg:fc_weight": mx.nd.array([1, 2])}, default_init=mx.init.Zero())
        >>> known, other = mx.nd.empty(2), mx.nd.empty(2)
        >>> fill("fc_weight", known)
        >>> fill(mx.init.InitDesc("other_weight"), other)
        >>> print(known.asnumpy(), other.asnumpy())
        [1. 2.] [0. 0.]
    """

    def __init__(
        self,
        param: str | Mapping[str, NDArray],
        default_init: Fill | None = None,
        verbose: bool = False,
    ) -> None:
        loaded = load(param) if isinstance(param, str) else param
        if not isinstance(loaded, Mapping):
            raise errors.ArgumentTypeError(
                f"Load: takes arrays with names, got {type(loaded).__name__}"
            )
        self.param = {
            name[4:] if name.startswith(("arg:", "aux:")) else name: array
            for name, array in loaded.items()
        }
        self.default_init = default_init
        self.verbose = verbose

    def __call__(self, name: str, arr: NDArray) -> None:
        """Fills an array.

        Args:
            name: Its name.
            arr: The array.
        """
        loaded = self.param.get(name)
        if loaded is None:
            if self.default_init is None:
                raise errors.ArgumentTypeError(
                    f"Load: there is no array {name!r} and no default_init; "
                    f"there are {', '.join(sorted(self.param))}"
                )
            self.default_init(name, arr)
        elif loaded.shape != arr.shape:
            raise errors.ArgumentTypeError(
                f"Load: {name} takes an array of shape {arr.shape}, got {loaded.shape}"
            )
        else:
            arr[:] = loaded
        if self.verbose:
            logging.info("Initialized %s by %s", name, "default" if loaded is None else "loading")


class Mixed:
    """Fills each array by the first initializer whose pattern matches its name.

    Args:
        patterns: Regular expressions, matched from the start of a name.
        initializers: An initializer for each.

    Example:
        >>> import mxnet as mx
        >>> init = mx.init.Mixed(["embed", ".*"], [mx.init.Constant(3), mx.init.Xavier()])
        >>> words = mx.nd.ones(2)
        >>> init(mx.init.InitDesc("embed_weight"), words)
        >>> print(words.asnumpy())
        [3. 3.]
    """

    def __init__(self, patterns: Sequence[str], initializers: Sequence[Fill]) -> None:
        if len(patterns) != len(initializers):
            raise errors.ArgumentTypeError(
                f"Mixed: takes an initializer for each of {len(patterns)} patterns, "
                f"got {len(initializers)}"
            )
        compiled = (re.compile(pattern) for pattern in patterns)
        self.map = list(zip(compiled, initializers, strict=True))

    def __call__(self, name: str, arr: NDArray) -> None:
        """Fills an array.

        Args:
            name: Its name.
            arr: The array.
        """
        for pattern, initializer in self.map:
            if pattern.match(name):
                initializer(name, arr)
                return
        raise errors.AttributeValueError(
            f"Mixed: no pattern matches {name!r}; end the list with '.*' for all other names"
        )


_GATES = {
    "rnn_relu": ("",),
    "rnn_tanh": ("",),
    "lstm": ("_i", "_f", "_c", "_o"),
    "gru": ("_r", "_z", "_o"),
}


@register
class FusedRNN(Initializer):
    """Fills the parameters of a fused recurrent layer, one matrix and bias after the other.

    Args:
        init: Fills each part, an initializer or its JSON; None is the global one.
        num_hidden: Number of units of the layer.
        num_layers: Number of its layers.
        mode: `"rnn_relu"`, `"rnn_tanh"`, `"lstm"` or `"gru"`.
        bidirectional: Whether it runs in both directions.
        forget_bias: Bias of the forget gates of an LSTM.

    Example:
        >>> import mxnet as mx
        >>> fill = mx.init.FusedRNN("zeros", num_hidden=2, num_layers=1, mode="lstm", forget_bias=1)
        >>> array = mx.nd.empty(8 * (3 + 2) + 16)
        >>> fill(mx.init.InitDesc("lstm_weight"), array)
        >>> print(array[-16:].asnumpy())
        [0. 0. 1. 1. 0. 0. 0. 0. 0. 0. 1. 1. 0. 0. 0. 0.]
    """

    def __init__(
        self,
        init: Initializer | str | None,
        num_hidden: int,
        num_layers: int,
        mode: str,
        bidirectional: bool = False,
        forget_bias: float = 1.0,
    ) -> None:
        own = None if init is None else create(init)
        if mode not in _GATES:
            raise errors.UnknownNameError(
                f"FusedRNN: mode takes one of {', '.join(_GATES)}, got {mode!r}"
            )
        super().__init__(
            init=None if own is None else own.dumps(),
            num_hidden=num_hidden,
            num_layers=num_layers,
            mode=mode,
            bidirectional=bidirectional,
            forget_bias=forget_bias,
        )
        self._init = own
        self._num_hidden = num_hidden
        self._num_layers = num_layers
        self._mode = mode
        self._directions = "lr" if bidirectional else "l"
        self._forget_bias = forget_bias

    def _init_weight(self, name: str, arr: NDArray) -> None:
        outer = getattr(name, "global_init", None)
        begin = 0
        for part, shape in self._parts(name, arr.size):
            end = begin + math.prod(shape)
            piece = arr[begin:end].reshape(shape)
            begin = end
            if part.endswith("_f_bias") and self._mode == "lstm":
                piece[:] = self._forget_bias
            else:
                (self._init or outer or self)(InitDesc(part, global_init=outer), piece)

    def _parts(self, name: str, size: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Lists what the parameters hold: all matrices, then all biases."""
        units, gates = self._num_hidden, _GATES[self._mode]
        inputs = self._count_inputs(name, size)  # also checks that there can be so many layers
        cells = [(layer, side) for layer in range(self._num_layers) for side in self._directions]
        for layer, side in cells:
            width = inputs if layer == 0 else units * len(self._directions)
            for role, columns in (("i2h", width), ("h2h", units)):
                for gate in gates:
                    yield f"{side}{layer}_{role}{gate}_weight", (units, columns)
        for layer, side in cells:
            for role in ("i2h", "h2h"):
                for gate in gates:
                    yield f"{side}{layer}_{role}{gate}_bias", (units,)

    def _count_inputs(self, name: str, size: int) -> int:
        """Computes the size of the input from the number of parameters."""
        units, sides = self._num_hidden, len(self._directions)
        if units < 1:
            raise errors.ArgumentTypeError(f"FusedRNN: num_hidden must be at least 1, got {units}")
        rows = units * sides * len(_GATES[self._mode])
        upper = (self._num_layers - 1) * rows * (units * sides + units + 2)
        inputs, rest = divmod(size - upper - rows * (units + 2), rows)
        if rest or inputs < 1:
            raise errors.ArgumentTypeError(
                f"FusedRNN: {name} cannot hold the parameters of {self._num_layers} layers "
                f"{self._mode!r} of {units} units: it has {size} elements"
            )
        return inputs
