"""Images of all formats that are walked through before they are decoded."""

from __future__ import annotations

import os
import random
import resource
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np

import mxnet as mx
from mxnet._formats import opencv
from mxnet._formats.opencv import cv2, decode_with_opencv
from tools.fuzzing.mutation import Format, Mutator

PIXELS = 1 << 18
"""Pixels that an image may have beyond its bytes, so that most are decoded in no time."""
SECONDS = 2.0
MEMORY = 1 << 27
"""What decoding of so few pixels may take."""

Part = tuple[bytes, bytes]
"""Kind and data of a part of a file."""


def _picture(width: int, height: int, channels: int = 3) -> np.ndarray:
    values = np.arange(width * height * channels, dtype=np.int64) * 37 % 251
    return values.reshape(height, width, channels).astype(np.uint8)


def _encode(extension: str, image: np.ndarray, *options: int) -> bytes:
    return cv2.imencode(extension, image, list(options))[1].tobytes()


@cache
def _seeds() -> dict[str, list[bytes]]:
    """Returns real images of each format, made once."""
    colour, grey, clear = _picture(24, 17), _picture(19, 16, 1), _picture(9, 8, 4)
    deep = colour.astype(np.uint16) * 257
    restarts = cv2.IMWRITE_JPEG_RST_INTERVAL
    bits = (grey[:, :, 0] > 99).astype(np.uint8) * 255
    return {
        "jpeg": [
            _encode(".jpg", colour),
            _encode(".jpg", grey),
            _encode(".jpg", colour, cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
            _encode(".jpg", colour, restarts, 1, cv2.IMWRITE_JPEG_OPTIMIZE, 1),
            _encode(".jpg", grey, cv2.IMWRITE_JPEG_PROGRESSIVE, 1, restarts, 2),
        ],
        "png": [
            *(_encode(".png", image) for image in (colour, grey, clear, deep)),
            _encode(".png", bits, cv2.IMWRITE_PNG_BILEVEL, 1),
            _animated_png(),
            _palette_png(),
        ],
        "gif": [_gif(0x87, b""), _gif(0xC7, b"\x21\xf9\x04\x01\0\0\1\0")],
        "webp": [
            _encode(".webp", colour, cv2.IMWRITE_WEBP_QUALITY, 50),
            _encode(".webp", clear, cv2.IMWRITE_WEBP_QUALITY, 50),
            _encode(".webp", clear, cv2.IMWRITE_WEBP_QUALITY, 101),
            _animated_webp(),
        ],
        "bmp": [*(_encode(".bmp", image) for image in (colour, grey, clear)), _packed_bmp()],
        "netpbm": [
            _encode(".ppm", colour),
            _encode(".pgm", grey),
            _encode(".ppm", deep),
            _encode(".pbm", bits),
            *(_encode(ending, image, cv2.IMWRITE_PXM_BINARY, 0)
              for ending, image in ((".ppm", colour), (".pgm", grey), (".pbm", bits))),
        ],
    }  # fmt: skip


def _gif(flags: int, extension: bytes) -> bytes:
    """Returns an image whose codes are bytes, with a table of colours of its own."""
    colours, pixels = bytes(range(256)) * 3, bytes(number % 128 for number in range(120))
    frame = b"," + struct.pack("<HHHHB", 1, 0, 12, 10, flags) + colours
    head = b"GIF89a" + struct.pack("<HHBBB", 13, 11, 0x80, 1, 0) + bytes(6)
    return head + extension + frame + b"\x07\x7a\x80" + pixels + b"\x81\0;"


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _palette_png() -> bytes:
    header = struct.pack(">IIBBBBB", 9, 7, 2, 3, 0, 0, 1)
    rows = zlib.compress(bytes(80))
    parts = [(b"IHDR", header), (b"PLTE", bytes(range(12))), (b"tRNS", b"\0\x80"), (b"IDAT", rows)]
    return _join_png([*parts, (b"IEND", b"")])


def _animated_png() -> bytes:
    parts = _split_png(_encode(".png", _picture(9, 8, 4)))
    (data,) = [data for kind, data in parts if kind == b"IDAT"]
    frame = struct.pack(">IIIIIHHBB", 0, 9, 8, 0, 0, 1, 10, 0, 1)
    second = struct.pack(">IIIIIHHBB", 1, 9, 8, 0, 0, 1, 10, 1, 0)
    return _join_png(
        [
            parts[0],
            (b"acTL", struct.pack(">II", 2, 0)),
            (b"fcTL", frame),
            (b"IDAT", data),
            (b"fcTL", second),
            (b"fdAT", struct.pack(">I", 2) + data),
            (b"IEND", b""),
        ]
    )


def _animated_webp() -> bytes:
    (picture,) = _split_webp(_encode(".webp", _picture(8, 8, 4), cv2.IMWRITE_WEBP_QUALITY, 101))[
        -1:
    ]
    frame = bytes(6) + b"\7\0\0\7\0\0\1\0\0\0" + _webp_chunk(*picture)
    head = b"\x12\0\0\0\7\0\0\7\0\0"
    return _join_webp([(b"VP8X", head), (b"ANIM", bytes(6)), (b"ANMF", frame), (b"ANMF", frame)])


def _packed_bmp() -> bytes:
    """Returns an image of eight rows of runs."""
    rows = b"\x08\x01\0\0" * 7 + b"\0\x04\1\2\3\4\0\2\1\1\0\1"
    head = struct.pack("<IiiHHIIiiII", 40, 8, 8, 1, 8, 1, len(rows), 0, 0, 4, 0)
    return b"BM" + struct.pack("<III", 70 + len(rows), 0, 70) + head + bytes(range(16)) + rows


def _split_png(content: bytes) -> list[Part]:
    parts, position = [], 8
    while position < len(content):
        (length,) = struct.unpack_from(">I", content, position)
        kind, start = content[position + 4 : position + 8], position + 8
        parts.append((kind, content[start : start + length]))
        position = start + length + 4
    return parts


def _join_png(parts: list[Part]) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _split_webp(content: bytes) -> list[Part]:
    parts, position = [], 12
    while position < len(content):
        (length,) = struct.unpack_from("<I", content, position + 4)
        start = position + 8
        parts.append((content[position : position + 4], content[start : start + length]))
        position = start + length + length % 2
    return parts


def _webp_chunk(kind: bytes, data: bytes) -> bytes:
    return kind + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)


