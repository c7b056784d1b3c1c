"""Images in records."""

from __future__ import annotations

import numbers
import re
import struct
from typing import Any, NamedTuple

import numpy as np

from mxnet._formats.opencv import cv2, decode_with_opencv, need_opencv
from mxnet.errors import (
    ArgumentTypeError,
    AttributeValueError,
    FileFormatError,
    UnsupportedTypeError,
)


class IRHeader(NamedTuple):
    """The header before the bytes of an image in its record.

    Attributes:
        flag: 0 for one label, else the number of labels.
        label: A number or an array of numbers.
        id: Number of the record.
        id2: The rest of a number that does not fit into `id`.
    """

    flag: int
    label: Any
    id: int
    id2: int

    def __repr__(self) -> str:
        return f"HEADER(flag={self.flag}, label={self.label!r}, id={self.id}, id2={self.id2})"


_IR_FORMAT = "IfQQ"
_IR_SIZE = struct.calcsize(_IR_FORMAT)


def pack(header: Any, s: bytes) -> bytes:
    """Joins a header and bytes into the content of a record.

    Args:
        header: An `IRHeader` or a tuple of its four fields; `flag` is set from the label.
        s: Bytes of an image, or any others.
    """
    flag, label, number, rest = header
    labels = b""
    if isinstance(label, numbers.Number):
        flag = 0
    else:
        values = np.asarray(label, dtype=np.float32)
        flag, label, labels = values.size, 0, values.tobytes()
    if not isinstance(s, (bytes, bytearray, memoryview)):
        raise UnsupportedTypeError(f"pack: takes bytes, got {type(s).__name__}")
    try:
        packed = struct.pack(_IR_FORMAT, flag, label, number, rest)
    except struct.error as error:
        raise AttributeValueError(f"pack: {header}: {error}") from error
    return packed + labels + bytes(s)


def unpack(s: bytes) -> tuple[IRHeader, bytes]:
    """Splits the content of a record into its header and the bytes after it.

    Raises:
        FileFormatError: if there are fewer bytes than the header says.
    """
    if len(s) < _IR_SIZE:
        raise FileFormatError(f"unpack: {_IR_SIZE} bytes of header expected, got {len(s)}")
    header = IRHeader(*struct.unpack_from(_IR_FORMAT, s))
    rest = s[_IR_SIZE:]
    if header.flag > 0:
        if len(rest) < 4 * header.flag:
            raise FileFormatError(
                f"unpack: {header.flag} labels expected after the header, got {len(rest)} bytes"
            )
        header = header._replace(label=np.frombuffer(rest, np.float32, header.flag))
        rest = rest[4 * header.flag :]
    return header, rest


def pack_img(header: Any, img: Any, quality: int = 95, img_fmt: str = ".jpg") -> bytes:
    """Encodes an image and joins it with a header into the content of a record.

    Args:
        header: An `IRHeader` or a tuple of its four fields; `flag` is set from the label.
        img: Image as a NumPy array, blue first.
        quality: For JPEG 1 to 100, the higher the better; for PNG 0 to 9, the higher the smaller.
        img_fmt: Format, by the ending of its files.
    """
    need_opencv("pack_img")
    if not isinstance(img, np.ndarray):
        raise ArgumentTypeError(f"pack_img: takes a NumPy array, got {type(img).__name__}")
    return pack(header, encode_image(img, quality, img_fmt))


def encode_image(img: np.ndarray[Any, Any], quality: int, img_fmt: str) -> bytes:
    """Encodes an image as `pack_img` does."""
    flags = []
    if re.fullmatch(r"\.jpe?g", img_fmt, re.IGNORECASE):
        flags = [cv2.IMWRITE_JPEG_QUALITY, quality]
    elif img_fmt.lower() == ".png":
        flags = [
            cv2.IMWRITE_PNG_COMPRESSION,
            min(max(quality, 0), 9),
        ]  # OpenCV warns about others
    try:
        done, encoded = cv2.imencode(img_fmt, img, flags)
    except cv2.error as error:
        raise AttributeValueError(f"pack_img: cannot encode as {img_fmt!r}: {error}") from error
    if not done:
        raise AttributeValueError(f"pack_img: cannot encode an image as {img_fmt!r}")
    return encoded.tobytes()


def unpack_img(s: bytes, iscolor: int = -1) -> tuple[IRHeader, Any]:
    """Splits the content of a record into its header and the image, decoded.

    Args:
        s: Content of a record.
        iscolor: 1 for three channels, 0 for one, -1 for the number that was stored.

    Returns:
        The header and the image, blue first; None for an image that cannot be decoded.

    Raises:
        LimitExceededError: if the image declares more pixels than `mx.limits` allows.
    """
    need_opencv("unpack_img")
    header, content = unpack(s)
    return header, decode_with_opencv(f"unpack_img: record {header.id}", content, iscolor)
