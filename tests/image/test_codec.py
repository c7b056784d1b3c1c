"""Mistakes in reading images, and what is accepted."""

from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet._formats import opencv
from mxnet.errors import FileFormatError, MissingLibraryError, UnsuitableArgumentError
from mxnet.image import _codec

PICTURES = Path(__file__).resolve().parents[1] / "golden" / "image"


@pytest.mark.parametrize("name", ["photo.jpg", "turned.jpg", "grey.jpg", "photo.png", "alpha.png"])
@pytest.mark.parametrize("part", [0.3, 0.6, 0.95])
def test_cut_off_image_is_an_error(name, part, capfd):
    content = (PICTURES / name).read_bytes()
    with pytest.raises(FileFormatError, match=r"cut off|complete image"):
        mx.image.imdecode(content[: int(len(content) * part)])
    capfd.readouterr()  # what OpenCV writes to the terminal


def test_cut_off_jpeg_is_named_so():
    content = (PICTURES / "photo.jpg").read_bytes()
    with pytest.raises(FileFormatError, match=f"cut off after {len(content) - 2} bytes"):
        mx.image.imdecode(content[:-2])


def test_bytes_after_the_end_of_a_jpeg_do_no_harm():
    content = (PICTURES / "photo.jpg").read_bytes()
    assert mx.image.imdecode(content + b"\0\0rest").shape == (36, 48, 3)


def test_end_of_an_embedded_preview_is_not_the_end():
    content = (PICTURES / "photo.jpg").read_bytes()
    preview = b"\xff\xe1\x00\x08\xff\xd8\xff\xd9\0\0"
    whole = content[:2] + preview + content[2:]
    assert mx.image.imdecode(whole).shape == (36, 48, 3)
    assert _codec.is_cut_off(whole[:-40])


@pytest.mark.parametrize(
    "content", [b"", b"not an image", b"\xff\xd8", b"\xff\xd8\xff\xe0\xff\xff"]
)
def test_what_is_no_image_is_an_error(content):
    with pytest.raises(FileFormatError):
        mx.image.imdecode(content)


@pytest.mark.parametrize("buffer", ["text", None, 5, [1, 2, 3], memoryview(b"bytes")])
def test_what_holds_no_bytes_is_a_mistake(buffer):
    with pytest.raises(UnsuitableArgumentError, match="expected bytes"):
        mx.image.imdecode(buffer)
    assert issubclass(UnsuitableArgumentError, ValueError)


def test_array_of_floats_is_no_content():
    with pytest.raises(mx.MXNetError, match="uint8"):
        mx.image.imdecode(mx.nd.array([1, 2, 3]))


def test_missing_file_is_named(tmp_path):
    with pytest.raises(mx.MXNetError, match="nowhere") as caught:
        mx.image.imread(tmp_path / "nowhere.jpg")
    assert isinstance(caught.value, FileNotFoundError)


def test_file_without_an_image_is_named(tmp_path):
    path = tmp_path / "notes.jpg"
    path.write_text("no pixels here")
    with pytest.raises(FileFormatError, match=r"notes\.jpg"):
        mx.image.imread(str(path))


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [((-1,), {}), ((), {"flag": "two"}), ((), {"colour": 1}), ((1, 1, None, 5), {})],
)
def test_wrong_options_are_refused(args, kwargs):
    content = (PICTURES / "photo.png").read_bytes()
    with pytest.raises(mx.MXNetError, match=r"flag|colour|options"):
        mx.image.imdecode(content, *args, **kwargs)


def test_out_takes_the_image():
    content = (PICTURES / "photo.png").read_bytes()
    expected = mx.image.imdecode(content).asnumpy()
    fitting, other = mx.nd.zeros((36, 48, 3), dtype="uint8"), mx.nd.zeros((2, 2))
    view = fitting[0]
    for out in (fitting, other):
        assert mx.image.imdecode(content, out=out) is out
        np.testing.assert_array_equal(out.asnumpy(), expected)
    np.testing.assert_array_equal(view.asnumpy(), expected[0])


def test_missing_opencv_is_explained(monkeypatch):
    monkeypatch.setattr(opencv, "has_opencv", lambda: False)
    with pytest.raises(MissingLibraryError, match="opencv-python-headless"):
        mx.image.imread(PICTURES / "photo.png")


def test_both_names_are_one_module():
    assert mx.img is mx.image
    assert mx.image.image.imread is mx.image.imread
    assert mx.image.det is mx.image.detection
