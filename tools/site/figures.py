"""Figures that programs of pages show, taken instead of being put on a screen, as small files."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_LOOK = {
    "figure.dpi": 100,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "legend.frameon": False,
}
"""What notebooks and screens leave to the reader's own settings."""
_COLORS = 128
"""Colors of a picture; curves and heat maps look the same with all of them, and take more bytes."""


@contextmanager
def taken_figures() -> Iterator[list[bytes]]:
    """Makes `plt.show` add the current figures, as PNG files, to the list that it yields."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    taken: list[bytes] = []

    def show(*_: Any, **__: Any) -> None:
        for number in plt.get_fignums():
            buffer = io.BytesIO()
            plt.figure(number).savefig(buffer, format="png", bbox_inches="tight", facecolor="white")
            taken.append(buffer.getvalue())
        plt.close("all")

    original, plt.show = plt.show, show
    try:
        with mpl.rc_context(_LOOK):
            yield taken
    finally:
        plt.show = original
        plt.close("all")


def make_smaller(picture: bytes) -> bytes:
    """Returns a picture with few colors, as a PNG file of a few tens of kilobytes."""
    from PIL import Image

    image = Image.open(io.BytesIO(picture)).convert("RGB").quantize(_COLORS, dither=0)
    buffer = io.BytesIO()
    image.save(buffer, format="png", optimize=True)
    return buffer.getvalue()
