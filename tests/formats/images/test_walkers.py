"""What walkers count: scans, codes, packed texts, entries of metadata."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest

import mxnet as mx
from mxnet._formats.images import gif as gif_module
from mxnet._formats.images import png as png_module
from mxnet._formats.images.structure import DamagedImageError, check_exif
from mxnet._formats.opencv import walk
from tests.security.attacks.image_files import (
    TABLES,
    animation_frame,
    canvas,
    exif,
    frame,
    gif,
    lossless,
    lossy,
    many_scans,
    one_pixel,
    png_header,
    riff,
    scan,
    segment,
)
from tests.security.attacks.images_and_archives import chunk

cv2 = pytest.importorskip("cv2")


def test_scans_are_counted_where_they_may_be_too_many():
    with mx.limits.scope(image_pixels=1 << 20):
        assert walk(many_scans(319)).work == 2000 * 2000 * 5
        assert walk(many_scans(1599)).note == ", gone through 1,600 times"


def test_marks_within_segments_are_no_scans():
    preview = segment(0xE1, scan() * 900)
    content = many_scans(60).replace(TABLES, TABLES + preview, 1)
    with mx.limits.scope(image_pixels=1):
        assert walk(content).work == 2000 * 2000
        assert walk(many_scans(127, preview)).work == 2000 * 2000 * 2


def test_first_scan_of_all_components_is_the_only_one():
    content = b"\xff\xd8" + TABLES + frame(2000, 2000, 0xC0, 3) + scan(components=3) * 9000
    assert walk(content).work == 2000 * 2000


def test_real_progressive_images_are_cheap():
    options = [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
    content = cv2.imencode(".jpg", np.zeros((300, 400, 3), np.uint8), options)[1].tobytes()
    with mx.limits.scope(image_pixels=1):
        assert walk(content).work == 300 * 400


def pack_codes(codes: list[tuple[int, int]]) -> bytes:
    """Joins codes of some bits, the first lowest."""
    value = position = 0
    for code, bits in codes:
        value |= code << position
        position += bits
    return value.to_bytes((position + 7) // 8, "little")


def coded(runs: list[int], size: int) -> bytes:
    """Returns data in which the table is cleared after each run of pixels."""
    codes = []
    for run in runs:
        table, width = (1 << size) + 1, size + 1
        for _ in range(run):
            codes.append((1, width))
            table = min(table + 1, 4096)
            width = min(width + (table == 1 << width), 12)
        codes.append((1 << size, width))
    return pack_codes(codes)


@pytest.mark.parametrize("size", [2, 4, 8, 11])
@pytest.mark.parametrize(
    "runs", [[0] * 9, [1, 2, 3], [700, 5, 300], [5000, 100, 9000], [30_000, 3], [63, 64, 65]]
)
def test_clears_are_counted(runs, size):
    assert gif_module.count_clears(coded(runs, size), size, 10**6) == len(runs)


def test_counting_ends_at_the_limit():
    assert gif_module.count_clears(coded([1] * 50, 4), 4, 10) == 11


def test_large_real_gif_passes():
    noise = np.random.default_rng(0).integers(0, 255, (900, 900, 3)).astype(np.uint8)
    file = io.BytesIO()
    pytest.importorskip("PIL.Image").fromarray(noise).save(file, "GIF")
    content = file.getvalue()
    assert len(content) * 8 // 9 > gif_module._FREE_CODES
    assert walk(content).work == 900 * 900


def test_uncompressed_gif_passes():
    rows = coded([126], 7) * 4000  # whole bytes: 127 codes of 8 bits
    assert walk(gif(126, 4000, 7, rows)).work == 126 * 4000


def test_image_data_unpack_to_what_the_image_needs(monkeypatch):
    monkeypatch.setattr(png_module, "_FREE_IMAGE_BYTES", 1000)
    monkeypatch.setattr(png_module, "_SLICE", 100)
    noise = np.random.default_rng(0).integers(0, 255, 200 * 201).astype(np.uint8)
    rows = noise.reshape(200, 201)
    rows[:, 0] = 0
    data = zlib.compress(rows.tobytes())
    whole = png_header(200, 200) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    assert walk(whole).work == 200 * 200
    parts = [chunk(b"IDAT", data[at : at + 77]) for at in range(0, len(data), 77)]
    assert walk(png_header(200, 200) + b"".join(parts) + chunk(b"IEND", b"")).work == 200 * 200
    more = zlib.compress(rows.tobytes() + bytes(10**7))
    with pytest.raises(DamagedImageError, match="unpack to more than the 40,200 bytes"):
        walk(png_header(200, 200) + chunk(b"IDAT", more) + chunk(b"IEND", b""))


def test_texts_that_are_not_packed_are_free():
    text = chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + bytes(100_000))
    assert walk(one_pixel(text * 20)).work == 1
    assert walk(one_pixel(chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(99))) * 99)).work == 1
    with pytest.raises(DamagedImageError, match="packed texts"):
        walk(one_pixel(text.replace(b"xmp\0\0", b"xmp\0\1") * 20))


def test_metadata_of_a_camera_pass():
    check_exif(exif(60_000, 4000), 0, 60_000)
    check_exif(exif(1 << 20, 60), 0, 1 << 20)
    with pytest.raises(DamagedImageError, match="with 4,000 entries"):
        check_exif(exif(1 << 20, 4000), 0, 1 << 20)
    check_exif(b"junk" * 50_000, 0, 200_000)


def test_webp_frames_fit_their_canvas():
    whole = riff(canvas(2, 16, 16), animation_frame(4, 8, lossless(8, 8)))
    assert walk(whole).work == 16 * 16 * 3
    for wrong in (animation_frame(5, 8, lossless(8, 8)), animation_frame(0, 8, lossy(9, 8))):
        with pytest.raises(DamagedImageError, match=r"frame of 8 x 8|picture of"):
            walk(riff(canvas(2, 16, 16), wrong))


def test_bmp_rows_must_be_there():
    content = cv2.imencode(".bmp", np.zeros((5, 5, 3), np.uint8))[1].tobytes()
    assert walk(content).work == 25
    with pytest.raises(DamagedImageError, match="5 rows of 16 bytes expected, got 79"):
        walk(content[:-1])
    upside_down = content[:22] + struct.pack("<i", -5) + content[26:]
    assert walk(upside_down)[:2] == (5, 5)


@pytest.mark.parametrize(
    ("header", "size"),
    [
        (b"P5 3 2 255 ", (3, 2)),
        (b"P5 3#2#255 ", (3, 2)),
        (b"P5 3 #2 255 ", None),
        (b"P5\n#x\r#y\n3\v2\f255\n", (3, 2)),
        (b"P5 0003 000002 0255 ", (3, 2)),
        (b"P5 3 2 70000 ", None),
        (b"P5 3 -2 255 ", None),
        (b"P5 0 2 255 ", None),
        (b"P5 3 2 255", None),
    ],
)
def test_netpbm_headers_are_read_as_opencv_does(header, size, capfd):
    content = header + (bytes(6) if size else b"")
    decoded = cv2.imdecode(np.frombuffer(content.ljust(4), np.uint8), -1)
    capfd.readouterr()
    if size is None:
        assert decoded is None
        with pytest.raises(DamagedImageError):
            walk(content)
    else:
        assert decoded.shape == walk(content)[1::-1] == size[::-1]