def _join_webp(parts: list[Part]) -> bytes:
    body = b"WEBP" + b"".join(_webp_chunk(*part) for part in parts)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _split_jpeg(content: bytes) -> list[Part]:
    """Returns the segments by marker; what follows a scan's header belongs to it."""
    parts, position = [], 2
    while content[position + 1] != 0xD9:
        marker, size = content[position : position + 2], content[position + 2 : position + 4]
        end = position + 2 + int.from_bytes(size, "big")
        if marker == b"\xff\xda":
            while content[end] != 0xFF or content[end + 1] in (0, *range(0xD0, 0xD8)):
                end += 1
        parts.append((marker, content[position + 4 : end]))
        position = end
    return parts


def _join_jpeg(parts: list[Part]) -> bytes:
    pieces = []
    for marker, data in parts:
        size = len(data) + 2 if marker != b"\xff\xda" or not data else 6 + 2 * data[0]
        pieces.append(marker + struct.pack(">H", size & 0xFFFF) + data)
    return b"\xff\xd8" + b"".join(pieces) + b"\xff\xd9"


def _split_gif(content: bytes) -> list[Part]:
    """Returns the header and the blocks."""
    end = 13 + (3 << (content[10] & 7) + 1 if content[10] & 0x80 else 0)
    parts, position = [(b"GIF89a", content[6:end])], end
    while content[position] != 0x3B:
        start, kind = position, content[position : position + 1]
        if kind == b"\x21":
            position += 2
        else:
            flags = content[position + 9]
            position += 11 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
        while content[position]:
            position += content[position] + 1
        position += 1
        parts.append((kind, content[start + 1 : position]))
    return parts


