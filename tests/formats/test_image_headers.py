"""Images are walked through as the decoder goes, and reach it through one door."""

from __future__ import annotations

import ast
import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet._formats.images import unchecked
from mxnet._formats.images.structure import DamagedImageError
from mxnet._formats.opencv import check_image, decode_with_opencv, walk
from mxnet.errors import FileFormatError, LimitExceededError
from tests.security.attacks.images_and_archives import IMAGES, chunk

cv2 = pytest.importorskip("cv2")
pil = pytest.importorskip("PIL.Image")

OPENCV = tuple(int(part) for part in cv2.__version__.split(".")[:2])
SRC = Path(__file__).parents[2] / "src"
WIDTH, HEIGHT = 50, 37
FLAGS = (cv2.IMREAD_UNCHANGED, cv2.IMREAD_COLOR, cv2.IMREAD_GRAYSCALE)


def pixels(channels: int = 3, dtype: str = "uint8") -> np.ndarray:
    rows, columns, planes = np.ogrid[:HEIGHT, :WIDTH, :channels]
    values = (rows * 5 + columns * 3 + planes * 60) % 251
    return (values * (257 if dtype == "uint16" else 1)).astype(dtype).squeeze()


def by_opencv(extension: str, image: np.ndarray, *options: int) -> bytes:
    done, content = cv2.imencode(extension, image, list(options))
    assert done
    return content.tobytes()


def by_pillow(kind: str, mode: str, **options: object) -> bytes:
    picture = pil.fromarray(pixels()).convert(mode)
    content = io.BytesIO()
    picture.save(content, kind, **options)
    return content.getvalue()


def frames() -> dict[str, object]:
    return {"save_all": True, "append_images": [pil.fromarray(pixels()[::-1])], "duration": 10}


def png(header: bytes, rows: bytes, *chunks: bytes) -> bytes:
    parts = [chunk(b"IHDR", header), *chunks, chunk(b"IDAT", zlib.compress(rows))]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + chunk(b"IEND", b"")


def interlaced() -> bytes:
    image, rows = pixels(), b""
    for left, top, across, down in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4),
                                    (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)):  # fmt: skip
        rows += b"".join(b"\0" + row.tobytes() for row in image[top::down, left::across])
    return png(struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 1), rows)


def packed_bmp() -> bytes:
    """Returns rows of runs, of bytes as they are, and a step over some pixels."""
    rows = (bytes([WIDTH, 1]) + b"\0\0") * (HEIGHT - 1) + b"\0\x04\1\2\3\0" + b"\0\2\1\0" + b"\0\1"
    head = struct.pack("<IiiHHIIiiII", 40, WIDTH, HEIGHT, 1, 8, 1, len(rows), 0, 0, 4, 0)
    return b"BM" + struct.pack("<III", 70 + len(rows), 0, 70) + head + bytes(range(16)) + rows


def with_segment(content: bytes, kind: int, data: bytes) -> bytes:
    return content[:2] + bytes([0xFF, kind]) + struct.pack(">H", len(data) + 2) + data + content[2:]


JPEG = by_opencv(".jpg", pixels())
TEXTS = (chunk(b"tEXt", b"a\0b"), chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(9999))))
ORIENTED = b"Exif\0\0II*\0\x08\0\0\0\1\0" + struct.pack("<HHII", 0x112, 3, 1, 6) + bytes(4)

