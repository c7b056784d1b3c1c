"""Residual networks: He et al., 2015 (V1) and, with normalization in front, 2016 (V2)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from mxnet.gluon import nn
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.model_zoo.vision._network import (
    Contexts,
    ImageNetwork,
    Root,
    UnknownNetworkError,
    pick,
    restore,
    stack,
    variant,
)
from mxnet.gluon.parameter import ParameterDict


def _conv(
    channels: int, kernel: int, stride: int, in_channels: int = 0, *, bias: bool = False
) -> nn.Conv2D:
    padding = kernel // 2
    return nn.Conv2D(channels, kernel, stride, padding, use_bias=bias, in_channels=in_channels)


def _conv3x3(channels: int, stride: int, in_channels: int) -> nn.Conv2D:
    return _conv(channels, 3, stride, in_channels)


def _basic(channels: int, stride: int, in_channels: int) -> list[nn.Conv2D]:
    return [_conv3x3(channels, stride, in_channels), _conv3x3(channels, 1, channels)]


def _bottleneck_v1(channels: int, stride: int, _in_channels: int) -> list[nn.Conv2D]:
    narrow = channels // 4
    first = _conv(narrow, 1, stride, bias=True)
    return [first, _conv3x3(narrow, 1, narrow), _conv(channels, 1, 1, bias=True)]


def _bottleneck_v2(channels: int, stride: int, _in_channels: int) -> list[nn.Conv2D]:
    narrow = channels // 4
    return [_conv(narrow, 1, 1), _conv3x3(narrow, stride, narrow), _conv(channels, 1, 1)]


class _Unit(HybridBlock, ABC):
    """A path of layers beside a straight one, and their sum."""

    downsample: HybridBlock | None

    def __init__(
        self,
        channels: int,
        stride: int,
        downsample: bool = False,
        in_channels: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._add_path(self._convolutions(channels, stride, in_channels))
        self.downsample = None
        if downsample:
            self.downsample = self._make_straight(_conv(channels, 1, stride, in_channels))

    @staticmethod
    @abstractmethod
    def _convolutions(channels: int, stride: int, in_channels: int, /) -> list[nn.Conv2D]:
        """Makes the convolutions of the path."""

    @abstractmethod
    def _add_path(self, convolutions: Sequence[nn.Conv2D]) -> None:
        """Makes the other layers of the path."""

    @abstractmethod
    def _make_straight(self, convolution: nn.Conv2D) -> HybridBlock:
        """Makes the straight path of a unit that changes the size."""


class _UnitV1(_Unit):
    """Normalizes after each convolution and rectifies the sum."""

    _straight_first: ClassVar[bool] = True
    """Order of the sum, which exported graphs show."""

    def _add_path(self, convolutions: Sequence[nn.Conv2D]) -> None:
        layers: list[HybridBlock] = []
        for convolution in convolutions:
            relu = [nn.Activation("relu")] if layers else []
            layers += [*relu, convolution, nn.BatchNorm()]
        self.body = stack(*layers)

    def _make_straight(self, convolution: nn.Conv2D) -> HybridBlock:
        return stack(convolution, nn.BatchNorm())

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Adds both paths."""
        path = self.body(x)
        straight = x if self.downsample is None else self.downsample(x)
        total = straight + path if self._straight_first else path + straight
        return F.Activation(total, act_type="relu")


class _UnitV2(_Unit):
    """Normalizes and rectifies in front of each convolution."""

    def _add_path(self, convolutions: Sequence[nn.Conv2D]) -> None:
        for number, convolution in enumerate(convolutions, 1):
            setattr(self, f"bn{number}", nn.BatchNorm())
            setattr(self, f"conv{number}", convolution)
        self._depth = len(convolutions)

    def _make_straight(self, convolution: nn.Conv2D) -> HybridBlock:
        return convolution

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Adds both paths; a convolution in the straight one shares the first normalization."""
        straight = x
        for number in range(1, self._depth + 1):
            x = F.Activation(getattr(self, f"bn{number}")(x), act_type="relu")
            if number == 1 and self.downsample is not None:
                straight = self.downsample(x)
            x = getattr(self, f"conv{number}")(x)
        return x + straight


class BasicBlockV1(_UnitV1):
    """Residual unit of two 3x3 convolutions, as in ResNet-18 and ResNet-34 V1.

    Args:
        channels: Channels of the output.
        stride: Step by which the unit makes the image smaller.
        downsample: Whether the straight path has a convolution, so that it fits the output.
        in_channels: Channels of the input; 0 leaves it to the first call.
        prefix: Prefix of the name.
        params: Parameters to share.
    """

    _convolutions = staticmethod(_basic)


class BottleneckV1(_UnitV1):
    """Residual unit of 1x1, 3x3 and 1x1 convolutions; its arguments are `BasicBlockV1`'s."""

    _convolutions = staticmethod(_bottleneck_v1)
    _straight_first = False


class BasicBlockV2(_UnitV2):
    """Residual unit of two 3x3 convolutions of V2; its arguments are `BasicBlockV1`'s."""

    _convolutions = staticmethod(_basic)


class BottleneckV2(_UnitV2):
    """Residual unit of 1x1, 3x3 and 1x1 convolutions of V2; arguments as in `BasicBlockV1`."""

    _convolutions = staticmethod(_bottleneck_v2)


