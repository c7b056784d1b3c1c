"""Initializers: random and fixed values, and those that use others by name, file or part."""

from __future__ import annotations

import itertools
import logging
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from mxnet import random
from mxnet._arrays.invoke import invoke
from mxnet._start import plain, public_call
from mxnet.errors import (
    ArgumentTypeError,
    AttributeValueError,
    ShapeMismatchError,
    UnknownNameError,
)
from mxnet.initializer._base import InitDesc, Initializer, alias, create, fill_bilinear, register
from mxnet.ndarray import NDArray
from mxnet.ndarray.utils import load
from mxnet.ops.core.registry import get_op
from mxnet.ops.nn.rnn import Plan, parameter_shapes

_normal, _uniform = plain(random.normal), plain(random.uniform)


def _draw_into(arr: NDArray, name: str, **parameters: float) -> None:
    """Fills an array by an operator that draws."""
    op = get_op(name)
    attrs = op.parse_attrs({"shape": arr.shape, "dtype": arr.dtype} | parameters)
    invoke(op, (), attrs, NDArray, out=arr, ctx=arr.context)


@register
class Uniform(Initializer):
    """Fills uniformly from `[-scale, scale)`.

    Args:
        scale: The bound.

    Example:
        >>> import mxnet as mx
        >>> mx.random.seed(1)
        >>> layer = mx.gluon.nn.Dense(10, in_units=20)
        >>> layer.initialize(mx.init.Uniform(scale=0.1))
        >>> weight = layer.weight.data()
        >>> bool(weight.min() >= -0.1), bool(weight.max() < 0.1)
        (True, True)
    """

    def __init__(self, scale: float = 0.07) -> None:
        super().__init__(scale=scale)
        self.scale = scale

    def _init_weight(self, _: str, arr: NDArray) -> None:
        _draw_into(arr, "_random_uniform", low=-self.scale, high=self.scale)


@register
class Normal(Initializer):
    """Fills from the normal distribution of mean 0.

    Args:
        sigma: Its standard deviation.

    Example:
        >>> import mxnet as mx
        >>> mx.random.seed(1)
        >>> layer = mx.gluon.nn.Dense(100, in_units=100)
        >>> layer.initialize(mx.init.Normal(sigma=0.1))
        >>> weight = layer.weight.data()
        >>> print(weight.asnumpy().std().round(2))
        0.1
    """

    def __init__(self, sigma: float = 0.01) -> None:
        super().__init__(sigma=sigma)
        self.sigma = sigma

    def _init_weight(self, _: str, arr: NDArray) -> None:
        _draw_into(arr, "_random_normal", loc=0, scale=self.sigma)


@register
class Orthogonal(Initializer):
    """Fills with a random matrix whose rows, or columns if these are fewer, are orthogonal.

    After Saxe et al., "Exact solutions to the nonlinear dynamics of learning in deep linear neural
    networks".

    Args:
        scale: Length of the rows or columns.
        rand_type: `"uniform"` or `"normal"`, the distribution to start from.

    Example:
        >>> import mxnet as mx
        >>> mx.random.seed(1)
        >>> layer = mx.gluon.nn.Dense(2, in_units=5)
        >>> layer.initialize(mx.init.Orthogonal(scale=1))
        >>> weight = layer.weight.data()
        >>> print(mx.nd.dot(weight, weight.T).abs().asnumpy().round(3))
        [[1. 0.]
         [0. 1.]]
    """

    def __init__(self, scale: float = 1.414, rand_type: str = "uniform") -> None:
        super().__init__(scale=scale, rand_type=rand_type)
        self.scale = scale
        self.rand_type = rand_type

    def _init_weight(self, name: str, arr: NDArray) -> None:
        if arr.ndim < 2:
            raise ShapeMismatchError(
                f"Orthogonal: takes an array of 2 or more axes, got {name} of shape {arr.shape}"
            )
        shape = (arr.shape[0], math.prod(arr.shape[1:]))
        if self.rand_type == "uniform":
            start = _uniform(-1.0, 1.0, shape=shape, ctx=arr.context)
        elif self.rand_type == "normal":
            start = _normal(0.0, 1.0, shape=shape, ctx=arr.context)
        else:
            raise AttributeValueError(
                f"Orthogonal: rand_type takes 'uniform' or 'normal', got {self.rand_type!r}"
            )
        left, _, right = torch.linalg.svd(start._plain, full_matrices=False)
        matrix = left if left.shape == shape else right
        arr._writable().copy_((self.scale * matrix).reshape(arr.shape))


