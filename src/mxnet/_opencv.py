"""OpenCV, where it is installed."""

from __future__ import annotations

from mxnet.errors import MissingLibraryError

try:
    import cv2 as cv2
except ImportError:
    cv2 = None  # type: ignore[assignment]


def need_opencv(where: str) -> None:
    """Checks that OpenCV is there.

    Raises:
        MissingLibraryError: if not; says what to install.
    """
    if cv2 is None:
        raise MissingLibraryError(
            f"{where}: needs OpenCV; install glueball[images] or opencv-python-headless"
        )
