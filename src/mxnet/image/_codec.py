"""Reading of images and of lists of images."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from numbers import Number
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import torch

from mxnet import ndarray as nd
from mxnet._formats import image_lists
from mxnet._formats.files import access_error, read_foreign
from mxnet._formats.opencv import cv2, decode_with_opencv, need_opencv
from mxnet._frontend.dialect import make_array_of_data
from mxnet._start import public_call
from mxnet.context import cpu
from mxnet.errors import (
    AttributeValueError,
    FileFormatError,
    InvalidArgumentError,
    MissingFileError,
    UnsuitableArgumentError,
    UnsupportedTypeError,
)
from mxnet.ndarray import NDArray
from mxnet.ops.core.attrs import Attr, codec_for

Bytes = npt.NDArray[np.uint8]

JPEG_START, JPEG_END = b"\xff\xd8", b"\xff\xd9"
JPEG_SCAN = 0xDA

OPTIONS = {"flag": Attr("flag", codec_for(int), 1), "to_rgb": Attr("to_rgb", codec_for(bool), True)}


@public_call
def imread(filename: str | os.PathLike[str], *args: Any, **kwargs: Any) -> NDArray:
    """Reads an image file.

    Args:
        filename: The file: JPEG, PNG, GIF, BMP, WebP or PNM.
        *args: `flag`, `to_rgb` and `out` in this order.
        **kwargs: `flag`: 0 for one channel of grey, 1 for three of colour (default).
            `to_rgb`: whether the channels are red, green, blue (default) or blue, green, red.
            `out`: array to put the image into.

    Returns:
        Array of bytes of shape `(height, width, channels)`.

    Raises:
        MissingFileError: if there is no such file.
        FileAccessError: if it cannot be read.
        FileFormatError: if it holds no image, or only a part of one.
        LimitExceededError: if it asks for more than `mx.limits` allows; formats other than JPEG,
            PNG, GIF, BMP, WebP and PNM need the limit `unchecked_image_bytes`.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import cv2
        >>> import mxnet as mx
        >>> import numpy as np
        >>> with TemporaryDirectory() as folder:
        ...     file = folder + "/black.png"
        ...     _ = cv2.imwrite(file, np.zeros((4, 6, 3), "uint8"))
        ...     print(mx.image.imread(file).shape, mx.image.imread(file, flag=0).shape)
        (4, 6, 3) (4, 6, 1)
    """
    options = _read_options("imread", args, kwargs)
    path = Path(os.fspath(filename) if isinstance(filename, os.PathLike) else str(filename))
    try:
        content = read_foreign(path)
    except FileNotFoundError:
        raise MissingFileError(f"imread: there is no file {str(path)!r}") from None
    except OSError as error:
        raise access_error("imread", path, error) from error
    return _decode(f"imread: {str(path)!r}", content, **options)


@public_call
def imdecode(buf: Any, *args: Any, **kwargs: Any) -> NDArray:
    """Decodes the content of an image file.

    Args:
        buf: The content: bytes, or an array of bytes.
        *args: `flag`, `to_rgb` and `out` in this order.
        **kwargs: `flag`: 0 for one channel of grey, 1 for three of colour (default).
            `to_rgb`: whether the channels are red, green, blue (default) or blue, green, red.
            `out`: array to put the image into.

    Returns:
        Array of bytes of shape `(height, width, channels)`.

    Raises:
        FileFormatError: if the content is no image, or only a part of one.
        LimitExceededError: if it asks for more than `mx.limits` allows; formats other than JPEG,
            PNG, GIF, BMP, WebP and PNM need the limit `unchecked_image_bytes`.

    Example:
        >>> import cv2
        >>> import mxnet as mx
        >>> import numpy as np
        >>> _, file = cv2.imencode(".png", np.zeros((4, 6, 3), "uint8"))
        >>> mx.image.imdecode(file.tobytes()).shape
        (4, 6, 3)
        >>> mx.image.imdecode(file.tobytes(), flag=0).shape
        (4, 6, 1)
    """
    options = _read_options("imdecode", args, kwargs)
    return _decode("imdecode", _as_bytes(buf), **options)


def _read_options(where: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Sorts the options of a call and parses those that may be strings."""
    names = (*OPTIONS, "out")
    if len(args) > len(names):
        raise AttributeValueError(f"{where}: takes {', '.join(names)}, got {len(args)} options")
    given = dict(zip(names, args, strict=False)) | dict(kwargs)
    unknown = sorted(given.keys() - set(names))
    if unknown:
        raise AttributeValueError(
            f"{where}: unknown option `{unknown[0]}`; takes {', '.join(names)}"
        )
    options = {
        name: attr.parse(given.get(name, attr.default), where) for name, attr in OPTIONS.items()
    }
    if options["flag"] < 0:
        raise AttributeValueError(f"{where}: `flag` takes 0 or 1, got {options['flag']}")
    return {**options, "out": given.get("out")}