WRITTEN: dict[str, Callable[[], bytes]] = {
    "jpeg": lambda: JPEG,
    "jpeg-grey": lambda: by_opencv(".jpg", pixels(1)),
    "jpeg-progressive": lambda: by_opencv(".jpg", pixels(), cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
    "jpeg-restarts": lambda: by_opencv(".jpg", pixels(), cv2.IMWRITE_JPEG_RST_INTERVAL, 1),
    "jpeg-optimized": lambda: by_pillow("JPEG", "RGB", optimize=True, subsampling=0, quality=99),
    "jpeg-subsampled": lambda: by_pillow("JPEG", "RGB", subsampling=2, progressive=True),
    "jpeg-cmyk": lambda: by_pillow("JPEG", "CMYK"),
    "jpeg-cmyk-progressive": lambda: by_pillow("JPEG", "CMYK", progressive=True),
    "jpeg-turned": lambda: with_segment(JPEG, 0xE1, ORIENTED),
    "jpeg-preview": lambda: with_segment(JPEG, 0xE2, JPEG),
    "jpeg-many-comments": lambda: with_segment(JPEG, 0xFE, b"\xff\xc0" * 99),
    "jpeg-odd-segments": lambda: with_segment(with_segment(JPEG, 0xEB, b""), 0xDC, b"\0\0"),
    "jpeg-bytes-between": lambda: JPEG[:20] + b"junk\xff\x00" + JPEG[20:],
    "jpeg-bytes-after": lambda: JPEG + JPEG + b"junk",
    "jpeg-cut-with-end": lambda: JPEG[: len(JPEG) - 300] + b"\xff\xd9",
    "jpeg-damaged": lambda: JPEG[:-300] + b"\xff\x3c" + JPEG[-300:],
    "png": lambda: by_opencv(".png", pixels()),
    "png-grey": lambda: by_opencv(".png", pixels(1)),
    "png-alpha": lambda: by_opencv(".png", pixels(4)),
    "png-16-bits": lambda: by_opencv(".png", pixels(3, "uint16")),
    "png-16-bits-alpha": lambda: by_opencv(".png", pixels(4, "uint16")),
    "png-1-bit": lambda: by_pillow("PNG", "1"),
    "png-palette": lambda: by_pillow("PNG", "P"),
    "png-grey-alpha": lambda: by_pillow("PNG", "LA"),
    "png-transparent": lambda: by_pillow("PNG", "RGB", transparency=(3, 3, 3)),
    "png-interlaced": interlaced,
    "png-texts": lambda: png(
        struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0), b"\0\1\2\0\3\4", *TEXTS),
    "png-bytes-after": lambda: by_opencv(".png", pixels()) + b"junk",
    "gif": lambda: by_pillow("GIF", "P"),
    "gif-grey": lambda: by_pillow("GIF", "L"),
    "gif-flat": lambda: by_pillow("GIF", "RGB", interlace=False, comment=b"c" * 300),
    "gif-animated": lambda: by_pillow("GIF", "RGB", **frames()),
    "webp": lambda: by_opencv(".webp", pixels(), cv2.IMWRITE_WEBP_QUALITY, 50),
    "webp-lossless": lambda: by_opencv(".webp", pixels(), cv2.IMWRITE_WEBP_QUALITY, 101),
    "webp-alpha": lambda: by_opencv(".webp", pixels(4), cv2.IMWRITE_WEBP_QUALITY, 50),
    "webp-exif": lambda: by_pillow("WEBP", "RGB", exif=ORIENTED),
    "webp-animated": lambda: by_pillow("WEBP", "RGB", **frames()),
    "bmp": lambda: by_opencv(".bmp", pixels()),
    "bmp-grey": lambda: by_opencv(".bmp", pixels(1)),
    "bmp-alpha": lambda: by_opencv(".bmp", pixels(4)),
    "bmp-1-bit": lambda: by_pillow("BMP", "1"),
    "bmp-palette": lambda: by_pillow("BMP", "P"),
    "bmp-runs": packed_bmp,
    "pbm": lambda: by_pillow("PPM", "1"),
    "pgm": lambda: by_opencv(".pgm", pixels(1)),
    "ppm": lambda: by_opencv(".ppm", pixels()),
    "ppm-16-bits": lambda: by_opencv(".ppm", pixels(3, "uint16")),
    "pbm-text": lambda: by_opencv(".pbm", pixels(1), cv2.IMWRITE_PXM_BINARY, 0),
    "pgm-text": lambda: by_opencv(".pgm", pixels(1), cv2.IMWRITE_PXM_BINARY, 0),
    "ppm-text": lambda: by_opencv(".ppm", pixels(), cv2.IMWRITE_PXM_BINARY, 0),
    "pgm-comments": lambda: b"P5\v# 9 9\r3 \f# 7\n#\n\t2\r255\n" + bytes(range(6)),
}  # fmt: skip


