"""VGG: many 3x3 convolutions in a row, Simonyan and Zisserman, 2014."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
from mxnet.initializer import Xavier


class VGG(ImageNetwork):
    """Groups of convolutions, each group followed by pooling, and three dense layers.

    Args:
        layers: Number of convolutions in each group.
        filters: Channels of each group.
        classes: Number of classes.
        batch_norm: Whether to normalize after each convolution.
        prefix: Prefix of the name.
        params: Parameters to share.
    """

    def __init__(
        self,
        layers: Sequence[int],
        filters: Sequence[int],
        classes: int = 1000,
        batch_norm: bool = False,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        if len(layers) != len(filters):
            raise UnknownNetworkError(
                f"VGG: layers and filters must be as many, got {len(layers)} and {len(filters)}"
            )
        with self.name_scope():
            self.features = self._make_features(layers, filters, batch_norm)
            for _ in range(2):
                dense = nn.Dense(4096, activation="relu", weight_initializer="normal")
                self.features.add(dense, nn.Dropout(0.5))
            self.output = nn.Dense(classes, weight_initializer="normal")

    def _make_features(
        self, layers: Sequence[int], filters: Sequence[int], batch_norm: bool
    ) -> nn.HybridSequential:
        """Makes the convolutional part."""
        features = stack()
        for count, channels in zip(layers, filters, strict=True):
            for _ in range(count):
                init = Xavier(rnd_type="gaussian", factor_type="out", magnitude=2)
                norm: list[HybridBlock] = [nn.BatchNorm()] if batch_norm else []
                conv = nn.Conv2D(channels, 3, padding=1, weight_initializer=init)
                features.add(conv, *norm, nn.Activation("relu"))
            features.add(nn.MaxPool2D(strides=2))
        return features


_FILTERS = [64, 128, 256, 512, 512]
vgg_spec = {
    11: ([1, 1, 2, 2, 2], _FILTERS),
    13: ([2, 2, 2, 2, 2], _FILTERS),
    16: ([2, 2, 3, 3, 3], _FILTERS),
    19: ([2, 2, 4, 4, 4], _FILTERS),
}


def get_vgg(
    num_layers: int,
    pretrained: bool = False,
    ctx: Contexts = None,
    root: Root = None,
    **kwargs: Any,
) -> VGG:
    """Returns a VGG network.

    Args:
        num_layers: 11, 13, 16 or 19.
        pretrained: Whether to load the published parameters.
        ctx: Context or contexts of the parameters, the CPU by default.
        root: Folder of the files, `models` in `MXNET_HOME` by default.
        **kwargs: `classes`, `batch_norm`, `prefix` and `params` of `VGG`.
    """
    net = VGG(*pick("get_vgg: num_layers", vgg_spec, num_layers), **kwargs)
    suffix = "_bn" if kwargs.get("batch_norm") else ""
    return restore(net, f"vgg{num_layers}{suffix}", pretrained, ctx, root)


vgg11 = variant("vgg11", get_vgg, 11)
vgg13 = variant("vgg13", get_vgg, 13)
vgg16 = variant("vgg16", get_vgg, 16)
vgg19 = variant("vgg19", get_vgg, 19)
vgg11_bn = variant("vgg11_bn", get_vgg, 11, batch_norm=True)
vgg13_bn = variant("vgg13_bn", get_vgg, 13, batch_norm=True)
vgg16_bn = variant("vgg16_bn", get_vgg, 16, batch_norm=True)
vgg19_bn = variant("vgg19_bn", get_vgg, 19, batch_norm=True)
