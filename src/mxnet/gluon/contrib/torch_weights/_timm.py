"""Where timm names weights otherwise than torchvision does: VGG and MobileNetV2."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

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
