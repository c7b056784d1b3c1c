"""Transforms that run alike under the original and under this package.

A case is an expression for a transform, the image it is given, and whether Python's and NumPy's
random numbers are seeded before (those of `mx.random` are other ones in the original).
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np


class Case(NamedTuple):
    """A transform and what it is applied to."""

    expression: str
    image: str
    seed: int | None = None

    def __str__(self) -> str:
        seeded = "" if self.seed is None else f" seed {self.seed}"
        return f"{self.expression} of {self.image}{seeded}"


def picture(height: int, width: int, seed: int) -> Any:
    """Paints something like a photograph: light falling off, edges, texture, noise."""
    rows, columns = np.mgrid[:height, :width]
    noise = np.random.RandomState(seed)
    channels = []
    for channel in range(3):
        light = 150 * np.exp(-((rows - height / 3) ** 2 + (columns - width / 2) ** 2) / 200)
        stripes = 40 * np.sin(columns / (3 + channel) + rows / 5)
        disc = 70 * ((rows - height * 0.6) ** 2 + (columns - width * 0.3) ** 2 < 60)
        channels.append(50 + 15 * channel + light + stripes + disc)
    painted = np.stack(channels, axis=-1) + noise.normal(0, 6, (height, width, 3))
    return painted.clip(0, 255).astype(np.uint8)


def images() -> dict[str, Any]:
    """Returns the images by name, as NumPy arrays."""
    photo = picture(21, 30, 1)
    batch = np.stack([picture(14, 17, seed) for seed in (2, 3)])
    tensor = photo.transpose(2, 0, 1).astype(np.float32) / 255
    return {
        "photo": photo,
        "tall": picture(26, 15, 4),
        "grey": photo[:, :, :1],
        "floats": photo.astype(np.float32) * 1.5 - 60,
        "batch": batch,
        "tensor": tensor,
        "grey tensor": tensor[:1],
        "tensors": batch.transpose(0, 3, 1, 2).astype(np.float32) / 255,
    }


ALL_SEEDS = (0, 1, 2)
_TABLE: tuple[tuple[str, tuple[str, ...], tuple[int | None, ...]], ...] = (
    ("T.ToTensor()", ("photo", "grey", "floats", "batch"), (None,)),
    (
        """T.Normalize(0.13, 0.31)
        T.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
        T.Normalize([0.5, 0.25, 0.1], 2.0)""",
        ("tensor", "tensors"),
        (None,),
    ),
    ("T.Normalize(0.13, 0.31)", ("grey tensor",), (None,)),
    ("T.Cast('float16')\nT.Cast('int32')", ("photo", "floats"), (None,)),
    (
        """T.Resize(20)
        T.Resize((50, 13))
        T.Resize(11, keep_ratio=True)
        T.Resize((16, 20), interpolation=0)
        T.Resize((35, 40), interpolation=2)
        T.Resize((16, 20), interpolation=3)
        T.Resize((16, 20), interpolation=4)""",
        ("photo", "tall", "grey", "floats", "batch"),
        (None,),
    ),
    (
        """T.CropResize(3, 2, 10, 12)
        T.CropResize(3, 2, 10, 12, (7, 5), 1)
        T.CropResize(3, 2, 10, 12, 20, 2)""",
        ("photo", "batch"),
        (None,),
    ),
    (
        """T.CenterCrop(16)
        T.CenterCrop((30, 9))
        T.CenterCrop(33)
        T.CenterCrop((40, 12), interpolation=0)
        T.CenterCrop(25, interpolation=9)""",
        ("photo", "tall", "grey", "floats"),
        (None,),
    ),
    ("T.CenterCrop((40, 12), interpolation=10)", ("photo",), ALL_SEEDS),
    (
        """T.RandomResizedCrop(14)
        T.RandomResizedCrop((14, 18), scale=(0.5, 0.9), ratio=(0.9, 1.1), interpolation=2)
        T.RandomResizedCrop(20, scale=0.3, interpolation=3)
        T.RandomResizedCrop(8, scale=(0.9, 1.0), ratio=(3, 4))""",
        ("photo", "tall"),
        ALL_SEEDS,
    ),
    (
        """T.Rotate(30)
        T.Rotate(-75.5)
        T.Rotate(45, zoom_in=True)
        T.Rotate(20, zoom_out=True)
        T.Rotate(190)""",
        ("tensor", "tensors"),
        (None,),
    ),
    (
        """T.RandomRotation((-40, 60))
        T.RandomRotation((10, 20), zoom_in=True)
        T.RandomRotation((10, 20), zoom_out=True, rotate_with_proba=0.5)""",
        ("tensor", "tensors"),
        ALL_SEEDS,
    ),
    ("T.RandomApply(T.Resize(9), p=0.4)", ("photo",), (*ALL_SEEDS, 3)),
    (
        """T.RandomBrightness(0)
        T.RandomContrast(0)
        T.RandomSaturation(0)""",
        ("photo", "grey", "floats"),
        (None,),
    ),
    # Of grey images these two give what happens to be in the memory, in the original.
    ("T.RandomHue(0)\nT.RandomLighting(0)", ("photo",), (None,)),
    (
        """T.Compose([])
        T.Compose([T.Resize(30, True), T.CenterCrop(24), T.ToTensor(), T.Normalize(0.4, 0.2)])
        T.Compose([T.Compose([T.Resize(12)]), T.ToTensor(), T.Cast('float16')])""",
        ("photo",),
        (None,),
    ),
)
"""Expressions, the images they are applied to, and seeds."""

CASES = [
    Case(line.strip(), name, seed)
    for lines, names, seeds in _TABLE
    for line in lines.splitlines()
    for name in names
    for seed in seeds
]

PRINTED = """
T.Compose([T.Resize(30, True), T.CenterCrop(24), T.ToTensor(), T.Normalize(0.4, 0.2)])
T.Compose([T.ToTensor()])
T.Compose([])
T.Compose([T.Compose([T.Resize(12)]), T.ToTensor(), T.Cast('float16')])
T.RandomApply(T.Compose([T.RandomHue(0.1), T.RandomLighting(0.1)]))
T.Cast()
T.Normalize(0.1, 0.2)
T.RandomResizedCrop(3)
T.CropResize(0, 0, 1, 1)
T.Rotate(3)
T.RandomRotation((0, 1))
T.RandomColorJitter(0.1, 0.2, 0.3, 0.4)
""".strip().splitlines()

GRAPHS = """
T.ToTensor()
T.Normalize((0.1, 0.2, 0.3), 0.5)
T.Normalize()
T.Cast('float16')
T.Resize(5)
T.Resize((5, 4), True, 2)
T.CropResize(1, 2, 3, 4)
T.CropResize(1, 2, 3, 4, (5, 6), 2)
T.RandomFlipLeftRight()
T.RandomFlipTopBottom()
T.RandomBrightness(0.1)
T.RandomContrast(2)
T.RandomSaturation(0.7)
T.RandomHue(0.1)
T.RandomColorJitter(0.1, 0.2, 0.3, 0.4)
T.RandomLighting(0.1)
""".strip().splitlines()


def make(expression: str, T: Any) -> Any:
    """Makes a transform with the module of transforms."""
    return eval(expression, {"T": T})  # noqa: S307 - the expressions are ours


def apply(case: Case, T: Any, image: Any) -> Any:
    """Returns the result of a case as a NumPy array."""
    transform = make(case.expression, T)
    if case.seed is not None:
        random.seed(case.seed)
        np.random.seed(case.seed)
    return transform(image).asnumpy()


def graph(expression: str, mx: Any) -> dict[str, Any]:
    """Describes the graph of a hybrid transform: outputs and attributes."""
    with mx.name.NameManager():
        transform = make(expression, mx.gluon.data.vision.transforms)
        symbol = transform(mx.sym.var("x"))
    nodes = [name.removeprefix(transform.prefix) for name in symbol.get_internals().list_outputs()]
    attributes = symbol.attr_dict()
    return {
        "nodes": nodes,
        "attributes": {
            name.removeprefix(transform.prefix): dict(sorted(found.items()))
            for name, found in sorted(attributes.items())
        },
    }
