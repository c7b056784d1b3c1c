"""Layers that summarize windows of the spatial axes, and padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from mxnet.errors import InvalidArgumentError
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.nn._options import Sizes, choose_layout, per_axis
from mxnet.gluon.parameter import ParameterDict

_ONE_AXIS = ("NCW", "NWC")
_TWO_AXES = ("NCHW", "NHWC")
_THREE_AXES = ("NCDHW", "NDHWC")


class _Pooling(HybridBlock):
    """What pooling layers share.

    Subclasses set the kind of pooling and the layouts, and give the arguments their order.
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
    """What `MaxPool1D` and `MaxPool2D` share.

    Args:
        pool_size: Size of the window.
        strides: Steps of the window, its size if None.
        padding: Points added on both sides of each axis.
        layout: Order of the axes.
        ceil_mode: Whether the last window may reach beyond the end.
        prefix: Prefix of the name.
        params: Accepted like for every layer; there are no parameters.
    """

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
    """Takes the maximum of each window of one axis, in the layout `"NCW"` or `"NWC"`.

    The arguments are `pool_size`, `strides`, `padding`, `layout` and `ceil_mode`.
    """

    _layouts = _ONE_AXIS


class MaxPool2D(_MaxPool):
    """Takes the maximum of each window of an image, in the layout `"NCHW"` or `"NHWC"`.

    The arguments are those of `MaxPool1D`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> nn.MaxPool2D(2)(mx.nd.ones((1, 3, 8, 8))).shape
        (1, 3, 4, 4)
    """

    _layouts = _TWO_AXES


class MaxPool3D(_Pooling):
    """Takes the maximum of each window of a volume.

    Args:
        pool_size: Size of the window.
        strides: Steps of the window, its size if None.
        padding: Points added on both sides of each axis.
        ceil_mode: Whether the last window may reach beyond the end.
        layout: `"NCDHW"` or `"NDHWC"`.
        prefix: Prefix of the name.
        params: Accepted like for every layer; there are no parameters.
    """

    _pool_type, _layouts = "max", _THREE_AXES

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
    """Takes the mean of each window of one axis.

    Args:
        pool_size: Size of the window.
        strides: Steps of the window, its size if None.
        padding: Zeros added on both sides of the axis.
        layout: `"NCW"` or `"NWC"`.
        ceil_mode: Whether the last window may reach beyond the end.
        count_include_pad: Whether added zeros count as elements.
        prefix: Prefix of the name.
        params: Accepted like for every layer; there are no parameters.
    """

    _pool_type, _layouts = "avg", _ONE_AXIS

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
        pool_size: Size of the window.
        strides: Steps of the window, its size if None.
        padding: Zeros added on both sides of each axis.
        ceil_mode: Whether the last window may reach beyond the end.
        layout: Order of the axes.
        count_include_pad: Whether added zeros count as elements.
        prefix: Prefix of the name.
        params: Accepted like for every layer; there are no parameters.
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
    """Takes the mean of each window of an image, in the layout `"NCHW"` or `"NHWC"`.

    The arguments are `pool_size`, `strides`, `padding`, `ceil_mode`, `layout` and
    `count_include_pad`, which tells whether added zeros count as elements.
    """

    _layouts = _TWO_AXES


class AvgPool3D(_AvgPool):
    """Takes the mean of each window of a volume, in the layout `"NCDHW"` or `"NDHWC"`.

    The arguments are those of `AvgPool2D`.
    """

    _layouts = _THREE_AXES


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
    """Takes the maximum of one axis, in the layout `"NCW"` or `"NWC"`."""

    _pool_type, _layouts = "max", _ONE_AXIS


class GlobalMaxPool2D(_GlobalPooling):
    """Takes the maximum of an image, in the layout `"NCHW"` or `"NHWC"`."""

    _pool_type, _layouts = "max", _TWO_AXES


class GlobalMaxPool3D(_GlobalPooling):
    """Takes the maximum of a volume, in the layout `"NCDHW"` or `"NDHWC"`."""

    _pool_type, _layouts = "max", _THREE_AXES


class GlobalAvgPool1D(_GlobalPooling):
    """Takes the mean of one axis, in the layout `"NCW"` or `"NWC"`."""

    _pool_type, _layouts = "avg", _ONE_AXIS


class GlobalAvgPool2D(_GlobalPooling):
    """Takes the mean of an image, in the layout `"NCHW"` or `"NHWC"`."""

    _pool_type, _layouts = "avg", _TWO_AXES


class GlobalAvgPool3D(_GlobalPooling):
    """Takes the mean of a volume, in the layout `"NCDHW"` or `"NDHWC"`."""

    _pool_type, _layouts = "avg", _THREE_AXES


class ReflectionPad2D(HybridBlock):
    """Extends an image beyond its edges by its mirror image.

    Args:
        padding: Width on all sides, or eight widths, two for each axis of `(N, C, H, W)`.
        prefix: Prefix of the name.
        params: Accepted like for every layer; there are no parameters.
    """

    def __init__(
        self, padding: Sizes = 0, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        if isinstance(padding, int):
            padding = (0, 0, 0, 0, padding, padding, padding, padding)
        if len(padding) != 8:
            raise InvalidArgumentError(
                f"ReflectionPad2D: padding must be a number or 8 of them, got {padding}"
            )
        self._padding = padding

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Pads the input."""
        return F.pad(x, mode="reflect", pad_width=self._padding)
