"""What torchvision calls the layers of the networks of the zoo, and where the two differ.

Networks that torchvision lacks have timm's names.

For each family there is a function that lists torch's names of layers in the order in which the
layers are in Gluon's network, and None for a layer that torch's network does not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

from mxnet.gluon import nn
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.model_zoo.vision.alexnet import AlexNet
from mxnet.gluon.model_zoo.vision.densenet import DenseNet
from mxnet.gluon.model_zoo.vision.inception import Inception3
from mxnet.gluon.model_zoo.vision.mobilenet import RELU6, MobileNet, MobileNetV2
from mxnet.gluon.model_zoo.vision.resnet import BottleneckV1, ResNetV1
from mxnet.gluon.model_zoo.vision.squeezenet import SqueezeNet
from mxnet.gluon.model_zoo.vision.vgg import VGG

Names = Iterator[str | None]


class Family(NamedTuple):
    """Networks of one class."""

    layers: Callable[[Any], Names]
    """Lists torch's names of layers."""
    adapt: Callable[[Any, bool], list[str]] | None = None
    """Lists what must be changed in a network, and changes it if the second argument says so."""
    note: str | None = None
    """For which inputs the networks compute the same, or which ones the weights are for."""
    ignored: tuple[str, ...] = ()
    """Beginnings of the names of weights that predictions do not depend on."""
    has_idle_biases: bool = False
    """Whether convolutions have biases that torch's lack, as a normalization follows them."""


def _numbered(first: str, count: int) -> list[str]:
    return [f"{first}{kind}{number}" for number in range(1, count + 1) for kind in ("conv", "bn")]


def _stages(net: Any) -> list[Any]:
    return [child for child in net.features if isinstance(child, nn.HybridSequential)]


def _resnet(net: Any) -> Names:
    yield from ("conv1", "bn1")
    for stage_number, stage in enumerate(_stages(net), 1):
        for index, unit in enumerate(stage):
            place = f"layer{stage_number}.{index}."
            yield from _numbered(place, 3 if isinstance(unit, BottleneckV1) else 2)
            if unit.downsample is not None:
                yield from (f"{place}downsample.0", f"{place}downsample.1")
    yield "fc"


def _move_strides(net: Any, apply: bool) -> list[str]:
    """Moves the stride of bottlenecks from the first convolution to the 3x3 one."""
    units: list[Any] = [
        unit for stage in _stages(net) for unit in stage if isinstance(unit, BottleneckV1)
    ]
    moved = 0
    for unit in units:
        layers: Any = unit.body
        first, middle = layers[0]._kwargs, layers[3]._kwargs
        if first["stride"] == (1, 1):
            continue
        moved += 1
        if apply:
            first["stride"], middle["stride"] = middle["stride"], first["stride"]
    if not moved:
        return []
    return [f"the stride of {moved} bottlenecks is in the 3x3 convolution, not in the 1x1 before"]


def _vgg(net: Any) -> Names:
    for index, layer in enumerate(net.features):
        if not isinstance(layer, nn.Dense) and layer._reg_params:
            yield f"features.{index}"
    yield from ("classifier.0", "classifier.3", "classifier.6")


def _alexnet(_: AlexNet) -> Names:
    yield from (f"features.{index}" for index in (0, 3, 6, 8, 10))
    yield from (f"classifier.{index}" for index in (1, 4, 6))


def _densenet(net: Any) -> Names:
    yield from ("features.conv0", "features.norm0")
    blocks = _stages(net)
    for number, block in enumerate(blocks[::2], 1):
        for layer in range(1, len(block) + 1):
            place = f"features.denseblock{number}.denselayer{layer}."
            yield from (f"{place}{part}" for part in ("norm1", "conv1", "norm2", "conv2"))
        if 2 * number <= len(blocks):
            yield from (f"features.transition{number}.{part}" for part in ("norm", "conv"))
    yield from ("features.norm5", "classifier")


def _squeezenet(net: Any) -> Names:
    for index, layer in enumerate(net.features):
        if isinstance(layer, nn.HybridSequential):
            yield f"features.{index}.squeeze"
            yield from (f"features.{index}.expand{size}" for size in ("1x1", "3x3"))
        elif layer._reg_params:
            yield f"features.{index}"
    yield "classifier.1"


def _mobilenet(_: MobileNet) -> Names:
    yield from ("conv_stem", "bn1")
    for stage, count in enumerate((1, 2, 2, 6, 2)):
        for unit in range(count):
            place = f"blocks.{stage}.{unit}."
            yield from (f"{place}{part}" for part in ("conv_dw", "bn1", "conv_pw", "bn2"))
    yield "classifier"


def _limit_activations(net: Any, apply: bool) -> list[str]:
    """Puts ReLU6, which timm's network has, in the place of ReLU."""
    layers = net.features._children
    found = [name for name, layer in layers.items() if isinstance(layer, nn.Activation)]
    for name in found if apply else ():
        net.features.register_child(RELU6(), name)
    return [f"{len(found)} activations are ReLU6, not ReLU"] if found else []


def _mobilenet_v2(net: Any) -> Names:
    yield from ("features.0.0", "features.0.1")
    units = [child for child in net.features if hasattr(child, "out")]
    for number, _ in enumerate(units, 1):
        place = f"features.{number}.conv."
        if number == 1:  # torch does not widen what need not be wider
            yield from (None, None)
            yield from (f"{place}{part}" for part in ("0.0", "0.1", "1", "2"))
        else:
            yield from (f"{place}{part}" for part in ("0.0", "0.1", "1.0", "1.1", "2", "3"))
    last = len(units) + 1
    yield from (f"features.{last}.0", f"features.{last}.1", "classifier.1")


