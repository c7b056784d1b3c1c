"""Networks of the table that work on images, in Gluon and in torch."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as TF
import torch_networks
from network_pairs import CLASSES, Problem, gluon_chain, integers, normal, pair, uniform
from torch import Tensor

from mxnet import gluon
from mxnet.gluon import nn
from mxnet.gluon.model_zoo import vision

tnn = torch.nn


def lenet(batch: int) -> Problem:
    """LeNet on digits."""

    def ours() -> Any:
        return gluon_chain(
            nn.Conv2D(20, 5, activation="relu"),
            nn.MaxPool2D(2, 2),
            nn.Conv2D(50, 5, activation="relu"),
            nn.MaxPool2D(2, 2),
            nn.Dense(500, activation="relu"),
            nn.Dense(10),
        )

    def theirs() -> Any:
        first = [tnn.Conv2d(1, 20, 5), tnn.ReLU(), tnn.MaxPool2d(2, 2)]
        second = [tnn.Conv2d(20, 50, 5), tnn.ReLU(), tnn.MaxPool2d(2, 2), tnn.Flatten()]
        last = [tnn.Linear(800, 500), tnn.ReLU(), tnn.Linear(500, 10)]
        return tnn.Sequential(*first, *second, *last)

    return pair([normal(batch, 1, 28, 28)], [integers(10, batch)], (ours, theirs), CLASSES)


def resnet18(batch: int, side: int) -> Problem:
    """ResNet-18 of the model zoo."""
    nets = (vision.resnet18_v1, torch_networks.resnet18)
    return pair([normal(batch, 3, side, side)], [integers(1000, batch)], nets, CLASSES)


class _TorchInverted(tnn.Module):
    """A block of MobileNetV2."""

    def __init__(self, inputs: int, outputs: int, factor: int, stride: int) -> None:
        super().__init__()
        width = inputs * factor
        self.out = tnn.Sequential(
            *(tnn.Conv2d(inputs, width, 1, bias=False), tnn.BatchNorm2d(width), tnn.ReLU6()),
            tnn.Conv2d(width, width, 3, stride, 1, groups=width, bias=False),
            *(tnn.BatchNorm2d(width), tnn.ReLU6()),
            *(tnn.Conv2d(width, outputs, 1, bias=False), tnn.BatchNorm2d(outputs)),
        )
        self.adds = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        return self.out(x) + x if self.adds else self.out(x)


def _torch_mobilenet() -> tnn.Module:
    layers: list[tnn.Module] = [tnn.Conv2d(3, 32, 3, 2, 1, bias=False), tnn.BatchNorm2d(32)]
    layers.append(tnn.ReLU6())
    inputs = 32
    rows = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2)]
    rows += [(6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]
    for factor, outputs, count, stride in rows:
        for place in range(count):
            layers.append(_TorchInverted(inputs, outputs, factor, 1 if place else stride))
            inputs = outputs
    layers += [tnn.Conv2d(320, 1280, 1, bias=False), tnn.BatchNorm2d(1280), tnn.ReLU6()]
    layers += [tnn.AdaptiveAvgPool2d(1), tnn.Conv2d(1280, 1000, 1, bias=False), tnn.Flatten()]
    return tnn.Sequential(*layers)


def mobilenet_v2(batch: int, side: int) -> Problem:
    """MobileNetV2 of the model zoo, which widens the first block too."""
    nets = (vision.mobilenet_v2_1_0, _torch_mobilenet)
    return pair([normal(batch, 3, side, side)], [integers(1000, batch)], nets, CLASSES)


class _GluonDense(gluon.HybridBlock):
    """Layers that see the results of all before them."""

    def __init__(self, count: int, growth: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.layers = nn.HybridSequential()
        for _ in range(count):
            convolution = nn.Conv2D(growth, 3, padding=1, use_bias=False)
            self.layers.add(gluon_chain(nn.BatchNorm(), nn.Activation("relu"), convolution))

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Returns all results behind each other."""
        for layer in self.layers:
            x = F.concat(x, layer(x), dim=1)
        return x