@pytest.mark.parametrize("name", list(WRITTEN))
@pytest.mark.usefixtures("capfd")
def test_images_pass_unchanged(name):
    if name.startswith(("gif", "webp-animated")) and OPENCV < (4, 12):
        pytest.skip("this OpenCV knows neither GIF nor animations")
    content = WRITTEN[name]()
    structure = walk(content)
    for flag in FLAGS:
        expected = cv2.imdecode(np.frombuffer(content, np.uint8), flag)
        assert expected is not None
        np.testing.assert_array_equal(decode_with_opencv(name, content, flag), expected)
    height, width = cv2.imdecode(np.frombuffer(content, np.uint8), -1).shape[:2]
    assert (structure.width, structure.height) == (width, height)
    assert structure.work == width * height * (3 if name == "webp-animated" else 1)


def test_animated_png_is_decoded_to_its_still_image():
    still = by_opencv(".png", pixels())
    animated = by_pillow("PNG", "RGB", **frames(), default_image=True)
    assert b"acTL" in animated
    expected = cv2.cvtColor(pixels(), cv2.COLOR_RGB2BGR)
    np.testing.assert_array_equal(decode_with_opencv("a", animated, 1), expected)
    assert b"acTL" not in check_image("a", animated)
    assert check_image("a", still) is still


@pytest.mark.parametrize("name", [name for name in WRITTEN if "after" not in name])
@pytest.mark.usefixtures("capfd")
def test_every_beginning_of_an_image_is_refused_or_decoded(name):
    content = WRITTEN[name]()
    for length in range(0, len(content), len(content) // 40 + 1):
        try:
            image = decode_with_opencv("a.img", content[:length], 1)
        except FileFormatError as error:
            assert str(error).startswith("a.img: byte ")
        else:
            assert image is None or image.ndim == 3


@pytest.mark.parametrize("name", [label for label, _ in IMAGES])
def test_cut_headers_are_damaged(name):
    content = dict(IMAGES)[name]
    for length in range(min(len(content), 80)):
        try:
            structure = walk(content[:length])
        except DamagedImageError as error:
            assert error.offset <= len(content)
        else:
            assert structure is None or structure.work > 0


def test_what_is_no_image_gets_to_no_decoder(monkeypatch):
    monkeypatch.setattr(cv2, "imdecode", None)
    for content in (b"", b"text", bytes(100), b"\x89PNG", b"B", b"GIF90a", b"\x2f" + bytes(40)):
        assert decode_with_opencv("a", content, 1) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (by_opencv(".png", pixels())[:200], r"a: byte 33: cut off in chunk b'IDAT' of 3"),
        (b"P5 x y", "a: byte 3: a number expected, got b'x y'"),
        (b"BM" + bytes(60), "a: byte 14: a header of 0 bytes"),
        (JPEG[:2] + b"\xff\x02" + JPEG[2:], "a: byte 4: an image expected, got marker 0x02"),
        (b"RIFF\x90\0\0\0WEBP" + bytes(20), "a: byte 4: cut off, 152 bytes expected, got 32"),
        (b"GIF89a\1\0\1\0\0\0\0?", "a: byte 13: a block expected, got 0x3f"),
    ],
)
def test_messages_name_the_place(content, message):
    with pytest.raises(FileFormatError, match=message):
        check_image("a", content)


def test_pixels_up_to_the_size_of_the_file_are_free():
    with mx.limits.scope(image_pixels=0):
        check_image("a.bmp", by_opencv(".bmp", pixels()))
        with pytest.raises(LimitExceededError, match=r"a.png: an image of 50 x 37"):
            check_image("a.png", by_opencv(".png", np.zeros((37, 50, 3), np.uint8)))


def test_limit_can_be_raised():
    content = by_opencv(".png", np.zeros((37, 50, 3), np.uint8))
    with mx.limits.scope(image_pixels=10), pytest.raises(LimitExceededError, match="image_pixels"):
        mx.image.imdecode(content)
    assert mx.image.imdecode(content).shape == (37, 50, 3)


UNCHECKED = {".tiff": 3, ".jp2": 3, ".hdr": 3, ".ras": 3, ".pam": 3, ".pfm": 1, ".avif": 3}


def by_opencv_unchecked(extension: str) -> bytes:
    if not cv2.haveImageWriter(f"a{extension}"):
        pytest.skip(f"this OpenCV does not write {extension}")
    image = pixels(UNCHECKED[extension])
    return by_opencv(extension, image.astype("f4") if extension in (".hdr", ".pfm") else image)


