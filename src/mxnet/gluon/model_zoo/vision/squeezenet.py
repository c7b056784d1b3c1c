"""SqueezeNet: few parameters by narrow layers, Iandola et al., 2016."""

from __future__ import annotations

from typing import Any

from mxnet.gluon import nn
from mxnet.gluon.contrib.nn import HybridConcurrent
from mxnet.gluon.model_zoo.vision._network import (
    Contexts,
    ImageNetwork,
    Root,
    pick,
    restore,
    stack,
    variant,
)
from mxnet.gluon.parameter import ParameterDict

_VERSIONS: dict[str, tuple[tuple[int, int], tuple[tuple[int, ...], ...]]] = {
    "1.0": ((96, 7), ((16, 16, 32), (32, 48, 48, 64), (64,))),
    "1.1": ((64, 3), ((16, 16), (32, 32), (48, 48, 64, 64))),
}
"""Channels and window of the first convolution; narrow channels of the modules after each pooling.

A module has four times as many channels in each of its two wide parts.
"""


def _rectified(channels: int, kernel: int, **options: Any) -> nn.HybridSequential:
    return stack(nn.Conv2D(channels, kernel, **options), nn.Activation("relu"))


def _make_fire(
    squeeze_channels: int, expand1x1_channels: int, expand3x3_channels: int
) -> nn.HybridSequential:
    """Returns a module: a narrow convolution, then two wide ones side by side."""
    narrow = _rectified(squeeze_channels, 1)
    wide = HybridConcurrent(axis=1, prefix="")
    wide.add(_rectified(expand1x1_channels, 1), _rectified(expand3x3_channels, 3, padding=1))
    return stack(narrow, wide)


class SqueezeNet(ImageNetwork):
    """Modules that make the channels few and then many again.

    Args:
        version: `"1.0"` or `"1.1"`.
        classes: Number of classes.
        prefix: Prefix of the name.
        params: Parameters to share.
    """

    def __init__(
        self,
        version: str,
        classes: int = 1000,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        (channels, kernel), groups = pick("SqueezeNet: version", _VERSIONS, version)
        with self.name_scope():
            self.features = stack(nn.Conv2D(channels, kernel, 2), nn.Activation("relu"))
            for group in groups:
                self.features.add(nn.MaxPool2D(3, 2, ceil_mode=True))
                self.features.add(*(_make_fire(size, 4 * size, 4 * size) for size in group))
            self.features.add(nn.Dropout(0.5))
            score = nn.Conv2D(classes, 1)
            self.output = stack(score, nn.Activation("relu"), nn.AvgPool2D(13), nn.Flatten())


def get_squeezenet(
    version: str, pretrained: bool = False, ctx: Contexts = None, root: Root = None, **kwargs: Any
) -> SqueezeNet:
    """Returns a SqueezeNet.

    Args:
        version: `"1.0"` or `"1.1"`.
        pretrained: Whether to load the published parameters.
        ctx: Context or contexts of the parameters, the CPU by default.
        root: Folder of the files, `models` in `MXNET_HOME` by default.
        **kwargs: `classes`, `prefix` and `params` of `SqueezeNet`.
    """
    return restore(SqueezeNet(version, **kwargs), f"squeezenet{version}", pretrained, ctx, root)


squeezenet1_0 = variant("squeezenet1_0", get_squeezenet, "1.0", name="squeezenet1.0")
squeezenet1_1 = variant("squeezenet1_1", get_squeezenet, "1.1", name="squeezenet1.1")
