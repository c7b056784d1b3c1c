"""The binary format of records in a file, and images in records."""

from __future__ import annotations

import numbers
import os
import re
import struct
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from mxnet import errors
from mxnet._formats.files import open_saved
from mxnet._formats.opencv import cv2, decode_with_opencv, need_opencv

_MAGIC = 0xCED7230A
_MAGIC_BYTES = _MAGIC.to_bytes(4, "little")
_HEADER = struct.Struct("<II")
_LENGTH_BITS = 29
_MAX_LENGTH = 2**_LENGTH_BITS - 1
_WHOLE, _FIRST, _MIDDLE, _LAST = range(4)
_SEARCH_BYTES = 2**20


class RecordError(errors.FileFormatError):
    """A record is damaged.

    Attributes:
        path: The file.
        offset: Where the record begins.
    """

    def __init__(self, path: str, offset: int, what: str) -> None:
        super().__init__(f"{path}: record at offset {offset}: {what}")
        self.path = path
        self.offset = offset
        self.what = what

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.offset, self.what)


def read_record(file: BinaryIO, path: str) -> bytes | None:
    """Reads the record at the current position of a file; returns None at its end.

    Args:
        file: File that is open for reading bytes; after an error its position is before the record.
        path: Its name, for messages.

    Raises:
        RecordError: if there is no record, or only a part of one.
    """
    offset = file.tell()
    part = _read_part(file, path, offset)
    if part is None:
        return None
    part_type, content = part
    if part_type == _WHOLE:
        return content
    parts = [content]
    while part_type != _LAST:
        following = _read_part(file, path, offset)
        if following is None or following[0] not in (_MIDDLE, _LAST):
            raise _damaged(file, path, offset, "its end is missing")
        part_type, content = following
        parts.append(content)
    return _MAGIC_BYTES.join(parts)


def skip_record(file: BinaryIO, path: str, size: int) -> None:
    """Skips the record at the current position of a file without reading its content.

    Args:
        file: File that is open for reading bytes.
        path: Its name, for messages.
        size: Its size.

    Raises:
        RecordError: if there is no record, or only a part of one.
    """
    offset = file.tell()
    part_type = _FIRST
    while part_type not in (_WHOLE, _LAST):
        header = _read_header(file, path, offset)
        if header is None:
            raise _damaged(file, path, offset, "its end is missing")
        part_type, length = header
        end = file.tell() + length + -length % 4
        if end > size:
            raise _damaged(file, path, offset, f"truncated: {end - size} bytes are missing")
        file.seek(end)


def _read_part(file: BinaryIO, path: str, offset: int) -> tuple[int, bytes] | None:
    """Reads a whole record or a part of a split one, with its type."""
    header = _read_header(file, path, offset)
    if header is None:
        return None
    part_type, length = header
    if length > _SEARCH_BYTES and length > (left := _count_left(file)):  # asked seldom
        raise _damaged(file, path, offset, f"truncated: {length} bytes expected, got {left}")
    content = file.read(length)
    padding = -length % 4
    if len(content) < length or len(file.read(padding)) < padding:
        what = f"truncated: {length} bytes expected, got {len(content)}"
        raise _damaged(file, path, offset, what)
    return part_type, content


def _count_left(file: BinaryIO) -> int:
    return max(os.fstat(file.fileno()).st_size - file.tell(), 0)


def _read_header(file: BinaryIO, path: str, offset: int) -> tuple[int, int] | None:
    """Reads the type and the length of a record or a part, None at the end of the file."""
    begins = file.tell() == offset
    header = file.read(_HEADER.size)
    if not header:
        return None
    if len(header) < _HEADER.size or not header.startswith(_MAGIC_BYTES):
        what = f"the magic number {_MAGIC:#x} expected, got bytes {header[:4].hex(' ')}"
        raise _damaged(file, path, offset, what)
    part_type, length = divmod(_HEADER.unpack(header)[1], 2**_LENGTH_BITS)
    if part_type > _LAST or (begins and part_type in (_MIDDLE, _LAST)):
        what = f"a record or its first part expected, got a part of type {part_type}"
        raise _damaged(file, path, offset, what)
    return part_type, length


