"""Sizes that image files declare."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet._formats.image_headers import check_image, declared_size
from mxnet.errors import LimitExceededError
from tests.security.attacks.images_and_archives import IMAGES

cv2 = pytest.importorskip("cv2")

WRITTEN = (".png", ".jpg", ".bmp", ".webp", ".tiff", ".pgm", ".ppm", ".pbm", ".pfm", ".hdr", ".ras",
           ".jp2", ".gif", ".avif", ".pam")  # fmt: skip


def written(extension: str, width: int, height: int) -> bytes:
    """Returns an image as OpenCV writes it."""
    shape = (height, width) if extension in (".pgm", ".pbm", ".pfm") else (height, width, 3)
    dtype = np.float32 if extension in (".pfm", ".hdr") else np.uint8
    if not cv2.haveImageWriter(f"a{extension}"):
        pytest.skip(f"this OpenCV does not write {extension}")
    done, content = cv2.imencode(extension, np.zeros(shape, dtype))
    assert done
    return content.tobytes()


@pytest.mark.parametrize("extension", WRITTEN)
def test_declared_size_is_the_decoded_one(extension):
    content = written(extension, 48, 32)
    assert declared_size(memoryview(content)) == (48, 32)


@pytest.mark.parametrize("quality", [50, 101])
def test_both_forms_of_webp(quality):
    _, content = cv2.imencode(".webp", np.zeros((32, 48, 3), np.uint8), [64, quality])
    assert declared_size(memoryview(content.tobytes())) == (48, 32)


def test_progressive_jpeg_with_comments():
    options = [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
    _, content = cv2.imencode(".jpg", np.zeros((32, 48, 3), np.uint8), options)
    data = content.tobytes()
    commented = data[:2] + b"\xff\xfe\x00\x06abcd" * 50 + data[2:]
    assert declared_size(memoryview(commented)) == (48, 32)


@pytest.mark.parametrize("name", [label for label, _ in IMAGES])
def test_cut_headers_have_no_size_or_one(name):
    content = dict(IMAGES)[name]
    for length in range(min(len(content), 80)):
        found = declared_size(memoryview(content[:length]))
        assert found is None or len(found) == 2


def test_what_is_no_image_has_no_size():
    for content in (b"", b"text", bytes(100), b"\x89PNG", b"BM", b"P5 x y"):
        assert declared_size(memoryview(content)) is None


def test_pixels_up_to_the_size_of_the_file_are_free():
    content = written(".bmp", 48, 32)
    with mx.limits.scope(image_pixels=0):
        check_image("a.bmp", content)
        with pytest.raises(LimitExceededError, match=r"a.png: an image of 48 x 32"):
            check_image("a.png", written(".png", 48, 32))


def test_limit_can_be_raised():
    content = written(".png", 48, 32)
    with mx.limits.scope(image_pixels=10), pytest.raises(LimitExceededError, match="image_pixels"):
        mx.image.imdecode(content)
    assert mx.image.imdecode(content).shape == (32, 48, 3)