class _ResNet(ImageNetwork):
    """Stages of residual units, each but the first halving the image."""

    def __init__(
        self,
        block: Callable[..., HybridBlock],
        layers: Sequence[int],
        channels: Sequence[int],
        classes: int = 1000,
        thumbnail: bool = False,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        if len(layers) != len(channels) - 1:
            raise UnknownNetworkError(
                f"{type(self).__name__}: channels must be one more than layers (that of the first "
                f"convolution), got {len(channels)} and {len(layers)}"
            )
        with self.name_scope():
            self.features = stack(*self._first_layers(channels[0], thumbnail))
            for index, units in enumerate(layers):
                stride = 1 if index == 0 else 2
                sizes = (units, channels[index + 1], stride, index + 1)
                self.features.add(self._make_layer(block, *sizes, in_channels=channels[index]))
            self.features.add(*self._last_layers())
            self.output = nn.Dense(classes, in_units=channels[-1])

    def _first_layers(self, channels: int, thumbnail: bool) -> list[HybridBlock]:
        if thumbnail:
            return [_conv3x3(channels, 1, 0)]
        norm = [nn.BatchNorm(), nn.Activation("relu")]
        return [_conv(channels, 7, 2), *norm, nn.MaxPool2D(3, 2, 1)]

    def _last_layers(self) -> list[HybridBlock]:
        return [nn.GlobalAvgPool2D()]

    def _make_layer(
        self,
        block: Callable[..., HybridBlock],
        layers: int,
        channels: int,
        stride: int,
        stage_index: int,
        in_channels: int = 0,
    ) -> nn.HybridSequential:
        """Makes a stage, of which the first unit fits the sizes."""
        stage = nn.HybridSequential(prefix=f"stage{stage_index}_")
        with stage.name_scope():
            fits = channels == in_channels
            stage.add(block(channels, stride, not fits, in_channels=in_channels, prefix=""))
            for _ in range(layers - 1):
                stage.add(block(channels, 1, False, in_channels=channels, prefix=""))
        return stage


class ResNetV1(_ResNet):
    """Residual network that normalizes after its convolutions.

    Args:
        block: Class of the units, `BasicBlockV1` or `BottleneckV1`.
        layers: Number of units in each stage.
        channels: Channels of the first convolution, then of each stage.
        classes: Number of classes.
        thumbnail: Whether images are small (32x32), so that the first layers keep their size.
        prefix: Prefix of the name.
        params: Parameters to share.
    """


class ResNetV2(_ResNet):
    """Residual network that normalizes in front of its convolutions; arguments as in `ResNetV1`."""

    def _first_layers(self, channels: int, thumbnail: bool) -> list[HybridBlock]:
        return [
            nn.BatchNorm(scale=False, center=False),
            *super()._first_layers(channels, thumbnail),
        ]

    def _last_layers(self) -> list[HybridBlock]:
        return [nn.BatchNorm(), nn.Activation("relu"), nn.GlobalAvgPool2D(), nn.Flatten()]


_BASIC_CHANNELS, _WIDE_CHANNELS = [64, 64, 128, 256, 512], [64, 256, 512, 1024, 2048]
resnet_spec = {
    18: ("basic_block", [2, 2, 2, 2], _BASIC_CHANNELS),
    34: ("basic_block", [3, 4, 6, 3], _BASIC_CHANNELS),
    50: ("bottle_neck", [3, 4, 6, 3], _WIDE_CHANNELS),
    101: ("bottle_neck", [3, 4, 23, 3], _WIDE_CHANNELS),
    152: ("bottle_neck", [3, 8, 36, 3], _WIDE_CHANNELS),
}
resnet_net_versions: list[type[_ResNet]] = [ResNetV1, ResNetV2]
resnet_block_versions: list[dict[str, type[_Unit]]] = [
    {"basic_block": BasicBlockV1, "bottle_neck": BottleneckV1},
    {"basic_block": BasicBlockV2, "bottle_neck": BottleneckV2},
]


def get_resnet(
    version: int,
    num_layers: int,
    pretrained: bool = False,
    ctx: Contexts = None,
    root: Root = None,
    **kwargs: Any,
) -> _ResNet:
    """Returns a residual network.

    Args:
        version: 1 or 2.
        num_layers: 18, 34, 50, 101 or 152.
        pretrained: Whether to load the published parameters.
        ctx: Context or contexts of the parameters, the CPU by default.
        root: Folder of the files, `models` in `MXNET_HOME` by default.
        **kwargs: `classes`, `thumbnail`, `prefix` and `params` of `ResNetV1`.

    Example:
        >>> from mxnet.gluon.model_zoo import vision
        >>> net = vision.get_resnet(1, 18, classes=10)
        >>> net.output
        Dense(512 -> 10, linear)
    """
    kind, layers, channels = pick("get_resnet: num_layers", resnet_spec, num_layers)
    versions = dict(enumerate(zip(resnet_net_versions, resnet_block_versions, strict=True), 1))
    network, units = pick("get_resnet: version", versions, version)
    net: _ResNet = network(units[kind], layers, channels, **kwargs)
    return restore(net, f"resnet{num_layers}_v{version}", pretrained, ctx, root)


resnet18_v1 = variant("resnet18_v1", get_resnet, 1, 18)
resnet34_v1 = variant("resnet34_v1", get_resnet, 1, 34)
resnet50_v1 = variant("resnet50_v1", get_resnet, 1, 50)
resnet101_v1 = variant("resnet101_v1", get_resnet, 1, 101)
resnet152_v1 = variant("resnet152_v1", get_resnet, 1, 152)
resnet18_v2 = variant("resnet18_v2", get_resnet, 2, 18)
resnet34_v2 = variant("resnet34_v2", get_resnet, 2, 34)
resnet50_v2 = variant("resnet50_v2", get_resnet, 2, 50)
resnet101_v2 = variant("resnet101_v2", get_resnet, 2, 101)
resnet152_v2 = variant("resnet152_v2", get_resnet, 2, 152)
