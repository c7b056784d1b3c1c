"""Calls of im2rec, for the original's tool and for ours."""

from __future__ import annotations

from pathlib import Path

import numpy as np

SIZES = {
    "cat/0.jpg": (30, 44),
    "cat/1.png": (25, 25),
    "cat/B.JPG": (20, 33),
    "dog/2.jpg": (40, 28),
    "dog/grey.jpg": (31, 20),
    "dog/alpha.png": (22, 36),
    "emu/x/3.jpeg": (28, 30),
}
"""Heights and widths of the images by their paths."""

LISTS = {
    "sorted": ("images", ["--recursive", "--no-shuffle"]),
    "shuffled": ("images", ["--recursive"]),
    "one folder": ("images/cat", ["--no-shuffle"]),
    "train, test and validation": (
        "images",
        ["--recursive", "--train-ratio", "0.5", "--test-ratio", "0.3"],
    ),
    "chunks": ("images", ["--recursive", "--chunks", "2", "--train-ratio", "0.5"]),
    "test only": ("images", ["--recursive", "--train-ratio", "0.5", "--test-ratio", "0.5"]),
    "no training": ("images", ["--recursive", "--train-ratio", "0", "--no-shuffle"]),
    "endings": ("images", ["--recursive", "--no-shuffle", "--exts", ".png", ".txt"]),
}

_LINES = "5\t1.0\tcat/0.jpg\n7\t2.5\tdog/alpha.png\n10\t4\tdog/grey.jpg\n11\t3.0\tdog/2.jpg\n"
_LABELS = "5\t1.0\t2\t3\tcat/0.jpg\n7\t2.0\t5\t6\tdog/2.jpg\n"

RECORDS = {
    "plain": (_LINES, []),
    "as they are": (_LINES, ["--pass-through"]),
    "resized": (_LINES, ["--resize", "17"]),
    "cropped": (_LINES, ["--center-crop"]),
    "cropped and resized": (_LINES, ["--center-crop", "--resize", "16"]),
    "low quality": (_LINES, ["--quality", "30"]),
    "PNG": (_LINES, ["--encoding", ".png", "--quality", "3"]),
    "grey": (_LINES, ["--color", "0"]),
    "as stored": (_LINES, ["--color", "-1", "--encoding", ".png", "--quality", "9"]),
    "first label": (_LABELS, []),
    "all labels": (_LABELS, ["--pack-label"]),
}


def make_image(path: str) -> np.ndarray:
    """Makes the image of a path, with one, three or four channels."""
    height, width = SIZES[path]
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    shift = sum(map(ord, path))
    waves = [np.sin((x * (k + 1) + y * 2 + shift) / 9) for k in range(3)]
    image = np.stack([128 + 100 * wave for wave in waves], axis=-1)
    image[height // 3 : height // 2, width // 4 : width // 2] = (20, 200, 90)
    image = image.astype(np.uint8)
    if "grey" in path:
        return image[..., 0]
    if "alpha" in path:
        return np.dstack([image, np.full((height, width), 99, np.uint8)])
    return image


def describe_lists(folder: Path) -> dict[str, str]:
    """Returns the lists in a folder, by name."""
    return {path.name: path.read_text() for path in sorted(folder.glob("*.lst"))}
