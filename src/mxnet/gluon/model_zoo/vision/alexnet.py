"""AlexNet: Krizhevsky, 2014, in one column."""

from __future__ import annotations

from typing import Any

from mxnet.gluon import nn
from mxnet.gluon.model_zoo.vision._network import (
    Contexts,
    ImageNetwork,
    Root,
    published,
    restore,
    stack,
)
from mxnet.gluon.parameter import ParameterDict

_CONVOLUTIONS = ((64, 11, 4, 2), (192, 5, 1, 2), (384, 3, 1, 1), (256, 3, 1, 1), (256, 3, 1, 1))
"""Channels, size of the window, step and padding of each."""
_POOLED = (0, 1, 4)
"""The convolutions that pooling follows."""


class AlexNet(ImageNetwork):
    """Five convolutions and three dense layers.

    Args:
        classes: Number of classes.
        prefix: Prefix of the name.
        params: Parameters to share.
    """

    def __init__(
        self, classes: int = 1000, prefix: str | None = None, params: ParameterDict | None = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        with self.name_scope():
            self.features = stack()
            for index, options in enumerate(_CONVOLUTIONS):
                self.features.add(nn.Conv2D(*options, activation="relu"))
                if index in _POOLED:
                    self.features.add(nn.MaxPool2D(3, 2))
            self.features.add(nn.Flatten())
            for _ in range(2):
                self.features.add(nn.Dense(4096, activation="relu"), nn.Dropout(0.5))
            self.output = nn.Dense(classes)


@published("alexnet")
def alexnet(
    pretrained: bool = False, ctx: Contexts = None, root: Root = None, **kwargs: Any
) -> AlexNet:
    """Returns AlexNet.

    Args:
        pretrained: Whether to load the published parameters.
        ctx: Context or contexts of the parameters, the CPU by default.
        root: Folder of the files, `models` in `MXNET_HOME` by default.
        **kwargs: `classes`, `prefix` and `params` of `AlexNet`.
    """
    return restore(AlexNet(**kwargs), "alexnet", pretrained, ctx, root)
