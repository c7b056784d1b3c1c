"""Blocks side by side, layers for several devices, and rearranging channels into pixels."""

from __future__ import annotations

import warnings
from math import prod
from typing import Any, ClassVar

from mxnet._frontend.dialect import functions_for
from mxnet._start import docstrings, level_of_program
from mxnet._state import modes
from mxnet.context import num_gpus
from mxnet.gluon.block import Block, HybridBlock
from mxnet.gluon.blocks.options import InitLike, Sizes, per_axis
from mxnet.gluon.nn.basic_layers import BatchNorm, HybridSequential, Sequential
from mxnet.gluon.parameter import ParameterDict
from mxnet.ops.nn.batch_parts import has_other_parts


class Concurrent(Sequential):
    """Runs blocks side by side on the same input and joins their outputs.

    Args:
        axis: Axis along which the outputs are joined.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> from mxnet.gluon.contrib.nn import Concurrent, Identity
        >>> net = Concurrent(axis=1)
        >>> net.add(Identity(), nn.Dense(2))
        >>> net.initialize()
        >>> net(mx.nd.ones((4, 3))).shape
        (4, 5)
    """

    def __init__(
        self, axis: int = -1, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def forward(self, x: Any) -> Any:
        """Runs the blocks and joins their outputs."""
        results = [block(x) for block in self._children.values()]
        return functions_for(results[0]).concat(*results, dim=self.axis)


class HybridConcurrent(HybridSequential):
    """Runs hybrid blocks side by side on the same input and joins their outputs.

    Args:
        axis: Axis along which the outputs are joined.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> from mxnet.gluon.contrib.nn import HybridConcurrent, Identity
        >>> net = HybridConcurrent(axis=1)
        >>> net.add(Identity(), nn.Dense(2))
        >>> net.initialize()
        >>> net(mx.nd.ones((4, 3))).shape
        (4, 5)
    """

    def __init__(
        self, axis: int = -1, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Runs the blocks and joins their outputs."""
        return F.concat(*[block(x) for block in self._children.values()], dim=self.axis)


class Identity(HybridBlock):
    """Returns its input; for the straight path beside others.

    Args:
        params: Accepted like for every layer; there are no parameters.

    Shapes:
        Input and output have the same shape.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.nn import Identity
        >>> print(Identity()(mx.nd.array([1, 2])).asnumpy())
        [1. 2.]
    """

    def hybrid_forward(self, F: Any, x: Any) -> Any:  # noqa: ARG002 - nothing is computed
        """Returns the input."""
        return x


class SparseEmbedding(Block):
    """Turns indices into vectors that are learned, of which it reads and updates those in use.

    The first call needs a `Trainer` of the parameter.

    Args:
        input_dim: Number of vectors.
        output_dim: Length of a vector.
        dtype: Element type of the vectors.
        weight_initializer: Initializer of the vectors.

    Shapes:
        Input of any shape, output of that shape and one more axis of length `output_dim`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.nn import SparseEmbedding
        >>> layer = SparseEmbedding(10, 4)
        >>> layer.initialize()
        >>> trainer = mx.gluon.Trainer(layer.collect_params(), "sgd")
        >>> layer(mx.nd.array([[1, 2, 3]])).shape
        (1, 3, 4)
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        dtype: Any = "float32",
        weight_initializer: InitLike = None,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._kwargs = {
            "input_dim": input_dim,
            "output_dim": output_dim,
            "dtype": dtype,
            "sparse_grad": True,
        }
        self.weight = self.params.get(
            "weight",
            shape=(input_dim, output_dim),
            init=weight_initializer,
            dtype=dtype,
            grad_stype="row_sparse",
            stype="row_sparse",
        )

    def __repr__(self) -> str:
        sizes = "{input_dim} -> {output_dim}, {dtype}".format(**self._kwargs)
        return f"{type(self).__name__}({sizes})"

    def forward(self, x: Any) -> Any:
        """Looks the vectors up."""
        weight = self.weight.row_sparse_data(x)
        return functions_for(x).Embedding(x, weight, name="fwd", **self._kwargs)


class SyncBatchNorm(BatchNorm):
    """Normalizes axis 1 by the statistics of the batch over all devices and processes.

    The processes of a job, once they have met, each have a part of the batch and make the same
    calls. The parts on several contexts of one process are normalized together if a `TrainStep`
    computes them, or in a loop over what `gluon.utils.split_and_load` returns: the first call of a
    network computes all parts, and `backward` of a part waits for that of the last. A part that
    comes otherwise is normalized by itself, and a warning says so.

    Args:
        num_devices: Number of devices of a process that share a batch, all GPUs if None.

    Shapes:
        Input and output `(N, C, ...)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.nn import SyncBatchNorm
        >>> layer = SyncBatchNorm(num_devices=1)
        >>> layer.initialize()
        >>> layer(mx.nd.ones((2, 3, 4, 4))).shape
        (2, 3, 4, 4)
        >>> layer.running_mean.shape
        (3,)
    """

    def __init__(
        self,
        in_channels: int = 0,
        num_devices: int | None = None,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        use_global_stats: bool = False,
        beta_initializer: InitLike = "zeros",
        gamma_initializer: InitLike = "ones",
        running_mean_initializer: InitLike = "zeros",
        running_variance_initializer: InitLike = "ones",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(
            1,
            momentum,
            epsilon,
            center,
            scale,
            use_global_stats,
            beta_initializer,
            gamma_initializer,
            running_mean_initializer,
            running_variance_initializer,
            in_channels,
            prefix,
            params,
        )
        del self._kwargs["axis"]
        self._kwargs["ndev"] = max(num_gpus(), 1) if num_devices is None else num_devices
        self._kwargs["key"] = self.prefix
        self._is_told = False
        self._mx_may_need_parts = self._mx_needs_all_parts()

    def _mx_needs_all_parts(self) -> bool:
        return bool(self._kwargs["ndev"] > 1)

    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        """Normalizes, and updates the running statistics in training mode."""
        self._warn_of_parts_apart()
        return F.contrib.SyncBatchNorm(
            x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs
        )

    def _warn_of_parts_apart(self) -> None:
        """Warns, once, if parts of a batch on several contexts come one after the other."""
        if (
            self._is_told
            or not (modes.training and self._mx_needs_all_parts())
            or has_other_parts()
        ):
            return
        if not self._kwargs["use_global_stats"] and len(self.params.get("gamma")._data or ()) > 1:
            self._is_told = True
            warnings.warn(
                f"SyncBatchNorm {self.name!r}: a part of a batch is normalized by itself, because "
                "the network was called with an array that is not known to be a part. Call it with "
                "what gluon.utils.split_and_load returns, unchanged, or train with gluon.TrainStep",
                stacklevel=level_of_program(),
            )


class _PixelShuffle(HybridBlock):
    """Moves channels into the spatial axes, each of which becomes longer by its factor.

    Args:
        factor: The factor, or one for each axis.
    """

    _num_axes: ClassVar[int]

    def __init__(self, factor: Sizes) -> None:
        super().__init__()
        sizes = per_axis(type(self).__name__, "factor", factor, self._num_axes)
        self._factors = tuple(int(size) for size in sizes)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._factors})"

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Rearranges the input."""
        factors, count = self._factors, self._num_axes
        spatial = (0,) * count
        x = F.reshape(x, shape=(0, -4, -1, prod(factors), *spatial))
        for position in range(count - 1):
            rest = prod(factors[position + 1 :])
            split = (-4, factors[position], rest)
            x = F.reshape(x, shape=(0, 0, *(0,) * position, *split, *spatial))
        pairs = (axis for i in range(count) for axis in (2 + count + i, 2 + i))
        x = F.transpose(x, axes=(0, 1, *pairs))
        return F.reshape(x, shape=(0, 0, *(-3,) * count))


class PixelShuffle1D(_PixelShuffle):
    """Moves elements from channels to the width, which becomes `f` times as long.

    Args:
        factor: The factor `f`.

    Shapes:
        Input `(N, C * f, W)`, output `(N, C, W * f)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.nn import PixelShuffle1D
        >>> y = PixelShuffle1D(2)(mx.nd.arange(6).reshape((1, 2, 3)))
        >>> y.shape
        (1, 1, 6)
        >>> print(y.asnumpy())
        [[[0. 3. 1. 4. 2. 5.]]]
    """

    _num_axes = 1

    def __init__(self, factor: int) -> None:
        super().__init__((int(factor),))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._factors[0]})"


class PixelShuffle2D(_PixelShuffle):
    """Moves elements from channels to height and width, which become larger.

    Args:
        factor: The factors `f1` and `f2`, or one number for both.

    Shapes:
        Input `(N, C * f1 * f2, H, W)`, output `(N, C, H * f1, W * f2)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.nn import PixelShuffle2D
        >>> PixelShuffle2D((2, 3))(mx.nd.ones((1, 12, 3, 5))).shape
        (1, 2, 6, 15)
    """

    _num_axes = 2


class PixelShuffle3D(_PixelShuffle):
    """Moves elements from channels to depth, height and width, which become larger.

    Args:
        factor: The factors `f1`, `f2` and `f3`, or one number for all.

    Shapes:
        Input `(N, C * f1 * f2 * f3, D, H, W)`, output `(N, C, D * f1, H * f2, W * f3)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.nn import PixelShuffle3D
        >>> PixelShuffle3D((2, 3, 4))(mx.nd.ones((1, 48, 3, 5, 7))).shape
        (1, 2, 6, 15, 28)
    """

    _num_axes = 3

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Rearranges the input, one axis after the other: graphs transpose six axes at most."""
        x = F.reshape(x, shape=(0, -4, -1, prod(self._factors), 0, 0, 0))
        for axis, factor in enumerate(self._factors, 2):
            # All factors that are left stand before this axis; its own goes behind it.
            x = F.swapaxes(x, dim1=axis, dim2=axis + 1)
            before, rest = (0,) * axis, self._factors[axis - 1 :]
            behind = (0,) * len(rest)
            if rest:
                x = F.reshape(x, shape=(*before, 0, -4, factor, prod(rest), *behind))
                behind += (0,)
            x = F.reshape(x, shape=(*before, -3, *behind))
        return x


docstrings.inherit(globals())
