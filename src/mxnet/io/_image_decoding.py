"""Images and labels of records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mxnet._opencv import cv2, decode_with_opencv
from mxnet.errors import FileFormatError, MissingFileError
from mxnet.io._image_options import RecordOptions
from mxnet.io._record_stream import Place
from mxnet.recordio import IRHeader, unpack

Values = np.ndarray[Any, np.dtype[Any]]

_ENDS = ((b"\xff\xd8", b"\xff\xd9", 4096), (b"\x89PNG", b"IEND", 64))
"""How files of a format begin, what a complete file has near its end, and how near."""


def decode_image(place: Place, header: IRHeader, content: bytes, channels: int) -> Values:
    """Decodes an image, blue first.

    Raises:
        FileFormatError: if it is damaged, or does not have the wanted number of channels.
    """
    for beginning, ending, reach in _ENDS:
        if content.startswith(beginning) and ending not in content[-reach:]:
            raise FileFormatError(
                f"{place}: image {header.id}: truncated after {len(content)} bytes"
            )
    flag = {1: cv2.IMREAD_GRAYSCALE, 3: cv2.IMREAD_COLOR, 4: cv2.IMREAD_UNCHANGED}[channels]
    image: Values | None = decode_with_opencv(f"{place}: image {header.id}", content, flag)
    if image is None:
        raise FileFormatError(
            f"{place}: image {header.id}: OpenCV cannot decode {len(content)} bytes"
        )
    if channels == 4 and image.shape[2:] != (4,):
        num_channels = image.shape[2] if image.ndim == 3 else 1
        raise FileFormatError(
            f"{place}: image {header.id}: 4 channels expected, got {num_channels}"
        )
    return image


class Labels:
    """Finds the labels of a record: its own, or those of a list.

    Args:
        where: Name of the iterator, for messages.
        options: Where the list is, and how many labels an image has.
    """

    def __init__(self, where: str, options: RecordOptions) -> None:
        self._width = options.label_width
        self._listed = None
        if options.path_imglist:
            self._listed = read_image_list(where, options.path_imglist)

    def find(self, place: Place, header: IRHeader) -> Any:
        """Returns the labels of an image.

        Raises:
            FileFormatError: if it does not have the expected number of labels.
        """
        values = header.label
        if self._listed is not None:
            if header.id not in self._listed:
                raise FileFormatError(f"{place}: image {header.id} is not in the list")
            values = self._listed[header.id]
            if self._width > 0:
                values = values[: self._width]
        count = np.size(values)
        if self._width > 0 and count != self._width:
            raise FileFormatError(
                f"{place}: image {header.id}: {self._width} labels expected, got {count}"
            )
        return values


def read_image_list(where: str, path: str) -> dict[int, Values]:
    """Reads the labels of a list, by the numbers of the images.

    Raises:
        FileFormatError: if a line is not a number, labels and a path separated by tabs.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except FileNotFoundError as error:
        raise MissingFileError(f"{where}: no file {path!r}") from error
    labels_by_id = {}
    for number, line in enumerate(lines, 1):
        key, *labels = line.rstrip("\n").split("\t")[:-1] or [""]
        try:
            labels_by_id[int(key)] = np.array([float(label) for label in labels], np.float32)
        except ValueError as error:
            raise FileFormatError(
                f"{path}: line {number}: number, labels and path expected, got {line[:60]!r}"
            ) from error
    return labels_by_id


def unpack_record(place: Place, record: bytes) -> tuple[IRHeader, bytes]:
    """Splits a record into its header and the bytes of the image.

    Raises:
        FileFormatError: if it is too short for a header.
    """
    try:
        return unpack(record)
    except FileFormatError as error:
        raise FileFormatError(f"{place}: {error}") from error
