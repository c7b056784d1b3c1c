"""Layers that summarize all of the spatial axes, and padding."""

from __future__ import annotations

from typing import Any

from mxnet.errors import InvalidArgumentError
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.nn._options import Sizes, as_whole
from mxnet.gluon.nn._pooling import ONE_AXIS, THREE_AXES, TWO_AXES, _Pooling
from mxnet.gluon.parameter import ParameterDict


class _GlobalPooling(_Pooling):
    """What layers share that summarize all spatial axes.

    Args:
        layout: Order of the axes, the channels before the spatial axes by default.
        prefix: Prefix of the name.
        params: Accepted like for every layer; there are no parameters.
    """

    def __init__(
        self,
        layout: str | None = None,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._build(1, None, 0, True, layout, global_pool=True)


class GlobalMaxPool1D(_GlobalPooling):
    """Takes the maximum of one axis, for each channel.

    Args:
        layout: `"NCW"` (the default) or `"NWC"`.
        prefix: Prefix of the name.
        params: Accepted like for every layer; there are no parameters.

    Shapes:
        Input `(N, C, W)`, output `(N, C, 1)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> y = nn.GlobalMaxPool1D()(mx.nd.array([[[1, 3, 2], [4, 0, 5]]]))
        >>> y.shape
        (1, 2, 1)
        >>> print(y.reshape(-1).asnumpy())
        [3. 5.]
    """

    _pool_type, _layouts = "max", ONE_AXIS


class GlobalMaxPool2D(_GlobalPooling):
    """Takes the maximum of an image, for each channel.

    Args:
        layout: `"NCHW"` (the default) or `"NHWC"`.
        prefix: Prefix of the name.
        params: Accepted like for every layer; there are no parameters.

    Shapes:
        Input `(N, C, H, W)`, output `(N, C, 1, 1)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> y = nn.GlobalMaxPool2D()(mx.nd.arange(8).reshape((1, 2, 2, 2)))
        >>> y.shape
        (1, 2, 1, 1)
        >>> print(y.reshape(-1).asnumpy())
        [3. 7.]
    """

    _pool_type, _layouts = "max", TWO_AXES


class GlobalMaxPool3D(_GlobalPooling):
    """Takes the maximum of a volume, for each channel.

    Args:
        layout: `"NCDHW"` (the default) or `"NDHWC"`.
        prefix: Prefix of the name.
        params: Accepted like for every layer; there are no parameters.

    Shapes:
        Input `(N, C, D, H, W)`, output `(N, C, 1, 1, 1)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> y = nn.GlobalMaxPool3D()(mx.nd.arange(16).reshape((1, 2, 2, 2, 2)))
        >>> y.shape
        (1, 2, 1, 1, 1)
        >>> print(y.reshape(-1).asnumpy())
        [ 7. 15.]
    """

    _pool_type, _layouts = "max", THREE_AXES


class GlobalAvgPool1D(_GlobalPooling):
    """Takes the mean of one axis, for each channel.

    Args:
        layout: `"NCW"` (the default) or `"NWC"`.
        prefix: Prefix of the name.
        params: Accepted like for every layer; there are no parameters.

    Shapes:
        Input `(N, C, W)`, output `(N, C, 1)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> y = nn.GlobalAvgPool1D()(mx.nd.array([[[1, 3, 2], [4, 0, 5]]]))
        >>> y.shape
        (1, 2, 1)
        >>> print(y.reshape(-1).asnumpy())
        [2. 3.]
    """

    _pool_type, _layouts = "avg", ONE_AXIS


class GlobalAvgPool2D(_GlobalPooling):
    """Takes the mean of an image, for each channel.

    Args:
        layout: `"NCHW"` (the default) or `"NHWC"`.
        prefix: Prefix of the name.
        params: Accepted like for every layer; there are no parameters.

    Shapes:
        Input `(N, C, H, W)`, output `(N, C, 1, 1)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> y = nn.GlobalAvgPool2D()(mx.nd.arange(8).reshape((1, 2, 2, 2)))
        >>> y.shape
        (1, 2, 1, 1)
        >>> print(y.reshape(-1).asnumpy())
        [1.5 5.5]
    """

    _pool_type, _layouts = "avg", TWO_AXES


class GlobalAvgPool3D(_GlobalPooling):
    """Takes the mean of a volume, for each channel.

    Args:
        layout: `"NCDHW"` (the default) or `"NDHWC"`.
        prefix: Prefix of the name.
        params: Accepted like for every layer; there are no parameters.

    Shapes:
        Input `(N, C, D, H, W)`, output `(N, C, 1, 1, 1)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> y = nn.GlobalAvgPool3D()(mx.nd.arange(16).reshape((1, 2, 2, 2, 2)))
        >>> y.shape
        (1, 2, 1, 1, 1)
        >>> print(y.reshape(-1).asnumpy())
        [ 3.5 11.5]
    """

    _pool_type, _layouts = "avg", THREE_AXES


class ReflectionPad2D(HybridBlock):
    """Extends an image beyond its edges by its mirror image.

    Args:
        padding: Width on all sides, or eight widths, two for each axis of `(N, C, H, W)`.
        prefix: Prefix of the name.
        params: Accepted like for every layer; there are no parameters.

    Shapes:
        Input `(N, C, H, W)`, output `(N, C, H + 2 * padding, W + 2 * padding)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> x = mx.nd.array([[1, 2, 3], [4, 5, 6]]).reshape((1, 1, 2, 3))
        >>> print(nn.ReflectionPad2D(1)(x)[0, 0].asnumpy())
        [[5. 4. 5. 6. 5.]
         [2. 1. 2. 3. 2.]
         [5. 4. 5. 6. 5.]
         [2. 1. 2. 3. 2.]]
    """

    def __init__(
        self, padding: Sizes = 0, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        border = as_whole(padding)
        if border is not None:
            padding = (0, 0, 0, 0, border, border, border, border)
        if len(padding) != 8:  # type: ignore[arg-type]  # no number, thus a sequence
            raise InvalidArgumentError(
                f"ReflectionPad2D: padding must be a number or 8 of them, got {padding}"
            )
        self._padding = padding

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Pads the input."""
        return F.pad(x, mode="reflect", pad_width=self._padding)