@register
class Xavier(Initializer):
    """Fills at random so that the scale of values stays about the same through the layers.

    The bound or standard deviation is `sqrt(magnitude / factor)`, where the factor is a number of
    neurons that feed into an output, or that an input is fed to.

    Args:
        rnd_type: `"uniform"` or `"gaussian"`.
        factor_type: Which number: `"in"`, `"out"`, or their mean, `"avg"`.
        magnitude: Scale.

    Example:
        >>> import mxnet as mx
        >>> mx.random.seed(1)
        >>> layer = mx.gluon.nn.Dense(10, in_units=20)
        >>> layer.initialize(mx.init.Xavier())
        >>> weight = layer.weight.data()
        >>> bool(weight.abs().max() <= (3 / 15) ** 0.5)
        True
    """

    def __init__(
        self, rnd_type: str = "uniform", factor_type: str = "avg", magnitude: float = 3
    ) -> None:
        super().__init__(rnd_type=rnd_type, factor_type=factor_type, magnitude=magnitude)
        self.rnd_type = rnd_type
        self.factor_type = factor_type
        self.magnitude = float(magnitude)

    def _init_weight(self, name: str, arr: NDArray) -> None:
        scale = math.sqrt(self.magnitude / self._factor(name, arr.shape))
        if self.rnd_type == "uniform":
            _draw_into(arr, "_random_uniform", low=-scale, high=scale)
        elif self.rnd_type == "gaussian":
            _draw_into(arr, "_random_normal", loc=0, scale=scale)
        else:
            raise AttributeValueError(
                f"{type(self).__name__}: rnd_type takes 'uniform' or 'gaussian', "
                f"got {self.rnd_type!r}"
            )

    def _factor(self, name: str, shape: tuple[int, ...]) -> float:
        if len(shape) < 2:
            raise ShapeMismatchError(
                f"{type(self).__name__}: takes an array of 2 or more axes, "
                f"got {name} of shape {shape}"
            )
        window = math.prod(shape[2:])
        fan_in, fan_out = shape[1] * window, shape[0] * window
        factors = {"avg": (fan_in + fan_out) / 2, "in": fan_in, "out": fan_out}
        if self.factor_type not in factors:
            raise AttributeValueError(
                f"{type(self).__name__}: factor_type takes 'avg', 'in' or 'out', "
                f"got {self.factor_type!r}"
            )
        return factors[self.factor_type]


@register
class MSRAPrelu(Xavier):
    """Fills from a normal distribution that suits layers followed by ReLU or PReLU.

    After He et al., "Delving Deep into Rectifiers".

    Args:
        factor_type: `"avg"`, `"in"` or `"out"`; see `Xavier`.
        slope: Slope of the activation for negative inputs.

    Example:
        >>> import mxnet as mx
        >>> mx.random.seed(1)
        >>> layer = mx.gluon.nn.Dense(200, in_units=50)
        >>> layer.initialize(mx.init.MSRAPrelu(factor_type="in", slope=0))
        >>> weight = layer.weight.data()
        >>> print(weight.asnumpy().std().round(1))
        0.2
    """

    def __init__(self, factor_type: str = "avg", slope: float = 0.25) -> None:
        super().__init__("gaussian", factor_type, 2.0 / (1 + slope**2))
        self._kwargs = {"factor_type": factor_type, "slope": slope}