class _TorchDense(tnn.Module):
    """As `_GluonDense`."""

    def __init__(self, inputs: int, count: int, growth: int) -> None:
        super().__init__()
        self.layers = tnn.ModuleList()
        for number in range(count):
            width = inputs + number * growth
            convolution = tnn.Conv2d(width, growth, 3, padding=1, bias=False)
            self.layers.append(tnn.Sequential(tnn.BatchNorm2d(width), tnn.ReLU(), convolution))

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = torch.cat((x, layer(x)), 1)
        return x


def densenet(batch: int, side: int, count: int = 4, growth: int = 12) -> Problem:
    """A narrow DenseNet of three blocks."""

    def ours() -> Any:
        net = gluon_chain(nn.Conv2D(24, 3, padding=1, use_bias=False))
        for _ in range(3):
            net.add(_GluonDense(count, growth), nn.BatchNorm(), nn.Activation("relu"))
            net.add(nn.Conv2D(24, 1, use_bias=False), nn.AvgPool2D(2, 2))
        net.add(nn.GlobalAvgPool2D(), nn.Flatten(), nn.Dense(10))
        return net

    def theirs() -> Any:
        layers: list[Any] = [tnn.Conv2d(3, 24, 3, padding=1, bias=False)]
        width = 24 + count * growth
        for _ in range(3):
            layers += [_TorchDense(24, count, growth), tnn.BatchNorm2d(width), tnn.ReLU()]
            layers += [tnn.Conv2d(width, 24, 1, bias=False), tnn.AvgPool2d(2, 2)]
        layers += [tnn.AdaptiveAvgPool2d(1), tnn.Flatten(), tnn.Linear(24, 10)]
        return tnn.Sequential(*layers)

    data, labels = normal(batch, 3, side, side), integers(10, batch)
    return pair([data], [labels], (ours, theirs), CLASSES)