def _join_gif(parts: list[Part]) -> bytes:
    return b"".join(kind + data for kind, data in parts) + b";"


def _split_bmp(content: bytes) -> list[Part]:
    return [(content[:2], content[2:54]), (b"", content[54:])]


def _split_netpbm(content: bytes) -> list[Part]:
    """Returns the tokens of the header, and the pixels."""
    count = 3 if content[:2] in (b"P1", b"P4") else 4
    *tokens, pixels = content.split(None, count)
    return [(tokens[0], b"\n"), *((b"", token + b"\n") for token in tokens[1:]), (b"", pixels)]


def _join_whole(parts: list[Part]) -> bytes:
    return b"".join(kind + data for kind, data in parts)


SPLITTERS: dict[str, tuple[Callable[[bytes], list[Part]], Callable[[list[Part]], bytes]]] = {
    "jpeg": (_split_jpeg, _join_jpeg),
    "png": (_split_png, _join_png),
    "gif": (_split_gif, _join_gif),
    "webp": (_split_webp, _join_webp),
    "bmp": (_split_bmp, _join_whole),
    "netpbm": (_split_netpbm, _join_whole),
}
DECOYS: dict[str, list[Part]] = {
    "jpeg": [
        (b"\xff\xe1", b"Exif\0\0II*\0\x08\0\0\0\2\0" + struct.pack("<HHII", 0x10E, 2, 60, 8) * 2),
        (b"\xff\xfe", b"\xff\xd8\xff\xc0\x00\x0b\x08\x40\x00\x40\x00\x01\x01\x11\x00"),
        (b"\xff\xdd", b"\0\1"), (b"\xff\xc0", b"\x08\x02\0\x02\0\x01\x01\x11\0"),
        (b"\xff\xd0", b""), (b"\xff\xc8", b""),
        (b"\xff\x01", b""), (b"\xff\xff", b""), (b"\xff\x02", b""), (b"\xff\xdc", b"\x7f\xff"),
        (b"\xff\xda", b"\x01\x01\x00\x00\x3f\x00"), (b"junk", b"\xff\x00"), (b"\xff\xd8", b""),
    ],
    "png": [
        (b"zTXt", b"a\0\0" + zlib.compress(bytes(1 << 16))), (b"tEXt", b"a\0b"),
        (b"iTXt", b"a\0\1\0\0\0" + zlib.compress(bytes(1 << 16))), (b"iCCP", b"a\0\0x"),
        (b"eXIf", b"MM\0*\0\0\0\x08\xff\xff" + bytes(60)), (b"PLTE", bytes(768)),
        (b"IHDR", struct.pack(">IIBBBBB", 300, 300, 8, 6, 0, 0, 1)), (b"IDAT", b""),
        (b"acTL", struct.pack(">II", 3, 0)), (b"IEND", b""), (b"CgBI", b""), (b"a1b2", b"x"),
        (b"fcTL", struct.pack(">IIIIIHHBB", 0, 5, 5, 1, 1, 1, 1, 2, 1)), (b"bKGD", b"\0\1"),
        (b"fdAT", struct.pack(">I", 2) + zlib.compress(bytes(1 << 16))),
        (b"sPLT", b"a\0\x08" + bytes(60)),
    ],
    "gif": [
        (b"\x21", b"\xf9\x04\x05\0\0\1\0"), (b"\x21", b"\xff\x0bNETSCAPE2.0\x03\1\0\0\0"),
        (b"\x21", b"\xff\x03\1\0\0\0"), (b"\x21", b"\xfe\x00"), (b"\x3b", b""),
        (b"\x2c", struct.pack("<HHHHB", 0, 0, 99, 99, 0x87)),
        (b"\x2c", b"\0" * 8 + b"\x02\2\x44\x51\0"),
    ],
    "webp": [
        (b"VP8X", b"\x02\0\0\0\xff\x01\0\xff\x01\0"),
        (b"EXIF", b"II*\0\x08\0\0\0\xff\xff" + bytes(99)),
        (b"ALPH", b"\1" + bytes(9)), (b"VP8L", b"\x2f\xff\xc1\x7f\x10" + bytes(9)), (b"junk", b"x"),
        (b"ANMF", bytes(16)), (b"VP8 ", b"\x10\0\0\x9d\x01\x2a\xff\1\xff\1" + bytes(30)),
    ],
    "bmp": [(b"BM", bytes(60))],
    "netpbm": [(b"# ", b"4 4\n"), (b"\v9", b"\f9 "), (b" 0", b"0012 ")],
}  # fmt: skip