def _damaged(file: BinaryIO, path: str, offset: int, what: str) -> RecordError:
    """Makes the error for a record, and moves the file back to its beginning."""
    file.seek(offset)
    return RecordError(path, offset, what)


def encode_record(content: bytes) -> bytes:
    """Returns the bytes of a record in a file."""
    pieces = _split(content)
    if max(map(len, pieces)) > _MAX_LENGTH:
        raise errors.AttributeValueError(
            f"a record takes at most {_MAX_LENGTH} bytes, got {max(map(len, pieces))}"
        )
    types = [_FIRST, *[_MIDDLE] * (len(pieces) - 2), _LAST] if pieces[1:] else [_WHOLE]
    encoded = []
    for part_type, piece in zip(types, pieces, strict=True):
        encoded += [_HEADER.pack(_MAGIC, part_type << _LENGTH_BITS | len(piece)), piece]
    encoded.append(bytes(-len(pieces[-1]) % 4))
    return b"".join(encoded)


def _split(content: bytes) -> list[bytes]:
    """Splits at every magic number at an aligned offset, and removes these numbers."""
    pieces, start, place = [], 0, content.find(_MAGIC_BYTES)
    while place >= 0:
        if place % 4 == 0:
            pieces.append(content[start:place])
            start = place + 4
            place = content.find(_MAGIC_BYTES, start)
        else:
            place = content.find(_MAGIC_BYTES, place + 1)
    return [*pieces, content[start:]]


def find_record(file: BinaryIO) -> bool:
    """Goes to the next record that looks whole, after the one at the current position.

    It looks for a magic number with a length that ends at another one or at the end.

    Returns:
        Whether there is one; if not, the position is the end of the file.
    """
    position, size = file.tell() + 1, os.fstat(file.fileno()).st_size
    while position < size:
        file.seek(position)
        block = file.read(_SEARCH_BYTES)
        offset = block.find(_MAGIC_BYTES)
        if offset < 0:
            position += max(1, len(block) - len(_MAGIC_BYTES) + 1)
        elif _looks_whole(file, position + offset, size):
            file.seek(position + offset)
            return True
        else:
            position += offset + 1
    file.seek(size)
    return False


def begins_record(path: str | os.PathLike[str], offset: int) -> bool:
    """Returns whether a record begins at an offset of a file."""
    with open_saved(path) as file:
        if offset > os.fstat(file.fileno()).st_size:  # to which the system may not be able to go
            return False
        file.seek(offset)
        header = file.read(_HEADER.size)
    if len(header) < _HEADER.size or not header.startswith(_MAGIC_BYTES):
        return False
    return _HEADER.unpack(header)[1] >> _LENGTH_BITS in (_WHOLE, _FIRST)


def _looks_whole(file: BinaryIO, offset: int, size: int) -> bool:
    file.seek(offset)
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return False
    part_type, length = divmod(_HEADER.unpack(header)[1], 2**_LENGTH_BITS)
    end = offset + _HEADER.size + length + -length % 4
    if part_type not in (_WHOLE, _FIRST) or end > size:
        return False
    file.seek(end)
    return end == size or file.read(4) == _MAGIC_BYTES


class IRHeader(NamedTuple):
    """The header before the bytes of an image in its record.

    Attributes:
        flag: 0 for one label, else the number of labels.
        label: A number or an array of numbers.
        id: Number of the record.
        id2: The rest of a number that does not fit into `id`.

    Example:
        >>> import mxnet as mx
        >>> mx.recordio.IRHeader(flag=0, label=3.0, id=7, id2=0)
        HEADER(flag=0, label=3.0, id=7, id2=0)
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

    Example:
        >>> import mxnet as mx
        >>> header = mx.recordio.IRHeader(0, 3.0, 7, 0)
        >>> record = mx.recordio.pack(header, b"bytes of an image")
        >>> header, content = mx.recordio.unpack(record)
        >>> header.label, header.id, content
        (3.0, 7, b'bytes of an image')
    """
    flag, label, number, rest = header
    labels = b""
    if isinstance(label, numbers.Number):
        flag = 0
    else:
        values = np.asarray(label, dtype=np.float32)
        flag, label, labels = values.size, 0, values.tobytes()
    if not isinstance(s, (bytes, bytearray, memoryview)):
        raise errors.UnsupportedTypeError(f"pack: takes bytes, got {type(s).__name__}")
    try:
        packed = struct.pack(_IR_FORMAT, flag, label, number, rest)
    except struct.error as error:
        raise errors.AttributeValueError(f"pack: {header}: {error}") from error
    return packed + labels + bytes(s)