@pytest.mark.parametrize("extension", UNCHECKED)
def test_formats_that_cannot_be_checked_are_decoded_on_demand(extension):
    content = by_opencv_unchecked(extension)
    with pytest.raises(LimitExceededError, match=r"not checked before .*unchecked_image_bytes"):
        mx.image.imdecode(content)
    with mx.limits.scope(unchecked_image_bytes=len(content)):
        assert mx.image.imdecode(content).shape == (HEIGHT, WIDTH, 3)
        with pytest.raises(LimitExceededError, match="unchecked_image_bytes"):
            mx.image.imdecode(content + b"\0")


def retyped_tiff() -> bytes:
    """Returns an image whose sizes are signed numbers."""
    content = by_opencv(".tiff", pixels())
    for tag in (256, 257):
        entry = content.index(struct.pack("<HHI", tag, 3, 1), 8)
        content = content[: entry + 2] + struct.pack("<H", 8) + content[entry + 4 :]
    return content


DISGUISED: dict[str, Callable[[], bytes]] = {
    ".tiff": retyped_tiff,
    ".hdr": lambda: by_opencv_unchecked(".hdr").replace(b"\n", b"\n-Y 4 +X 4\n", 1),
    ".jp2": lambda: by_opencv_unchecked(".jp2").replace(
        b"\0\0\0\x14ftyp", b"\0\0\0\x20free\xff\x4f\xff\x51" + bytes(20) + b"\0\0\0\x14ftyp", 1),
    ".pam": lambda: by_opencv_unchecked(".pam").replace(b"\nWIDTH", b"\nWIDTH 4\nHEIGHT 4\nWIDTH"),
}  # fmt: skip


@pytest.mark.parametrize("extension", UNCHECKED)
def test_size_is_read_where_the_format_is_allowed(extension):
    content = DISGUISED.get(extension, lambda: by_opencv_unchecked(extension))()
    (found,) = [form for form in unchecked.FORMATS if form.start.match(content)]
    assert found.read_size(content) == (WIDTH, HEIGHT)


def test_pixels_are_counted_where_the_format_is_allowed():
    content = by_opencv(".jp2", np.zeros((200, 300, 3), np.uint8))
    with (
        mx.limits.scope(unchecked_image_bytes=1 << 20, image_pixels=9),
        pytest.raises(LimitExceededError, match=r"300 x 200.*image_pixels"),
    ):
        check_image("a", content)


DECODERS = {"imdecode", "imdecodemulti", "imdecodeanimation", "imread", "imreadmulti"}
DECODERS |= {"imreadanimation", "imcount", "VideoCapture"}
LIBRARIES = {"PIL", "imageio", "skimage", "torchvision", "matplotlib"}


def calls_of_decoders(tree: ast.AST) -> list[int]:
    """Returns the lines that name a decoder of OpenCV, or import a library with another."""
    lines = []
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name("cv2") | ast.Attribute(attr="cv2"), attr=name):
                lines += [node.lineno] if name in DECODERS else []
            case ast.ImportFrom(module=str(module)):
                wrong = module.split(".")[0] in LIBRARIES | {"cv2"}
                lines += [node.lineno] if wrong else []
            case ast.Import(names=names):
                wrong = any(alias.name.split(".")[0] in LIBRARIES for alias in names)
                lines += [node.lineno] if wrong else []
    return lines


def test_decoders_are_called_in_one_place():
    found = {
        str(path.relative_to(SRC)): calls_of_decoders(ast.parse(path.read_text("utf-8")))
        for path in SRC.rglob("*.py")
    }
    assert [name for name, lines in found.items() if lines] == ["mxnet/_formats/opencv.py"]


def test_other_calls_of_decoders_would_be_seen():
    for line in ("cv2.imread(path)", "opencv.cv2.imdecode(a, 1)", "from cv2 import imread",
                 "from PIL import Image", "import imageio.v3"):  # fmt: skip
        assert calls_of_decoders(ast.parse(line)) == [1]
    assert calls_of_decoders(ast.parse("image.imread(path); cv2.resize(a, b)")) == []
