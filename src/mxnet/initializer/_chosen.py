"""Initializers that fill with the help of others: by name, from a file, part by part."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from mxnet.errors import ArgumentTypeError, AttributeValueError, UnknownNameError
from mxnet.initializer._base import InitDesc, Initializer, create, register
from mxnet.ndarray import NDArray
from mxnet.ndarray.utils import load

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
            raise ArgumentTypeError(f"Load: takes arrays with names, got {type(loaded).__name__}")
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
                raise ArgumentTypeError(
                    f"Load: there is no array {name!r} and no default_init; "
                    f"there are {', '.join(sorted(self.param))}"
                )
            self.default_init(name, arr)
        elif loaded.shape != arr.shape:
            raise ArgumentTypeError(
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
            raise ArgumentTypeError(
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
        raise AttributeValueError(
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
            raise UnknownNameError(f"FusedRNN: mode takes one of {', '.join(_GATES)}, got {mode!r}")
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
            raise ArgumentTypeError(f"FusedRNN: num_hidden must be at least 1, got {units}")
        rows = units * sides * len(_GATES[self._mode])
        upper = (self._num_layers - 1) * rows * (units * sides + units + 2)
        inputs, rest = divmod(size - upper - rows * (units + 2), rows)
        if rest or inputs < 1:
            raise ArgumentTypeError(
                f"FusedRNN: {name} cannot hold the parameters of {self._num_layers} layers "
                f"{self._mode!r} of {units} units: it has {size} elements"
            )
        return inputs
