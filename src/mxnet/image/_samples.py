"""Where an iterator finds its samples: record files, list files and lists in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from numbers import Number
from pathlib import Path
from typing import Any, TypeAlias

from mxnet import ndarray as nd
from mxnet.errors import FileFormatError, InvalidArgumentError
from mxnet.ndarray import NDArray

Key: TypeAlias = int | str
ImageList: TypeAlias = dict[Key, tuple[NDArray, str]]
"""Labels and files of images by their number."""

LABEL_DTYPES = ("int32", "float32", "int64", "float64")


def read_image_list(path: str | os.PathLike[str], dtype: Any) -> ImageList:
    """Reads a list file: lines of a number, labels and a file, separated by tabs."""
    entries: ImageList = {}
    with Path(path).open(encoding="utf-8", errors="surrogateescape") as file:
        for number, line in enumerate(file, 1):
            parts = line.strip().split("\t")
            if parts == [""]:
                continue
            try:
                key, *labels = int(parts[0]), *map(float, parts[1:-1])
            except ValueError:
                raise FileFormatError(
                    f"{os.fspath(path)}, line {number}: expected a number, labels and a file, "
                    f"separated by tabs, got {line.strip()!r}"
                ) from None
            entries[key] = (nd.array(labels, dtype=dtype), parts[-1])
    return entries


def make_image_list(images: Iterable[Sequence[Any]], dtype: Any) -> ImageList:
    """Numbers the entries of a list in memory: labels, or an array of labels, and a file."""
    entries: ImageList = {}
    for number, image in enumerate(images, 1):
        if len(image) > 2:
            labels: Any = image[:-1]
        else:
            labels = [image[0]] if isinstance(image[0], Number) else image[0]
        if not isinstance(image[-1], (str, os.PathLike)):
            raise InvalidArgumentError(f"imglist: expected labels and a file, got {image}")
        entries[str(number)] = (nd.array(labels, dtype=dtype), os.fspath(image[-1]))
    return entries


def part_of(keys: list[Key], part_index: int, num_parts: int) -> list[Key]:
    """Returns one of several equal parts of the keys; what does not divide evenly is left out."""
    if not 0 <= part_index < num_parts:
        raise InvalidArgumentError(f"part_index takes 0 to {num_parts - 1}, got {part_index}")
    size = len(keys) // num_parts
    return keys[part_index * size : (part_index + 1) * size]