class _GluonDetector(gluon.HybridBlock):
    """A single shot detector of four sizes of cells."""

    SIZES = ((0.2, 0.27), (0.37, 0.45), (0.54, 0.62), (0.71, 0.79))
    RATIOS = (1, 2, 0.5)

    def __init__(self, classes: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._classes = classes
        self.stages, self.scores, self.boxes = [nn.HybridSequential() for _ in range(3)]
        for number, width in enumerate((16, 32, 64, 64)):
            body = [nn.MaxPool2D(2)] if number else []
            for _ in range(2):
                body += [nn.Conv2D(width, 3, padding=1), nn.BatchNorm(), nn.Activation("relu")]
            self.stages.add(gluon_chain(*body, nn.MaxPool2D(2)) if number else gluon_chain(*body))
            self.scores.add(nn.Conv2D(4 * (classes + 1), 3, padding=1))
            self.boxes.add(nn.Conv2D(4 * 4, 3, padding=1))

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Returns scores and offsets of all anchors."""
        scores, boxes, anchors = [], [], []
        rows = zip(self.stages, self.scores, self.boxes, self.SIZES, strict=True)
        for stage, score, box, sizes in rows:
            x = stage(x)
            anchors.append(F.contrib.MultiBoxPrior(x, sizes=sizes, ratios=self.RATIOS))
            scores.append(F.flatten(F.transpose(score(x), axes=(0, 2, 3, 1))))
            boxes.append(F.flatten(F.transpose(box(x), axes=(0, 2, 3, 1))))
        scored = F.reshape(F.concat(*scores, dim=1), shape=(0, -1, self._classes + 1))
        return scored, F.concat(*boxes, dim=1), F.concat(*anchors, dim=1)


class _TorchDetector(tnn.Module):
    """As `_GluonDetector`; its anchors are computed once for each size."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self._classes = classes
        self._anchors: dict[tuple[int, int], Tensor] = {}
        self.stages, self.scores, self.boxes = [tnn.ModuleList() for _ in range(3)]
        inputs = 3
        for number, width in enumerate((16, 32, 64, 64)):
            body: list[tnn.Module] = [tnn.MaxPool2d(2)] if number else []
            for _ in range(2):
                body += [tnn.Conv2d(inputs, width, 3, padding=1), tnn.BatchNorm2d(width)]
                body, inputs = [*body, tnn.ReLU()], width
            self.stages.append(tnn.Sequential(*body, *([tnn.MaxPool2d(2)] if number else [])))
            self.scores.append(tnn.Conv2d(width, 4 * (classes + 1), 3, padding=1))
            self.boxes.append(tnn.Conv2d(width, 4 * 4, 3, padding=1))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        scores, boxes, anchors = [], [], []
        rows = zip(self.stages, self.scores, self.boxes, _GluonDetector.SIZES, strict=True)
        for stage, score, box, sizes in rows:
            x = stage(x)
            anchors.append(self._anchors_of(x, sizes))
            scores.append(score(x).permute(0, 2, 3, 1).flatten(1))
            boxes.append(box(x).permute(0, 2, 3, 1).flatten(1))
        scored = torch.cat(scores, 1).view(len(x), -1, self._classes + 1)
        return scored, torch.cat(boxes, 1), torch.cat(anchors, 1)

    def _anchors_of(self, x: Tensor, sizes: tuple[float, ...]) -> Tensor:
        height, width = x.shape[2:]
        if (height, width) not in self._anchors:
            shapes = [(sizes[0], 1.0), (sizes[1], 1.0)]
            shapes += [(sizes[0], ratio) for ratio in _GluonDetector.RATIOS[1:]]
            half = torch.tensor([(s * r**0.5 / 2, s / r**0.5 / 2) for s, r in shapes])
            rows, columns = (torch.arange(n).add(0.5) / n for n in (height, width))
            centres = torch.stack(torch.meshgrid(columns, rows, indexing="xy"), -1)[:, :, None]
            corners = torch.cat((centres - half, centres + half), -1)
            self._anchors[height, width] = corners.view(1, -1, 4).to(x)
        return self._anchors[height, width]


def ssd(batch: int, side: int, classes: int = 3) -> Problem:
    """A single shot detector, trained on targets that are at hand."""
    anchors = 4 * sum((side // 4**number) ** 2 for number in range(4))

    def ours(F: Any, scores: Any, boxes: Any, _: Any, classes: Any, offsets: Any) -> Any:
        loss = F.pick(F.log_softmax(scores, axis=-1), classes, axis=-1)
        distance = F.smooth_l1(boxes - offsets, scalar=1.0)
        return F.mean(distance, axis=1) - F.mean(loss, axis=1)

    def theirs(scores: Tensor, boxes: Tensor, _: Tensor, classes: Tensor, offsets: Tensor) -> Any:
        loss = TF.cross_entropy(scores.transpose(1, 2), classes, reduction="none")
        distance = TF.smooth_l1_loss(boxes, offsets, reduction="none")
        return distance.mean(1) + loss.mean(1)

    nets = (lambda: _GluonDetector(classes), lambda: _TorchDetector(classes))
    labels = [integers(classes + 1, batch, anchors), normal(batch, 4 * anchors)]
    return pair([uniform(batch, 3, side, side)], labels, nets, (ours, theirs))


def _gluon_double(width: int) -> Any:
    layers: list[Any] = []
    for _ in range(2):
        layers += [nn.Conv2D(width, 3, padding=1, use_bias=False), nn.BatchNorm()]
        layers.append(nn.Activation("relu"))
    return gluon_chain(*layers)


def _torch_double(inputs: int, width: int) -> Any:
    layers: list[Any] = []
    for channels in (inputs, width):
        layers += [tnn.Conv2d(channels, width, 3, padding=1, bias=False), tnn.BatchNorm2d(width)]
        layers.append(tnn.ReLU())
    return tnn.Sequential(*layers)


class _GluonUNet(gluon.HybridBlock):
    """Down three times and up again, past connections between equal sizes."""

    def __init__(self, width: int, classes: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.down, self.up, self.joined = [nn.HybridSequential() for _ in range(3)]
        self.down.add(*[_gluon_double(width * 2**level) for level in range(4)])
        for level in (2, 1, 0):
            self.up.add(nn.Conv2DTranspose(width * 2**level, 2, 2))
            self.joined.add(_gluon_double(width * 2**level))
        self.last, self.pool = nn.Conv2D(classes, 1), nn.MaxPool2D(2)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Returns the scores of each pixel."""
        kept = []
        for number, block in enumerate(self.down):
            x = block(self.pool(x) if number else x)
            kept.append(x)
        for up, joined, other in zip(self.up, self.joined, kept[-2::-1], strict=True):
            x = joined(F.concat(other, up(x), dim=1))
        return self.last(x)


class _TorchUNet(tnn.Module):
    """As `_GluonUNet`."""

    def __init__(self, width: int, classes: int) -> None:
        super().__init__()
        widths = [3, *[width * 2**level for level in range(4)]]
        self.down = tnn.ModuleList(map(_torch_double, widths, widths[1:]))
        lower = widths[3:0:-1]
        self.up = tnn.ModuleList(tnn.ConvTranspose2d(2 * item, item, 2, 2) for item in lower)
        self.joined = tnn.ModuleList(_torch_double(2 * item, item) for item in lower)
        self.last, self.pool = tnn.Conv2d(width, classes, 1), tnn.MaxPool2d(2)

    def forward(self, x: Tensor) -> Tensor:
        kept = []
        for number, block in enumerate(self.down):
            x = block(self.pool(x) if number else x)
            kept.append(x)
        for up, joined, other in zip(self.up, self.joined, kept[-2::-1], strict=True):
            x = joined(torch.cat((other, up(x)), 1))
        return self.last(x)


def unet(batch: int, side: int, width: int) -> Problem:
    """U-Net, one class for each pixel."""

    def ours(F: Any, scores: Any, classes: Any) -> Any:
        return -F.pick(F.log_softmax(scores, axis=1), classes, axis=1)

    nets = (lambda: _GluonUNet(width, 4), lambda: _TorchUNet(width, 4))
    losses = (ours, TF.cross_entropy)
    return pair([normal(batch, 3, side, side)], [integers(4, batch, side, side)], nets, losses)


def c3d(batch: int, frames: int, side: int, width: int) -> Problem:
    """Convolutions in three dimensions on films."""

    def ours() -> Any:
        net = nn.HybridSequential()
        for channels, pool in ((width, (1, 2, 2)), (2 * width, 2), (4 * width, 2)):
            net.add(nn.Conv3D(channels, 3, padding=1, activation="relu"), nn.MaxPool3D(pool, pool))
        net.add(nn.Dense(128, activation="relu"), nn.Dense(10))
        return net

    def theirs() -> Any:
        layers: list[tnn.Module] = []
        inputs = 3
        for channels, pool in ((width, (1, 2, 2)), (2 * width, 2), (4 * width, 2)):
            layers += [tnn.Conv3d(inputs, channels, 3, padding=1), tnn.ReLU()]
            layers.append(tnn.MaxPool3d(pool, pool))
            inputs = channels
        units = inputs * (frames // 4) * (side // 8) ** 2
        layers += [tnn.Flatten(), tnn.Linear(units, 128), tnn.ReLU(), tnn.Linear(128, 10)]
        return tnn.Sequential(*layers)

    data = normal(batch, 3, frames, side, side)
    return pair([data], [integers(10, batch)], (ours, theirs), CLASSES)