def _as_bytes(buf: Any) -> bytes:
    if isinstance(buf, (bytes, bytearray)):
        return bytes(buf)
    if isinstance(buf, NDArray):
        buf = buf.asnumpy()
        if buf.dtype != np.uint8:
            raise UnsupportedTypeError(f"imdecode: expected an array of uint8, got {buf.dtype}")
    if isinstance(buf, np.ndarray):
        return np.ascontiguousarray(buf, np.uint8).tobytes()
    raise UnsuitableArgumentError(
        "imdecode: expected bytes, a bytearray or an array of uint8 with the content of a file, "
        f"got {type(buf).__name__}"
    )


def _decode(where: str, content: bytes, flag: int, to_rgb: bool, out: NDArray | None) -> NDArray:
    image = decode(where, content, flag, to_rgb)
    tensor = torch.from_numpy(image)
    if out is None:
        return make_array_of_data(tensor, cpu())
    if out.shape == image.shape and out.dtype == image.dtype:
        out._overwrite(where, tensor)
    else:  # the original, too, gives `out` the shape of the image
        device = out._plain.device
        out._begin(out._ctx)
        out._data = tensor.to(device)
    return out


def decode(where: str, content: bytes, flag: int = 1, to_rgb: bool = True) -> Bytes:
    """Decodes the content of an image file to an array `(height, width, channels)`.

    Args:
        where: What to begin messages with.
        content: Bytes of the file.
        flag: 0 for one channel of grey, otherwise three of colour.
        to_rgb: Whether the first channel is red, and not blue.
    """
    need_opencv(where)
    if not content:
        raise FileFormatError(f"{where}: expected an image, got no bytes")
    if is_cut_off(content):
        raise FileFormatError(f"{where}: the image is cut off after {len(content)} bytes")
    wanted = cv2.IMREAD_COLOR if flag else cv2.IMREAD_GRAYSCALE
    image = decode_with_opencv(where, content, wanted)
    if image is None:
        raise FileFormatError(
            f"{where}: expected a complete image of a known format, "
            f"got {len(content)} bytes that begin {content[:8]!r}"
        )
    if not flag:
        return np.asarray(image, np.uint8)[:, :, None]
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB) if to_rgb else image, np.uint8)


def is_cut_off(content: bytes) -> bool:
    """Returns whether a JPEG file lacks its end; decoders fill the rest with grey silently."""
    if not content.startswith(JPEG_START):
        return False
    position, size = 2, len(content)
    while position + 4 <= size and content[position] == 0xFF:
        marker = content[position + 1]
        position += 2 + content[position + 2] * 256 + content[position + 3]
        if marker == JPEG_SCAN:
            return content.rfind(JPEG_END, position) < 0
    return position > size


Key: TypeAlias = int | str
ImageList: TypeAlias = dict[Key, tuple[NDArray, str]]
"""Labels and files of images by their number."""

LABEL_DTYPES = ("int32", "float32", "int64", "float64")


def read_image_list(path: str | os.PathLike[str], dtype: Any) -> ImageList:
    """Reads a list file: lines of a number, labels and a file, separated by tabs."""
    entries: ImageList = {}
    for number, line in image_lists.read_lines(path):
        parts = line.strip().split("\t")
        if parts == [""]:
            continue
        try:
            key, *labels = int(parts[0]), *map(float, parts[1:-1])
        except ValueError:
            raise FileFormatError(
                f"{os.fspath(path)}, line {number}: expected a number, labels and a file, "
                f"separated by tabs, got {line.strip()[:60]!r}"
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