@alias("zeros")
@register
class Zero(Initializer):
    """Fills with 0.

    Example:
        >>> import mxnet as mx
        >>> array = mx.nd.empty((2, 3))
        >>> mx.init.Zero()(mx.init.InitDesc("weight"), array)
        >>> print(array.asnumpy())
        [[0. 0. 0.]
         [0. 0. 0.]]
    """

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = 0


@alias("ones")
@register
class One(Initializer):
    """Fills with 1.

    Example:
        >>> import mxnet as mx
        >>> array = mx.nd.empty((2, 3))
        >>> mx.init.One()(mx.init.InitDesc("weight"), array)
        >>> print(array.asnumpy())
        [[1. 1. 1.]
         [1. 1. 1.]]
    """

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = 1


@register
class Constant(Initializer):
    """Fills with a number, or with the elements of an array.

    Args:
        value: A number, or an array that broadcasts to the shape of those to fill.

    Example:
        >>> import mxnet as mx
        >>> array = mx.nd.empty((2, 3))
        >>> mx.init.Constant(0.5)(mx.init.InitDesc("weight"), array)
        >>> print(array.asnumpy())
        [[0.5 0.5 0.5]
         [0.5 0.5 0.5]]
    """

    def __init__(self, value: Any) -> None:
        super().__init__(value=_to_json(value))
        self.value = value

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = self.value


def _to_json(value: Any) -> Any:
    if isinstance(value, NDArray):
        value = value.asnumpy()
    return value.tolist() if hasattr(value, "tolist") else value


@register
class Bilinear(Initializer):
    """Fills the kernels of an upsampling by transposed convolution with bilinear weights.

    Example:
        >>> import mxnet as mx
        >>> array = mx.nd.empty((1, 1, 4, 4))
        >>> mx.init.Bilinear()(mx.init.InitDesc("weight"), array)
        >>> print(array[0, 0].asnumpy())
        [[0.0625 0.1875 0.1875 0.0625]
         [0.1875 0.5625 0.5625 0.1875]
         [0.1875 0.5625 0.5625 0.1875]
         [0.0625 0.1875 0.1875 0.0625]]
    """

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, name: str, arr: NDArray) -> None:
        fill_bilinear(name, arr)


@register
class LSTMBias(Initializer):
    """Fills the bias of an LSTM with 0, and that of its forget gate with a number.

    Args:
        forget_bias: Bias of the forget gate; a positive one lets a new cell remember.

    Example:
        >>> import mxnet as mx
        >>> first = mx.init.LSTMBias(forget_bias=1)
        >>> cell = mx.gluon.rnn.LSTMCell(2, input_size=3, i2h_bias_initializer=first)
        >>> cell.initialize()
        >>> print(cell.i2h_bias.data().asnumpy())
        [0. 0. 1. 1. 0. 0. 0. 0.]
    """

    def __init__(self, forget_bias: float = 1.0) -> None:
        super().__init__(forget_bias=forget_bias)
        self.forget_bias = forget_bias

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = 0.0
        # The gates come one after the other: input, forget, cell, output.
        units = arr.shape[0] // 4
        arr[units : 2 * units] = self.forget_bias


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

    @public_call
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


