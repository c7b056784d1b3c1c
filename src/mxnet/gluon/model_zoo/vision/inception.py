"""Inception V3: convolutions of several sizes side by side, Szegedy et al., 2015."""

from __future__ import annotations

from typing import Any

from mxnet.gluon import nn
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.contrib.nn import HybridConcurrent
from mxnet.gluon.model_zoo.vision._network import (
    Contexts,
    ImageNetwork,
    Root,
    published,
    restore,
    stack,
)
from mxnet.gluon.parameter import ParameterDict

Conv = tuple[Any, ...]
"""Channels, window, and if they are not 1 and 0: step and padding."""
_CONV_OPTIONS = ("channels", "kernel_size", "strides", "padding")
Branch = tuple[Any, ...]
"""Convolutions in a row; `"avg"` or `"max"` in front stands for pooling.

A tuple of branches at the end runs side by side on what comes before it.
"""

_ROW, _COLUMN = ((1, 7), 1, (0, 3)), ((7, 1), 1, (3, 0))
_FORK = (((384, (1, 3), 1, (0, 1)),), ((384, (3, 1), 1, (1, 0)),))
_DOUBLE_3X3 = ((64, 1), (96, 3, 1, 1))

_STEM: tuple[Conv | str, ...] = (
    (32, 3, 2), (32, 3), (64, 3, 1, 1), "max", (80, 1), (192, 3), "max",
)  # fmt: skip


def _module_a(pooled: int) -> tuple[Branch, ...]:
    return (
        ((64, 1),),
        ((48, 1), (64, 5, 1, 2)),
        (*_DOUBLE_3X3, (96, 3, 1, 1)),
        ("avg", (pooled, 1)),
    )


def _module_c(inner: int) -> tuple[Branch, ...]:
    row, column = (inner, *_ROW), (inner, *_COLUMN)
    return (
        ((192, 1),),
        ((inner, 1), row, (192, *_COLUMN)),
        ((inner, 1), column, row, column, (192, *_ROW)),
        ("avg", (192, 1)),
    )


_MODULE_E: tuple[Branch, ...] = (
    ((320, 1),),
    ((384, 1), _FORK),
    ((448, 1), (384, 3, 1, 1), _FORK),
    ("avg", (192, 1)),
)
_MODULES: tuple[tuple[str, tuple[Branch, ...]], ...] = (
    ("A1_", _module_a(32)),
    ("A2_", _module_a(64)),
    ("A3_", _module_a(64)),
    ("B_", (((384, 3, 2),), (*_DOUBLE_3X3, (96, 3, 2)), ("max",))),
    ("C1_", _module_c(128)),
    ("C2_", _module_c(160)),
    ("C3_", _module_c(160)),
    ("C4_", _module_c(192)),
    (
        "D_",
        (((192, 1), (320, 3, 2)), ((192, 1), (192, *_ROW), (192, *_COLUMN), (192, 3, 2)), ("max",)),
    ),
    ("E1_", _MODULE_E),
    ("E2_", _MODULE_E),
)


def _layer(options: Conv | str) -> HybridBlock:
    """Makes pooling or a convolution with normalization and rectification."""
    if options == "avg":
        return nn.AvgPool2D(3, 1, 1)
    if options == "max":
        return nn.MaxPool2D(3, 2)
    conv = nn.Conv2D(**dict(zip(_CONV_OPTIONS, options, strict=False)), use_bias=False)
    return stack(conv, nn.BatchNorm(epsilon=0.001), nn.Activation("relu"))


def _branch(layers: Branch) -> HybridBlock:
    *before, last = layers
    if before and isinstance(last[0], tuple):
        return stack(_branch(tuple(before)), _side_by_side(last, prefix=""))
    return stack(*map(_layer, layers))


def _side_by_side(branches: tuple[Branch, ...], prefix: str) -> HybridConcurrent:
    module = HybridConcurrent(axis=1, prefix=prefix)
    with module.name_scope():
        module.add(*map(_branch, branches))
    return module


def make_aux(classes: int) -> nn.HybridSequential:
    """Returns the layers of a second output, for the middle of the network.

    Args:
        classes: Number of classes.
    """
    layers = _layer((128, 1)), _layer((768, 5))
    return stack(nn.AvgPool2D(5, 3), *layers, nn.Flatten(), nn.Dense(classes))


class Inception3(ImageNetwork):
    """Modules of branches, for images of 299x299.

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
            self.features = stack(*map(_layer, _STEM))
            for name, branches in _MODULES:
                self.features.add(_side_by_side(branches, name))
            self.features.add(nn.AvgPool2D(8), nn.Dropout(0.5))
            self.output = nn.Dense(classes)


@published("inceptionv3")
def inception_v3(
    pretrained: bool = False, ctx: Contexts = None, root: Root = None, **kwargs: Any
) -> Inception3:
    """Returns Inception V3.

    Args:
        pretrained: Whether to load the published parameters.
        ctx: Context or contexts of the parameters, the CPU by default.
        root: Folder of the files, `models` in `MXNET_HOME` by default.
        **kwargs: `classes`, `prefix` and `params` of `Inception3`.
    """
    return restore(Inception3(**kwargs), "inceptionv3", pretrained, ctx, root)
