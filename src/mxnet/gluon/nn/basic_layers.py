"""Containers, dense layers, embeddings, normalizations and functions as layers."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

from torch import nn as torch_nn

from mxnet import ndarray as nd
from mxnet._frontend.dialect import current_dialect
from mxnet._start import did_you_mean, docstrings, level_of_program, public_methods, publish_classes
from mxnet._state import modes, rules
from mxnet.errors import InvalidArgumentError
from mxnet.gluon.block import Block, HybridBlock
from mxnet.gluon.blocks.options import InitLike, require_count
from mxnet.gluon.nn._normalization import BatchNorm as BatchNorm
from mxnet.gluon.nn._normalization import BatchNormReLU as BatchNormReLU
from mxnet.gluon.nn._normalization import GroupNorm as GroupNorm
from mxnet.gluon.nn._normalization import InstanceNorm as InstanceNorm
from mxnet.gluon.nn._normalization import LayerNorm as LayerNorm
from mxnet.gluon.nn._normalization import _BatchNorm as _BatchNorm
from mxnet.gluon.nn.activations import apply_activation, make_activation
from mxnet.gluon.parameter import ParameterDict

if TYPE_CHECKING:
    from mxnet.gluon.blocks.results import Layer

B = TypeVar("B", bound="_Stack")


@public_methods("add", "__getitem__")
class _Stack(Block):
    """What stacks of blocks share: adding and looking up children."""

    _mx_in_summary = False

    def add(self, *blocks: Block) -> None:
        """Puts blocks on top of the stack."""
        for block in blocks:
            self.register_child(block)

    def __repr__(self) -> str:
        lines = "\n".join(
            f"  ({key}): " + str(block).replace("\n", "\n  ")
            for key, block in self._children.items()
        )
        return f"{type(self).__name__}(\n{lines}\n)"

    @overload
    def __getitem__(self, key: int) -> Layer: ...
    @overload
    def __getitem__(self: B, key: slice) -> B: ...
    def __getitem__(self: B, key: int | slice) -> Any:
        chosen = list(self._children.values())[key]
        if isinstance(chosen, Block):
            return chosen
        part = type(self)(prefix=self._prefix)
        with part.name_scope():
            part.add(*chosen)
        return part

    def __len__(self) -> int:
        return len(self._children)

    def __iter__(self) -> Iterator[Layer]:
        return iter(self._children.values())  # type: ignore[arg-type]


class Sequential(_Stack):
    """Runs blocks one after the other.

    Example:
        >>> from mxnet.gluon import nn
        >>> net = nn.Sequential()
        >>> net.add(nn.Dense(10, activation="relu"), nn.Dense(2))
        >>> print(net)
        Sequential(
          (0): Dense(None -> 10, Activation(relu))
          (1): Dense(None -> 2, linear)
        )
    """

    def forward(self, x: Any) -> Any:
        """Runs the blocks."""
        for block in self._children.values():
            x = block(x)
        return x

    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Lets the hybrid blocks inside compile themselves; see `HybridBlock.hybridize`."""
        children = self._children.values()
        if children and all(child._mx_may_have_graph for child in children):
            warnings.warn(
                f"{type(self).__name__} {self.prefix!r} has hybrid children only, each of which is "
                "compiled by itself: HybridSequential would compile them as one",
                stacklevel=level_of_program(),
            )
        super().hybridize(active, **kwargs)


class HybridSequential(_Stack, HybridBlock):
    """Runs hybrid blocks one after the other, as one graph if it is hybridized.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> net = nn.HybridSequential()
        >>> net.add(nn.Dense(10, activation="relu"), nn.Dense(2))
        >>> net.initialize()
        >>> net.hybridize()
        >>> net(mx.nd.ones((4, 3))).shape
        (4, 2)
    """

    def hybrid_forward(self, F: Any, x: Any) -> Any:  # noqa: ARG002 - children have their own
        """Runs the blocks."""
        for block in self._children.values():
            x = block(x)
        return x


