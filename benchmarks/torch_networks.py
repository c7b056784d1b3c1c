"""The networks of benchmarks as plain torch modules, of the shapes that the model zoo has."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def _convolution(inputs: int, outputs: int, size: int, stride: int = 1, groups: int = 1) -> list:
    return [
        nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    ]


class _Residual(nn.Module):
    def __init__(self, body: nn.Module, shortcut: nn.Module | None, last: nn.Module | None) -> None:
        super().__init__()
        self.body, self.shortcut, self.last = body, shortcut, last

    def forward(self, x: Tensor) -> Tensor:
        total = self.body(x) + (x if self.shortcut is None else self.shortcut(x))
        return total if self.last is None else self.last(total)


def resnet(
    counts: tuple[int, ...],
    bottleneck: bool,
    widths: tuple[int, ...] = (64, 64, 128, 256, 512),
    classes: int = 1000,
) -> nn.Module:
    """ResNet, version 1: the stride is in the first convolution of a block.

    Args:
        counts: Number of blocks of each stage.
        bottleneck: Whether a block has three convolutions.
        widths: Channels of the first convolution and of each stage.
        classes: Number of results.
    """
    inputs = widths[0]
    layers = [*_convolution(3, inputs, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    for stage, (count, width) in enumerate(zip(counts, widths[1:], strict=True)):
        outputs = width * 4 if bottleneck else width
        for position in range(count):
            stride = 2 if position == 0 and stage else 1
            first, last = (1, [nn.ReLU(), *_convolution(width, outputs, 1)])
            if not bottleneck:
                first, last = (3, [])
            body = nn.Sequential(
                *_convolution(inputs, width, first, stride),
                nn.ReLU(),
                *_convolution(width, width, 3),
                *last,
            )
            shortcut = None
            if stride != 1 or inputs != outputs:
                shortcut = nn.Sequential(*_convolution(inputs, outputs, 1, stride))
            layers.append(_Residual(body, shortcut, nn.ReLU()))
            inputs = outputs
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, classes))


def resnet18() -> nn.Module:
    """ResNet-18."""
    return resnet((2, 2, 2, 2), bottleneck=False)


def resnet50() -> nn.Module:
    """ResNet-50."""
    return resnet((3, 4, 6, 3), bottleneck=True)


def mlp() -> nn.Module:
    """784-256-256-10."""
    return nn.Sequential(
        nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10)
    )


class LanguageModel(nn.Module):
    """Two recurrent layers between an embedding and a dense layer, on `(time, batch)`."""

    def __init__(
        self, words: int = 10_000, size: int = 650, recurrent: type[nn.RNNBase] = nn.LSTM
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, size)
        self.layers = recurrent(size, size, 2)
        self.output = nn.Linear(size, words)

    def forward(self, words: Tensor) -> Tensor:
        """Returns the scores of the next word, one row for each place."""
        return self.output(self.layers(self.embedding(words))[0]).flatten(0, 1)


class Bert(nn.Module):
    """An encoder, of BERT's size if not told otherwise, with a classifier on the first place.

    Words are of shape `(batch, time)`.
    """

    def __init__(
        self,
        words: int = 30_522,
        layers: int = 12,
        units: int = 768,
        heads: int = 12,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, units)
        layer = nn.TransformerEncoderLayer(
            units, heads, 4 * units, dropout, "gelu", batch_first=True
        )
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.output = nn.Linear(units, 2)

    def forward(self, words: Tensor) -> Tensor:
        """Returns the scores of two classes."""
        return self.output(self.layers(self.embedding(words))[:, 0])


def vgg11() -> nn.Module:
    """VGG of eleven layers, without normalization."""
    layers: list[nn.Module] = []
    inputs = 3
    for count, width in ((1, 64), (1, 128), (2, 256), (2, 512), (2, 512)):
        for _ in range(count):
            layers += [nn.Conv2d(inputs, width, 3, padding=1), nn.ReLU()]
            inputs = width
        layers.append(nn.MaxPool2d(2, 2))
    dense: list[nn.Module] = [nn.Flatten()]
    for size in (512 * 49, 4096):
        dense += [nn.Linear(size, 4096), nn.ReLU(), nn.Dropout(0.5)]
    return nn.Sequential(*layers, *dense, nn.Linear(4096, 1000))


def mobilenet_v2() -> nn.Module:
    """MobileNetV2 of width 1."""
    layers = [*_convolution(3, 32, 3, 2), nn.ReLU6()]
    inputs = 32
    for factor, outputs, count, first_stride in (
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
        (6, 320, 1, 1),
    ):
        for position in range(count):
            stride, width = first_stride if position == 0 else 1, inputs * factor
            body = nn.Sequential(
                *([*_convolution(inputs, width, 1), nn.ReLU6()] if factor > 1 else []),
                *_convolution(width, width, 3, stride, width),
                nn.ReLU6(),
                *_convolution(width, outputs, 1),
            )
            same = stride == 1 and inputs == outputs
            layers.append(_Residual(body, None, None) if same else body)
            inputs = outputs
    layers += [*_convolution(inputs, 1280, 1), nn.ReLU6(), nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    return nn.Sequential(*layers, nn.Linear(1280, 1000))


@torch.no_grad()
def predict(net: nn.Module, data: Tensor) -> Tensor:
    """Runs a network as users do."""
    return net(data)