def unpack(s: bytes) -> tuple[IRHeader, bytes]:
    """Splits the content of a record into its header and the bytes after it.

    Raises:
        FileFormatError: if there are fewer bytes than the header says.

    Example:
        >>> import mxnet as mx
        >>> import numpy as np
        >>> boxes = np.array([4, 5, 6], "float32")  # several labels
        >>> record = mx.recordio.pack(mx.recordio.IRHeader(0, boxes, 7, 0), b"image")
        >>> header, content = mx.recordio.unpack(record)
        >>> header.flag, header.label, content
        (3, array([4., 5., 6.], dtype=float32), b'image')
    """
    if len(s) < _IR_SIZE:
        raise errors.FileFormatError(f"unpack: {_IR_SIZE} bytes of header expected, got {len(s)}")
    header = IRHeader(*struct.unpack_from(_IR_FORMAT, s))
    rest = s[_IR_SIZE:]
    if header.flag > 0:
        if len(rest) < 4 * header.flag:
            raise errors.FileFormatError(
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

    Example:
        >>> import mxnet as mx
        >>> import numpy as np
        >>> image = np.zeros((4, 5, 3), "uint8")
        >>> record = mx.recordio.pack_img(mx.recordio.IRHeader(0, 3.0, 7, 0), image, img_fmt=".png")
        >>> mx.recordio.unpack(record)[1][1:4]  # the mark of a PNG file
        b'PNG'
    """
    need_opencv("pack_img")
    if not isinstance(img, np.ndarray):
        raise errors.ArgumentTypeError(f"pack_img: takes a NumPy array, got {type(img).__name__}")
    return pack(header, encode_image(img, quality, img_fmt))


def encode_image(img: np.ndarray[Any, Any], quality: int, img_fmt: str) -> bytes:
    """Encodes an image as `pack_img` does."""
    flags = []
    if re.fullmatch(r"\.jpe?g", img_fmt, re.IGNORECASE):
        flags = [cv2.IMWRITE_JPEG_QUALITY, quality]
    elif img_fmt.lower() == ".png":
        flags = [cv2.IMWRITE_PNG_COMPRESSION, min(max(quality, 0), 9)]  # OpenCV warns about others
    try:
        done, encoded = cv2.imencode(img_fmt, img, flags)
    except cv2.error as error:
        raise errors.AttributeValueError(
            f"pack_img: cannot encode as {img_fmt!r}: {error}"
        ) from error
    if not done:
        raise errors.AttributeValueError(f"pack_img: cannot encode an image as {img_fmt!r}")
    return encoded.tobytes()


def unpack_img(s: bytes, iscolor: int = -1) -> tuple[IRHeader, Any]:
    """Splits the content of a record into its header and the image, decoded.

    Args:
        s: Content of a record.
        iscolor: 1 for three channels, 0 for one, -1 for the number that was stored.

    Returns:
        The header and the image, blue first; None for an image that cannot be decoded.

    Raises:
        LimitExceededError: if the image asks for more than `mx.limits` allows.

    Example:
        >>> import mxnet as mx
        >>> import numpy as np
        >>> image = np.arange(60, dtype="uint8").reshape(4, 5, 3)
        >>> record = mx.recordio.pack_img(mx.recordio.IRHeader(0, 3.0, 7, 0), image, img_fmt=".png")
        >>> header, decoded = mx.recordio.unpack_img(record)
        >>> header.label, bool((decoded == image).all())
        (3.0, True)
    """
    need_opencv("unpack_img")
    header, content = unpack(s)
    try:
        return header, decode_with_opencv(f"unpack_img: record {header.id}", content, iscolor)
    except errors.FileFormatError:
        return header, None
