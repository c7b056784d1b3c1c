"""MobileNet: convolutions split by channel, Howard et al., 2017, and V2, Sandler et al., 2018."""

from __future__ import annotations

from typing import Any

from mxnet.gluon import nn
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.model_zoo.vision._network import (
    Contexts,
    ImageNetwork,
    Root,
    restore,
    stack,
    variant,
)
from mxnet.gluon.parameter import ParameterDict

_PAIRS = (
    (64, 1),
    *((channels, stride) for channels in (128, 256) for stride in (2, 1)),
    (512, 2),
    *((512, 1),) * 5,
    (1024, 2),
    (1024, 1),
)
"""Channels and step of each pair of convolutions of V1: one by channel, one across channels."""
_BOTTLENECKS = (
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
    (6, 320, 1, 1),
)  # fmt: skip
"""Of each group of V2: how much wider inside, channels, number of units, step of the first."""


class RELU6(HybridBlock):
    """Cuts values off below 0 and above 6."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Returns the values within [0, 6]."""
        return F.clip(x, 0, 6, name="relu6")


def _unit(
    channels: int, kernel: int = 1, stride: int = 1, groups: int = 1, act: str = "relu"
) -> list[HybridBlock]:
    """Returns a convolution with normalization and an activation: relu, relu6 or none."""
    padding = kernel // 2
    conv = nn.Conv2D(channels, kernel, stride, padding, groups=groups, use_bias=False)
    layers: list[HybridBlock] = [conv, nn.BatchNorm(scale=True)]
    if act:
        layers.append(RELU6() if act == "relu6" else nn.Activation("relu"))
    return layers


class LinearBottleneck(HybridBlock):
    """Widens the channels, convolves each of them and narrows them again.

    Args:
        in_channels: Channels of the input.
        channels: Channels of the output.
        t: How much wider the inside is.
        stride: Step of the convolution.
        prefix: Prefix of the name.
        params: Parameters to share.
    """

    def __init__(
        self,
        in_channels: int,
        channels: int,
        t: int,
        stride: int,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self.use_shortcut = stride == 1 and in_channels == channels
        wide = in_channels * t
        with self.name_scope():
            self.out = nn.HybridSequential()
            self.out.add(
                *_unit(wide, act="relu6"),
                *_unit(wide, 3, stride, groups=wide, act="relu6"),
                *_unit(channels, act=""),
            )

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Runs the layers and adds the input if it has the same size."""
        out = self.out(x)
        return F.elemwise_add(out, x) if self.use_shortcut else out


class MobileNet(ImageNetwork):
    """Pairs of convolutions, each by channel and then across channels.

    Args:
        multiplier: Share of the channels, 1.0 for all.
        classes: Number of classes.
        prefix: Prefix of the name.
        params: Parameters to share.
    """

    def __init__(
        self,
        multiplier: float = 1.0,
        classes: int = 1000,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        with self.name_scope():
            channels = int(32 * multiplier)
            self.features = stack(*_unit(channels, 3, 2))
            for wide, stride in _PAIRS:
                self.features.add(*_unit(channels, 3, stride, groups=channels))
                channels = int(wide * multiplier)
                self.features.add(*_unit(channels))
            self.features.add(nn.GlobalAvgPool2D(), nn.Flatten())
            self.output = nn.Dense(classes)


class MobileNetV2(ImageNetwork):
    """Linear bottlenecks, most of them with their input added to the output.

    Args:
        multiplier: Share of the channels, 1.0 for all.
        classes: Number of classes.
        prefix: Prefix of the name.
        params: Parameters to share.
    """

    def __init__(
        self,
        multiplier: float = 1.0,
        classes: int = 1000,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="features_")
            with self.features.name_scope():
                self.features.add(*self._make_features(multiplier))
            self.output = nn.HybridSequential(prefix="output_")
            with self.output.name_scope():
                score = nn.Conv2D(classes, 1, use_bias=False, prefix="pred_")
                self.output.add(score, nn.Flatten())

    @staticmethod
    def _make_features(multiplier: float) -> list[HybridBlock]:
        channels = int(32 * multiplier)
        layers = _unit(channels, 3, 2, act="relu6")
        for wider, full, units, first_stride in _BOTTLENECKS:
            for unit in range(units):
                before, channels = channels, int(full * multiplier)
                stride = first_stride if unit == 0 else 1
                layers.append(LinearBottleneck(before, channels, wider, stride))
        last = int(1280 * max(multiplier, 1))
        return [*layers, *_unit(last, act="relu6"), nn.GlobalAvgPool2D()]


def _published_multiplier(multiplier: float) -> str:
    """Returns a multiplier as the names of files have it: 1.0, 0.75, 0.5."""
    text = f"{multiplier:.2f}"
    return text[:-1] if text.endswith("0") else text


def get_mobilenet(
    multiplier: float,
    pretrained: bool = False,
    ctx: Contexts = None,
    root: Root = None,
    **kwargs: Any,
) -> MobileNet:
    """Returns a MobileNet.

    Args:
        multiplier: Share of the channels; 1.0, 0.75, 0.5 and 0.25 have published parameters.
        pretrained: Whether to load the published parameters.
        ctx: Context or contexts of the parameters, the CPU by default.
        root: Folder of the files, `models` in `MXNET_HOME` by default.
        **kwargs: `classes`, `prefix` and `params` of `MobileNet`.
    """
    name = f"mobilenet{_published_multiplier(multiplier)}"
    return restore(MobileNet(multiplier, **kwargs), name, pretrained, ctx, root)


def get_mobilenet_v2(
    multiplier: float,
    pretrained: bool = False,
    ctx: Contexts = None,
    root: Root = None,
    **kwargs: Any,
) -> MobileNetV2:
    """Returns a MobileNet V2; the arguments are those of `get_mobilenet`."""
    name = f"mobilenetv2_{_published_multiplier(multiplier)}"
    return restore(MobileNetV2(multiplier, **kwargs), name, pretrained, ctx, root)


mobilenet1_0 = variant("mobilenet1_0", get_mobilenet, 1.0, name="mobilenet1.0")
mobilenet0_75 = variant("mobilenet0_75", get_mobilenet, 0.75, name="mobilenet0.75")
mobilenet0_5 = variant("mobilenet0_5", get_mobilenet, 0.5, name="mobilenet0.5")
mobilenet0_25 = variant("mobilenet0_25", get_mobilenet, 0.25, name="mobilenet0.25")
mobilenet_v2_1_0 = variant("mobilenet_v2_1_0", get_mobilenet_v2, 1.0, name="mobilenetv2_1.0")
mobilenet_v2_0_75 = variant("mobilenet_v2_0_75", get_mobilenet_v2, 0.75, name="mobilenetv2_0.75")
mobilenet_v2_0_5 = variant("mobilenet_v2_0_5", get_mobilenet_v2, 0.5, name="mobilenetv2_0.5")
mobilenet_v2_0_25 = variant("mobilenet_v2_0_25", get_mobilenet_v2, 0.25, name="mobilenetv2_0.25")
