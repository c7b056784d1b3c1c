"""OpenCV, where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mxnet._formats.image_headers import check_image
from mxnet._start import OptionalModule
from mxnet.errors import FileFormatError, MissingLibraryError

_library = OptionalModule("cv2")

if TYPE_CHECKING:
    import cv2 as cv2
else:
    cv2 = _library


def has_opencv() -> bool:
    """Imports OpenCV, and returns whether it is there."""
    return _library.is_there()


def preload() -> None:
    """Imports OpenCV now, so that processes which are forked later need not, each by itself."""
    has_opencv()


def need_opencv(where: str) -> None:
    """Checks that OpenCV is there.

    Raises:
        MissingLibraryError: if not; says what to install.
    """
    if not has_opencv():
        raise MissingLibraryError(
            f"{where}: needs OpenCV; install glueball[images] or opencv-python-headless"
        )


def decode_with_opencv(where: str, content: bytes, flag: int) -> Any:
    """Decodes an image, blue first; the only place of the package that calls a decoder of images.

    Args:
        where: What to begin messages with: the image, its file.
        content: Bytes of the file.
        flag: OpenCV's number of what is wanted, such as `cv2.IMREAD_COLOR`.

    Returns:
        The image, None if OpenCV knows no format that it could be of.

    Raises:
        LimitExceededError: if the image asks for more than `mx.limits` allows, or is of a format
            that `mx.limits` must allow first.
        FileFormatError: if the image is damaged, or OpenCV raises.
    """
    checked = check_image(where, content)
    if checked is None:
        return None
    try:
        return cv2.imdecode(np.frombuffer(checked, np.uint8), flag)
    except cv2.error as error:
        raise FileFormatError(f"{where}: OpenCV cannot decode the image: {error}") from error
