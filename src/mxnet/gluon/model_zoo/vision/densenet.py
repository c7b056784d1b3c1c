"""DenseNet: each layer sees all before it, Huang et al., 2016."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet.gluon import nn
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.contrib.nn import HybridConcurrent, Identity
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


def _normalized(channels: int, kernel: int) -> list[HybridBlock]:
    """Returns a convolution with normalization and rectification in front of it."""
    conv = nn.Conv2D(channels, kernel, padding=kernel // 2, use_bias=False)
    return [nn.BatchNorm(), nn.Activation("relu"), conv]


def _make_dense_layer(growth_rate: int, bn_size: int, dropout: float) -> HybridConcurrent:
    """Returns layers whose output is put beside their input."""
    path = stack(*_normalized(bn_size * growth_rate, 1), *_normalized(growth_rate, 3))
    if dropout:
        path.add(nn.Dropout(dropout))
    both = HybridConcurrent(axis=1, prefix="")
    both.add(Identity(), path)
    return both


class DenseNet(ImageNetwork):
    """Stages of dense layers, between which channels and image are halved.

    Args:
        num_init_features: Channels of the first convolution.
        growth_rate: Channels that each layer adds.
        block_config: Number of layers in each stage.
        bn_size: How many times the growth rate the inner channels of a layer are.
        dropout: Share of values that each layer drops in training.
        classes: Number of classes.
        prefix: Prefix of the name.
        params: Parameters to share.
    """

    def __init__(
        self,
        num_init_features: int,
        growth_rate: int,
        block_config: Sequence[int],
        bn_size: int = 4,
        dropout: float = 0,
        classes: int = 1000,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        with self.name_scope():
            first = nn.Conv2D(num_init_features, 7, 2, 3, use_bias=False)
            norm = [nn.BatchNorm(), nn.Activation("relu")]
            self.features = stack(first, *norm, nn.MaxPool2D(3, 2, 1))
            channels = num_init_features
            for index, layers in enumerate(block_config, 1):
                self.features.add(self._make_stage(index, layers, growth_rate, bn_size, dropout))
                channels += layers * growth_rate
                if index < len(block_config):
                    channels //= 2
                    self.features.add(stack(*_normalized(channels, 1), nn.AvgPool2D(2, 2)))
            self.features.add(nn.BatchNorm(), nn.Activation("relu"), nn.AvgPool2D(7), nn.Flatten())
            self.output = nn.Dense(classes)

    @staticmethod
    def _make_stage(
        index: int, layers: int, growth_rate: int, bn_size: int, dropout: float
    ) -> nn.HybridSequential:
        stage = nn.HybridSequential(prefix=f"stage{index}_")
        with stage.name_scope():
            for _ in range(layers):
                stage.add(_make_dense_layer(growth_rate, bn_size, dropout))
        return stage


densenet_spec = {
    121: (64, 32, [6, 12, 24, 16]),
    161: (96, 48, [6, 12, 36, 24]),
    169: (64, 32, [6, 12, 32, 32]),
    201: (64, 32, [6, 12, 48, 32]),
}


def get_densenet(
    num_layers: int,
    pretrained: bool = False,
    ctx: Contexts = None,
    root: Root = None,
    **kwargs: Any,
) -> DenseNet:
    """Returns a dense network.

    Args:
        num_layers: 121, 161, 169 or 201.
        pretrained: Whether to load the published parameters.
        ctx: Context or contexts of the parameters, the CPU by default.
        root: Folder of the files, `models` in `MXNET_HOME` by default.
        **kwargs: `bn_size`, `dropout`, `classes`, `prefix` and `params` of `DenseNet`.
    """
    net = DenseNet(*pick("get_densenet: num_layers", densenet_spec, num_layers), **kwargs)
    return restore(net, f"densenet{num_layers}", pretrained, ctx, root)


densenet121 = variant("densenet121", get_densenet, 121)
densenet161 = variant("densenet161", get_densenet, 161)
densenet169 = variant("densenet169", get_densenet, 169)
densenet201 = variant("densenet201", get_densenet, 201)
