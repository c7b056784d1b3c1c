"""Layers that summarize windows of the spatial axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from mxnet._start import docstrings
from mxnet.errors import InvalidArgumentError
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.blocks.options import Sizes, as_whole, choose_layout, name_axes, per_axis
from mxnet.gluon.parameter import ParameterDict

ONE_AXIS = ("NCW", "NWC")
TWO_AXES = ("NCHW", "NHWC")
THREE_AXES = ("NCDHW", "NDHWC")


class _Pooling(HybridBlock):
    """What pooling layers share.

    Subclasses set the kind of pooling and the layouts, and give the arguments their order.

    Args:
        pool_size: Size of the window{numbers}.
        strides: Steps of the window{numbers}; its size if None.
        padding: Points added on both sides {of_axes}{numbers}.
        ceil_mode: Whether the last window may reach beyond the end, which rounds lengths up.
        layout: {layouts}.
        params: Accepted like for every layer; there are no parameters.

    Shapes:
        Input `(N, C, {axes})`, output `(N, C, {lengths})`, where each length is
        `(length + 2 * padding - pool_size) // strides + 1`.
    """

    _pool_type: ClassVar[str]
    _layouts: ClassVar[Sequence[str]]

    def _build(
        self,
        pool_size: Sizes,
        strides: Sizes | None,
        padding: Sizes,
        ceil_mode: bool,
        layout: str | None,
        *,
        global_pool: bool = False,
        count_include_pad: bool | None = None,
    ) -> None:
        layer, num_axes = type(self).__name__, len(self._layouts[0]) - 2
        layout = choose_layout(layer, layout, self._layouts)
        kernel = per_axis(layer, "pool_size", pool_size, num_axes)
        self._kwargs: dict[str, Any] = {
            "kernel": kernel,
            "stride": kernel if strides is None else per_axis(layer, "strides", strides, num_axes),
            "pad": per_axis(layer, "padding", padding, num_axes),
            "global_pool": global_pool,
            "pool_type": self._pool_type,
            "layout": layout,
            "pooling_convention": "full" if ceil_mode else "valid",
        }
        if count_include_pad is not None:
            self._kwargs["count_include_pad"] = count_include_pad

    def _alias(self) -> str:
        return "pool"

    def __repr__(self) -> str:
        options = self._kwargs
        return (
            f"{type(self).__name__}(size={options['kernel']}, stride={options['stride']}, "
            f"padding={options['pad']}, ceil_mode={options['pooling_convention'] == 'full'}, "
            f"global_pool={options['global_pool']}, pool_type={options['pool_type']}, "
            f"layout={options['layout']})"
        )

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Pools the input."""
        return F.Pooling(x, name="fwd", **self._kwargs)


class _MaxPool(_Pooling):
    """What `MaxPool1D` and `MaxPool2D` share."""

    _pool_type = "max"

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str | None = None,
        ceil_mode: bool = False,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._build(pool_size, strides, padding, ceil_mode, layout)


class MaxPool1D(_MaxPool):
    """Takes the maximum of each window of one axis, such as time.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> layer = nn.MaxPool1D(pool_size=2)
        >>> print(layer(mx.nd.array([[[1, 3, 2, 5, 4]]])).asnumpy())
        [[[3. 5.]]]
        >>> nn.MaxPool1D(3, strides=1, padding=1)(mx.nd.ones((1, 1, 5))).shape
        (1, 1, 5)
    """

    _layouts = ONE_AXIS


class MaxPool2D(_MaxPool):
    """Takes the maximum of each window of an image.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> print(nn.MaxPool2D(2)(mx.nd.arange(16).reshape((1, 1, 4, 4)))[0, 0].asnumpy())
        [[ 5.  7.]
         [13. 15.]]
        >>> nn.MaxPool2D(3, strides=2, ceil_mode=True)(mx.nd.ones((1, 3, 8, 8))).shape
        (1, 3, 4, 4)
    """

    _layouts = TWO_AXES


class MaxPool3D(_Pooling):
    """Takes the maximum of each window of a volume.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> nn.MaxPool3D(2)(mx.nd.ones((1, 3, 4, 8, 8))).shape
        (1, 3, 2, 4, 4)
        >>> nn.MaxPool3D((1, 2, 2))(mx.nd.ones((1, 3, 4, 8, 8))).shape
        (1, 3, 4, 4, 4)
    """

    _pool_type, _layouts = "max", THREE_AXES

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str | None = None,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._build(pool_size, strides, padding, ceil_mode, layout)


class AvgPool1D(_Pooling):
    """Takes the mean of each window of one axis, such as time.

    Args:
        padding: Zeros added on both sides {of_axes}{numbers}.
        count_include_pad: Whether added zeros count as elements.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> x = mx.nd.array([[[1, 3, 2, 6]]])
        >>> print(nn.AvgPool1D(2)(x).asnumpy())
        [[[2. 4.]]]
        >>> print(nn.AvgPool1D(2, padding=1, count_include_pad=False)(x).asnumpy())
        [[[1.  2.5 6. ]]]
    """

    _pool_type, _layouts = "avg", ONE_AXIS

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        layout: str | None = None,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        included = count_include_pad
        self._build(pool_size, strides, padding, ceil_mode, layout, count_include_pad=included)


class _AvgPool(_Pooling):
    """What `AvgPool2D` and `AvgPool3D` share.

    Args:
        padding: Zeros added on both sides {of_axes}{numbers}.
        count_include_pad: Whether added zeros count as elements.
    """

    _pool_type = "avg"

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        layout: str | None = None,
        count_include_pad: bool = True,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        included = count_include_pad
        self._build(pool_size, strides, padding, ceil_mode, layout, count_include_pad=included)


class AvgPool2D(_AvgPool):
    """Takes the mean of each window of an image.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> print(nn.AvgPool2D(2)(mx.nd.arange(16).reshape((1, 1, 4, 4)))[0, 0].asnumpy())
        [[ 2.5  4.5]
         [10.5 12.5]]
        >>> nn.AvgPool2D(3, strides=2, ceil_mode=True)(mx.nd.ones((1, 3, 8, 8))).shape
        (1, 3, 4, 4)
    """

    _layouts = TWO_AXES


class AvgPool3D(_AvgPool):
    """Takes the mean of each window of a volume.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> nn.AvgPool3D(2)(mx.nd.ones((1, 3, 4, 8, 8))).shape
        (1, 3, 2, 4, 4)
        >>> nn.AvgPool3D((1, 2, 2))(mx.nd.ones((1, 3, 4, 8, 8))).shape
        (1, 3, 4, 4, 4)
    """

    _layouts = THREE_AXES


class _GlobalPooling(_Pooling):
    """What layers share that summarize all spatial axes.

    Shapes:
        Input `(N, C, {axes})`, output `(N, C, {ones})`.
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


docstrings.inherit(globals(), lambda layer: name_axes(getattr(layer, "_layouts", ())))
