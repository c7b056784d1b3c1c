"""Records and their headers, to be written by the original and by us."""

from __future__ import annotations

import numpy as np

MAGIC = b"\x0a\x23\xd7\xce"
PAYLOADS = [
    b"",
    b"a",
    b"ab",
    b"abc",
    b"abcd",
    b"abcde",
    MAGIC,
    MAGIC + MAGIC,
    MAGIC * 5 + b"q",
    b"abcd" + MAGIC,
    MAGIC + b"abcd",
    b"abcd" + MAGIC + b"xy",
    b"a" + MAGIC + b"zzz" + MAGIC,
    b"ab" + MAGIC,
    b"abc" + MAGIC + MAGIC[:2],
    bytes(range(256)) * 3,
]
KEYS = [0, 5, 3, 100, *range(200, 200 + len(PAYLOADS) - 4)]

HEADERS = {
    "number": (0, 3.0, 7, 0),
    "integer": (0, 5, 3, 4),
    "flag is forgotten": (9, 5, 3, 4),
    "list": (0, [1, 2], 3, 4),
    "tuple": (0, (1, 2, 3.5), 2**40, 2**63),
    "array": (0, np.array([1.5, 2, 3]), 3, 4),
    "one in an array": (0, np.array([2]), 3, 4),
    "matrix": (0, np.array([[1, 2], [3, 4]]), 1, 1),
    "NumPy number": (0, np.float32(2.5), 3, 4),
    "truth": (0, True, 1, 1),
    "empty": (0, [], 1, 1),
}


def make_image() -> np.ndarray:
    """Makes a small image with soft and hard edges."""
    y, x = np.mgrid[0:20, 0:30]
    image = np.stack([x * 8, y * 12, (x * y) % 256], axis=-1)
    image[5:9, 7:20] = (200, 30, 90)
    return image.astype(np.uint8)


IMAGES = {
    "jpg": (95, ".jpg"),
    "jpeg of low quality": (30, ".jpeg"),
    "png": (3, ".png"),
    "bmp": (95, ".bmp"),
}