def _damage_part(mutator: Mutator, part: Part) -> Part:
    """Changes a number at the beginning of a part, where headers have theirs."""
    kind, data = part
    if not data or not mutator.strikes():
        return part
    if not kind and data[:-1].isdigit():
        end = mutator.rng.choice(
            [b" ", b"\t", b"\v", b"\f", b"\r", b"\n", b"#", b"", b" #5\r", b"\0"]
        )
        return kind, b"%d" % mutator.number(int(data), 33) + end
    width = mutator.rng.choice([1, 1, 2, 4])
    place = mutator.rng.randrange(min(len(data), 64))
    order = mutator.rng.choice(["little", "big"])
    value = int.from_bytes(data[place : place + width], order)
    changed = mutator.number(value, 8 * width).to_bytes(width, order)
    return kind, data[:place] + changed + data[place + width :]


def _shuffle(mutator: Mutator, parts: list[Part], decoys: list[Part]) -> list[Part]:
    """Leaves out, repeats, moves and adds parts."""
    rng = mutator.rng
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        place = rng.randrange(1, len(parts) + 1)
        match rng.randrange(4):
            case 0 if len(parts) > 1:
                del parts[place - 1]
            case 1:
                parts.insert(place, rng.choice(parts))
            case 2:
                parts.insert(place - 1, parts.pop(rng.randrange(len(parts))))
            case _:
                parts[place:place] = [rng.choice(decoys)] * rng.choice([1, 1, 1, 2, 50])
    return parts


def make_image(rng: random.Random) -> bytes:
    """Makes an image of a few pixels with wrong fields."""
    mutator = Mutator(rng, rng.choice([0.02, 0.1, 0.3]))
    kind = rng.choice(list(SPLITTERS))
    split, join = SPLITTERS[kind]
    parts = _shuffle(mutator, split(rng.choice(_seeds()[kind])), DECOYS[kind])
    return mutator.damage(join([_damage_part(mutator, part) for part in parts]))


@contextmanager
def _silent() -> Iterator[None]:
    """Keeps away what the libraries print about damaged images."""
    before, sink = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)
        os.close(sink)


def use_image(path: Path) -> None:
    """Reads an image, and compares what the walk told with what the decoder made and took."""
    content = path.read_bytes()
    start = time.process_time()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with mx.limits.scope(image_pixels=PIXELS), _silent():
        try:
            mx.image.imread(str(path))
        finally:
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
            _check("s", time.process_time() - start, SECONDS)
            _check("bytes", grown, MEMORY)
        image = decode_with_opencv(str(path), content, cv2.IMREAD_UNCHANGED)
        structure = opencv.walk(content)
    if image is not None:
        height, width = image.shape[:2]
        if (width, height) != (structure.width, structure.height):
            raise AssertionError(f"{width} x {height} decoded, {structure} walked through")


def _check(unit: str, amount: float, limit: float) -> None:
    if amount > limit:
        raise AssertionError(f"takes {amount} {unit} for a small image")


IMAGES = Format("images", ".image", make_image, use_image)