@register
class RNNFused(Initializer):
    """Fills the vector of parameters of a recurrent layer, as MXNet 2 has it.

    Each part is filled by the initializer of its kind: one that is given, or else, after
    `set_initializer`, that of the network.

    Args:
        mode: `"rnn_relu"`, `"rnn_tanh"`, `"lstm"` or `"gru"`.
        num_layers: Number of layers.
        state_size: Size of the hidden state.
        bidirectional: Whether the layer runs in both directions.
        projection_size: Size to which an LSTM projects its hidden state.
        i2h_weight_initializer: Initializer of the weights of the input.
        h2h_weight_initializer: Initializer of the weights of the hidden state.
        i2h_bias_initializer: Initializer of the biases of the input.
        h2h_bias_initializer: Initializer of the biases of the hidden state.
        h2r_weight_initializer: Initializer of the projections.

    Example:
        >>> import mxnet as mx
        >>> fill = mx.init.RNNFused("rnn_tanh", 1, 2, False, None, "ones", "zeros", "ones", "zeros")
        >>> array = mx.nd.empty(2 * (3 + 2) + 4)
        >>> fill(mx.init.InitDesc("rnn_weight"), array)
        >>> print(array.asnumpy())
        [1. 1. 1. 1. 1. 1. 0. 0. 0. 0. 1. 1. 0. 0.]
    """

    def __init__(
        self,
        mode: str,
        num_layers: int,
        state_size: int,
        bidirectional: bool = False,
        projection_size: int | None = None,
        i2h_weight_initializer: Initializer | str | None = None,
        h2h_weight_initializer: Initializer | str | None = None,
        i2h_bias_initializer: Initializer | str | None = None,
        h2h_bias_initializer: Initializer | str | None = None,
        h2r_weight_initializer: Initializer | str | None = None,
    ) -> None:
        if mode not in _GATES:
            raise UnknownNameError(f"RNNFused: mode takes one of {', '.join(_GATES)}, got {mode!r}")
        given = {
            "i2h_weight": i2h_weight_initializer,
            "h2h_weight": h2h_weight_initializer,
            "h2r_weight": h2r_weight_initializer,
            "i2h_bias": i2h_bias_initializer,
            "h2h_bias": h2h_bias_initializer,
        }
        self._fillers = {
            kind: None if init is None else create(init) for kind, init in given.items()
        }
        super().__init__(
            mode=mode,
            num_layers=num_layers,
            state_size=state_size,
            bidirectional=bidirectional,
            projection_size=projection_size,
            **{
                f"{kind}_initializer": None if init is None else init.dumps()
                for kind, init in self._fillers.items()
            },
        )
        directions = 2 if bidirectional else 1
        self._plan = Plan(mode, state_size, num_layers, directions, projection_size or None)

    def set_initializer(self, init: Initializer | str) -> None:
        """Sets this initializer for parts that have none of their own, zeros for biases.

        Args:
            init: The initializer of the network.
        """
        for kind, own in self._fillers.items():
            if own is None:
                self._fillers[kind] = create("zeros" if kind.endswith("bias") else init)

    def _init_weight(self, name: str, arr: NDArray) -> None:
        projected = self._plan.projection_size is not None
        kinds = [kind for kind in self._fillers if projected or kind != "h2r_weight"]
        weights, biases = parameter_shapes(self._plan, self._count_inputs(name, arr.size))
        matrices = [kind for kind in kinds if kind.endswith("weight")]
        begin = 0
        for shapes, own in ((weights, matrices), (biases, kinds[len(matrices) :])):
            for shape, kind in zip(shapes, itertools.cycle(own), strict=False):
                end = begin + math.prod(shape)
                fill = self._fillers[kind] or getattr(name, "global_init", None)
                if fill is None:
                    raise ArgumentTypeError(
                        f"RNNFused: {name} has no initializer for {kind}; give one, or call "
                        "set_initializer"
                    )
                # In one row: MXNet 2 fills a part as a vector, of which fans are not known.
                fill._init_weight(InitDesc(kind), arr[begin:end])
                begin = end

    def _count_inputs(self, name: str, size: int) -> int:
        """Computes the size of the input from the number of parameters."""
        fixed, one = (_count_elements(self._plan, inputs) for inputs in (0, 1))
        inputs, rest = divmod(size - fixed, one - fixed)
        if rest or inputs < 1:
            raise ArgumentTypeError(
                f"RNNFused: {name} cannot hold the parameters of {self._plan.num_layers} layers "
                f"{self._plan.mode!r} of {self._plan.state_size} units: it has {size} elements"
            )
        return inputs


def _count_elements(plan: Plan, input_size: int) -> int:
    weights, biases = parameter_shapes(plan, input_size)
    return sum(map(math.prod, weights + biases))