def _add_bias(net: Any, apply: bool) -> list[str]:
    """Adds the bias to the last convolution that torch's last layer has."""
    score = net.output[0]
    if score.bias is not None:
        return []
    if apply:
        score._kwargs["no_bias"] = False
        score.bias = score.params.get("bias", shape=(score._channels,), init="zeros")
    return ["the last layer has a bias"]


def _branches(place: str, *parts: str) -> Names:
    for part in parts:
        yield from (f"{place}.{part}.conv", f"{place}.{part}.bn")


def _inception_v3(_: Inception3) -> Names:
    for name in ("1a_3x3", "2a_3x3", "2b_3x3", "3b_1x1", "4a_3x3"):
        yield from (f"Conv2d_{name}.conv", f"Conv2d_{name}.bn")
    double = ("branch3x3dbl_1", "branch3x3dbl_2", "branch3x3dbl_3")
    sevens = tuple(f"branch7x7_{number}" for number in range(1, 4))
    doubled_sevens = tuple(f"branch7x7dbl_{number}" for number in range(1, 6))
    for letter in "bcd":
        fives = ("branch5x5_1", "branch5x5_2")
        yield from _branches(f"Mixed_5{letter}", "branch1x1", *fives, *double, "branch_pool")
    yield from _branches("Mixed_6a", "branch3x3", *double)
    for letter in "bcde":
        wide = (*sevens, *doubled_sevens)
        yield from _branches(f"Mixed_6{letter}", "branch1x1", *wide, "branch_pool")
    reduction = ("branch3x3_1", "branch3x3_2", *(f"branch7x7x3_{part}" for part in range(1, 5)))
    yield from _branches("Mixed_7a", *reduction)
    for letter in "bc":
        threes = ("branch3x3_1", "branch3x3_2a", "branch3x3_2b")
        doubled = ("branch3x3dbl_1", "branch3x3dbl_2", "branch3x3dbl_3a", "branch3x3dbl_3b")
        yield from _branches(f"Mixed_7{letter}", "branch1x1", *threes, *doubled, "branch_pool")
    yield "fc"


_SIZE_NOTE = (
    "the outputs are equal for images of {0}x{0}; for others torch adapts its last pooling, "
    "which this network does not"
)
FAMILIES: dict[type[HybridBlock], Family] = {
    ResNetV1: Family(_resnet, _move_strides, has_idle_biases=True),
    VGG: Family(_vgg, note=_SIZE_NOTE.format(224)),
    AlexNet: Family(_alexnet, note=_SIZE_NOTE.format(224)),
    DenseNet: Family(_densenet, note=_SIZE_NOTE.format(224)),
    SqueezeNet: Family(_squeezenet, note=_SIZE_NOTE.format(224)),
    MobileNet: Family(
        _mobilenet,
        _limit_activations,
        note="pretrained weights of timm are for images normalized by a mean and a standard "
        "deviation of 0.5 in all channels",
    ),
    MobileNetV2: Family(_mobilenet_v2, _add_bias),
    Inception3: Family(
        _inception_v3,
        note=_SIZE_NOTE.format(299)
        + "; pretrained weights of torchvision come with transform_input=True, which rescales "
        "images first",
        ignored=("AuxLogits.",),
    ),
}


_VGG = {
    "pre_logits.fc1": "classifier.0",
    "pre_logits.fc2": "classifier.3",
    "head.fc": "classifier.6",
}
_FIRST_UNIT = {"conv_dw": "0.0", "bn1": "0.1", "conv_pw": "1", "bn2": "2"}
_UNIT = {
    "conv_pw": "0.0",
    "bn1": "0.1",
    "conv_dw": "1.0",
    "bn2": "1.1",
    "conv_pwl": "2",
    "bn3": "3",
}
_BLOCK = re.compile(r"blocks\.(\d+)\.(\d+)\.(\w+)$")


def timm_names(names: Collection[str]) -> dict[str, str]:
    """Returns timm's names by those of torchvision, of all weights where the two differ.

    Args:
        names: Names of a state dict, of timm or not.
    """
    if any(name.startswith("pre_logits.") for name in names):
        return _renamed(names, _VGG.get)
    if "conv_stem.weight" in names:
        return _renamed(names, _mobilenet_names(names))
    return {}


def _renamed(names: Collection[str], rename: Callable[[str], str | None]) -> dict[str, str]:
    table = {}
    for name in names:
        layer, _, parameter = name.rpartition(".")
        other = rename(layer)
        if other is not None:
            table[f"{other}.{parameter}"] = name
    return table


def _mobilenet_names(names: Collection[str]) -> Callable[[str], str | None]:
    found = {
        match.groups()[:2] for name in names if (match := _BLOCK.match(name.rpartition(".")[0]))
    }
    # torchvision numbers the units of all stages in one row.
    order = sorted(found, key=lambda place: (int(place[0]), int(place[1])))
    numbers = {place: number for number, place in enumerate(order, 1)}
    last = len(order) + 1
    ends = {
        "conv_stem": "features.0.0",
        "bn1": "features.0.1",
        "conv_head": f"features.{last}.0",
        "bn2": f"features.{last}.1",
        "classifier": "classifier.1",
    }

    def rename(layer: str) -> str | None:
        match = _BLOCK.match(layer)
        if match is None:
            return ends.get(layer)
        number = numbers[match.group(1, 2)]
        part = (_FIRST_UNIT if number == 1 else _UNIT).get(match.group(3))
        return None if part is None else f"features.{number}.conv.{part}"

    return rename