class Dense(HybridBlock):
    """Fully connected layer, `activation(x @ weight.T + bias)`.

    Args:
        units: Size of the output.
        activation: Name of the activation function, none if None.
        use_bias: Whether there is a bias.
        flatten: Whether all axes but the first are taken together; else the last one is mapped.
        dtype: Element type of the parameters.
        weight_initializer: Initializer of the weight, that of the network if None.
        bias_initializer: Initializer of the bias.
        in_units: Size of the input; 0 leaves it to the first call.

    Shapes:
        Input `(N, ...)`, output `(N, units)`; without `flatten`, input `(..., in_units)`,
        output `(..., units)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.Dense(3, activation="relu")
        >>> layer.initialize()
        >>> layer(mx.nd.ones((2, 5))).shape
        (2, 3)
        >>> layer
        Dense(5 -> 3, Activation(relu))
    """

    def __init__(
        self,
        units: int,
        activation: str | None = None,
        use_bias: bool = True,
        flatten: bool = True,
        dtype: Any = "float32",
        weight_initializer: InitLike = None,
        bias_initializer: InitLike = "zeros",
        in_units: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        # No unit is a mistake that the first call reports, as in the original.
        self._units = units = require_count("Dense", "units", units, at_least=0)
        self._in_units = in_units = require_count("Dense", "in_units", in_units, at_least=0)
        self._flatten = flatten
        with self.name_scope():
            self.weight = self.params.get(
                "weight",
                shape=(units, in_units),
                init=weight_initializer,
                dtype=dtype,
                allow_deferred_init=True,
            )
            self.bias = None
            if use_bias:
                self.bias = self.params.get(
                    "bias",
                    shape=(units,),
                    init=bias_initializer,
                    dtype=dtype,
                    allow_deferred_init=True,
                )
            self.act = None if activation is None else make_activation(activation)

    def __repr__(self) -> str:
        in_units = self.weight.shape[1] if self.weight.shape else 0
        return f"{type(self).__name__}({in_units or None} -> {self._units}, {self.act or 'linear'})"

    def _mx_torch_layer(self) -> tuple[type[torch_nn.Module], dict[str, Any]] | None:
        is_plain = self.act is None and type(self).hybrid_forward is Dense.hybrid_forward
        if not is_plain or self.weight.shape is None:
            return None
        return torch_nn.Linear, {"in_features": self.weight.shape[1], "out_features": self._units}

    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
        """Maps the input."""
        x = F.FullyConnected(
            x,
            weight,
            bias,
            num_hidden=self._units,
            no_bias=bias is None,
            flatten=self._flatten,
            name="fwd",
        )
        return apply_activation(self.act, F, x)


class Dropout(HybridBlock):
    """Sets elements to zero at random during training and scales the others up.

    Args:
        rate: Probability of an element to be dropped; 0 gives the input.
        axes: Axes along which the decision is shared.
        params: Accepted like for every layer; there are no parameters.

    Shapes:
        Input and output have the same shape.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer, x = nn.Dropout(0.5), mx.nd.ones((2, 50))
        >>> print(layer(x).sum().asscalar())
        100.0
        >>> with mx.autograd.train_mode():
        ...     values = set(layer(x).reshape(-1).asnumpy().tolist())
        >>> sorted(values)
        [0.0, 2.0]
    """

    def __init__(
        self,
        rate: float,
        axes: Sequence[int] = (),
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._rate, self._axes = rate, axes

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p = {self._rate}, axes={self._axes})"

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Drops elements in training mode."""
        if self._rate == 0:
            return F.identity(x)
        return F.Dropout(x, p=self._rate, axes=self._axes, name="fwd", cudnn_off=False)


class Embedding(HybridBlock):
    """Turns indices into vectors that are learned.

    Args:
        input_dim: Number of vectors.
        output_dim: Length of a vector.
        dtype: Element type of the vectors.
        weight_initializer: Initializer of the vectors.
        sparse_grad: Whether the gradient holds the rows in use only, so that optimizers can leave
            the others alone.

    Shapes:
        Input of any shape, output of that shape and one more axis of length `output_dim`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.Embedding(10, 4)
        >>> layer.initialize()
        >>> layer(mx.nd.array([[1, 2], [3, 3]])).shape
        (2, 2, 4)
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        dtype: Any = "float32",
        weight_initializer: InitLike = None,
        sparse_grad: bool = False,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._kwargs = {
            "input_dim": input_dim,
            "output_dim": output_dim,
            "dtype": dtype,
            "sparse_grad": sparse_grad,
        }
        self.weight = self.params.get(
            "weight",
            shape=(input_dim, output_dim),
            init=weight_initializer,
            dtype=dtype,
            allow_deferred_init=True,
            grad_stype="row_sparse" if sparse_grad else "default",
        )

    def __repr__(self) -> str:
        sizes = "{input_dim} -> {output_dim}, {dtype}".format(**self._kwargs)
        return f"{type(self).__name__}({sizes})"

    def _mx_torch_layer(self) -> tuple[type[torch_nn.Module], dict[str, Any]] | None:
        if type(self).hybrid_forward is not Embedding.hybrid_forward:
            return None
        sizes = self._kwargs["input_dim"], self._kwargs["output_dim"]
        attributes = dict(zip(("num_embeddings", "embedding_dim"), sizes, strict=True))
        options = dict.fromkeys(("padding_idx", "max_norm"))
        fixed = {"norm_type": 2.0, "scale_grad_by_freq": False, "sparse": False}
        return torch_nn.Embedding, {**attributes, **options, **fixed}

    _indices_checked = False

    def _check_indices(self, indices: Any) -> None:
        """Warns once if there are no vectors for some indices, as those of losses do for labels.

        Indices on a GPU are not looked at: the program would wait for them. Nor are those of tables
        with sparse gradients while these learn: their backward pass refuses them.
        """
        if self._kwargs["sparse_grad"] and modes.recording:
            return
        if not isinstance(indices, nd.NDArray) or modes.tracer is not None or not indices.size:
            return
        if indices.stype != "default" or indices._plain.device.type != "cpu":
            return
        self._indices_checked = True
        last = self._kwargs["input_dim"] - 1
        smallest, largest = (number.item() for number in indices._plain.aminmax())
        if smallest < 0 or largest > last:
            warnings.warn(
                f"{type(self).__name__} {self.name!r}: an index is "
                f"{largest if largest > last else smallest:g}, but there are {last + 1} vectors, "
                f"0 to {last}; it counts as {last if largest > last else 0}",
                stacklevel=level_of_program(),
            )

    def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
        """Looks the vectors up."""
        if not self._indices_checked:
            self._check_indices(x)
        return F.Embedding(x, weight, name="fwd", **self._kwargs)


class Flatten(HybridBlock):
    """Takes all axes but the first together.

    Args:
        params: Accepted like for every layer; there are no parameters.

    Shapes:
        Input `(N, ...)`, output `(N, product of the others)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> nn.Flatten()(mx.nd.ones((2, 3, 4, 5))).shape
        (2, 60)
    """

    def __repr__(self) -> str:
        return type(self).__name__

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Returns an array of two axes."""
        return F.Flatten(x)


def _check_function(layer: str, function: Callable[..., Any] | str) -> str:
    """Returns the name of a function, which must be one of `mx.nd` if it is given by name."""
    if isinstance(function, str):
        if not hasattr(nd, function):
            raise InvalidArgumentError(
                f"{layer}: mx.nd has no function {function!r}{did_you_mean(function, dir(nd))}"
            )
        return function
    if not callable(function):
        raise InvalidArgumentError(
            f"{layer}: takes a function or the name of one, got {function!r}"
        )
    return getattr(function, "__name__", type(function).__name__)


def _takes(function: Any, count: int) -> bool:
    """Returns whether a function can be called with that many arguments by position."""
    try:
        inspect.signature(function).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:  # A function in C that does not tell its arguments.
        return count > 1 or rules.version == 2
    return True


class Lambda(Block):
    """A function of arrays as a block.

    Args:
        function: The function, or the name of one in `mx.nd`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> print(nn.Lambda(lambda x: x * 2)(mx.nd.ones(2)).asnumpy())
        [2. 2.]
    """

    def __init__(self, function: Callable[..., Any] | str, prefix: str | None = None) -> None:
        super().__init__(prefix=prefix)
        self._func_name = _check_function("Lambda", function)
        self._function = function

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._func_name})"

    def forward(self, *args: Any) -> Any:
        """Calls the function."""
        if not isinstance(self._function, str):
            return self._function(*args)
        frontend = nd if rules.version == 1 else current_dialect().array_functions
        return getattr(frontend, self._function)(*args)


class HybridLambda(HybridBlock):
    """A function of `F` and arrays as a block.

    Args:
        function: A function `f(F, x, ...)`, or the name of an operator. A function `f(x, ...)` of
            arrays alone, as MXNet 2 calls it, is one under its rules, and where it takes no `F`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> print(nn.HybridLambda(lambda F, x: F.relu(x) + 1)(mx.nd.ones(2)).asnumpy())
        [2. 2.]
    """

    def __init__(self, function: Callable[..., Any] | str, prefix: str | None = None) -> None:
        super().__init__(prefix=prefix)
        self._func_name = _check_function("HybridLambda", function)
        self._func = None if isinstance(function, str) else function

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._func_name})"

    def _takes_frontend(self, count: int) -> bool:
        """Returns whether the function is called with `F` before that many arrays."""
        if rules.version == 2:
            return not _takes(self._func, count) and _takes(self._func, count + 1)
        return _takes(self._func, count + 1) or not _takes(self._func, count)

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """Calls the function."""
        if self._func is None:
            return getattr(F, self._func_name)(x, *args)
        arrays = (x, *args)
        return self._func(*((F, *arrays) if self._takes_frontend(len(arrays)) else arrays))


docstrings.inherit(globals())
publish_classes(globals())
